"""A claim that was checked before: its card, and the choice to use it or to verify the claim anew."""

from datetime import UTC, datetime

import streamlit as st

from ghost.errors import GhostError
from ghost.jobs import Lookups, Runner
from ghost.types import CardOrigin
from ghost.ui.shared import theme
from ghost.ui.shared.cards import card_box
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.text import plain
from ghost.ui.verify import visit

_WAITING = "verify_earlier"


def waiting() -> bool:
    """Whether the visitor has to choose."""
    return bool(st.session_state.get(_WAITING))


def offer(lookups: Lookups, entry: visit.Entry) -> bool:
    """Whether there is an earlier answer to this very claim, which is then offered.

    Only where nothing narrows the check: an answer from other evidence is another answer. A claim that the starter
    library answers is checked all the same, since that costs nothing more and shows the evidence.
    """
    claim, options = entry.claim, entry.options
    if claim.context or claim.as_of or claim.found_at or claim.statements or options.allowed or options.denied:
        return False
    try:
        with st.spinner("Looking for an earlier answer"):
            card = lookups.checked_before(claim.text)
    except GhostError:
        return False  # the claim is checked, which is what was asked for
    if card is None or card.origin is CardOrigin.LIBRARY:
        return False
    st.session_state[_WAITING] = (entry, card.id)
    return True


def panel(workbench: Workbench, runner: Runner) -> None:
    """The card with its date, and what can be done."""
    entry, card_id = st.session_state[_WAITING]
    st.title("Checked before", anchor=False)
    st.markdown(f"You asked about **“{plain(entry.claim.text)}”**. This very claim has been answered:")
    card = None
    with theme.store_errors_noted("The earlier answer cannot be read now."):
        card = workbench.cards.get(card_id)
        if card is None:
            st.info("The earlier answer is not here any more.", icon=":material/style:")
    if card:
        card_box(card, card.state(datetime.now(UTC)), "verify_earlier_card")
        st.markdown(plain(card.answer))
    with st.container(horizontal=True):
        if card and card.run_id:
            button("Use this answer", "verify_earlier_use", "history", _use, card.run_id, type="primary")
        button("Verify anew", "verify_earlier_anew", "refresh", _anew, runner, entry)
        button("Back to the form", "verify_earlier_back", "arrow_back", _leave, type="tertiary")


def _leave() -> None:
    st.session_state.pop(_WAITING, None)


def _use(run_id: str) -> None:
    _leave()
    visit.started(visit.ONE_CLAIM)
    visit.open_run(run_id)


def _anew(runner: Runner, entry: visit.Entry) -> None:
    _leave()
    with theme.errors_shown():
        visit.open_run(runner.start(entry.claim, entry.options))
        visit.started(visit.ONE_CLAIM)
