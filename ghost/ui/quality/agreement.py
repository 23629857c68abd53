"""How often the analyst agrees with Ghost, from the verdicts they gave beside those of the machine."""

import streamlit as st

from ghost.errors import GhostError
from ghost.records import Agreement, ReviewStore, agreement
from ghost.types import Label
from ghost.ui.quality.charts import heatmap
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count, plain

ENOUGH = 20
"""Verdicts of the analyst from which on a share says something."""
SHOWN = 15


def view(reviews: ReviewStore) -> None:
    """The comparison, or what to do to have one."""
    try:
        found = agreement(reviews.overrides())
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if found.n:
        _compare(found)
    else:
        _empty("You have not given a verdict of your own yet.")


def _empty(words: str) -> None:
    st.info(
        f"{words} Open a finished check and confirm or override its verdict; how often you agree is then told here.",
        icon=":material/rate_review:",
    )
    st.page_link("pages/verify.py", label="Go to the checks", icon=":material/fact_check:")


def _compare(found: Agreement) -> None:
    low, high = found.interval
    with st.container(horizontal=True, key="quality_agreement"):
        st.metric("Your verdicts", f"{found.n:,}", border=True, width=170)
        st.metric("You agree", theme.percent(found.share or 0.0), border=True, width=170,
                  help=f"95% interval: {low:.0%} to {high:.0%}.")  # fmt: skip
    if found.n < ENOUGH:
        st.caption(
            f"With {count(found.n, 'verdict')} this says little: the true share may be anywhere from {low:.0%} to "
            f"{high:.0%}. People also look harder at verdicts that seem wrong."
        )
    with charts.card("quality_yours", "Yours against Ghost's", "Rows are your verdicts, columns Ghost's."):
        counts = {str(a): {str(m): n for m, n in row.items()} for a, row in found.counts.items()}
        drawn = heatmap(counts, "Checks by your verdict and Ghost's")
        drawn["layout"]["xaxis"]["title"] = {"text": "Ghost's verdict"}
        drawn["layout"]["yaxis"]["title"] = {"text": "your verdict"}
        charts.draw(drawn, "quality_yours", f"Matrix of {found.n} verdicts; you agree in {found.agree}.")
        rows = [Row((a, m, n)) for a, row in counts.items() for m, n in row.items()]
        charts.figures_below(Table("agreement", ("your verdict", "Ghost's verdict", "checks"), rows), "quality_yours")
    if found.differing:
        with charts.card("quality_differ", "Where you differ", "The latest first."):
            for each in found.differing[:SHOWN]:
                st.page_link(
                    "pages/verify.py", icon=f":material/{theme.VERDICTS[each.analyst].icon}:",
                    label=f"{_word(each.analyst)} instead of {_word(each.machine)}, {theme.moment(each.at)}",
                    query_params={"run": each.run_id},
                )  # fmt: skip
            if len(found.differing) > SHOWN:
                st.caption(f"And {len(found.differing) - SHOWN:,} more.")


def _word(label: Label) -> str:
    return theme.VERDICTS[label].word
