// A check in words: where it stands, its outcome in one line, and the whole of it as plain text for the clipboard.
(() => {
  const ghost = (globalThis.ghost ??= {});

  /** Where a check stands, in a word or two. */
  function stateOf(check) {
    if (check.stage === "ended") return ghost.words.STATUSES[check.status]?.word ?? "Ended";
    return (
      { asking: "Looking for an earlier answer", earlier: "Checked before", problem: "Not checked" }[check.stage] ??
      (check.cancelling ? "Stopping" : stepOf(check))
    );
  }

  function stepOf(check) {
    const { STEPS } = ghost.words;
    const at = STEPS.findIndex(({ name }) => name === check.steps.current?.name);
    return at < 0 ? "In progress" : `Step ${at + 1} of ${STEPS.length}: ${STEPS[at].title}`;
  }

  /** What a screen reader says when something has changed. */
  function announcement(check) {
    if (check.stage === "problem") return check.problem?.title ?? "";
    if (check.stage === "ended") return headline(check);
    return stateOf(check);
  }

  /** A sentence with its commands in `backquotes` set as code. */
  function coded(make, text) {
    return text.split("`").map((piece, at) => (at % 2 ? make("code", {}, piece) : piece));
  }

  /** The outcome in one line. */
  function headline(check) {
    const result = check.result;
    if (!result?.label) return `${ghost.words.STATUSES[check.status]?.word ?? "Ended"}. There is no verdict.`;
    const sure = ghost.words.confidence(result.label, result.confidence);
    return `Verdict: ${[result.label, sure].filter(Boolean).join(". ")}.`;
  }

  /** What stands before the page of a citation whose words were not read there. */
  function whose(c) {
    if (c.kind === "note") return c.url ? "A note in the library, check it at " : "A note in the library. ";
    if (c.snippet) return "Search snippet, page not read: ";
    return c.entered ? "Entered by hand, not checked against the page yet: " : "";
  }

  /** The words of a citation; a note is no quotation. */
  function quoted(c) {
    return c.kind === "note" ? c.quote : `“${c.quote}”`;
  }

  /** A check as plain text. */
  function plain(check) {
    const card = check.stage === "earlier" ? check.earlier[0] : null;
    const found = card ?? check.result;
    const sure = card && card.confidence === null ? "" : ghost.words.confidence(found.label, found.confidence);
    return [
      `Claim: ${check.claim}`,
      `Verdict: ${[found.label, sure].filter(Boolean).join(". ")}` +
        (card ? ` (checked on ${ghost.text.day(card.checkedAt)})` : ""),
      card ? card.answer : found.explanation,
      ...found.citations
        .filter((c) => c.accepted)
        .map((c) => `[${c.n}] ${quoted(c)} ${whose(c)}${[c.title, c.url].filter(Boolean).join(", ")}`),
    ]
      .filter(Boolean)
      .join("\n");
  }

  /** Put a check on the clipboard; whether that worked. Pages without https have no navigator.clipboard. */
  function copy(document, check) {
    const write = (event) => {
      event.clipboardData.setData("text/plain", plain(check));
      event.preventDefault();
    };
    document.addEventListener("copy", write, { once: true });
    const copied = document.execCommand("copy");
    document.removeEventListener("copy", write);
    return copied;
  }

  ghost.outcome = { stateOf, announcement, plain, whose, copy, coded };
})();
