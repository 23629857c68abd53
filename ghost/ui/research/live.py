"""A research while it runs: its questions with their answers so far, its steps, and the pages it reads."""

from collections.abc import Callable

import streamlit as st

from ghost.jobs import ResearchJobs, ResearchView
from ghost.types import RESEARCH_STEPS, GateDecision, GateState, ResearchAnswer, ResearchPlan
from ghost.ui.research.badges import GATES, NEW, UNANSWERED, gate_badge, phase_list
from ghost.ui.shared import theme
from ghost.ui.shared.parts import button
from ghost.ui.shared.sharing import waiting
from ghost.ui.shared.sources import source_cards
from ghost.ui.shared.text import count, plain, shorten

POLL_SECONDS = 0.4


def running_page(jobs: ResearchJobs, view: ResearchView, look: Callable[[], ResearchView | None]) -> None:
    """The research while it runs; polls with ``look`` until it ends, then draws the page again."""
    with st.container(gap="xsmall"):
        theme.kicker("In progress")
        st.title(plain(shorten(view.topic, 220)), anchor=False)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        with theme.store_errors_noted("The progress cannot be read right now."):
            now = look()
            if now is None or now.stage != "running":
                st.rerun()
            with st.container(horizontal=True, vertical_alignment="bottom"):
                _progress(now)
                _cancel_button(jobs, now)
            main, side = st.columns([3, 2], gap="large")
            with main:
                if now.plan:
                    _questions(now, now.plan)
            with side, st.container(border=True):
                waits = f" · {plain(waiting(now.detail))}" if now.detail and not now.number else ""
                st.caption(f":material/timer: {theme.seconds(now.seconds)}{waits}")
                phase_list(RESEARCH_STEPS, now.steps, now.number, now.detail, False)
            source_cards(now.sources, "the questions", sides=False)
            st.caption("You can leave this page. The research continues, and this address brings you back.")

    watch()


def _progress(view: ResearchView) -> None:
    questions = len(view.plan.questions) if view.plan else 0
    if questions:
        done = len(view.answers)
        st.progress(min(1.0, done / questions), text=f"{done} of {count(questions, 'question')} done")


def _cancel_button(jobs: ResearchJobs, view: ResearchView) -> None:
    if view.research_id not in jobs.active():
        st.caption("This research runs in another process. Cancel it there.")
        return
    button(
        "Stopping …" if view.cancelling else "Cancel", "research_cancel", "stop_circle", jobs.cancel, view.research_id,
        disabled=view.cancelling, help="Answers so far are kept, and you can resume later.",
    )  # fmt: skip


def _questions(view: ResearchView, plan: ResearchPlan) -> None:
    answers = {answer.question: answer for answer in view.answers}
    for question, decision in zip(plan.questions, plan.decisions, strict=True):
        with st.container(border=True, gap="xsmall", key=f"research_live_{question.number}"):
            st.markdown(f"**{question.number} · {plain(shorten(question.text, 300))}**")
            _state(answers.get(question.number), decision, view.web)


def _state(answer: ResearchAnswer | None, decision: GateDecision, web: bool) -> None:
    if answer is None:
        st.markdown(f"{gate_badge(decision, web).badge} :gray[:small[{plain(shorten(decision.reason, 200))}]]")
    elif answer.gap:
        st.markdown(f"{UNANSWERED.badge} :gray[:small[{plain(shorten(answer.gap, 200))}]]")
    else:
        badge = GATES[GateState.SATISFIED] if answer.from_memory else NEW
        st.markdown(f"{badge.badge} {plain(shorten(answer.text, 400))}")
