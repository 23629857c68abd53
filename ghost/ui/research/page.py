"""The Research page: one research, or a section: topics, facts, pages read, skills.

The address holds what is shown: ``research`` the id of a plan or a research, ``section`` one of SECTIONS.
"""

from datetime import UTC, datetime

import streamlit as st

from ghost.jobs import ResearchJobs, ResearchView
from ghost.types import RunStatus
from ghost.ui.research import memory, skills
from ghost.ui.research.form import new_topic
from ghost.ui.research.live import running_page
from ghost.ui.research.plan import plan_page
from ghost.ui.research.report import report_page
from ghost.ui.shared import theme
from ghost.ui.shared.actions import show_notice
from ghost.ui.shared.parts import Workbench, button, open_item, opened, retry_on_error
from ghost.ui.shared.text import shorten

PAGE = "research"
SECTIONS = {
    "topics": ("Topics", "travel_explore"),
    "facts": ("Facts", "format_quote"),
    "pages": ("Pages read", "article"),
    "skills": ("Skills", "menu_book"),
}
"""By the value of the parameter ``section``: word and icon."""


def research_page(workbench: Workbench, jobs: ResearchJobs) -> None:
    """What the address names, else what this visitor saw last."""
    section = st.query_params.get("section", "")
    research_id = "" if section in SECTIONS else opened(PAGE, "research")
    with retry_on_error("research_retry"):
        if not research_id:
            _sections(workbench, jobs, section)
        elif view := _look(workbench, jobs, research_id):
            _one(workbench, jobs, view)
        else:
            _unknown(research_id)
    show_notice(PAGE, research_id or section)


def _look(workbench: Workbench, jobs: ResearchJobs, research_id: str) -> ResearchView | None:
    """A research of this process as it is now, else as it is stored."""
    if view := jobs.snapshot(research_id):
        return view
    r = workbench.research.get(research_id)
    if r is None:
        return None
    running, ended = r.status is RunStatus.RUNNING, r.finished_at or datetime.now(UTC)
    return ResearchView(
        r.id, r.topic, "running" if running else "ended", r.web, r.plan, answers=r.answers, steps=r.steps,
        status=r.status, savings=r.savings, usage=r.usage, error=r.error,
        ended=max(0.01, (ended - r.started_at).total_seconds()),
    )  # fmt: skip


def _one(workbench: Workbench, jobs: ResearchJobs, view: ResearchView) -> None:
    st.set_page_config(page_title=f"{shorten(view.topic, 60)} · Ghost")
    button("All research", "research_back", "arrow_back", open_item, PAGE, "research", "", type="tertiary")
    if view.stage == "running":
        running_page(jobs, view, lambda: _look(workbench, jobs, view.research_id))
    elif view.stage in ("planning", "planned") or view.plan is None:
        plan_page(workbench, jobs, view)
    else:
        report_page(workbench, jobs, view)


def _unknown(research_id: str) -> None:
    with st.container(width=720):
        theme.not_here("research", research_id)
        st.caption("A plan that was not started is lost when Ghost closes.")
        button("Start a new one", "research_new", "add", open_item, PAGE, "research", "", type="primary")


def _sections(workbench: Workbench, jobs: ResearchJobs, section: str) -> None:
    st.title("Research", anchor=False)
    st.markdown("Break a topic into questions. Memory answers those it can; the web is searched only for the rest.")
    st.session_state["research_section"] = section = section if section in SECTIONS else "topics"
    st.segmented_control(
        "Section", list(SECTIONS), key="research_section", required=True, label_visibility="collapsed", wrap=True,
        format_func=lambda name: f":material/{SECTIONS[name][1]}: {SECTIONS[name][0]}", on_change=_go,
    )  # fmt: skip
    match section:
        case "facts":
            memory.facts_section(workbench)
        case "pages":
            memory.pages_section(workbench)
        case "skills":
            skills.skills_section(workbench)
        case _:
            new_topic(workbench, jobs)


def _go() -> None:
    """Open another section."""
    chosen = st.session_state["research_section"]
    open_item(PAGE, "research", "")
    st.query_params.from_dict({} if chosen == "topics" else {"section": chosen})
