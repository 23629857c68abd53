// What the view shows of a check that has ended: verdict, citations, who judged and what left the machine; and what is
// shown in its place: an earlier answer, or a problem.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const MARK = /\[(\d{1,6})\]/g;
  const LEADING_MARKS = / (?=\[\d+\] )/;
  const LEANS = { True: "true", False: "false", "Partially True": "partially true", Misleading: "misleading" };

  /** The builders of the parts, for one document. */
  function parts(dom) {
    const { make, icon } = dom;

    function problem(found) {
      return [
        make(
          "div",
          { class: "box", role: "alert" },
          make("p", { class: "alert orange" }, icon("warning"), make("strong", {}, found.title)),
          found.detail && found.detail !== `${found.title}.` && make("p", {}, found.detail),
          found.remedy && make("p", {}, ...ghost.outcome.coded(make, found.remedy)),
        ),
      ];
    }

    function band(label, ...notes) {
      const { word, icon: name, colour } = ghost.words.VERDICTS[label];
      return make(
        "div",
        { class: `band ${colour}` },
        make("p", { class: "label" }, icon(name), word),
        notes.map((note) => make("p", {}, note)),
      );
    }

    /** The label and why; a check without a verdict says how it ended and never shows a label. */
    function verdict(check) {
      const result = check.result;
      if (!result?.label || !ghost.words.VERDICTS[result.label]) {
        const ended = ghost.words.STATUSES[check.status] ?? ghost.words.STATUSES.failed;
        return [
          make(
            "div",
            { class: `band ${ended.colour}` },
            make("p", { class: "label" }, icon(ended.icon), ended.word),
            make("p", {}, ended.note || "This check has no verdict."),
            result?.error && make("p", {}, result.error),
          ),
        ];
      }
      const sure = ghost.words.confidence(result.label, result.confidence);
      const note = ghost.words.VERDICTS[result.label].note;
      const machine = sure ? `${sure}. ${note}` : note;
      const analyst = result.override;
      const head =
        analyst && analyst.label !== result.label
          ? [
              band(analyst.label, `Your verdict of ${ghost.text.day(analyst.at)}: ${analyst.reason}`),
              make("p", {}, `Ghost’s verdict: ${[result.label, sure].filter(Boolean).join(" · ")}`),
            ]
          : [
              band(
                result.label,
                machine,
                ...(analyst ? [`You confirmed this on ${ghost.text.day(analyst.at)}. ${analyst.reason}`] : []),
              ),
            ];
      const leads = /^\[\d+\] /.test(result.explanation);
      return [
        ...head,
        LEANS[result.leaning] && make("p", { class: "small pale" }, `Leans towards ${LEANS[result.leaning]}`),
        result.contested &&
          make("p", {}, dom.badge({ word: "Contested: good sources on both sides", icon: "half", colour: "orange" })),
        ...result.explanation
          .split(leads ? LEADING_MARKS : /$^/)
          .filter(Boolean)
          .map((text) => make("p", {}, marked(text, result.citations))),
        reasons(result),
        statements(result),
      ];
    }

    /** A sentence whose `[n]` lead to the citations below it. */
    function marked(text, known) {
      const pieces = text.split(MARK);
      return pieces.map((piece, at) => {
        if (at % 2 === 0) return piece;
        if (!known.some(({ n }) => String(n) === piece)) return `[${piece}]`;
        return make(
          "button",
          {
            type: "button",
            class: "mark",
            "aria-label": `Citation ${piece}`,
            click: (event) => {
              const cited = event.target.closest(".check").querySelector(`[data-citation="${piece}"]`);
              cited?.scrollIntoView({ block: "nearest" });
              cited?.focus();
            },
          },
          `[${piece}]`,
        );
      });
    }

    /** Nothing where the analyst has decided otherwise: nobody needs them then. */
    function reasons(result) {
      const own = result.override;
      if (!result.reasons.length || (own && own.label !== result.label)) return null;
      const abstains = ghost.words.ABSTENTIONS.includes(result.label);
      const open = own ? "Why it stays open" : "Why there is no verdict";
      const remedies = abstains ? result.reasons.map(({ remedy }) => remedy).filter(Boolean) : [];
      const lines = result.reasons.map(({ code, text }) =>
        make(
          "li",
          {},
          make("strong", {}, `${ghost.words.REASONS[code] ?? "A reason without a name"}. `),
          text === result.explanation ? "" : text,
        ),
      );
      return make(
        "div",
        { class: "box" },
        make("p", {}, make("strong", {}, abstains ? open : "Keep in mind")),
        make("ul", { class: "plain-list" }, lines),
        remedies.length > 0 && make("p", {}, make("strong", {}, "What would change this verdict")),
        remedies.length > 0 &&
          make(
            "ul",
            { class: "plain-list" },
            remedies.map((text) => make("li", {}, text)),
          ),
      );
    }

    function statements(result) {
      if (result.statements.length < 2) return null;
      return make(
        "ol",
        {},
        result.statements.map((s) =>
          make(
            "li",
            {},
            `${s.number} · ${s.text} `,
            ghost.words.VERDICTS[s.label] && dom.badge(ghost.words.VERDICTS[s.label]),
            make("span", { class: "small pale" }, ` ${ghost.words.confidence(s.label, s.confidence)}`),
          ),
        ),
      );
    }

    function citation(c) {
      const stance = ghost.words.STANCES[c.stance];
      const host = c.domain || ghost.text.hostOf(c.url);
      const about = [
        c.title && host,
        c.publishedAt ? `published ${ghost.text.day(c.publishedAt)}` : "publication date unknown",
      ].filter(Boolean);
      return make(
        "li",
        { class: "cite stack", tabindex: "-1", "data-citation": c.n },
        make(
          "p",
          { class: "row" },
          make("strong", {}, `[${c.n}]`),
          stance && dom.badge(stance),
          c.snippet && dom.badge({ word: "Search snippet", icon: "page", colour: "orange" }),
        ),
        make(c.kind === "note" ? "p" : "blockquote", { dir: "auto" }, c.quote),
        make(
          "p",
          { class: "small" },
          ghost.outcome.whose(c),
          dom.link(c.url, c.title || host || "Source without an address"),
          make("span", { class: "pale" }, ` · ${about.join(" · ")}`),
        ),
        !c.accepted && make("p", { class: "small orange" }, `Rejected: ${c.why}`),
      );
    }

    function citations(check) {
      const all = check.result?.label ? check.result.citations : [];
      const accepted = all.filter((c) => c.accepted);
      const rejected = all.filter((c) => !c.accepted);
      if (!all.length) return [];
      return [
        make("p", { class: "kicker" }, ghost.text.count(accepted.length, "citation")),
        make("ul", {}, accepted.map(citation)),
        rejected.length > 0 &&
          make(
            "details",
            {},
            make("summary", {}, `${ghost.text.count(rejected.length, "citation")} rejected`),
            make("ul", {}, rejected.map(citation)),
          ),
      ];
    }

    function account(check) {
      if (!check.account) return [];
      return [
        make("p", { class: "kicker" }, "Who judged, and what left the machine"),
        make("p", {}, dom.badge({ ...check.account.judge, icon: "page" })),
        make(
          "ul",
          { class: "plain-list small" },
          [...check.account.notes, sent(check), ...check.account.left]
            .filter(Boolean)
            .map((line) => make("li", {}, line)),
        ),
      ];
    }

    /** Where the selection itself went. */
    function sent({ sentTo, request }) {
      if (!request) return null; // a run that was only looked at
      const what = request.found_at ? "The selected text and the page’s address" : "The selected text";
      return `${what} went to the Ghost server ${sentTo.thisComputer ? "on this computer" : `at ${sentTo.address}`}.`;
    }

    function earlier(check) {
      return check.earlier.map((card) => {
        const who = { same: "This claim", opposite: "The opposite claim" }[card.relation] ?? "A related claim";
        const repeated = card.claim === check.claim;
        return make(
          "div",
          { class: "stack" },
          make("p", {}, `${who} was answered before${repeated ? "." : ":"}`),
          !repeated && make("p", {}, make("strong", {}, card.claim)),
          ghost.words.VERDICTS[card.label] &&
            band(
              card.label,
              [
                card.confidence !== null && ghost.words.confidence(card.label, card.confidence),
                `Checked on ${ghost.text.day(card.checkedAt)}`,
                card.publisher,
              ]
                .filter(Boolean)
                .join(" · "),
            ),
          make("p", {}, marked(card.answer, card.citations)),
          make("ul", {}, card.citations.map(citation)),
          card.stale && make("p", { class: "small orange" }, card.stale),
        );
      });
    }

    return { problem, verdict, citations, account, earlier };
  }

  ghost.result = { parts };
})();
