"""The measured shares that verdicts show as their confidence."""

import streamlit as st

from ghost.judges import Count, Shares
from ghost.records import wilson_interval
from ghost.types import DECIDED, Basis
from ghost.ui.shared import charts
from ghost.ui.shared.parts import Workbench, table
from ghost.ui.shared.text import count, plain

BASES = {
    Basis.NOTES: "Notes in the library only", Basis.RATED: "Excerpts of a rated source",
    Basis.UNRATED: "An unrated source", Basis.SEVERAL: "Several independent origins",
}  # fmt: skip


def confidence_view(workbench: Workbench) -> None:
    """Each judge that was measured: the share of right verdicts by what they rest on, and by label."""
    st.markdown(
        "The confidence of a verdict is the share of verdicts like it that were right: of the same judge, resting on "
        "the same kind of evidence, about as sure. It is taken from the open half of the everyday claims and from the "
        "calibration claims; the sealed half only checks it. *High* begins at 90%, *Medium* at 75%."
    )
    for number, shares in enumerate(workbench.shares):
        _by_basis(shares, f"quality_shares_{number}")
        _by_label(shares, f"quality_share_labels_{number}")
    if not workbench.shares:
        st.info("The verdicts of the stance model in use were never measured.", icon=":material/query_stats:")


def _by_basis(shares: Shares, key: str) -> None:
    rows = [
        {
            "Rests on": name, "The judge's own probability": f"{step.low:.2f} or more",
            "Confidence": f"{step.share:.0%}", "Right": _right(step), "Right on sealed claims": _right(step.sealed),
        }
        for name, steps in (*((BASES[b], shares.bases.get(b, ())) for b in BASES), ("All verdicts", shares.pooled))
        for step in steps
    ]  # fmt: skip
    pooled = [words.lower() for basis, words in BASES.items() if shares.steps(basis) == shares.pooled]
    note = f" Too few verdicts rest on {' or '.join(pooled)}: for them *all verdicts* counts." if pooled else ""
    with charts.card(key, f"{plain(shares.judge)} judge, {plain(shares.model)}", f"With 95% intervals.{note}"):
        table(rows)


def _by_label(shares: Shares, key: str) -> None:
    rows = [
        {"Verdict": label.value, "Right": _right(found := shares.labels.get(label, Count())),
         "Given": "no, too often wrong" if label in shares.withheld else "yes" if found.n else "yes, not measured"}
        for label in DECIDED
    ]  # fmt: skip
    with charts.card(key, "By verdict", "A kind of verdict of which fewer than 75 in 100 are right is not given."):
        table(rows)


def _right(found: Count) -> str:
    if not found.n:
        return "none"
    low, high = wilson_interval(found.right, found.n)
    return f"{found.right:,} of {count(found.n, 'verdict')} ({low:.0%} to {high:.0%})"
