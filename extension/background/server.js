// Requests to the Ghost server: the only place from which anything is sent, and only to the address in the settings.

import { EventStreamParser } from "./sse.js";
import { load } from "./settings.js";

const OURS = "the settings of the extension";
const PAIR =
  "Pair the extension in its popup: a code is under Settings › Connect in the workbench, or comes from " +
  "`python -m ghost keys pair`. Or enter a key of `python -m ghost keys add --role verify extension` there.";
const PATIENCE_MS = 20_000;
const SILENCE_MS = 35_000; // the server sends a comment every 10 s

/** What went wrong, with what to do about it: the server's words, or ours where it does not answer. */
export class Problem extends Error {
  constructor({ code, title, detail = "", remedy = "", status = 0 }) {
    super(title);
    Object.assign(this, { code, title, detail, remedy, status });
  }

  get value() {
    const { code, title, detail, remedy, status } = this;
    const shown = (text) => globalThis.ghost.text.shorten(text, 600);
    return { code, title: shown(title), detail: shown(detail), remedy: shown(remedy), status };
  }
}

/** The answer to a request as JSON. Raises Problem. */
export async function call(method, path, { body, headers = {} } = {}) {
  const settings = await load();
  const answer = await send(settings, method, path, { body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const value = await json(answer, settings.address);
  if (path === "/api/health" && "ready" in value) return value;
  if (!answer.ok) throw refused(value, answer.status, settings);
  return value;
}

/**
 * Read the events of a run until they end, beginning after `lastId`. `onEvent` is called for each, `onAlive` for each
 * piece that arrives. Raises Problem; one with the code "lost" can be tried again.
 */
export async function follow(path, { lastId, onEvent, onAlive, signal }) {
  const settings = await load();
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const headers = { Accept: "text/event-stream", ...(lastId ? { "Last-Event-ID": lastId } : {}) };
    const answer = await send(settings, "GET", path, { headers, signal: AbortSignal.any([signal, silence.signal]) });
    if (!answer.ok) throw refused(await json(answer, settings.address), answer.status, settings);
    const parser = new EventStreamParser(onEvent);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      onAlive();
      parser.push(value);
    }
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error;
    throw new Problem({ code: "lost", title: "The connection to the server was lost", detail: String(error.message) });
  } finally {
    clearTimeout(timer);
  }
}

async function send(settings, method, path, { body, headers, signal }) {
  try {
    return await fetch(settings.address + path, {
      method,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(settings.key ? { Authorization: `Bearer ${settings.key}` } : {}),
        ...headers,
      },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    throw unreachable(settings.address, error);
  }
}

async function json(answer, address) {
  try {
    const value = await answer.json();
    if (value && typeof value === "object") return value;
  } catch (error) {
    if (error.name !== "SyntaxError") throw unreachable(address, error);
  }
  throw new Problem({
    code: "not_ghost",
    status: answer.status,
    title: "This is not a Ghost server",
    remedy: `Correct the server’s address in ${OURS}. Ghost listens on port 5000 unless GHOST_API_PORT is set.`,
  });
}

function unreachable(address, error) {
  const slow = error?.name === "TimeoutError";
  return new Problem({
    code: "unreachable",
    title: slow ? "The Ghost server did not respond in time" : "The Ghost server is not running",
    detail: slow ? `No answer from ${address}.` : `Nothing is listening at ${address}.`,
    remedy: "Start it with `python -m ghost serve`, or together with the workbench: `python -m ghost up`.",
  });
}

/** A problem document of the server, with what a user of the extension can do where that is more than it says. */
function refused(value, status, { address, key }) {
  const {
    code = `http_${status}`,
    title = `The server answered with status ${status}`,
    detail = "",
    remedy = "",
  } = value;
  const byStatus = {
    401: key ? PAIR : `This server needs a key. ${PAIR}`,
    421: `Use its IP address instead of ${new URL(address).hostname}, or add the name to GHOST_HOST_NAMES.`,
  };
  const byCode = {
    wrong_role: detail.includes("curate") ? remedy : `To check claims you need a key with the role verify. ${PAIR}`,
    wrong_origin: PAIR,
    opening: "Try again in a moment.",
  };
  return new Problem({ code, status, title, detail, remedy: byCode[code] ?? byStatus[status] ?? remedy });
}
