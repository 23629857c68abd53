// The sites on which the user wants a button beside each selection. The browser keeps the list: it is the content
// scripts that are registered.

import { permissionFor } from "./settings.js";

const SCRIPT = "content/button.js";
const idOf = (origin) => `button:${origin}`;

export async function isOn(origin) {
  const found = await chrome.scripting.getRegisteredContentScripts({ ids: [idOf(origin)] });
  return found.length > 0;
}

/** Show the button on a site from now on, or no longer. The permission must have been given before. */
export async function turn(origin, on, tabId) {
  const ids = [idOf(origin)];
  if (await isOn(origin)) await chrome.scripting.unregisterContentScripts({ ids });
  if (!on) return;
  const matches = permissionFor(origin).origins;
  await chrome.scripting.registerContentScripts([{ id: ids[0], js: [SCRIPT], matches, allFrames: true, runAt: "document_idle" }]);
  if (tabId) await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, files: [SCRIPT] }).catch(() => {});
}

/** Forget the sites whose permission the user has taken back. */
export async function dropForbidden() {
  for (const { id, matches } of await chrome.scripting.getRegisteredContentScripts()) {
    if (!(await chrome.permissions.contains({ origins: matches }))) await chrome.scripting.unregisterContentScripts({ ids: [id] });
  }
}
