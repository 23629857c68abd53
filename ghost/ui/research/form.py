"""The form for a new topic, and the list of earlier research."""

from collections.abc import Callable

import streamlit as st

from ghost.jobs import ResearchJobs
from ghost.research import MAX_TOPIC_CHARS
from ghost.types import Research
from ghost.ui.research.badges import status_badge
from ghost.ui.research.skills import skills_problem
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, open_item
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import records_place, shared_records
from ghost.ui.shared.text import count, plain, shorten

EXAMPLES = (
    "Is the Great Wall of China visible from space?",
    "Do vaccines cause autism?",
    "Sea level rise",
)
AT_ONCE = 8
_HOW = (
    ("help", "Plans questions", "Four to six, each clear on its own. You can edit them."),
    ("inventory_2", "Asks memory first", "It answers only the same question, from evidence that is still fresh."),
    ("travel_explore", "Then the web", "Only for what is missing, within your limits, once you press start."),
    ("format_quote", "Cites word for word", "Every sentence links to its quote. Gaps and disagreements are shown."),
)


def new_topic(workbench: Workbench, jobs: ResearchJobs) -> None:
    """The form, with the list of earlier research beside it."""
    left, right = st.columns([2, 1], gap="large")
    with left:
        _form(workbench, jobs)
        st.markdown("**Try one of these**")
        with st.container(horizontal=True, gap="small"):
            for number, example in enumerate(EXAMPLES):
                button(example, f"research_example_{number}", "", fill, example)
    with right, st.container(border=True, key="research_before"):
        _earlier(workbench)
    theme.kicker("How research works")
    for column, (icon, title, words) in zip(st.columns(len(_HOW)), _HOW, strict=True):
        with column, st.container(border=True, height="stretch", gap="small"):
            st.markdown(f":blue[:material/{icon}:] **{title}**")
            st.caption(words)


def fill(topic: str, skill: str = "") -> None:
    """Open the form with this topic filled in. For callbacks."""
    st.session_state.update(research_topic=topic, research_skill=skill or None, research_begun=False)
    open_item("research", "research", "")


def open_started(start: Callable[[], str]) -> None:
    """Start a plan or a research, and open it. For callbacks."""
    run_action("research", lambda: open_item("research", "research", start()))


def web_allowed(workbench: Workbench) -> bool:
    """Whether the settings allow any search."""
    return bool(workbench.search_recipients)


def privacy(workbench: Workbench, web: bool = True) -> str:
    """What leaves the machine when a topic is researched, as Markdown; without ``web`` nothing is searched."""
    return privacy_line(
        workbench.judge_info, workbench.search_recipients if web else (), "The topic and its evidence",
        "Questions that memory does not answer", records=shared_records(workbench),
    )  # fmt: skip


def _form(workbench: Workbench, jobs: ResearchJobs) -> None:
    skills = {skill.name: skill for skill in workbench.research.skills.all()}
    if st.session_state.get("research_skill") not in (None, *skills):
        st.session_state["research_skill"] = None  # it was removed from the file
    if st.session_state.pop("research_begun", False):
        st.session_state["research_topic"] = ""
    skills_problem(workbench)
    with st.container(border=True, key="research_form"):
        topic = st.text_area(
            "Topic", key="research_topic", height=92, max_chars=MAX_TOPIC_CHARS,
            persist_state="session", placeholder="For example: Is the Great Wall of China visible from space?",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "Skill", list(skills), index=None, key="research_skill", placeholder="Chosen by the topic",
                format_func=lambda name: skills[name].title, persist_state="session", width=280,
                help="How to research this kind of topic: how old evidence may be, which sources count, and rules for "
                "the answers.",
            )  # fmt: skip
            possible = web_allowed(workbench)
            st.session_state.setdefault("research_web", possible)
            on, off = "If off, only memory and your knowledge base are used.", "The web is switched off (GHOST_WEB)."
            web = st.toggle(
                "Search the web", key="research_web", disabled=not possible, persist_state="session",
                help=on if possible else off,
            ) and possible  # fmt: skip
        if chosen:
            st.caption(plain(shorten(skills[chosen].description, 300)))
        sent = button("Plan this research", "research_plan", "checklist", type="primary", shortcut="Ctrl+Enter")
        st.caption("Nothing is searched yet: you see the questions and the cost first.")
    if sent:
        if not (topic or "").strip():
            st.warning("Enter a topic first.", icon=":material/edit_note:")
        else:
            with theme.errors_shown():
                open_item("research", "research", jobs.plan(topic or "", chosen or "", (), web))
                st.session_state["research_begun"] = True
                st.rerun()
    st.caption(privacy(workbench))


def _earlier(workbench: Workbench) -> None:
    theme.kicker("Earlier research")
    with theme.store_errors_noted("The list cannot be read right now."):
        total = workbench.research.count()
        if not total:
            st.caption(f"No research yet. Topics are listed here and stay {records_place(workbench)}.")
        part = paging("research_earlier_page", total, AT_ONCE)
        with st.container(gap="xsmall", key="research_earlier"):
            for research in workbench.research.list(AT_ONCE, part.offset):
                _entry(research)
        part.numbers()


def _entry(research: Research) -> None:
    questions = len(research.plan.questions) if research.plan else 0
    gaps = len(research.gaps)
    badge = status_badge(research.status, len(research.answers) - gaps, gaps)
    answered = [f"{len(research.answers) - gaps} of {count(questions, 'question')} answered"] if questions else []
    with st.container(gap=None):
        button(
            f"**{plain(shorten(research.topic, 90))}**", f"research_open_{research.id}", badge.icon, open_item,
            "research", "research", research.id, type="tertiary",
        )  # fmt: skip
        st.caption(" · ".join([f":{badge.colour}[{badge.word}]", *answered, theme.day(research.started_at)]))
