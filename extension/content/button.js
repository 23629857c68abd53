// A button beside each selection, on sites on which the user wants it. It hands over the selected text, nothing else.
(() => {
  if (globalThis.ghostButton) return;
  globalThis.ghostButton = true;

  const FEWEST = 8;
  const RULES = `
    :host { all: initial !important; display: block !important; position: static !important; }
    div { all: initial; position: fixed; margin: 0; inset: auto; }
    div:not(:popover-open) { display: none; }
    button { all: initial; box-sizing: border-box; font: 600 14px/20px system-ui, sans-serif; color: #fff;
      background: #1f4b7a; border: 1px solid #fff;
      border-radius: 6px; padding: 5px 10px; cursor: pointer; box-shadow: 0 2px 10px rgb(0 0 0 / .35); }
    button:focus-visible { outline: 2px solid #1f4b7a; outline-offset: 2px; }
    @media print { div { display: none !important; } }
  `;

  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  const box = document.createElement("div");
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Check with Ghost" });
  box.popover = "manual";
  box.append(button);
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(Object.assign(document.createElement("style"), { textContent: RULES }));
  }
  root.append(box);

  function place() {
    const selection = window.getSelection();
    if (!selection?.rangeCount || selection.toString().trim().length < FEWEST) return hide();
    const rects = selection.getRangeAt(0).getClientRects();
    const last = rects[rects.length - 1];
    if (!last) return hide();
    if (!host.isConnected) document.documentElement.append(host);
    box.style.left = `${Math.max(4, Math.min(last.right - 20, window.innerWidth - 170))}px`;
    box.style.top = `${Math.max(4, Math.min(last.bottom + 6, window.innerHeight - 40))}px`;
    if (!box.matches(":popover-open")) box.showPopover();
    return undefined;
  }

  function hide() {
    if (box.matches(":popover-open")) box.hidePopover();
    host.remove();
  }

  async function check(event) {
    if (!event.isTrusted) return;
    const text = String(window.getSelection());
    hide();
    try {
      const answer = await chrome.runtime.sendMessage({ type: "check-selection", text });
      if (answer?.off) stop();
    } catch {
      stop(); // the extension was updated or removed; the page has to be loaded again
    }
  }

  const onEnd = (event) => {
    if (event.isTrusted && event.target !== host) setTimeout(place);
  };
  const onScroll = () => hide();
  document.addEventListener("pointerup", onEnd);
  document.addEventListener("keyup", onEnd);
  document.addEventListener("scroll", onScroll, true);
  // Without this the press would clear the selection.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", check);

  function stop() {
    hide();
    document.removeEventListener("pointerup", onEnd);
    document.removeEventListener("keyup", onEnd);
    document.removeEventListener("scroll", onScroll, true);
    globalThis.ghostButton = false;
  }
})();
