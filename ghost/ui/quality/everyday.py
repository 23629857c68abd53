"""What becomes of claims as people paste them: how many are decided, and how many of those rightly."""

from collections.abc import Mapping, Sequence

import streamlit as st

from bench.stored import Counts, Everyday
from ghost.ui.quality.charts import provenance
from ghost.ui.shared import charts
from ghost.ui.shared.charts import Part, Row, Table
from ghost.ui.shared.text import count, plain

_GROUPS = {"all": "all", "covered": "the library covers it", "not covered": "the library does not"}
_HALVES = {"open": "half that may be looked at", "sealed": "half that nobody looks at"}


def view(results: Sequence[Everyday]) -> None:
    """The plain sentence, then what became of each kind of claim."""
    for number, result in enumerate(results):
        st.markdown(f"**{plain(result.lead)}**")
        st.markdown(
            "Half of the claims are true, and half are about what the library covers: plain ones, negations, exchanged "
            "roles, wrong numbers, dates and places, other words, and what follows from a fact. A claim that is left "
            "open costs a search; one that is decided wrongly costs trust."
        )
        _metrics(result, number)
        groups = {_GROUPS.get(name, name): counts for name, counts in result.parts.items()}
        groups |= {_HALVES.get(name, name): counts for name, counts in result.halves.items()}
        _bars(f"quality_everyday_groups_{number}", "All of them", "By whether the library covers them.", groups)
        _bars(f"quality_everyday_kinds_{number}", "By kind", "What is hard about the claim.", result.kinds)
        provenance(result)


def _metrics(result: Everyday, number: int) -> None:
    whole, covered = result.parts["all"], result.parts.get("covered")
    right = f"{whole.right / whole.decided:.0%}" if whole.decided else "none decided"
    with st.container(horizontal=True, key=f"quality_everyday_metrics_{number}"):
        for label, value, note in (
            ("Decided", f"{whole.decided:,} of {whole.n:,}", "The others are left open, with the reason."),
            ("Of these right", right, f"{whole.right:,} of {whole.decided:,}."),
            ("Wrong in 100", f"{100 * whole.wrong / whole.n:.1f}", "Of all claims, decided or not. Aim: at most 1."),
            (
                "Covered, right",
                f"{covered.right / covered.n:.0%}" if covered else "unknown",
                "Of the claims that the library covers. Aim: at least 75%.",
            ),
            (
                "Seconds of a claim",
                f"{result.seconds_p50:.1f}",
                f"Median; 95 of 100 take under {result.seconds_p95:.1f}.",
            ),
        ):
            st.metric(label, value, help=note, border=True, width=170)


def _bars(key: str, heading: str, says: str, groups: Mapping[str, Counts]) -> None:
    with charts.card(key, heading, says):
        names = [f"{name} ({counts.n:,})" for name, counts in groups.items()]
        parts = [
            Part(
                words,
                [getattr(counts, figure) / counts.n for counts in groups.values()],
                charts.colour(colour),
                pattern,
                [f"{name}: {count(getattr(counts, figure), 'claim')} {words}" for name, counts in groups.items()],
            )
            for figure, words, colour, pattern in (
                ("right", "right", "green", ""),
                ("open", "left open", "gray", ""),
                ("wrong", "wrong", "red", "/"),
            )
        ]
        told = "; ".join(f"{n}: {c.right} right, {c.open} left open, {c.wrong} wrong" for n, c in groups.items())
        drawn = charts.stacked_rows(names, parts, f"{heading}: right, left open and wrong", "share of claims")
        charts.draw(drawn, key, f"Stacked bar chart. {told}.")
        rows = [Row((name, c.n, c.right, c.open, c.wrong)) for name, c in groups.items()]
        charts.figures_below(Table("everyday", ("claims", "n", "right", "left open", "wrong"), rows), key)
