"""How often the analyst agrees with Ghost, from the verdicts they gave themselves."""

import streamlit as st

from ghost.errors import GhostError
from ghost.records import Agreement, ReviewStore, agreement
from ghost.ui.quality.charts import confusion_card, metrics
from ghost.ui.shared import charts, theme
from ghost.ui.shared.text import count

ENOUGH = 20
"""Verdicts from which a share is meaningful."""
SHOWN = 15


def view(reviews: ReviewStore) -> None:
    """The comparison, or how to get one."""
    try:
        found = agreement(reviews.overrides())
    except GhostError as error:
        theme.show_error(error)
        return
    if found.n:
        _compare(found)
        return
    st.info(
        "You have not given a verdict yet. Open a finished check and confirm or override its verdict. This view then "
        "shows how often you agree.",
        icon=":material/rate_review:",
    )
    st.page_link("pages/verify.py", label="Go to the checks", icon=":material/fact_check:")


def _compare(found: Agreement) -> None:
    low, high = found.interval
    metrics("quality_agreement", [
        ("Your verdicts", f"{found.n:,}", ""),
        ("You agree", theme.percent(found.share or 0.0), f"95% interval: {low:.0%} to {high:.0%}."),
    ])  # fmt: skip
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
            for each in found.differing[:SHOWN]:
                yours, ghosts = theme.VERDICTS[each.analyst], theme.VERDICTS[each.machine]
                st.page_link(
                    "pages/verify.py", icon=f":material/{yours.icon}:", query_params={"run": each.run_id},
                    label=f"{yours.word} instead of {ghosts.word}, {theme.moment(each.at)}",
                )  # fmt: skip
            if len(found.differing) > SHOWN:
                st.caption(f"And {len(found.differing) - SHOWN:,} more.")
