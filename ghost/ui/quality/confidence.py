"""The measured shares that verdicts show as their confidence."""

from itertools import zip_longest

import streamlit as st

from ghost.judges import Count, Shares
from ghost.records import wilson_interval
from ghost.types import DECIDED, Basis
from ghost.ui.shared import charts
from ghost.ui.shared.parts import Workbench, table
from ghost.ui.shared.text import capitalized, plain

BASES = {
    Basis.NOTES: "Notes in the library only", Basis.RATED: "Excerpts of a rated source",
    Basis.UNRATED: "An unrated source", Basis.SEVERAL: "Several independent origins",
}  # fmt: skip


def confidence_view(workbench: Workbench) -> None:
    """Each judge that was measured: the share of right verdicts by what they rest on, and by label."""
    st.markdown(
        "The confidence of a verdict is the share of verdicts like it that were right: from the same judge, on the "
        "same kind of evidence, about as sure. Each count gets one right and one wrong verdict added, so that a small "
        "one never looks certain. The counts come from the open half of the everyday claims and the calibration "
        "claims; the sealed half only checks them. *High* begins at 90%, *Medium* at 75%."
    )
    for number, shares in enumerate(workbench.shares):
        _by_basis(shares, f"quality_shares_{number}")
        _by_label(shares, f"quality_share_labels_{number}")
    if not workbench.shares:
        st.info("The verdicts of the stance model in use were never measured.", icon=":material/query_stats:")


def _by_basis(shares: Shares, key: str) -> None:
    pooled = [words.lower() for basis, words in BASES.items() if shares.steps(basis) == shares.pooled]
    note = f" Too few rest on {' or '.join(pooled)}; those go by *all verdicts*." if pooled else ""
    with charts.card(
        key, f"{plain(capitalized(shares.judge))} judge, {plain(shares.model)}", f"With 95% intervals.{note}"
    ):
        for name, steps in (*((BASES[b], shares.bases.get(b, ())) for b in BASES), ("All verdicts", shares.pooled)):
            if steps:
                st.markdown(f"**{name}**")
                table([
                    {
                        "Judge's probability": f"{step.low:.2f} {f'to {above.low:.2f}' if above else 'or more'}",
                        "Confidence": f"{step.share:.0%}", "Right": _right(step),
                        "On sealed claims": _right(step.sealed),
                    }
                    for step, above in zip_longest(steps, steps[1:])
                ])  # fmt: skip


def _by_label(shares: Shares, key: str) -> None:
    rows = [
        {"Verdict": label.value, "Right": _right(found := shares.labels.get(label, Count())),
         "Given": "no, too often wrong" if label in shares.withheld else "yes" if shares.share_of(label) else
         "yes, without a number" if found.n else "yes, not measured"}
        for label in DECIDED
    ]  # fmt: skip
    says = "A verdict that is right less than 75% of the time is not given. One with too few measured has no number."
    with charts.card(key, "By verdict", says):
        table(rows)


def _right(found: Count) -> str:
    if not found.n:
        return "none"
    low, high = wilson_interval(found.right, found.n)
    return f"{found.right:,} of {found.n:,} ({low:.0%} to {high:.0%})"
