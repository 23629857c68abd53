// The overlay on a page. A frame of its own in a closed shadow root: the page has no way to its document. The shadow
// root alone would not do, since window.find() searches closed ones too. Messages from the page are not listened to.
(() => {
  const ghost = globalThis.ghost;

  // Within :host, !important wins over all rules of the page. Lengths in px: a page sets the size of rem.
  const RULES = `
    :host { all: initial !important; display: block !important; position: static !important; }
    dialog { all: initial; display: block; position: fixed; inset: 12px 12px auto auto; margin: 0; padding: 0;
      border: 1px solid #868b92;
      border-radius: 10px; width: min(420px, calc(100vw - 24px)); overflow: hidden; background: Canvas;
      color-scheme: light dark;
      box-shadow: 0 8px 32px rgb(0 0 0 / .35); }
    dialog:not(:popover-open, :modal) { display: none; }
    dialog::backdrop { background: none; }
    iframe { all: initial; display: block; width: 100%; height: 160px; max-height: min(680px, calc(100vh - 26px));
      border: 0; color-scheme: light dark; }
    @media (max-width: 480px) { dialog { inset: auto 6px 6px 6px; width: auto; } iframe { max-height: 70vh; } }
    @media print { dialog { display: none !important; } }
  `;

  /** Show a check and return true; closes the one that was shown before. False where the page takes no overlay. */
  function open(id) {
    ghost.overlay.close();
    const before = document.activeElement;
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "closed" });
    const box = Object.assign(document.createElement("dialog"), { ariaLabel: "Ghost: check of the selected text" });
    const frame = Object.assign(document.createElement("iframe"), { title: "Check of the selected text" });
    let view = null;
    let latest = null;
    let focused = false;

    adoptRules(root);
    box.append(frame);
    root.append(box);
    const growth = new ResizeObserver(() => fit(frame));
    ghost.guard.raise(host, box, listen);
    takeFocus();
    const guard = ghost.guard.watch(host, box, listen, lost);
    const link = ghost.link.open(
      id,
      (check) => {
        latest = { check };
        view?.draw(check);
        guard.check();
      },
      (words) => {
        latest = { words };
        draw();
      },
    );
    ghost.overlay.close = close;
    // The frame of a page in a sandbox has an origin of its own.
    const drawable = Boolean(frame.contentDocument);
    if (!drawable) close();

    function listen() {
      frame.addEventListener("load", draw); // comes again each time the host is put back
      box.addEventListener("cancel", close);
    }

    function draw() {
      const page = frame.contentDocument;
      if (!page?.body) return;
      ghost.style.apply(page);
      page.documentElement.lang = "en";
      page.title = "Ghost";
      const main = page.createElement("main");
      page.body.replaceChildren(main);
      page.addEventListener("keydown", (event) => event.isTrusted && event.key === "Escape" && close());
      view = ghost.view.open(main, { act: (name) => link.act(name), close });
      growth.disconnect();
      growth.observe(main);
      if (latest?.check) view.draw(latest.check);
      else view.message(latest?.words ?? "Starting …");
      takeFocus();
    }

    /** Move the focus into the overlay, once: the page keeps it when the overlay is only put back. */
    function takeFocus() {
      if (focused || !view || !box.matches(":popover-open, :modal")) return;
      view.focus();
      focused = true;
    }

    function close() {
      ghost.overlay.close = () => {};
      guard.stop();
      growth.disconnect();
      link.close();
      const inside = document.activeElement === host;
      host.remove();
      if (inside && before?.isConnected) before.focus();
    }

    function lost() {
      close();
      void chrome.runtime.sendMessage({ type: "show-in-tab", id, why: "moved" });
    }

    return drawable;
  }

  function fit(frame) {
    const height = frame.contentDocument?.querySelector("main")?.getBoundingClientRect().height;
    if (height) frame.style.height = `${Math.ceil(height)}px`;
  }

  function adoptRules(root) {
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(RULES);
      root.adoptedStyleSheets = [sheet];
    } catch {
      root.append(Object.assign(document.createElement("style"), { textContent: RULES }));
    }
  }

  ghost.overlay?.close();
  ghost.overlay = { open, close() {} };
})();
