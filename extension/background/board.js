// Where all checks are kept: those that go on, and those made since the browser was started. Everything is in
// chrome.storage.session, so that a worker that was killed goes on where it was. Views get a snapshot after each
// change.

import { isThisComputer, load } from "./settings.js";
import { newProgress } from "./summary.js";

const KEPT = 20;
const WRITE_MS = 100;
const LATEST = "latest";

const checks = new Map();
const ports = new Map(); // port → id, or LATEST
const dirty = new Map(); // id → timer
let restored = null;

/** Read what a worker before this one has left; `goOn` is called with the id of each check, the first time. */
export function restore(goOn) {
  restored ??= chrome.storage.session.get(null).then((kept) => {
    const found = Object.entries(kept)
      .filter(([key]) => key.startsWith("check:"))
      .map(([, check]) => check);
    for (const check of found.sort((a, b) => a.startedAt - b.startedAt)) checks.set(check.id, check);
    for (const id of checks.keys()) goOn(id);
  });
  return restored;
}

/** The check with this id, or the latest one. */
export function get(id) {
  return id === LATEST ? [...checks.values()].at(-1) : checks.get(id);
}

/** Keep a new check; the oldest go. */
export async function add(values) {
  const { address } = await load();
  const check = {
    ...newProgress(),
    id: crypto.randomUUID(),
    attempt: 1,
    startedAt: Date.now(),
    claim: "",
    foundAt: "",
    runId: "",
    workbench: "",
    lastEventId: "",
    cancelling: false,
    problem: null,
    earlier: [],
    request: null,
    sentTo: { address, thisComputer: isThisComputer(address) },
    ...values,
  };
  checks.set(check.id, check);
  for (const [id, { stage }] of checks) {
    if (checks.size > KEPT && !["asking", "running"].includes(stage)) forget(id);
  }
  void write(check.id);
  return check.id;
}

function forget(id) {
  checks.delete(id);
  void chrome.storage.session.remove(`check:${id}`);
}

/** Change a check, write it and show it; many changes in a row are one, unless its stage is among them. */
export function update(id, changes) {
  const check = checks.get(id);
  if (!check) return;
  Object.assign(check, changes);
  if ("stage" in changes) void write(id);
  else if (!dirty.has(id)) dirty.set(id, setTimeout(write, WRITE_MS, id));
}

/** Write a check and show it now. */
export async function write(id) {
  clearTimeout(dirty.get(id));
  dirty.delete(id);
  const check = checks.get(id);
  if (!check) return;
  for (const [port, wanted] of ports) {
    if (get(wanted) === check) post(port, { type: "check", check });
  }
  await chrome.storage.session.set({ [`check:${id}`]: check });
}

/** Show a check on a port from now on. */
export function show(port, id) {
  ports.set(port, id);
  port.onDisconnect.addListener(() => ports.delete(port));
  const check = get(id);
  post(port, check ? { type: "check", check } : { type: "none" });
}

function post(port, message) {
  try {
    port.postMessage(message);
  } catch {
    ports.delete(port); // its page is gone
  }
}
