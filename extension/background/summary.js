// What a check keeps of events and results: short texts, known kinds of values, bounded lists. Nothing here is trusted.

const { clean, shorten, safeUrl } = globalThis.ghost.text;
const MOST_SOURCES = 60;
const object = (value) => (value && typeof value === "object" ? value : {});
const objects = (value) => (Array.isArray(value) ? value.map(object) : []);
const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** A check before anything is known of it. */
export function newProgress() {
  return {
    steps: { current: null, turns: {} },
    type: "",
    statements: [],
    weighed: null,
    sentences: [],
    withdrawn: "",
    sources: [],
    status: "running",
    error: "",
    result: null,
    account: null,
    connection: "",
  };
}

/** What changes in a check with an event. */
export function apply(check, name, data) {
  return Object.hasOwn(CHANGES, name) ? CHANGES[name](check, object(data)) : {};
}

const CHANGES = {
  // A stream that starts over replaces all that was known.
  run_started: (check, data) => ({ ...newProgress(), claim: shorten(data.claim?.text, 5000) || check.claim }),
  step_started: (check, data) => ({
    steps: {
      ...check.steps,
      current: { name: clean(data.name), round: number(data.round) ?? 1, detail: shorten(data.detail, 120) },
    },
  }),
  step_finished: (check, data) => {
    const step = object(data.step);
    const before = check.steps.turns[step.name];
    const decision = shorten(step.decision, 160);
    // The turns of a search are stages of one investigation; of other steps the last round counts.
    const joined = step.name === "investigate" && before ? `${before.decision}; ${decision}` : decision;
    const failed = step.decision === "stopped" || String(step.decision).endsWith("the search failed");
    const turn = {
      decision: shorten(joined, 400),
      seconds: (before?.seconds ?? 0) + (number(step.seconds) ?? 0),
      failed: failed || (step.name === "investigate" && Boolean(before?.failed)),
    };
    return { steps: { current: null, turns: { ...check.steps.turns, [clean(step.name)]: turn } } };
  },
  claim_classified: (check, { classification }) => ({
    type:
      object(classification).code === "unsupported_language"
        ? "Not in English"
        : (globalThis.ghost.words.TYPES[object(classification).type] ?? ""),
    statements: objects(object(classification).statements)
      .slice(0, 8)
      .map((s) => ({ number: number(s.number), text: shorten(s.text, 200) })),
  }),
  evidence_weighed: (check, { evidence }) => {
    const stances = new Map(objects(evidence).map((e) => [e.number, likeliest(object(e.stance))]));
    const weighed = {};
    for (const stance of stances.values()) weighed[stance] = (weighed[stance] ?? 0) + 1;
    return { weighed };
  },
  source_update: (check, data) => {
    const source = {
      url: safeUrl(data.url) || shorten(data.url, 200),
      title: shorten(data.title, 120),
      state: clean(data.state),
      note: shorten(data.note, 160),
      stage: clean(data.stage),
      quotes: (Array.isArray(data.quotes) ? data.quotes : []).slice(0, 2).map((q) => shorten(q, 220)),
      verdict: clean(data.verdict),
      reviews: number(data.reviews) ?? 0,
    };
    const others = check.sources.filter(({ url }) => url !== source.url);
    return { sources: [...others, source].slice(-MOST_SOURCES) };
  },
  sentence_accepted: (check, { text }) => ({ sentences: [...check.sentences, shorten(text, 1000)].slice(-40) }),
  sentences_withdrawn: (check, { reason }) => ({ sentences: [], withdrawn: shorten(reason, 300) }),
  run_ended: (check, { status, error }) => ({ status: clean(status), error: shorten(error, 400) }),
};

function likeliest({ supports = 0, refutes = 0, neutral = 0, off_topic: off = 0 }) {
  const all = { SUPPORTS: supports, REFUTES: refutes, NEUTRAL: neutral, "OFF-TOPIC": off };
  return Object.keys(all).reduce((best, name) => (all[name] > all[best] ? name : best));
}

/** What is shown of a result. Only a finished run has a verdict. */
export function summary(result) {
  const verdict = result.status === "finished" && result.verdict ? object(result.verdict) : null;
  return {
    error: shorten(result.error, 400),
    label: clean(verdict?.label),
    confidence: number(verdict?.confidence),
    leaning: clean(verdict?.leaning?.label),
    explanation: shorten(verdict?.explanation, 6000),
    contested: verdict?.contested === true,
    reasons: objects(verdict?.reasons)
      .slice(0, 12)
      .map((r) => ({ code: clean(r.code), text: shorten(r.text, 600), remedy: shorten(r.remedy, 400) })),
    statements: objects(verdict?.statements)
      .slice(0, 8)
      .map((s) => ({
        number: number(s.number),
        text: shorten(s.text, 300),
        label: clean(s.label),
        confidence: number(s.confidence),
      })),
    citations: verdict ? objects(result.citations).slice(0, 40).map(citation) : [],
    override:
      verdict && result.override
        ? {
            label: clean(result.override.label),
            reason: shorten(result.override.reason, 400),
            at: clean(result.override.at),
          }
        : null,
  };
}

function citation(c) {
  return {
    n: number(c.n),
    kind: clean(c.kind),
    entered: c.intake === "entered",
    quote: shorten(c.quote, 800),
    url: safeUrl(c.url),
    domain: shorten(c.domain, 100),
    title: shorten(c.title, 160),
    publishedAt: clean(c.published_at),
    stance: clean(c.stance),
    accepted: c.accepted !== false,
    why: shorten(c.why, 300),
    snippet: c.snippet === true,
  };
}

/** What is shown of an earlier answer. */
export function earlierAnswer(card) {
  return {
    claim: shorten(card.claim, 300),
    label: clean(card.label),
    confidence: number(card.confidence),
    answer: shorten(card.answer, 2000),
    checkedAt: clean(card.checked_at),
    runId: clean(card.run_id),
    publisher: shorten(card.publisher, 100),
    relation: clean(card.relation) || "same",
    stale: shorten(card.stale, 300),
    citations: objects(card.citations).slice(0, 12).map(citation),
  };
}

/** A run in the list of recent ones. */
export function recentRun(run, workbench) {
  return {
    runId: clean(run.run_id),
    claim: shorten(run.claim, 160),
    status: clean(run.status),
    label: clean(run.label),
    startedAt: clean(run.started_at),
    workbench: runAddress(workbench, run.run_id),
  };
}

/** The address of a run in the workbench; empty when the workbench has no web address. */
export function runAddress(workbench, runId) {
  const base = safeUrl(workbench);
  if (!base || !runId) return "";
  const url = new URL("/", base);
  url.searchParams.set("run", runId);
  return url.href;
}
