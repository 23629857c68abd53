// Where a check is shown: over the page, or in a tab of its own where nothing can be drawn. And what is selected there.

const OVERLAY = [
  "shared/text.js",
  "shared/words.js",
  "shared/dom.js",
  "shared/style.js",
  "shared/progress.js",
  "shared/outcome.js",
  "shared/result.js",
  "shared/view.js",
  "shared/link.js",
  "content/guard.js",
  "content/overlay.js",
];

/** Show a check on the page of a tab. Pages of the browser and its store take no overlay: a tab opens instead. */
export async function show(checkId, tabId) {
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: OVERLAY });
    const [{ result: shown }] = await chrome.scripting.executeScript({
      target: { tabId },
      args: [checkId],
      func: (id) => globalThis.ghost.overlay.open(id),
    });
    if (!shown) await showInTab(checkId); // it failed there, such as in a drawing
  } catch {
    await showInTab(checkId);
  }
}

/** `why` is `moved` where a page did not let the overlay be. */
export async function showInTab(checkId, why = "") {
  const url = new URL(chrome.runtime.getURL("result/result.html"));
  url.searchParams.set("check", checkId);
  if (why === "moved") url.searchParams.set("why", why);
  await chrome.tabs.create({ url: url.href });
}

/** The text that is selected in a tab and the address of its frame, as far as the frames can be reached. */
export async function selectionIn(tabId) {
  try {
    const found = await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, func: readSelection });
    const selected = found.map(({ result }) => result).filter((each) => each?.text);
    return selected.find(({ focused }) => focused) ?? selected[0] ?? null;
  } catch {
    return null;
  }
}

/** Runs in the page: everything it needs is inside. */
function readSelection() {
  const field = document.activeElement;
  const typed =
    field?.tagName === "TEXTAREA" || (field?.tagName === "INPUT" && ["text", "search"].includes(field.type));
  const text = typed
    ? field.value.slice(field.selectionStart, field.selectionEnd)
    : String(window.getSelection() ?? "");
  return { text: text.trim() ? text : "", focused: document.hasFocus(), address: location.href };
}
