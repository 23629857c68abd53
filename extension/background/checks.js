// What is done for a check: look for an earlier answer, start a run, follow it to its end. And what a view can ask for:
// cancel, check anew, try again.

import * as board from "./board.js";
import { account, route } from "./router.js";
import { Problem, call, follow } from "./server.js";
import { load } from "./settings.js";
import { apply, earlierAnswer, newProgress, runAddress, summary } from "./summary.js";

const { safeUrl } = globalThis.ghost.text;
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000];
const PASSING = ["lost", "unreachable", "opening", "closing", "too_many_streams", "too_many_requests"];
/** Statuses after which a check would fail too: no answer, no access, another server, an unusable claim. */
const STOPPING = [0, 401, 403, 421, 422];

const working = new Map(); // id → AbortController

/** Go on with what a worker before this one has left. */
export const restore = () => board.restore(work);

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
  const id = await board.add(values);
  work(id);
  chrome.runtime.sendMessage({ type: "check-began" }).catch(() => {}); // the side panel, where it is open
  return id;
}

/** Show a check on a port, `check:ID` or `check:latest`, and do what its view asks for. */
export async function attach(port) {
  const id = port.name.slice("check:".length);
  port.onMessage.addListener(async (message) => {
    await restore(); // it may be the message that has started this worker
    const check = board.get(id);
    if (check && Object.hasOwn(ACTS, message?.type)) void ACTS[message.type](check.id);
  });
  await restore();
  board.show(port, id);
}

const ACTS = {
  async cancel(id) {
    const check = board.get(id);
    if (!["asking", "running"].includes(check.stage)) return;
    if (check.stage === "asking") {
      working.get(id)?.abort();
      working.delete(id);
      board.update(id, { stage: "ended", status: "cancelled" });
    } else {
      board.update(id, { cancelling: true });
      if (check.runId) await stop(id);
    }
  },
  anew(id) {
    const { attempt } = board.get(id);
    const fresh = {
      ...newProgress(),
      attempt: attempt + 1,
      request: null,
      runId: "",
      workbench: "",
      lastEventId: "",
      earlier: [],
      problem: null,
    };
    board.update(id, { ...fresh, stage: "running", cancelling: false });
    return work(id);
  },
  retry(id) {
    const { problem, attempt, runId, foundAt } = board.get(id);
    if (problem?.code === "no_such_run") return ACTS.anew(id);
    // Where the server has answered, it may have kept the answer under the old key.
    const again = runId || !problem?.status ? {} : { attempt: attempt + 1, request: null };
    board.update(id, {
      ...again,
      stage: runId || foundAt ? "running" : "asking",
      problem: null,
      connection: "",
      cancelling: false,
    });
    return work(id);
  },
};

async function stop(id) {
  try {
    await call("DELETE", `/api/runs/${encodeURIComponent(board.get(id).runId)}`);
  } catch (error) {
    board.update(id, { cancelling: false, problem: problemOf(error) });
  }
}

/** Do what is due for a check until it has ended or waits for the user. */
async function work(id) {
  if (working.has(id)) return;
  const controller = new AbortController();
  working.set(id, controller);
  try {
    if (board.get(id).stage === "asking") await lookForEarlier(id, controller.signal);
    if (controller.signal.aborted) return;
    if (board.get(id).stage === "running" && !board.get(id).runId) await start(id);
    if (board.get(id).stage === "running") await watch(id, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) board.update(id, { stage: "problem", problem: problemOf(error), connection: "" });
  } finally {
    if (working.get(id) === controller) working.delete(id);
  }
}

/** Ask for an earlier answer. Without one, or where that cannot be told, the claim is checked. */
async function lookForEarlier(id, signal) {
  let cards = [];
  try {
    cards = (await call("POST", "/api/checked-before", { body: { claim: board.get(id).claim } })).cards ?? [];
  } catch (error) {
    if (!(error instanceof Problem) || STOPPING.includes(error.status) || error.code === "opening") throw error;
  }
  if (signal.aborted) return;
  // What the starter library answers is checked all the same, as on the Verify page: that shows the evidence.
  const earlier = cards
    .filter((card) => (card.relation ?? "same") === "same" && card.origin !== "library")
    .map(earlierAnswer);
  if (!earlier.length) return board.update(id, { stage: "running" });
  const [{ runId }] = earlier;
  const { workbench } = await call("GET", "/api/access");
  board.update(id, { stage: "earlier", earlier: earlier.slice(0, 3), runId, workbench: runAddress(workbench, runId) });
}

async function start(id) {
  const { claim, foundAt, request, attempt } = board.get(id);
  const body = request ?? { claim, ...(foundAt ? { found_at: foundAt } : {}), ...route(await load()) };
  board.update(id, { request: body });
  await board.write(id); // a worker that is killed now sends the same again, and joins the run
  const started = await call("POST", "/api/runs", { body, headers: { "Idempotency-Key": `${id}-${attempt}` } });
  board.update(id, { runId: started.run_id, workbench: safeUrl(started.workbench) });
}

/** Follow a run to its end, over broken connections, and read its result. */
async function watch(id, signal) {
  const path = `/api/runs/${encodeURIComponent(board.get(id).runId)}`;
  if (board.get(id).cancelling) await stop(id);
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
        await follow(`${path}/events`, { lastId: board.get(id).lastEventId, onEvent, onAlive, signal });
      }
      if (ended) return finish(id, await call("GET", path));
    } catch (error) {
      if (signal.aborted || !PASSING.includes(error.code) || tries >= PAUSES_MS.length) throw error;
    }
    if (tries >= PAUSES_MS.length) throw new Problem({ code: "lost", title: "The connection to the server was lost" });
    board.update(id, { connection: tries ? "lost" : "" });
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
  board.update(id, { ...apply(board.get(id), event, value), lastEventId: eventId, connection: "" });
}

function finish(id, result) {
  const { request, workbench, claim, sentTo } = board.get(id);
  board.update(id, {
    stage: "ended",
    status: result.status,
    cancelling: false,
    connection: "",
    problem: null,
    claim: claim || result.claim?.text,
    workbench: safeUrl(result.workbench) || workbench,
    result: summary(result),
    account: account(result, request, sentTo.thisComputer),
  });
}

function problemOf(error) {
  if (error instanceof Problem) return error.value;
  return {
    code: "internal",
    title: "Something went wrong in the extension",
    detail: String(error?.message ?? error),
    remedy: "",
    status: 0,
  };
}
