"""The report of a research that has ended, and what to do about its gaps."""

import json
from collections.abc import Sequence

import streamlit as st

from ghost.jobs import ResearchJobs, ResearchView
from ghost.reports import money, research_html, research_markdown, research_value
from ghost.types import RESEARCH_STEPS, GateState, Research, ResearchPlan, RunStatus, TraceStep
from ghost.ui.research.answers import answer_card, listed, sources_section
from ghost.ui.research.badges import GATES, NEW, PHASES, UNANSWERED, phase_list, status_badge
from ghost.ui.research.form import open_started, web_allowed
from ghost.ui.research.plan import balance
from ghost.ui.research.recalled import recalled_section
from ghost.ui.research.skills import policy_list
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.parts import Workbench, button, download, open_item
from ghost.ui.shared.text import clean, count, plain, shorten

_ENDINGS = {
    RunStatus.FAILED: "This research failed. Its answers so far are below.",
    RunStatus.CANCELLED: "You cancelled this research. Its answers so far are below.",
    RunStatus.INTERRUPTED: "Ghost was closed while this research ran. Its answers so far are below.",
}


def report_page(workbench: Workbench, jobs: ResearchJobs, view: ResearchView) -> None:
    """The answers with their sources; beside them what memory saved, what it cost, and what can be done."""
    plan = view.plan
    if plan is None:
        return
    research = workbench.research.get(view.research_id)
    _head(view, research)
    if view.status is not RunStatus.FINISHED:
        _ended_early(jobs, view, view.status or RunStatus.FAILED)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _glance(view, plan)
        _answers(view, plan)
        _gaps(workbench, jobs, view, plan)
        sources_section(view.answers)
    with side:
        _account(view)
        _side(jobs, view, plan)
        if research:
            _keep(workbench, research)


def _head(view: ResearchView, research: Research | None) -> None:
    gaps = sum(bool(answer.gap) for answer in view.answers)
    badge = status_badge(view.status or RunStatus.FAILED, len(view.answers) - gaps, gaps)
    with st.container(gap="xsmall"):
        theme.kicker(f"Research · {theme.moment(research.started_at)}" if research else "Research")
        st.title(plain(shorten(view.topic, 220)), anchor=False)
        st.markdown(badge.badge)


def _ended_early(jobs: ResearchJobs, view: ResearchView, status: RunStatus) -> None:
    words = _ENDINGS.get(status, "This research has not ended.")
    if status is RunStatus.FAILED:
        theme.show_error(f"{words} {view.error}")
    else:
        st.warning(words, icon=f":material/{theme.STATUSES[status].icon}:")
    button("Resume", "research_resume", "play_arrow", _resume, jobs, view.research_id, type="primary",
           help="Continue with the questions that have no answer yet.")  # fmt: skip


def _glance(view: ResearchView, plan: ResearchPlan) -> None:
    """How many questions are answered, and from where."""
    memory = sum(bool(a.text) and a.from_memory for a in view.answers)
    new = sum(bool(a.text) and not a.from_memory for a in view.answers)
    rest = len(plan.questions) - memory - new
    balance(memory, new, rest)
    words = [
        f":green[:material/{GATES[GateState.SATISFIED].icon}: **{memory}** from memory]",
        f":blue[:material/{NEW.icon}: **{new}** new]",
    ]
    if rest:
        words.append(f":orange[:material/{UNANSWERED.icon}: **{rest}** unanswered]")
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for each in words:
            st.markdown(each, width="content")


def _answers(view: ResearchView, plan: ResearchPlan) -> None:
    st.header("Answers", anchor="answers")
    answers = {answer.question: answer for answer in view.answers}
    decisions = {decision.question: decision for decision in plan.decisions}
    numbers = listed(view.answers)
    for question in plan.questions:
        answer_card(question, decisions.get(question.number), answers.get(question.number), numbers)


def _gaps(workbench: Workbench, jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan) -> None:
    """What to do about the questions that nothing answers."""
    gaps = [answer for answer in view.answers if answer.gap]
    if not gaps:
        return
    asked = {question.number: question.text for question in plan.questions}
    st.header("Close the gaps", anchor="gaps")
    with st.container(border=True, key="research_gaps"):
        numbers = ", ".join(f"[{a.question}](#question-{a.question})" for a in gaps)
        st.markdown(f"Unanswered: {'question' if len(gaps) == 1 else 'questions'} {numbers}. What you can do:")
        st.markdown("\n".join(f"- {line}" for line in _advice(workbench, view, plan)))
        with st.container(horizontal=True, vertical_alignment="center"):
            texts = [asked[a.question] for a in gaps if a.question in asked]
            button(
                "Plan only the gaps", "research_gaps_plan", "checklist", _plan_again, jobs, plan, texts,
                web_allowed(workbench), help="Starts a new plan with these questions, which you can rephrase there.",
            )  # fmt: skip
            st.page_link(
                "pages/knowledge.py", label="Add a source", icon=":material/library_add:", query_params={"form": "add"}
            )


def _advice(workbench: Workbench, view: ResearchView, plan: ResearchPlan) -> Sequence[str]:
    lines = []
    if not view.web and web_allowed(workbench):
        lines.append("The web was off for this research. Plan the gaps again with the web on.")
    elif not view.web:
        lines.append("The web is switched off in the settings (GHOST\\_WEB).")
    elif not plan.skill.policy.allow_web:
        lines.append("The skill does not allow the web. Choose another skill, or add a source.")
    if plan.skill.policy.allowed_sites:
        lines.append("The skill allows only some sites. Choose another skill, or add a site to it.")
    lines.append("Rephrase a question so that one sentence of a source could answer it.")
    lines.append("If you know a source, add it to your knowledge base and plan the gaps again.")
    return lines


def _account(view: ResearchView) -> None:
    """What memory saved, and what the research cost."""
    saved, used = view.savings, view.usage
    with st.container(border=True, gap="small", key="research_account"):
        theme.kicker("Saved and spent")
        if view.status is RunStatus.INTERRUPTED:
            st.markdown("Counted when the research ends.")
            return
        if saved.questions:
            st.markdown(
                f":green[:material/savings:] Memory saved **{count(saved.searches, 'search', 'searches')}** and "
                f"**{count(saved.fetches, 'page')}** on {count(saved.questions, 'question')}."
            )
        else:
            st.markdown(
                ":material/savings: Memory saved nothing this time. What was found is kept for the next research on "
                "this topic."
            )
        cost = (
            plain(money(used.tokens, used.cost_usd, used.unpriced_tokens)) if used.tokens else "no language model used"
        )
        searched = f"{count(used.searches, 'search', 'searches')}, {count(used.fetches, 'page')} fetched"
        st.markdown(f":material/payments: Spent: {searched}, {theme.seconds(used.seconds)}, {cost}.")


def _side(jobs: ResearchJobs, view: ResearchView, plan: ResearchPlan) -> None:
    button(
        "Research again", "research_repeat", "refresh", _plan_again, jobs, plan,
        [q.text for q in plan.questions], view.web, help="Plans the same questions again; memory answers first.",
    )  # fmt: skip
    with st.expander("Steps", icon=":material/checklist:", key="research_steps"):
        phase_list(RESEARCH_STEPS, view.steps, 0, "", True)
        if view.steps:
            _trace(view.steps)
    with st.expander(f"Skill: {plain(shorten(plan.skill.title, 40))}", icon=":material/menu_book:"):
        policy_list(plan.skill)
    recalled_section(plan.recalled)


def _keep(workbench: Workbench, research: Research) -> None:
    """Export it, or delete it."""
    with st.expander("Export", icon=":material/download:", key="research_export"):
        _exports(research)
    with st.popover("Delete", icon=":material/delete:", type="tertiary", key="research_delete"):
        st.markdown("The facts and pages it found stay in memory. This cannot be undone.")
        button("Delete this report", "research_delete_sure", "delete", _delete, workbench, research)


def _trace(steps: Sequence[TraceStep]) -> None:
    names: list[str] = []
    for step in steps:
        title = PHASES[step.name].title if step.name in PHASES else clean(step.name)
        turn = sum(name.partition(" (")[0] == title for name in names) + 1
        names.append(f"{title} ({turn})" if turn > 1 else title)
    position = st.selectbox(
        "Show step", range(len(steps)), key="research_step", required=True, format_func=names.__getitem__
    )
    step = steps[min(int(position or 0), len(steps) - 1)]
    st.markdown(f"**{plain(shorten(step.decision, 400))}**  \n{plain(shorten(step.reason, 1_000))}")
    st.caption(f"{theme.moment(step.started_at)} · {theme.seconds(step.seconds)}")
    st.markdown(":gray[Inputs]")
    st.json(step.inputs, expanded=False)
    st.markdown(":gray[Outputs]")
    st.json(step.outputs, expanded=False)


def _exports(research: Research) -> None:
    name = f"ghost-research-{research.id[:8]}"
    with st.container(horizontal=True):
        download("HTML", lambda: research_html(research), f"{name}.html", "text/html", "research_html")
        download("Markdown", lambda: research_markdown(research), f"{name}.md", "text/markdown", "research_md")
        download(
            "JSON", lambda: json.dumps(research_value(research), ensure_ascii=False, indent=2), f"{name}.json",
            "application/json", "research_json",
        )  # fmt: skip


def _resume(jobs: ResearchJobs, research_id: str) -> None:
    open_started(lambda: jobs.resume(research_id))


def _plan_again(jobs: ResearchJobs, plan: ResearchPlan, texts: Sequence[str], web: bool) -> None:
    open_started(lambda: jobs.plan(plan.topic, plan.skill.name, texts, web))


def _delete(workbench: Workbench, research: Research) -> None:
    text = f"The report “{plain(shorten(research.topic, 60))}” was deleted. Its facts stay in memory."
    if run_action("research", lambda: workbench.research.delete(research.id), text):
        open_item("research", "research", "")
