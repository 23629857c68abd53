// The checks that go on or were made since the browser was started. All of their state is in chrome.storage.session, so
// that a worker that was killed goes on where it was. Views get a snapshot after each change.

import { account, route } from "./router.js";
import { Problem, call, follow } from "./server.js";
import { isThisComputer, load } from "./settings.js";
import { apply, earlierAnswer, newProgress, runAddress, summary } from "./summary.js";

const { safeUrl } = globalThis.ghost.text;
const KEPT = 20;
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000];
const WRITE_MS = 100;
const LATEST = "latest";
const PASSING = ["lost", "unreachable", "opening", "closing", "too_many_streams", "too_many_requests"];

const checks = new Map();
const working = new Map(); // id → AbortController
const ports = new Map(); // port → id, or LATEST
const dirty = new Map(); // id → timer
let restored = null;

/** Go on with what a worker before this one has left. */
export function restore() {
  restored ??= chrome.storage.session.get(null).then((kept) => {
    const found = Object.entries(kept).filter(([key]) => key.startsWith("check:")).map(([, check]) => check);
    for (const check of found.sort((a, b) => a.startedAt - b.startedAt)) checks.set(check.id, check);
    for (const id of checks.keys()) work(id);
  });
  return restored;
}

/** Begin to check a claim; returns the id of the check. */
export async function begin(claim, foundAt = "") {
  return add({ stage: foundAt ? "running" : "asking", claim, foundAt });
}

/** A check that cannot begin, to say why. */
export async function refuse(problem) {
  return add({ stage: "problem", claim: "", problem });
}

/** Show a run that the server has; follow it where it goes on. */
export async function openRun(runId, claim) {
  return add({ stage: "running", claim, runId });
}

async function add(values) {
  await restore();
  const { address } = await load();
  const check = {
    ...newProgress(), id: crypto.randomUUID(), attempt: 1, startedAt: Date.now(), claim: "", foundAt: "", runId: "", workbench: "",
    lastEventId: "", cancelling: false, problem: null, earlier: [], request: null,
    sentTo: { address, thisComputer: isThisComputer(address) }, ...values,
  };
  checks.set(check.id, check);
  for (const [id, old] of checks) {
    if (checks.size > KEPT && !working.has(id) && old !== check) forget(id);
  }
  publish(check.id, true);
  work(check.id);
  chrome.runtime.sendMessage({ type: "check-began" }).catch(() => {}); // the side panel, where it is open
  return check.id;
}

function forget(id) {
  checks.delete(id);
  void chrome.storage.session.remove(`check:${id}`);
}

/** Show a check on a port, `check:ID` or `check:latest`, and do what its view asks for. */
export async function attach(port) {
  const id = port.name.slice("check:".length);
  ports.set(port, id);
  port.onDisconnect.addListener(() => ports.delete(port));
  port.onMessage.addListener(async (message) => {
    await restore(); // it may be the message that has started this worker
    const check = current(id);
    if (check && Object.hasOwn(ACTS, message?.type)) void ACTS[message.type](check.id);
  });
  await restore();
  const check = current(id);
  if (check) post(port, { type: "check", check });
  else post(port, { type: "none" });
}

const current = (id) => (id === LATEST ? [...checks.values()].at(-1) : checks.get(id));

const ACTS = {
  async cancel(id) {
    const check = checks.get(id);
    if (!["asking", "running"].includes(check.stage)) return;
    if (check.stage === "asking") {
      working.get(id)?.abort();
      update(id, { stage: "ended", status: "cancelled" });
    } else {
      update(id, { cancelling: true });
      if (check.runId) await stop(id);
    }
  },
  anew(id) {
    const { attempt } = checks.get(id);
    const fresh = { ...newProgress(), attempt: attempt + 1, request: null, runId: "", workbench: "", lastEventId: "", earlier: [], problem: null };
    update(id, { ...fresh, stage: "running", cancelling: false });
    return work(id);
  },
  retry(id) {
    const { problem, attempt, runId, foundAt } = checks.get(id);
    if (problem?.code === "no_such_run") return ACTS.anew(id);
    // Where the server has answered, it may have kept the answer under the old key.
    const again = runId || !problem?.status ? {} : { attempt: attempt + 1, request: null };
    update(id, { ...again, stage: runId || foundAt ? "running" : "asking", problem: null, connection: "", cancelling: false });
    return work(id);
  },
};

async function stop(id) {
  try {
    await call("DELETE", `/api/runs/${encodeURIComponent(checks.get(id).runId)}`);
  } catch (error) {
    update(id, { cancelling: false, problem: problemOf(error) });
  }
}

/** Do what is due for a check until it has ended or waits for the user. */
async function work(id) {
  if (working.has(id)) return;
  const controller = new AbortController();
  working.set(id, controller);
  try {
    if (checks.get(id).stage === "asking") await lookForEarlier(id, controller.signal);
    if (checks.get(id).stage === "running" && !checks.get(id).runId) await start(id);
    if (checks.get(id).stage === "running") await watch(id, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) update(id, { stage: "problem", problem: problemOf(error), connection: "" });
  } finally {
    working.delete(id);
  }
}

/** Ask for an earlier answer. Without one, or where that cannot be told, the claim is checked. */
async function lookForEarlier(id, signal) {
  let cards = [];
  try {
    cards = (await call("POST", "/api/checked-before", { body: { claim: checks.get(id).claim } })).cards ?? [];
  } catch (error) {
    if (!(error instanceof Problem) || error.status < 404 || error.status === 421 || error.status === 422 || error.code === "opening") throw error;
  }
  if (signal.aborted) return;
  // What the starter library answers is checked all the same, as on the Verify page: that shows the evidence.
  const earlier = cards.filter((card) => (card.relation ?? "same") === "same" && card.origin !== "library").map(earlierAnswer);
  if (!earlier.length) return update(id, { stage: "running" });
  const [{ runId }] = earlier;
  const { workbench } = await call("GET", "/api/access");
  update(id, { stage: "earlier", earlier: earlier.slice(0, 3), runId, workbench: runAddress(workbench, runId) });
}

async function start(id) {
  const { claim, foundAt, request, attempt } = checks.get(id);
  const body = request ?? { claim, ...(foundAt ? { found_at: foundAt } : {}), ...route(await load()) };
  update(id, { request: body });
  await write(id); // a worker that is killed now sends the same again, and joins the run
  const started = await call("POST", "/api/runs", { body, headers: { "Idempotency-Key": `${id}-${attempt}` } });
  update(id, { runId: started.run_id, workbench: safeUrl(started.workbench) });
}

/** Follow a run to its end, over broken connections, and read its result. */
async function watch(id, signal) {
  const path = `/api/runs/${encodeURIComponent(checks.get(id).runId)}`;
  if (checks.get(id).cancelling) await stop(id);
  let ended = false;
  for (let tries = 0; ;) {
    try {
      if (!ended) {
        const onEvent = (event) => {
          tries = 0;
          ended ||= event.event === "run_ended";
          hear(id, event);
        };
        // Calls to the browser keep the worker alive; the stream alone does not.
        const onAlive = () => void chrome.runtime.getPlatformInfo();
        await follow(`${path}/events`, { lastId: checks.get(id).lastEventId, onEvent, onAlive, signal });
      }
      if (ended) return finish(id, await call("GET", path));
    } catch (error) {
      if (signal.aborted || !PASSING.includes(error.code) || tries >= PAUSES_MS.length) throw error;
    }
    if (tries >= PAUSES_MS.length) throw new Problem({ code: "lost", title: "The connection to the server was lost" });
    update(id, { connection: tries ? "lost" : "" });
    await new Promise((done) => setTimeout(done, PAUSES_MS[tries++]));
  }
}

function hear(id, { id: eventId, event, data }) {
  let value = {};
  try {
    value = JSON.parse(data);
  } catch {
    return; // no event of ours
  }
  update(id, { ...apply(checks.get(id), event, value), lastEventId: eventId, connection: "" });
}

function finish(id, result) {
  const { request, workbench, claim, sentTo } = checks.get(id);
  update(id, {
    stage: "ended", status: result.status, cancelling: false, connection: "", problem: null,
    claim: claim || result.claim?.text, workbench: safeUrl(result.workbench) || workbench,
    result: summary(result), account: account(result, request, sentTo.thisComputer),
  });
}

function problemOf(error) {
  if (error instanceof Problem) return error.value;
  return { code: "internal", title: "Something went wrong in the extension", detail: String(error?.message ?? error), remedy: "", status: 0 };
}

function update(id, changes) {
  const check = checks.get(id);
  if (!check) return;
  Object.assign(check, changes);
  publish(id, "stage" in changes);
}

/** Write a check and show it; many changes in a row are one. */
function publish(id, now = false) {
  if (now) return void write(id);
  if (!dirty.has(id)) dirty.set(id, setTimeout(() => void write(id), WRITE_MS));
}

async function write(id) {
  clearTimeout(dirty.get(id));
  dirty.delete(id);
  const check = checks.get(id);
  if (!check) return;
  for (const [port, wanted] of ports) {
    if (current(wanted) === check) post(port, { type: "check", check });
  }
  await chrome.storage.session.set({ [`check:${id}`]: check });
}

function post(port, message) {
  try {
    port.postMessage(message);
  } catch {
    ports.delete(port); // its page is gone
  }
}
