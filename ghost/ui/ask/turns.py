"""One question of a conversation with its answer: while it is being found, and afterwards."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from ghost.jobs import Asker, AskView, RunView, view_of
from ghost.reports import answered_by
from ghost.types import ClaimCard, RouteMode, RouterDecision
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, run_action
from ghost.ui.shared.cards import MODES, card_box, routing
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.sharing import waiting
from ghost.ui.shared.steps import step_list
from ghost.ui.shared.text import clean, plain, shorten

POLL_SECONDS = 0.3
_GHOST = ":material/fact_check:"
_PERSON = ":material/person:"


def watch(asker: Asker, live: AskView) -> None:
    """The question that is being answered; polls until the answer is there, then draws the page again."""
    _question(live.question)

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        now = asker.snapshot(live.ask_id)
        if now is None or now.ended:
            st.rerun()
        with st.chat_message("assistant", avatar=_GHOST):
            if now.decision:
                st.markdown(MODES[now.decision.mode].badge)
            if now.earlier:
                _earlier(now.earlier)
            if now.problem:
                st.caption(f":orange[:material/alt_route:] {plain(shorten(now.problem, 300))}")
            if now.doing:
                st.markdown(f":material/progress_activity: {waiting(now.doing)}")
            for sentence in now.sentences:
                st.markdown(plain(sentence))
            if now.run:
                step_list(now.run)
            button(
                "Stopping …" if now.cancelling else "Cancel", "ask_cancel", "stop_circle", asker.cancel, live.ask_id,
                disabled=now.cancelling,
            )  # fmt: skip

    follow()


def ended_badly(live: AskView, again: Callable[[], None]) -> None:
    """A question that was stopped, or whose answer failed: what happened, what was kept, and a way to go on."""
    if live.decision is None:
        _question(live.question)
    with st.chat_message("assistant", avatar=_GHOST):
        if live.cancelled:
            st.info("Stopped, as you asked.", icon=":material/stop_circle:")
        else:
            theme.show_error(f"There is no answer. {live.error}")
            st.caption("Nothing was lost. The conversation before is kept.")
        if live.decision is None:  # else the question is drawn above, with its buttons
            button("Ask again", "ask_again", "refresh", again)


def past_turn(
    workbench: Workbench,
    decision: RouterDecision,
    anew: Callable[[RouterDecision], None],
    busy: bool = False,
) -> None:
    """A question that was answered, with where the answer comes from and what can be done about it.

    While another question of the conversation is being answered (``busy``), nothing new can be asked.
    """
    _question(decision.question)
    with st.chat_message("assistant", avatar=_GHOST):
        badge = MODES[decision.mode]
        st.markdown(f"{badge.badge} :small[:gray[{badge.note}]]")
        if decision.reformulated != decision.question:
            st.caption(f"Understood as: {plain(shorten(decision.reformulated, 300))}")
        if decision.mode is RouteMode.NOVEL:
            ended_well = _checked(workbench, decision)
            routing(decision, f"ask_routing_{decision.id}")
            if not ended_well:
                button("Ask again", f"ask_again_{decision.id}", "refresh", anew, decision, disabled=busy)
        else:
            _answered(workbench, decision)
            routing(decision, f"ask_routing_{decision.id}")
            _buttons(workbench, decision, anew, busy)


def _question(text: str) -> None:
    with st.chat_message("user", avatar=_PERSON):
        st.markdown(plain(text))


def _answered(workbench: Workbench, decision: RouterDecision) -> None:
    """The answer with its cards: ``[n]`` points at sources of the one card, or, put together, at the cards."""
    cards, now = workbench.cards.store.many(decision.cards), datetime.now(UTC)
    exact = decision.mode is RouteMode.EXACT
    if exact and cards:
        verdict = theme.VERDICTS[cards[0].label]
        st.markdown(f"**{verdict.text}**")
    st.markdown(plain(clean(decision.answer)))
    for card in cards:
        number = decision.cards.index(card.id) + 1
        card_box(card, card.state(now), f"ask_card_{decision.id}_{number}", 0 if exact else number)
    if len(cards) < len(decision.cards):
        st.caption("A card of this answer is not here any more.")


def _checked(workbench: Workbench, decision: RouterDecision) -> bool:
    """The verdict, or why there is none; returns False where the check has ended without one."""
    run = workbench.runs.get(decision.run_id)
    if run is None:
        st.caption("The check of this question was not stored: it was stopped before it began.")
        return False
    view: RunView = view_of(run)
    if view.verdict is None:
        st.markdown(f"{theme.STATUSES[view.status].badge} {plain(view.error)}")
    else:
        said = run.review.override
        verdict = theme.VERDICTS[said.label if said else view.verdict.label]
        st.markdown(f"**{verdict.text}**{' :small[:gray[your verdict]]' if said else ''}")
        if text := said.reason if said else view.verdict.explanation:
            st.markdown(plain(text))
        for reason in view.verdict.reasons[:1]:
            why = "" if reason.text in view.verdict.explanation else reason.text
            st.caption(plain(f"{why} {reason.remedy}"))
    st.page_link("pages/verify.py", label="Open the report", icon=":material/fact_check:", query_params={"run": run.id})
    return view.verdict is not None or not view.ended


def _earlier(card: ClaimCard) -> None:
    verdict = theme.VERDICTS[card.label]
    why = f" {card.stale}" if card.stale else ""
    st.caption(f"{plain(answered_by(card, theme.day))}: {verdict.text}. Checking again.{plain(why)}")


def _buttons(
    workbench: Workbench,
    decision: RouterDecision,
    anew: Callable[[RouterDecision], None],
    busy: bool,
) -> None:
    if decision.wrong:
        st.caption(":material/flag: You said that this is not what you asked.")
    exact = decision.mode is RouteMode.EXACT

    def reject() -> None:
        undo = workbench.asking.reject(decision.id)
        stricter = "The card now answers only what is surer to be the same; your question" if exact else "Your question"
        notify("ask", f"Noted. {stricter} is checked.", undo)
        anew(decision)

    with st.container(horizontal=True):
        if not decision.wrong:
            stricter = ", and has this card answer only what is surer to be the same" if exact else ""
            button(
                "This is not what I asked", f"ask_wrong_{decision.id}", "flag", run_action, "ask", reject,
                type="tertiary", disabled=busy, help=f"Checks your question anew{stricter}.",
            )  # fmt: skip
        button("Check anew", f"ask_anew_{decision.id}", "refresh", anew, decision, type="tertiary", disabled=busy)
