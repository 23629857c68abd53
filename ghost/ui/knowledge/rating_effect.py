"""What a rating would change, drawn."""

import streamlit as st

from ghost.knowledge import RatingEffect
from ghost.records import DomainRating
from ghost.types import Label
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

DOMAINS_SHOWN = 8
RUNS_SHOWN = 8


def draw_effect(effect: RatingEffect) -> None:
    """How many passages, from which domains, and the verdicts that cite them."""
    if not effect.under:
        st.caption("No passage of yours is from there yet. The rating counts for what comes in later.")
        return
    if not effect.passages:
        st.caption(f"Nothing changes for the {count(effect.under, 'passage')} from there.")
        return
    values = ", ".join(f"{n:,} with {value:.2f}" for value, n in effect.before.items())
    st.markdown(f"**{count(effect.passages, 'passage')}** rated anew, {effect.active:,} of them active. Now: {values}.")
    domains = list(effect.domains.items())
    if len(domains) > 1:
        shown = ", ".join(f"{plain(name) or 'no domain'} {n:,}" for name, n in domains[:DOMAINS_SHOWN])
        more = f" and {len(domains) - DOMAINS_SHOWN:,} more" if len(domains) > DOMAINS_SHOWN else ""
        st.caption(f"From {len(domains):,} domains: {shown}{more}")
    if not effect.runs:
        st.caption("No verdict cites any of them yet.")
        return
    st.markdown(
        f"{count(effect.runs, 'verdict')} {'cites' if effect.runs == 1 else 'cite'} them. These stay as they are; "
        "check the claims again to see what the new rating does."
    )
    for run in effect.shown[:RUNS_SHOWN]:
        look = theme.VERDICTS.get(Label(run.label)) if run.label in list(Label) else None
        st.page_link("pages/verify.py", label=plain(shorten(run.claim, 90)), query_params={"run": run.run_id},
                     icon=f":material/{look.icon}:" if look else ":material/fact_check:")  # fmt: skip
    if effect.runs > RUNS_SHOWN:
        st.caption(f"The newest {RUNS_SHOWN} are shown.")


def score(rating: DomainRating | None) -> str:
    """``0.20``, or that there is none."""
    return f"{rating.credibility:.2f}" if rating else "not rated"
