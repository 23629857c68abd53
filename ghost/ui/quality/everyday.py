"""Everyday claims as people paste them, and live investigation over the demo web."""

from collections.abc import Mapping, Sequence

import streamlit as st

from bench.stored import Counts, Demo, Everyday, Reading, by_kind
from ghost.ui.quality.charts import goal, metrics, provenance
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Part, Row, Table
from ghost.ui.shared.text import count, plain

_GROUPS = {"all": "all", "covered": "covered by the library", "not covered": "not covered"}
_HALVES = {"open": "open half", "sealed": "sealed half"}
HANGING = {"search": "the search engine", "pages": "the pages", "model": "the language model"}


def everyday(results: Sequence[Everyday]) -> None:
    """The lead sentence, then the outcome for each kind of claim."""
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
        ])  # fmt: skip
        groups = {_GROUPS.get(name, name): counts for name, counts in result.parts.items()}
        groups |= {_HALVES.get(name, name): counts for name, counts in result.halves.items()}
        _bars(f"quality_everyday_groups_{number}", "Outcome by coverage", groups)
        _bars(f"quality_everyday_kinds_{number}", "Outcome by kind of claim", result.kinds)
        provenance(result)


def _bars(key: str, heading: str, groups: Mapping[str, Counts]) -> None:
    with charts.card(key, heading, ""):
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
        drawn["layout"] |= {"title": None, "margin": drawn["layout"]["margin"] | {"t": 28}}
        charts.draw(drawn, key, f"Stacked bar chart. {told}.")
        rows = [Row((name, c.n, c.right, c.open, c.wrong)) for name, c in groups.items()]
        charts.figures_below(Table("everyday", ("claims", "n", "right", "left open", "wrong"), rows), key)


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
        ("Quotes the right page", "unknown" if quotes is None else theme.percent(quotes), "Of the right verdicts."),
        ("Seconds per run", f"{result.seconds_p50:.1f}", f"Median; 95% take under {result.seconds_p95:.1f}."),
    ])  # fmt: skip
    kinds = by_kind(result.confusion)
    with charts.card(f"quality_live_kinds_{number}", "By expected verdict", ""):
        st.dataframe(
            {
                "Expected verdict": list(kinds),
                "Claims": [row["n"] for row in kinds.values()],
                "Right": [row["right"] for row in kinds.values()],
                "Left open": [row["open"] for row in kinds.values()],
                "Another verdict": [row["wrong"] for row in kinds.values()],
            },
            hide_index=True, key=f"quality_live_figures_{number}",
        )  # fmt: skip
    provenance(result)


def _reading(result: Reading) -> None:
    st.subheader("Reading pages, and servers that hang", anchor=False)
    over = "; ".join(f"{HANGING.get(what, what)} {seconds:+.2f} s" for what, seconds in result.over_the_limit.items())
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
