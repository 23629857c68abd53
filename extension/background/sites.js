// The sites on which the user wants a button beside each selection. The browser keeps the list: it is the content
// scripts that are registered.

import { permissionFor } from "./settings.js";

const SCRIPT = "content/button.js";
const idOf = (origin) => `button:${origin}`;

export async function isOn(origin) {
  const found = await chrome.scripting.getRegisteredContentScripts({ ids: [idOf(origin)] });
  return found.length > 0;
}

/** Remember that the user is being asked for a site: some browsers close the popup as soon as they ask. */
export async function want(origin, tabId) {
  await chrome.storage.session.set({ wanted: { origin, tabId } });
}

/** Go on where the popup would have, with the permission that the user has just given. */
export async function turnOnWanted() {
  const { wanted } = await chrome.storage.session.get("wanted");
  await chrome.storage.session.remove("wanted");
  if (wanted && (await chrome.permissions.contains(permissionFor(wanted.origin))))
    await turn(wanted.origin, true, wanted.tabId);
}

let last = Promise.resolve();

/** Show the button on a site from now on, or no longer. The permission must have been given before. */
export function turn(origin, on, tabId) {
  last = last.catch(() => {}).then(() => change(origin, on, tabId)); // one after the other: two could both register
  return last;
}

async function change(origin, on, tabId) {
  if (on === (await isOn(origin))) return;
  if (!on) {
    await chrome.scripting.unregisterContentScripts({ ids: [idOf(origin)] });
    return;
  }
  const matches = permissionFor(origin).origins;
  await chrome.scripting.registerContentScripts([
    { id: idOf(origin), js: [SCRIPT], matches, allFrames: true, matchOriginAsFallback: true, runAt: "document_idle" },
  ]);
  if (tabId)
    await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, files: [SCRIPT] }).catch(() => {});
}

/** Forget the sites whose permission the user has taken back. */
export async function dropForbidden() {
  for (const { id, matches } of await chrome.scripting.getRegisteredContentScripts()) {
    if (!(await chrome.permissions.contains({ origins: matches })))
      await chrome.scripting.unregisterContentScripts({ ids: [id] });
  }
}
