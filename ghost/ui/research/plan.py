"""A plan: its questions, which can be edited, what memory has for each, and what the rest may cost."""

import streamlit as st

from ghost.jobs import ResearchJobs, ResearchView
from ghost.research import MAX_QUESTION_CHARS, MOST_QUESTIONS
from ghost.types import RESEARCH_STEPS, Category, GateDecision, GateState, ResearchPlan, RunStatus
from ghost.ui.research.badges import GATES, gate_badge, phase_list
from ghost.ui.research.form import fill, open_started, privacy
from ghost.ui.research.recalled import recalled_section
from ghost.ui.research.skills import policy_line, policy_list
from ghost.ui.shared import charts, theme
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.rows import TextRows
from ghost.ui.shared.text import count, plain, shorten

POLL_SECONDS = 0.3
_PLANNING = RESEARCH_STEPS[:4]
_ROWS = "research_rows"
"""Session key: the plan whose questions are edited, and their rows."""


def plan_page(workbench: Workbench, jobs: ResearchJobs, view: ResearchView) -> None:
    """The plan while it is being made, when it is ready, or why there is none."""
    with st.container(gap="xsmall"):
        theme.kicker("Plan")
        st.title(plain(shorten(view.topic, 220)), anchor=False)
        if view.plan:
            _badges(view.plan)
    if view.stage == "planning":
        _planning(jobs, view)
    elif view.plan is None:
        _no_plan(view)
    else:
        _planned(workbench, jobs, view, view.plan)


def balance(memory: int, web: int, gaps: int = 0) -> None:
    """A bar of questions: how many come from memory, how many from the web, and how many have no answer."""
    parts = ((memory, "green"), (web, "blue"), (gaps, "orange"))
    bar = "".join(f'<span style="flex:{int(n)};background:{charts.colour(colour)}"></span>' for n, colour in parts if n)
    st.html(f'<div class="ghost-balance">{bar}</div>')  # only numbers and colours of ours


def _planning(jobs: ResearchJobs, view: ResearchView) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        now = jobs.snapshot(view.research_id)
        if now is None or now.stage != "planning":
            st.rerun()
        with st.container(border=True, key="research_planning"):
            phase_list(_PLANNING, now.steps, now.number or 1, now.detail, False)
            button(
                "Stopping …" if now.cancelling else "Cancel", "research_cancel", "stop_circle", jobs.cancel,
                view.research_id, disabled=now.cancelling,
            )  # fmt: skip
        st.caption("Planning does not search the web.")

    watch()


def _no_plan(view: ResearchView) -> None:
    if view.status is RunStatus.INTERRUPTED:
        st.warning("Ghost was closed before the plan was ready. Nothing was searched.", icon=":material/power_off:")
    elif view.status is RunStatus.CANCELLED:
        st.info("You cancelled the plan. Nothing was searched.", icon=":material/stop_circle:")
    else:
        theme.show_error(f"The plan could not be made. {view.error}")
        st.caption("Nothing was searched, and memory was not changed.")
    button("Back to the topic", "research_edit", "arrow_back", fill, view.topic, type="primary")


def _planned(workbench: Workbench, jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan) -> None:
    rows = _rows(view.research_id, plan)
    edited = rows.read() != tuple(q.text for q in plan.questions)
    with st.container(gap="small"):
        _glance(plan, view.web)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _questions(plan, view.web, rows)
    with side:
        _start_box(workbench, jobs, view, plan, rows, edited)
        with st.expander(f"Skill: {plain(shorten(plan.skill.title, 40))}", icon=":material/menu_book:"):
            policy_list(plan.skill)
        recalled_section(plan.recalled)


def _badges(plan: ResearchPlan) -> None:
    """The skill, the kind of topic, and whose questions they are."""
    who = {"analyst": "Your questions", "embedded": "Questions from templates"}
    by = who.get(plan.planned_by, f"Questions by {plain(shorten(plan.planned_by, 60))}")
    badges = [theme.badge(plain(shorten(plan.skill.title, 60)), "menu_book", "gray")]
    if plan.category is not Category.OTHER:
        badges.append(theme.badge(plan.category.value.capitalize(), "category", "gray"))
    badges.append(theme.badge(by, "edit_note", "gray"))
    st.markdown(" ".join(badges))
    if why := next((step.reason for step in plan.steps if step.name == "plan"), ""):
        st.caption(plain(shorten(why, 300)))


def _rows(research_id: str, plan: ResearchPlan) -> TextRows:
    """The questions as they are being edited."""
    known, rows = st.session_state.get(_ROWS, ("", None))
    if known != research_id or rows is None:
        rows = TextRows("research_question")
        rows.reset([question.text for question in plan.questions])
        st.session_state[_ROWS] = (research_id, rows)
    found: TextRows = rows
    return found


def _glance(plan: ResearchPlan, web: bool) -> None:
    memory = sum(d.state is GateState.SATISFIED for d in plan.decisions)
    rest = len(plan.decisions) - memory
    balance(memory, rest if web else 0, 0 if web else rest)
    missing = GATES[GateState.NEEDS_WEB].text if web else ":orange[:material/cloud_off: Not in memory]"
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.markdown(f"{GATES[GateState.SATISFIED].text} **{memory}**", width="content")
        st.markdown(f"{missing} **{rest}**", width="content")
    note = "" if web or not rest else "Your knowledge base may still answer the rest. "
    st.caption(f"{note}Policy: {policy_line(plan.skill.policy)}")


def _questions(plan: ResearchPlan, web: bool, rows: TextRows) -> None:
    st.header("Questions", anchor=False)
    decided = {q.text: d for q, d in zip(plan.questions, plan.decisions, strict=True)}
    keys = rows.keys or []
    if not keys:
        st.info("No questions left. Add one, or press Reset.", icon=":material/lightbulb:")
    for position, key in enumerate(keys, start=1):
        with st.container(border=True, gap="small", key=f"research_row_{position}"):
            rows.draw(key, position, "Question", MAX_QUESTION_CHARS)
            _decision(decided.get(str(st.session_state.get(key, ""))), web)
    with st.container(horizontal=True):
        button(
            "Add a question", "research_question_add", "add", rows.add, type="tertiary",
            disabled=len(keys) >= MOST_QUESTIONS,
        )  # fmt: skip
        if rows.read() != tuple(q.text for q in plan.questions):
            button(
                "Reset", "research_question_reset", "undo", rows.reset, [q.text for q in plan.questions],
                type="tertiary", help="Restore the planned questions.",
            )  # fmt: skip


def _decision(decision: GateDecision | None, web: bool) -> None:
    """The gate's decision on a question, and why; None for one that was edited since."""
    if decision is None:
        st.markdown(
            f"{theme.badge('Edited', 'edit', 'violet')} :gray[Memory has not been asked about this wording yet.]"
        )
        return
    st.markdown(f"{gate_badge(decision, web).badge} {plain(shorten(decision.reason, 300))}")
    notes = []
    if decision.state is GateState.SATISFIED:
        newest = f", newest {theme.day(decision.newest)}" if decision.newest else ""
        notes.append(f"{count(len(decision.evidence), 'fact')}{newest}")
    if decision.earlier_question:
        notes.append(f"asked before as “{plain(shorten(decision.earlier_question, 200))}”")
    if notes:
        st.caption(f":material/history: {' · '.join(notes)}")


def _start_box(
    workbench: Workbench, jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan, rows: TextRows, edited: bool
) -> None:
    with st.container(border=True, gap="small", key="research_start_box"):
        theme.kicker("Cost at most")
        if edited:
            st.markdown(
                "The questions have changed. Ask memory again to see what it answers and what the rest may cost."
            )
        else:
            st.markdown(estimate_list(plan, view.web))
        texts = rows.read()
        with st.container(key="research_start_bar"):
            if edited:
                button(
                    "Ask memory again", "research_again", "inventory_2", _again, jobs, view, plan, texts,
                    type="primary", disabled=not texts,
                )  # fmt: skip
            else:
                button("Start research", "research_start", "play_arrow", _start, jobs, view, plan, type="primary")
        button(
            "Change the topic", "research_edit", "edit", fill, view.topic, plan.skill.name, type="tertiary",
            help="Back to the form. This plan is discarded.",
        )  # fmt: skip
        st.caption(privacy(workbench, view.web))


def estimate_list(plan: ResearchPlan, web: bool) -> str:
    """What a plan will spend at most, as a Markdown list."""
    e = plan.estimate
    if web and e.from_web:
        lines = [f"**{count(e.searches, 'search', 'searches')}** and **{count(e.fetches, 'page')}**"]
    else:
        lines = ["**No searches**, **no pages**" + ("" if e.from_web else ": memory answers everything")]
    if not e.tokens:
        lines.append("**No cost**: no language model is used")
    else:
        price = "price not known" if e.cost_usd is None else f"**US\\$ {e.cost_usd:.2f}**"
        lines.append(f"**{e.tokens:,} tokens**, {price}")
    lines.append(f"**{theme.seconds(e.seconds)}**")
    return "\n".join(f"- {line}" for line in lines)


def _again(jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan, texts: tuple[str, ...]) -> None:
    """Ask the gate about these questions; they replace the plan."""
    open_started(lambda: jobs.plan(plan.topic, plan.skill.name, texts, view.web))


def _start(jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan) -> None:
    open_started(lambda: jobs.start(plan, view.web, research_id=view.research_id))
