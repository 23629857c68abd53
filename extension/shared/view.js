// One check as the overlay, the side panel and the result page show it. Drawn anew from each snapshot that the service
// worker sends; a part whose values are the same is left alone, so that focus and screen readers are not disturbed.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const MOST_SOURCES = 12;
  const SIDES = { SUPPORTS: "supporting", REFUTES: "contradicting", NEUTRAL: "related", "OFF-TOPIC": "off topic" };

  /**
   * Draw checks into `root`. `level` is that of the heading, `act(name)` does what a button says (cancel, anew, retry),
   * `close` closes the view, where it can be closed.
   */
  function open(root, { level = 1, act, close = null }) {
    const dom = ghost.dom.maker(root.ownerDocument);
    const { make, icon } = dom;
    const shown = new Map();
    let latest = null;

    const status = make("p", { class: "quiet", role: "status", "aria-live": "polite" });
    const kicker = make("span", { class: "kicker" });
    const closer =
      close &&
      make(
        "button",
        { class: "bare", type: "button", "aria-label": "Close", title: "Close (Esc)", click: close },
        icon("close"),
      );
    const claim = make(`h${level}`, { class: "claim", tabindex: "-1", dir: "auto" });
    const parts = Object.fromEntries(
      [
        "note",
        "notice",
        "problem",
        "earlier",
        "verdict",
        "sentences",
        "known",
        "citations",
        "account",
        "sources",
        "steps",
      ].map((name) => [name, make("div", { class: "part", "data-part": name, hidden: true })]),
    );
    const footer = make("footer", { class: "row" });
    const whole = make(
      "article",
      { class: "check" },
      make("header", {}, make("div", { class: "row" }, kicker, closer), claim, parts.note),
      status,
      ...Object.entries(parts)
        .filter(([name]) => name !== "note")
        .map(([, part]) => part),
      footer,
    );
    root.replaceChildren(whole);

    /** Fill a part where its values have changed; `build` returns its children, none to hide it. */
    function fill(name, values, build) {
      const state = JSON.stringify(values ?? null);
      if (shown.get(name) === state) return;
      shown.set(name, state);
      const part = name === "footer" ? footer : parts[name];
      const children = build().flat().filter(Boolean);
      const focused = part.contains(root.ownerDocument.activeElement) && root.ownerDocument.activeElement.dataset.act;
      part.replaceChildren(...children);
      part.hidden = !children.length;
      if (focused) (part.querySelector(`[data-act="${focused}"]`) ?? claim).focus();
    }

    function draw(check) {
      latest = check;
      whole.dataset.stage = check.stage;
      kicker.textContent = ghost.outcome.stateOf(check);
      claim.textContent = check.claim ? `“${ghost.text.shorten(check.claim, 300)}”` : "Nothing to check";
      const ended = check.stage === "ended";
      const draws = ghost.result.parts(dom);
      fill("note", [check.foundAt], () =>
        check.foundAt
          ? [
              make(
                "p",
                { class: "small pale" },
                "Found at ",
                dom.link(check.foundAt, ghost.text.shorten(check.foundAt, 80)),
              ),
            ]
          : [],
      );
      fill("notice", [check.connection], () =>
        check.connection === "lost"
          ? [make("p", { class: "box small" }, "The connection to the server was lost. Trying again …")]
          : [],
      );
      fill("problem", check.problem, () => (check.problem ? draws.problem(check.problem) : []));
      fill("earlier", check.stage === "earlier" && check.earlier, () =>
        check.stage === "earlier" ? draws.earlier(check) : [],
      );
      fill("verdict", ended && check.result, () => (ended ? draws.verdict(check) : []));
      fill("sentences", !ended && [check.sentences, check.withdrawn], () => (ended ? [] : sentences(check)));
      fill("known", !ended && [check.type, check.statements, check.weighed], () => (ended ? [] : known(check)));
      fill("citations", ended && check.result?.citations, () => (ended ? draws.citations(check) : []));
      fill("account", ended && [check.account, check.sentTo], () => (ended ? draws.account(check) : []));
      steps(check);
      sources(check);
      fill("footer", [check.stage, check.cancelling, check.workbench, check.problem, check.earlier], () =>
        buttons(check),
      );
      const said = ghost.outcome.announcement(check);
      if (status.textContent !== said) status.textContent = said;
    }

    function sentences(check) {
      const withdrawn = check.withdrawn && make("p", { class: "small orange" }, `Withdrawn: ${check.withdrawn}`);
      return [withdrawn, ...check.sentences.map((text) => make("p", {}, text))];
    }

    function known(check) {
      if (!check.type && !check.weighed) return [];
      const found = Object.entries(check.weighed ?? {}).filter(([, number]) => number);
      const sides = found.map(
        ([stance, number]) => `${number} ${SIDES[stance] ?? "other"}`,
      );
      const total = found.reduce((sum, [, number]) => sum + number, 0);
      return [
        make("p", { class: "kicker" }, "Known so far"),
        check.type && make("p", {}, dom.badge({ word: check.type, icon: "page", colour: "blue" })),
        check.statements.length > 0 &&
          make(
            "ol",
            {},
            check.statements.map((s) => make("li", {}, `${s.number} · ${s.text}`)),
          ),
        check.weighed &&
          make("p", {}, `${ghost.text.count(total, "passage")} weighed${total ? `: ${sides.join(", ")}` : ""}`),
      ];
    }

    /** A list under a heading that is folded when the check has ended. */
    function listed(name, title, ended) {
      const key = `${title}${ended}`;
      if (shown.get(name) !== key) {
        shown.set(name, key);
        const list = make(name === "steps" ? "ol" : "ul", { class: name });
        const heading = ended
          ? make("details", {}, make("summary", {}, title), list)
          : [make("p", { class: "kicker" }, title), list];
        const old = parts[name].querySelector("ol, ul");
        if (old) list.replaceChildren(...old.children);
        parts[name].replaceChildren(...[heading].flat());
        parts[name].hidden = false;
      }
      return parts[name].querySelector("ol, ul");
    }

    function steps(check) {
      const none = check.stage === "earlier" || (!check.runId && check.stage !== "running");
      parts.steps.hidden = none;
      if (none) return;
      const items = ghost.progress.stepItems(check);
      ghost.dom.reconcile(
        listed("steps", check.stage === "ended" ? "How it was checked" : "Steps", check.stage === "ended"),
        items,
        (item) =>
          make(
            "li",
            { class: item.state },
            make("span", { class: item.colour }, icon(item.icon)),
            make(
              "span",
              {},
              make("span", { class: item.state === "waiting" ? "pale" : "" }, item.title),
              item.note && make("span", { class: "small pale" }, make("br"), item.note),
            ),
          ),
      );
    }

    function sources(check) {
      if (!check.sources.length) {
        // Those of an earlier attempt must not stand under another verdict.
        parts.sources.replaceChildren();
        parts.sources.hidden = true;
        shown.delete("sources");
        return;
      }
      const { items, title, rest } = ghost.progress.sourceItems(check, MOST_SOURCES);
      const list = listed("sources", title, check.stage === "ended");
      ghost.dom.reconcile(list, items, (item, fresh) =>
        make(
          "li",
          { class: `box${fresh ? " arrives" : ""}` },
          make("p", { class: "row" }, item.badges.map(dom.badge)),
          make(
            "p",
            {},
            dom.link(item.url, item.title),
            item.host && make("span", { class: "small pale" }, ` · ${item.host}`),
          ),
          item.quotes.map((quote) => make("p", { class: "small" }, `“${quote}”`)),
          item.note && make("p", { class: "small pale" }, item.note),
        ),
      );
      let line = parts.sources.querySelector("[data-rest]");
      if (rest && !line) list.after((line = make("p", { class: "small pale", "data-rest": true })));
      if (line) line.textContent = rest;
    }

    function buttons(check) {
      const button = (name, words, attributes = {}) =>
        make("button", { type: "button", "data-act": name, click: () => act(name), ...attributes }, words);
      const found = check.result?.label || check.stage === "earlier";
      return [
        check.stage === "problem" && check.claim && button("retry", "Try again", { class: "primary" }),
        check.stage === "earlier" && button("anew", "Check anew", { class: "primary" }),
        ["asking", "running"].includes(check.stage) &&
          button("cancel", check.cancelling ? "Stopping …" : "Cancel", { disabled: check.cancelling }),
        found && copyButton(),
        check.stage === "ended" && button("anew", "Check again"),
        check.runId && check.workbench && dom.link(check.workbench, "Open in the workbench"),
      ];
    }

    function copyButton() {
      const button = make(
        "button",
        {
          type: "button",
          "data-act": "copy",
          click: () => {
            button.textContent = ghost.outcome.copy(root.ownerDocument, latest) ? "Copied" : "Could not copy";
          },
        },
        "Copy",
      );
      return button;
    }

    /** Words in place of a check. */
    function message(words) {
      kicker.textContent = "Ghost";
      claim.textContent = words;
    }

    return { draw, message, focus: () => claim.focus() };
  }

  ghost.view = { open };
})();
