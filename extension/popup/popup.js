// The popup: the settings, and how the connection is.

import { expectation } from "../background/router.js";
import { isThisComputer, load, permissionFor, save, serverAddress } from "../background/settings.js";
import { describe, needsPairing } from "./connection.js";

const RULES = `
  body { width: 360px; max-width: 100%; }
  main { display: grid; gap: 14px; padding: 14px 16px 16px; }
  form, fieldset { border: 0; border-top: 1px solid var(--border); margin: 0; padding: 12px 0 0; display: grid;
    gap: 6px; min-width: 0; }
  h2, legend { font: 600 15px/1.4 var(--sans); padding: 0; }
  legend { float: left; } /* else it stands in the line above */
  legend + * { clear: both; }
  fieldset label { display: flex; gap: 6px; align-items: baseline; }
  fieldset label > input { flex: none; }
  label.inner { padding-left: 22px; }
  #state button { justify-self: start; }
  footer.row { margin: 0 -16px -16px; }
  input:not([type=radio], [type=checkbox]) { width: 100%; padding: 5px 8px; border: 1px solid var(--control);
    border-radius: 6px; background: var(--back2); }
`;
const AGAIN_MS = 1500;
const $ = (id) => document.getElementById(id);
const { make, link, icon } = globalThis.ghost.dom.maker(document);
const { id: windowId } = await chrome.windows.getCurrent();
let access = null;
let asked = 0;
let shown = null; // the settings as the fields have them

globalThis.ghost.style.apply(document, RULES);

async function showSettings() {
  const settings = (shown = await load());
  $("address").value = settings.address;
  $("key").value = settings.key;
  document.querySelector(`input[name=aiProvider][value=${settings.aiProvider}]`).checked = true;
  $("cloudFallback").checked = settings.cloudFallback;
  $("sendAddress").checked = settings.sendAddress;
  await showExpectation();
}

/** What the server makes of the choice of judge. Leaves the fields alone, in which somebody may be typing. */
async function showExpectation() {
  const settings = await load();
  $("cloudFallback").disabled = settings.aiProvider === "cloud";
  $("expectation").textContent = access ? expectation(settings, access) : "";
}

/** Ask the server how it is; while it opens, again and again. */
async function refresh() {
  const turn = ++asked;
  const { address } = await load();
  if (!(await chrome.permissions.contains(permissionFor(address)))) {
    access = null;
    return draw(
      {
        word: "Not allowed to reach the server yet",
        icon: "warning",
        colour: "orange",
        lines: [`The browser asks once for ${address}.`],
      },
      make("button", { type: "button", click: () => allow(address).then(refresh) }, "Allow"),
    );
  }
  const state = await ask({ type: "state" });
  if (turn !== asked) return undefined;
  access = state.access ?? null;
  $("pair").hidden = !needsPairing(state);
  draw(describe(state), !access && make("button", { type: "button", click: refresh }, "Try again"));
  $("workbench").replaceChildren(access?.workbench ? link(access.workbench, "Open the workbench") : "");
  if (state.health?.status === "opening") setTimeout(refresh, AGAIN_MS);
  return showExpectation();
}

const ask = async (message) =>
  (await chrome.runtime.sendMessage(message)) ?? { problem: { title: "The extension is not responding" } };

function draw({ word, icon: name, colour, lines }, more) {
  const texts = lines
    .filter((line) => line && line !== `${word}.`)
    .map((line) => make("p", { class: "small" }, globalThis.ghost.outcome.coded(make, line)));
  $("state").replaceChildren(
    ...[make("p", { class: `alert ${colour}` }, icon(name), make("strong", {}, word)), ...texts, more].filter(Boolean),
  );
}

const allow = (address) => chrome.permissions.request(permissionFor(address));

$("pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = $("code").value.trim();
  if (!code) return void ($("paired").textContent = "Enter the code first.");
  $("paired").textContent = "";
  const { problem } = await ask({ type: "pair", code });
  if (problem) return void ($("paired").textContent = problem.detail || problem.title);
  $("code").value = "";
  await showSettings();
  return refresh();
});

$("server").addEventListener("submit", (event) => {
  event.preventDefault();
  const address = serverAddress($("address").value);
  if (!address) return void ($("saved").textContent = "This is not a web address.");
  const typed = $("key").value.trim();
  const key = address === shown.address || typed !== shown.key ? typed : ""; // the key of a server is for no other one
  $("key").value = key;
  shown = { ...shown, address, key };
  // The browser asks only in answer to a click, so nothing may be waited for before; and it may close the popup.
  const saved = save({ address, key });
  return void allow(address)
    .catch(() => false)
    .then(async () => {
      await saved;
      const plain = address.startsWith("http:") && !isThisComputer(address);
      $("saved").textContent = plain
        ? "Saved. Without https, others on the network can read your claims and key."
        : "Saved.";
      access = null;
      await refresh();
    });
});

for (const radio of document.querySelectorAll("input[name=aiProvider]")) {
  radio.addEventListener("change", () => save({ aiProvider: radio.value }).then(showExpectation));
}
for (const name of ["cloudFallback", "sendAddress"]) {
  $(name).addEventListener("change", () => save({ [name]: $(name).checked }).then(showExpectation));
}

/** The floating button of the site in the current tab; the popup may see its address because it was opened there. */
async function showSite() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  const url = globalThis.ghost.text.safeUrl(tab?.url);
  if (!url) return;
  const { origin, host } = new URL(url);
  $("site").hidden = false;
  $("host").textContent = host;
  $("button").checked = await chrome.runtime.sendMessage({ type: "site", origin });
  $("button").addEventListener("change", async () => {
    if ($("button").checked) void chrome.runtime.sendMessage({ type: "want-site", origin, tabId: tab.id });
    const on = $("button").checked && (await allow(origin).catch(() => false));
    $("site-note").textContent =
      $("button").checked && !on ? "The button needs the permission for this site." : "";
    $("button").checked = on;
    await chrome.runtime.sendMessage({ type: "turn-site", origin, on, tabId: tab.id });
    const { address } = await load();
    if (!on && !address.startsWith(origin)) await chrome.permissions.remove(permissionFor(origin)).catch(() => {});
  });
}

$("panel").addEventListener("click", async () => {
  if (chrome.sidePanel?.open) {
    await chrome.sidePanel.open({ windowId });
  } else {
    await globalThis.browser.sidebarAction.open();
  }
  window.close();
});

await showSettings();
void showSite();
void refresh();
