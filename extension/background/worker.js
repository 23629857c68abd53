// The service worker: what starts a check, and who may ask it for what. All requests to the server are made here.

import "../shared/text.js";
import "../shared/words.js";
import * as checks from "./checks.js";
import { claimFrom, foundAt } from "./claim.js";
import { call } from "./server.js";
import { load, save } from "./settings.js";
import * as sites from "./sites.js";
import { recentRun } from "./summary.js";
import { selectionIn, show, showInTab } from "./surfaces.js";

const RECENT = 15;

/** Check a text that was selected on a page, and show the check there. */
async function check(text, address, tabId) {
  const { claim, problem } = claimFrom(text);
  const { sendAddress } = await load();
  const id = problem ? await checks.refuse(problem) : await checks.begin(claim, sendAddress ? foundAt(address) : "");
  await (tabId > 0 ? show(id, tabId) : showInTab(id));
}

/** The context menu: the browser hands over the selection, whatever frame or PDF it is in. */
function checkFromMenu(info, tab) {
  return check(info.selectionText, info.frameUrl || info.pageUrl, tab?.id);
}

/** The keyboard shortcut: the selection is read from the frames that can be reached. */
async function checkFromShortcut(pressedIn) {
  const tab = pressedIn ?? (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
  const found = tab?.id > 0 ? await selectionIn(tab.id) : null;
  return check(found?.text, found?.address, tab?.id);
}

/** The button on a page: only on sites on which the user wants it. */
async function checkFromButton({ text }, sender) {
  if (!sender.tab || !(await sites.isOn(sender.origin ?? new URL(sender.url).origin))) return { off: true };
  await check(text, sender.url, sender.tab.id);
  return {};
}

/** How the server is: its health, and what the key may do. */
async function state() {
  const health = await call("GET", "/api/health");
  return health.ready ? { health, access: await call("GET", "/api/access") } : { health };
}

/** Exchange a one-time code for a key of the extension's own, and keep that. */
async function pair({ code }) {
  const { key } = await call("POST", "/api/pair", { body: { code: String(code) } });
  await save({ key });
  return {};
}

async function recent() {
  const [{ runs }, { workbench }] = await Promise.all([
    call("GET", `/api/runs?limit=${RECENT}`),
    call("GET", "/api/access"),
  ]);
  return { runs: runs.map((run) => recentRun(run, workbench)) };
}

/** What an answer of the server comes to, or the problem. */
const told = (ask) => (message) =>
  ask(message).catch((error) => ({ problem: error.value ?? { code: "internal", title: String(error.message) } }));

/** What pages of the extension may ask for. */
const FOR_OUR_PAGES = {
  state: told(state),
  pair: told(pair),
  recent: told(recent),
  "open-run": ({ runId, claim }) => checks.openRun(String(runId), String(claim)),
  site: ({ origin }) => sites.isOn(origin),
  "want-site": ({ origin, tabId }) => sites.want(origin, tabId),
  "turn-site": ({ origin, on, tabId }) => sites.turn(origin, on === true, tabId),
};
/** What content scripts may ask for. They run in pages, so they get nothing but this and the checks they show. */
const FOR_CONTENT = { "check-selection": checkFromButton, "show-in-tab": ({ id, why }) => showInTab(String(id), why) };

const isOurPage = (sender) => sender.url?.startsWith(chrome.runtime.getURL("")) ?? false;

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  const table = isOurPage(sender) ? FOR_OUR_PAGES : FOR_CONTENT;
  if (sender.id !== chrome.runtime.id || !Object.hasOwn(table, message?.type)) return false;
  Promise.resolve(table[message.type](message, sender)).then(answer, () => answer(null));
  return true;
});
chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id === chrome.runtime.id && port.name.startsWith("check:")) void checks.attach(port);
});
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: "check", title: "Check with Ghost", contexts: ["selection"] });
  });
});
chrome.contextMenus.onClicked.addListener((info, tab) => void checkFromMenu(info, tab));
chrome.commands.onCommand.addListener((command, tab) => command === "check-selection" && void checkFromShortcut(tab));
chrome.permissions.onAdded.addListener(() => void sites.turnOnWanted());
chrome.permissions.onRemoved.addListener(() => void sites.dropForbidden());

// Content scripts run in pages and must not be able to read the key.
void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
void checks.restore();

// The tests call these, because a browser without a screen has no context menu and no shortcuts.
globalThis.ghost.handlers = { checkFromMenu, checkFromShortcut, turnSite: sites.turn };
