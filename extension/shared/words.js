// The words of the workbench: each meaning has a word, an icon and a colour, so that none depends on seeing a colour.
// tests/browser/extension compares them with those of the pages.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const meaning = (word, icon, colour, note = "") => ({ word, icon, colour, note });

  const VERDICTS = {
    True: meaning("True", "check", "green", "The evidence supports the claim."),
    False: meaning("False", "cross", "red", "The evidence contradicts the claim."),
    "Partially True": meaning("Partially True", "half", "orange", "Some of it holds, some of it does not."),
    Misleading: meaning("Misleading", "warning", "orange", "Literally supported, but a source shows it deceives."),
    "Not Enough Evidence": meaning(
      "Not Enough Evidence",
      "question",
      "gray",
      "What was found does not settle the claim either way.",
    ),
    "Not Verifiable": meaning("Not Verifiable", "minus", "violet", "Evidence cannot settle this claim."),
  };
  const ABSTENTIONS = ["Not Enough Evidence", "Not Verifiable"];

  const STANCES = {
    SUPPORTS: meaning("Supports", "up", "green"),
    REFUTES: meaning("Contradicts", "down", "red"),
    NEUTRAL: meaning("Related", "dot", "gray"),
    "OFF-TOPIC": meaning("Off topic", "minus", "gray"),
  };

  const TYPES = {
    FACTUAL: "Factual claim",
    OPINION: "Opinion",
    MIXED: "Fact and opinion",
    AMBIGUOUS: "Ambiguous",
  };

  const STATUSES = {
    running: meaning("Running", "clock", "blue"),
    finished: meaning("Finished", "check", "gray"),
    cancelled: meaning("Cancelled", "minus", "gray", "This check was stopped. There is no verdict."),
    failed: meaning("Failed", "warning", "red", "This check failed. There is no verdict."),
    interrupted: meaning(
      "Interrupted",
      "warning",
      "orange",
      "The server stopped during this check. There is no verdict.",
    ),
  };

  const STEPS = [
    {
      name: "classify",
      title: "Understand the claim",
      doing: "What kind of claim is it, and what in it can be checked?",
    },
    { name: "retrieve", title: "Search the knowledge base", doing: "By meaning and by words." },
    {
      name: "rerank",
      title: "Read and weigh",
      doing: "Does each passage support or contradict the claim, and how credible is its source?",
    },
    { name: "sufficiency", title: "Enough evidence?", doing: "Would this settle the claim?" },
    {
      name: "investigate",
      title: "Search the web",
      doing: "Trusted sources first, then fact-checkers, then the whole web.",
    },
    { name: "index", title: "Save what was learnt", doing: "Only what was read and is relevant." },
    {
      name: "verdict",
      title: "Decide and check citations",
      doing: "Every quote must be in its source, word for word.",
    },
  ];

  const PAGE_STATES = {
    kept: meaning("Found", "check", "green", "A search found it."),
    "to be read": meaning("To be read", "page", "blue"),
    reading: meaning("Reading", "clock", "blue", "It is being fetched and read."),
    read: meaning("Read", "page", "green"),
    refused: meaning("Not fetched", "minus", "orange"),
    unreadable: meaning("Not readable", "minus", "orange"),
    dropped: meaning("Does not count", "minus", "gray"),
    "not read": meaning("Not read", "minus", "gray"),
    duplicate: meaning("Already known", "dot", "gray"),
    "fact-check": meaning("Fact-check", "check", "green", "A published check of this claim."),
  };
  const UNKNOWN_STATE = meaning("Seen", "page", "gray");
  const SIDES = {
    supports: STANCES.SUPPORTS,
    refutes: STANCES.REFUTES,
    both: meaning("Takes both sides", "half", "orange"),
  };

  const REASONS = {
    opinion: "This is an opinion",
    ambiguous: "The claim can be read in several ways",
    unsupported_language: "The claim is not in English",
    no_sources: "No source speaks about it",
    off_topic: "The sources found are about something else",
    not_decisive: "The sources do not decide it",
    below_bound: "The evidence is not clear enough for a verdict",
    conflict: "Good sources contradict each other",
    weak_origin: "The sources are too weak or too few",
    citations_rejected: "The citation gate rejected the answer",
    no_provider: "No search provider is set up",
    provider_down: "A search provider could not be reached",
    budget: "A limit of the run was reached",
    too_old: "The sources are too old for a claim about the present",
    judge_failed: "The judge gave no usable answer",
  };

  const LEVELS = [
    [0.9, "High"],
    [0.75, "Medium"],
    [0, "Low"],
  ];
  const NOT_MEASURED = "Confidence not measured for this model";
  /** `High confidence (92%)`; empty for an abstention, which has a reason instead. */
  function confidence(label, share) {
    if (!VERDICTS[label] || ABSTENTIONS.includes(label)) return "";
    if (typeof share !== "number") return NOT_MEASURED;
    const [, level] = LEVELS.find(([least]) => Math.round(share * 100) / 100 >= least);
    return `${level} confidence (${ghost.text.percent(share)})`;
  }

  /** What a step decided, with the kind of claim in the words of the pages. */
  function decisionOf(step, decision) {
    const [kind, ...rest] = decision.split(" · ");
    return step === "classify" && TYPES[kind] ? [TYPES[kind], ...rest].join(" · ") : decision;
  }

  ghost.words = {
    VERDICTS,
    ABSTENTIONS,
    STANCES,
    TYPES,
    STATUSES,
    STEPS,
    PAGE_STATES,
    UNKNOWN_STATE,
    SIDES,
    REASONS,
    LEVELS,
    NOT_MEASURED,
    confidence,
    decisionOf,
  };
})();
