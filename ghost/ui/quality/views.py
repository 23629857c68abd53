"""The views of the Quality page besides verdicts: whole checks, parts alone, and your own verdicts."""

from collections.abc import Mapping, Sequence

import streamlit as st

from bench.result_types import (
    Asking,
    Counts,
    Demo,
    Everyday,
    Hits,
    Matching,
    NearMisses,
    Reading,
    Retrieval,
    Speed,
    Stance,
    by_kind,
)
from ghost.records import agreement
from ghost.ui.quality.charts import Dots, confusion_card, data_set, dot_card, goal, provenance
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Part, Row
from ghost.ui.shared.parts import Workbench, chart_card, metrics, table, untitled
from ghost.ui.shared.text import count, plain, shorten

WIDTH = 170
"""Of a figure."""
ENOUGH = 20
"""Verdicts of the analyst from which a share is meaningful."""
DIFFERING_SHOWN = 15
_GROUPS = {"all": "all", "covered": "covered by the library", "not covered": "not covered", "open": "open half",
           "sealed": "sealed half"}  # fmt: skip
_HANGING = {"search": "the search engine", "pages": "the pages", "model": "the language model"}
_TRAPS = {"negation": "negation", "number": "a number", "date": "a date", "entity": "a name",
          "quantifier": "a quantifier", "none": "no trap"}  # fmt: skip
_ORDERS = {"lexical": "by words", "dense": "by meaning", "fused": "both, fused", "reranked": "reranked"}


def everyday(results: Sequence[Everyday]) -> None:
    """Everyday claims: the lead sentence, then the outcome for each kind of claim."""
    for number, result in enumerate(results):
        st.markdown(f"**{plain(result.lead)}**")
        st.markdown(
            "Half of the claims are true, and half are covered by the starter library. They include negations, swapped "
            "roles, wrong numbers, dates and places, paraphrases, and conclusions. An open claim costs a search; a "
            "wrong verdict costs trust. The sealed half is never looked at during development."
        )
        whole, covered = result.parts["all"], result.parts.get("covered")
        metrics(f"quality_everyday_metrics_{number}", [
            ("Decided", f"{whole.decided:,} of {whole.n:,}", "The others stay open, with the reason."),
            ("Right when decided", f"{whole.right / whole.decided:.0%}" if whole.decided else "none decided",
             f"{whole.right:,} of {whole.decided:,}."),
            ("Wrong per 100", f"{100 * whole.wrong / whole.n:.1f}", "Of all claims. Goal: at most 1."),
            ("Covered and right", f"{covered.right / covered.n:.0%}" if covered else "unknown",
             "Of the claims covered by the library. Goal: at least 75%."),
            ("Seconds per claim", f"{result.seconds_p50:.1f}", f"Median; 95% take under {result.seconds_p95:.1f}."),
        ], WIDTH)  # fmt: skip
        groups = {_GROUPS.get(name, name): counts for name, counts in (*result.parts.items(), *result.halves.items())}
        _outcomes(f"quality_everyday_groups_{number}", "Outcome by coverage", groups)
        _outcomes(f"quality_everyday_kinds_{number}", "Outcome by kind of claim", result.kinds)
        provenance(result)


def _outcomes(key: str, heading: str, groups: Mapping[str, Counts]) -> None:
    names = [f"{name} ({counts.n:,})" for name, counts in groups.items()]
    parts = [
        Part(
            words, [getattr(counts, figure) / counts.n for counts in groups.values()], charts.colour(colour), shape,
            [f"{name}: {count(getattr(counts, figure), 'claim')} {words}" for name, counts in groups.items()],
        )
        for figure, words, colour, shape in (
            ("right", "right", "green", ""), ("open", "left open", "gray", ""), ("wrong", "wrong", "red", "/"),
        )
    ]  # fmt: skip
    told = "; ".join(f"{n}: {c.right} right, {c.open} left open, {c.wrong} wrong" for n, c in groups.items())
    drawn = charts.stacked_rows(names, parts, "", "share of claims", 160 + 34 * len(names))
    rows = [Row((name, c.n, c.right, c.open, c.wrong)) for name, c in groups.items()]
    head = ("claims", "n", "right", "left open", "wrong")
    chart_card(key, heading, "", drawn, f"Stacked bar chart. {told}.", head, rows)


def near_misses(results: Sequence[NearMisses]) -> None:
    """Claims beside what nearly says them: traps that were taken, and twins that were settled."""
    st.markdown(
        "Each claim is checked over passages or a page of its own and nothing else. A *trap* only seems to settle its "
        "claim: it is *taken* when the claim gets a verdict that does not follow. A *twin* has the same form and does "
        "settle its claim: it is *settled* when the verdict is right. Leaving everything open takes no trap, so read "
        "both figures together. The claims were written by people who had not seen the code, but they have been read "
        "since, while rules and bounds were chosen: expect a little worse on your own."
    )
    for number, result in enumerate(results):
        found = result.all
        st.markdown(
            f"**Of {count(found['traps'], 'trap')}, Ghost took {found['taken']:,}. Of {count(found['twins'], 'twin')}, "
            f"it settled {found['settled']:,}; the others stayed open or came out wrong.**"
        )
        goal(not found["taken"], f"traps taken: **{found['taken']:,}**, goal 0")
        rows = sorted(result.kinds.items(), key=lambda kind: (-kind[1]["taken"], kind[0]))
        with charts.card(f"quality_near_kinds_{number}", "By kind", "Kinds with a trap taken come first."):
            table([
                {"Kind": plain(kind.replace("-", " ").capitalize()), "Traps taken": _part(part, "taken", "traps"),
                 "Twins settled": _part(part, "settled", "twins")}
                for kind, part in rows
            ])  # fmt: skip
        provenance(result)


def _part(of: Mapping[str, int], figure: str, whole: str) -> str:
    return f"{of[figure]:,} of {of[whole]:,}" if of[whole] else f"no {whole}"


def live_web(demo: Sequence[Demo], reading: Sequence[Reading]) -> None:
    """Verdicts over the demo web, time to read pages, and runs whose servers hang."""
    st.markdown(
        "Claims about a small made-up web on this machine, searched, fetched and read as in any check. The real web is "
        "larger and messier: these figures show that every part works, not how the web answers."
    )
    for number, result in enumerate(demo):
        _demo(result, number)
    for timed in reading:
        _reading(timed)


def _demo(result: Demo, number: int) -> None:
    st.subheader(f"Verdicts on {count(result.n, 'claim')}", anchor=False)
    low, high = result.intervals.get("accuracy", (result.accuracy, result.accuracy))
    quotes = result.right_quoting_right_pages
    goal(not result.wrong, f"wrong verdicts: **{result.wrong:,}**, goal 0")
    metrics(f"quality_live_metrics_{number}", [
        ("Right verdicts", theme.percent(result.accuracy), f"95% interval {low:.0%} to {high:.0%}."),
        ("Wrong verdicts", f"{result.wrong:,}", "Includes runs that failed."),
        ("Left open", f"{result.open_though_known:,}", "Although the demo web has the answer."),
        ("Right page quoted", "unknown" if quotes is None else theme.percent(quotes), "Of the right verdicts."),
        ("Seconds per run", f"{result.seconds_p50:.1f}", f"Median; 95% take under {result.seconds_p95:.1f}."),
    ], WIDTH)  # fmt: skip
    columns = {"Claims": "n", "Right": "right", "Open": "open", "Wrong": "wrong"}
    rows = [{"Expected": kind} | {head: f"{row[name]:,}" for head, name in columns.items()}
            for kind, row in by_kind(result.confusion).items()]  # fmt: skip
    with charts.card(f"quality_live_kinds_{number}", "By expected verdict", ""):
        table(rows)
    provenance(result)


def _reading(result: Reading) -> None:
    st.subheader("Reading pages, and servers that hang", anchor=False)
    over = "; ".join(f"{_HANGING.get(what, what)} {seconds:+.2f} s" for what, seconds in result.over_the_limit.items())
    with st.container(border=True, gap="small"):
        goal(
            result.goal_met,
            f"{count(result.pages, 'page')} of {result.characters:,} characters fetched, read and judged: **"
            f"{result.seconds_p50:.2f} s** (worst {result.seconds_worst:.2f} s), goal under {result.goal_seconds:g} s",
        )
        goal(
            result.over_goal_met,
            f"longest run when all servers hang, with a limit of {result.limit_seconds:g} s: "
            f"**{result.longest:.2f} s**, goal under {result.limit_seconds + result.over_goal:g} s",
        )
        st.caption(f"Over or under the limit, by what hangs: {plain(over)}.")
    provenance(result)


def stance(results: Sequence[Stance]) -> None:
    """Pairs of claim and passage, read by the stance model."""
    st.markdown(
        "The stance model reads a claim and a passage and decides whether the passage supports or refutes the claim. A "
        "*trap* is a small difference that reverses the meaning: a negation, a number, a date, a name."
    )
    pairs = [(data_set(r.pairs.name), r) for r in results]
    series = [
        Dots("accuracy", "blue", "circle", {n: (r.accuracy, r.intervals.get("accuracy")) for n, r in pairs}),
        Dots("macro-F1", "orange", "diamond", {n: (r.macro_f1, r.intervals.get("macro_f1")) for n, r in pairs}),
    ]
    dot_card("quality_stance", "Stance by data set", "Lines are 95% intervals.", series, "share of pairs, 0 to 1",
             ("data set", "pairs", "accuracy", "macro-F1"),
             [(n, r.n, r.accuracy, r.macro_f1) for n, r in pairs])  # fmt: skip
    for number, (name, result) in enumerate(pairs):
        st.subheader(plain(f"{name}, {count(result.n, 'pair')}"), anchor=False)
        left, right = st.columns(2)
        with left:
            _traps(result, f"quality_traps_{number}")
        with right:
            confusion_card(f"quality_stance_confusion_{number}", "Confusion matrix", "The diagonal is right.",
                           result.confusion)  # fmt: skip
        provenance(result)


def _traps(result: Stance, key: str) -> None:
    traps = [
        (_TRAPS.get(name, name), part.n, part.accuracy, part.macro_f1)
        for name, part in result.by_trap.items()
        if part.accuracy is not None
    ]
    if not traps:
        with charts.card(key, "Accuracy by trap", "Claim and passage differ in one small detail."):
            st.caption("This result does not separate traps.")
        return
    names, values = [f"{name} ({n:,})" for name, n, _, _ in traps], [accuracy for _, _, accuracy, _ in traps]
    hover = [f"{name}: {accuracy:.1%} of {count(n, 'pair')} right" for name, n, accuracy, _ in traps]
    drawn = charts.rows(names, values, "", "share of pairs", texts=[f"{v:.0%}" for v in values], hover=hover)
    drawn["layout"]["xaxis"] |= {"tickformat": ".0%", "range": [0, 1.05]}
    told = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, values, strict=True))
    chart_card(
        key, "Accuracy by trap", "Claim and passage differ in one small detail.", drawn if len(traps) > 1 else None,
        f"Bar chart of accuracy by trap: {told}", ("trap", "pairs", "accuracy", "macro-F1"), list(map(Row, traps)),
    )  # fmt: skip


def retrieval(results: Sequence[Retrieval]) -> None:
    """Search by words, by meaning, fused and reranked."""
    st.markdown(
        "Whether the relevant documents are found early. *nDCG@10* rewards a high rank within the first ten; "
        "*recall@20* is the share among the first twenty, which the next step reads."
    )
    for number, result in enumerate(results):
        found = {words: (getattr(result, order), result.intervals.get(order, {})) for order, words in _ORDERS.items()}
        series = [
            Dots(measure.replace("ndcg", "nDCG"), colour, symbol, {
                words: (figures[measure], intervals.get(measure))
                for words, (figures, intervals) in found.items() if measure in figures
            })
            for measure, colour, symbol in (("ndcg@10", "blue", "circle"), ("recall@20", "green", "square"))
        ]  # fmt: skip
        corpus, measures = result.corpus.get("passages", 0), list(result.lexical)
        dot_card(
            f"quality_retrieval_{number}", plain(data_set(result.claims.name)),
            f"{count(result.n, 'claim')} over {count(corpus, 'passage')}. Lines are 95% intervals.", series, "0 to 1",
            ("order", *(m.replace("ndcg", "nDCG") for m in measures)),
            [(words, *(figures.get(m) for m in measures)) for words, (figures, _) in found.items()],
        )  # fmt: skip
        provenance(result)


def asked_before(matching: Sequence[Matching], asking: Sequence[Asking]) -> None:
    """Whether two claims are told apart, and how long an earlier answer takes to find."""
    st.markdown(
        "An earlier answer speaks for a question only where the claim match is sure that both are the same. Opposites "
        "are often nearer to each other than two ways to say one thing."
    )
    for number, result in enumerate(matching):
        st.subheader(plain(f"{count(result.n, 'pair')} that nothing was fitted on"), anchor=False)
        with st.container(border=True, gap="small"):
            goal(result.goals.get("false_same"), f"other pairs called the same: {_hits(result.false_same)}, goal: "
                 "interval up to 2%")  # fmt: skip
            goal(result.goals.get("same_found"), f"pairs that are the same, called so: {_hits(result.same_found)}, "
                 "goal: 75%")  # fmt: skip
            more = [("called the same rightly", result.same_right), ("opposites called so", result.opposite_found)]
            if near := result.near_opposites.get("called_same"):
                more.append(("opposites with a cosine over 0.9 called the same", near))
            st.markdown("\n".join(f"- {words}: {_hits(found)}" for words, found in more))
        confusion_card(f"quality_match_{number}", "Confusion matrix", "The diagonal is right.", result.confusion)
        provenance(result)
    for timed in asking:
        st.subheader(f"{count(timed.questions, 'question')} among {count(timed.cards, 'claim card')}", anchor=False)
        with st.container(border=True, gap="small"):
            for name, seconds, worst, found in (
                ("exact", timed.exact_seconds_50, timed.exact_seconds_95, timed.answered_exactly),
                ("contextual", timed.contextual_seconds_50, timed.contextual_seconds_95, timed.answered_contextually),
            ):
                wanted = timed.goals.get(name, 0.0)
                goal(
                    timed.goals_met.get(name),
                    f"{name} answer: **{seconds:.3f} s** at the median, {worst:.3f} s at the 95th percentile, "
                    f"{found:,} of {timed.questions:,} from cards; goal under {wanted:g} s",
                )
        provenance(timed)


def _hits(found: Hits) -> str:
    if found.share is None:
        return "none"
    between = f" ({found.interval[0]:.1%} to {found.interval[1]:.1%})" if found.interval else ""
    return f"**{found.share:.1%}**, {found.hits:,} of {found.n:,}{between}"


def speed(results: Sequence[Speed]) -> None:
    """Time and memory compared with the goals."""
    for result in results:
        st.subheader(f"With {count(result.passages, 'passage')}", anchor=False)
        with st.container(border=True, gap="small"):
            for each in result.goals:
                measured, met = each.get("measured"), each.get("met")
                value = "not measured" if measured is None else f"{measured:,.3g} {each.get('unit', '')}"
                what, wanted = plain(str(each.get("what", ""))), plain(str(each.get("goal", "")))
                goal(met if isinstance(met, bool) else None, f"{what}: **{plain(value)}**, goal {wanted}")
        steps = result.verification.get("steps_p50_ms")
        if isinstance(steps, dict) and len(steps) > 1:
            values = [float(v) for v in steps.values()]
            drawn = charts.rows(
                list(map(str, steps)), values, "", "milliseconds", texts=[f"{v:.1f} ms" for v in values]
            )
            with charts.card("quality_steps", "Median time of each step", ""):
                charts.draw(untitled(drawn), "quality_steps", "Bar chart of the time of each step.")
        provenance(result)


def your_verdicts(workbench: Workbench) -> None:
    """How often the analyst agrees with Ghost, or how to find out."""
    found = agreement(workbench.reviews.overrides())
    if not found.n:
        st.info(
            "You have not given a verdict yet. Open a finished check and confirm or override its verdict. This view "
            "then shows how often you agree.", icon=":material/rate_review:",
        )  # fmt: skip
        st.page_link("pages/verify.py", label="Go to the checks", icon=":material/fact_check:")
        return
    low, high = found.interval
    metrics("quality_agreement", [
        ("Your verdicts", f"{found.n:,}", ""),
        ("You agree", theme.percent(found.share or 0.0), f"95% interval: {low:.0%} to {high:.0%}."),
    ], WIDTH)  # fmt: skip
    if found.n < ENOUGH:
        st.caption(
            f"{count(found.n, 'verdict')} say little: the true share may be anywhere from {low:.0%} to {high:.0%}. "
            "People also look harder at verdicts that seem wrong."
        )
    counts = {str(a): {str(m): n for m, n in row.items()} for a, row in found.counts.items()}
    confusion_card("quality_yours", "Your verdicts and Ghost's", "Rows are your verdicts, columns Ghost's.", counts,
                   ("your verdict", "Ghost's verdict"))  # fmt: skip
    if found.differing:
        with charts.card("quality_differ", "Where you differ", "Latest first."):
            shown = found.differing[:DIFFERING_SHOWN]
            claims = {run.id: run.claim_text for run in workbench.runs.summaries([each.run_id for each in shown])}
            for each in shown:
                yours, ghosts = theme.VERDICTS[each.analyst], theme.VERDICTS[each.machine]
                claim = plain(shorten(claims.get(each.run_id, "a run that is gone"), 100))
                st.page_link(
                    "pages/verify.py", icon=f":material/{yours.icon}:", query_params={"run": each.run_id},
                    label=f"{yours.word} instead of {ghosts.word}, {theme.moment(each.at)}: {claim}",
                )  # fmt: skip
            if len(found.differing) > DIFFERING_SHOWN:
                st.caption(f"And {len(found.differing) - DIFFERING_SHOWN:,} more.")
