// What the view lists of a check that goes on: its seven steps, and the sources as they come.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const STAGES = { trusted: "trusted sources", fact_check: "fact-checkers", broad: "the whole web" };
  const QUOTES = 2;

  /** The steps with their state: waiting, doing, done, failed or left out. */
  function stepItems(check) {
    const { current, turns } = check.steps;
    const names = ghost.words.STEPS.map(({ name }) => name);
    const reached = Math.max(names.indexOf(current?.name), ...Object.keys(turns).map((name) => names.indexOf(name)));
    const ended = check.stage === "ended";
    return ghost.words.STEPS.map(({ name, title, doing }, at) => {
      const item = (state, icon, colour, note, words = title) => ({
        key: name,
        state,
        icon,
        colour,
        title: words,
        note,
      });
      if (current?.name === name && !ended) {
        const again = current.round > 1 ? ` (round ${current.round})` : "";
        return item("doing", "clock", "blue", current.detail ? `Searching ${current.detail}` : doing, title + again);
      }
      const turn = turns[name];
      if (turn) {
        const note = `${ghost.words.decisionOf(name, turn.decision)} · ${ghost.text.seconds(turn.seconds)}`;
        return turn.failed ? item("failed", "warning", "orange", note) : item("done", "check", "green", note);
      }
      const skipped = at < reached;
      if (ended || skipped) {
        return item("left-out", "minus", "gray", skipped || check.status === "finished" ? "Not needed" : "Not reached");
      }
      return item("waiting", "ring", "gray", "");
    });
  }

  /** The sources, the latest first, and what of them is only counted. */
  function sourceItems(check, most) {
    const left = check.sources.filter(({ state }) => state === "dropped" || state === "duplicate");
    const found = check.sources.filter((source) => !left.includes(source)).reverse();
    const read = found.filter(({ state }) => state === "read").length;
    const rest = [
      found.length > most && ghost.text.count(found.length - most, "earlier source"),
      left.length && `${ghost.text.count(left.length, "hit")} left out`,
    ].filter(Boolean);
    return {
      title: `${ghost.text.count(check.sources.length, "source")} · ${read} read`,
      items: found.slice(0, most).map(sourceItem),
      rest: rest.join(" · "),
    };
  }

  function sourceItem(source) {
    const state = ghost.words.PAGE_STATES[source.state] ?? ghost.words.UNKNOWN_STATE;
    const published = source.reviews ? ghost.words.PAGE_STATES["fact-check"] : null;
    const note = source.quotes.length ? "" : source.note || state.note;
    return {
      key: source.url,
      url: source.url,
      title: source.title || ghost.text.shorten(source.url, 80),
      host: ghost.text.hostOf(source.url),
      badges: [state, ghost.words.SIDES[source.verdict], published].filter(Boolean),
      quotes: source.quotes.slice(0, QUOTES),
      note: [note, STAGES[source.stage] && `from ${STAGES[source.stage]}`].filter(Boolean).join(" · "),
    };
  }

  ghost.progress = { stepItems, sourceItems };
})();
