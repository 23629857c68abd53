"""Live investigation measured: verdicts over the demo web, time to read pages, and runs whose servers hang."""

from collections.abc import Sequence

import streamlit as st

from bench.investigation import by_kind
from bench.stored import Demo, Reading
from ghost.ui.quality.charts import provenance
from ghost.ui.shared import charts, theme
from ghost.ui.shared.text import count, plain

HANGING = {"search": "the search engine", "pages": "the pages", "model": "the language model"}


def view(demo: Sequence[Demo], reading: Sequence[Reading]) -> None:
    """What searching, fetching and reading come to, and how long they take."""
    st.markdown(
        "Claims about a small made-up web on this machine are searched, its pages fetched and read as in any check. "
        "The real web is larger and messier: these figures tell whether every part works, not how the web answers."
    )
    for number, result in enumerate(demo):
        _verdicts(result, number)
    for timed in reading:
        _times(timed)


def _verdicts(result: Demo, number: int) -> None:
    st.subheader(f"Verdicts on {count(result.n, 'claim')}", anchor=False)
    low, high = result.intervals.get("accuracy", (result.accuracy, result.accuracy))
    quotes = result.right_quoting_right_pages
    _outcome(not result.wrong, f"wrong verdicts: **{result.wrong:,}**, goal 0. Right: **{result.accuracy:.0%}**")
    with st.container(horizontal=True, key=f"quality_live_metrics_{number}"):
        for label, value, note in (
            ("Right verdicts", theme.percent(result.accuracy), f"95% interval {low:.0%} to {high:.0%}."),
            ("Wrong verdicts", f"{result.wrong:,}", "Another verdict that takes a side, or a run that failed."),
            ("Left open", f"{result.open_though_known:,}", "Although the demo web tells."),
            ("Quotes the right page", "unknown" if quotes is None else theme.percent(quotes), "Of the right verdicts."),
            (
                "Seconds of a run",
                f"{result.seconds_p50:.1f}",
                f"Median; 95 of 100 take under {result.seconds_p95:.1f}.",
            ),
        ):
            st.metric(label, value, help=note, border=True, width=170)
    kinds = by_kind(result.confusion)
    with charts.card(
        f"quality_live_kinds_{number}", "By kind of claim", "What became of the claims of each known verdict."
    ):
        st.dataframe(
            {
                "Known verdict": list(kinds),
                "Claims": [row["n"] for row in kinds.values()],
                "Right": [row["right"] for row in kinds.values()],
                "Left open": [row["open"] for row in kinds.values()],
                "Another verdict": [row["wrong"] for row in kinds.values()],
            },
            hide_index=True, key=f"quality_live_figures_{number}",
        )  # fmt: skip
    provenance(result)


def _times(result: Reading) -> None:
    st.subheader("Reading, and servers that hang", anchor=False)
    pages = count(result.pages, "page")
    over = "; ".join(f"{HANGING.get(what, what)} {seconds:+.2f} s" for what, seconds in result.over_the_limit.items())
    with st.container(border=True, gap="small"):
        _outcome(
            result.goal_met,
            f"{pages} of {result.characters:,} characters fetched, read and judged: **{result.seconds_p50:.2f} s** "
            f"(worst {result.seconds_worst:.2f} s), goal under {result.goal_seconds:g} s",
        )
        _outcome(
            result.over_goal_met,
            f"longest run when every server hangs, with a limit of {result.limit_seconds:g} s: "
            f"**{result.longest:.2f} s**, goal under {result.limit_seconds + result.over_goal:g} s",
        )
        st.caption(f"Over or under the limit, by what hangs: {plain(over)}.")
    provenance(result)


def _outcome(met: bool, words: str) -> None:
    look = ("Met", "check", "green") if met else ("Missed", "close", "red")
    st.markdown(f"{theme.badge(*look)} {words}")
