"""The earlier researches, each with its outcome and a link to its report."""

import streamlit as st

from ghost.types import Research
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import count, plain, shorten

PAGE_SIZE = 15


def all_researches(workbench: Workbench) -> None:
    """A paged list, newest first. Raises StoreError."""
    total = workbench.research.count()
    if not total:
        with st.container(border=True):
            st.markdown(":material/travel_explore: **No research yet.**")
            st.markdown("Each research is listed here with what memory saved and what it cost.")
            st.page_link("pages/research.py", label="Research a topic", icon=":material/travel_explore:")
        return
    part = paging("trace_research_page", total, PAGE_SIZE)
    found = workbench.research.list(PAGE_SIZE, part.offset)
    last = part.offset + len(found)
    st.caption(f"{part.offset + 1:,} to {last:,} of {count(total, 'research', 'researches')}, newest first")
    with st.container(gap="small"):
        for research in found:
            _row(research)
    part.numbers()


def _row(research: Research) -> None:
    saved, used = research.savings, research.usage
    questions = len(research.plan.questions) if research.plan else 0
    with st.container(border=True, gap="xxsmall", key=f"trace_research_{research.id}"):
        st.markdown(f"{theme.STATUSES[research.status].badge} **{plain(shorten(research.topic, 220))}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            facts = [theme.moment(research.started_at)]
            if research.finished_at:
                fetched = f"{count(used.fetches, 'page')} fetched"
                facts = [
                    f"{count(used.searches, 'search', 'searches')}, {fetched}",
                    theme.seconds(used.seconds),
                    *facts,
                ]
            if saved.questions:
                facts.insert(0, f":green[memory saved {count(saved.searches, 'search', 'searches')}]")
            if questions:
                answered = len(research.answers) - len(research.gaps)
                facts.insert(0, f"{answered} of {count(questions, 'question')} answered")
            st.caption(" · ".join(facts), width="content")
            st.page_link(
                "pages/research.py", label="Open", icon=":material/chevron_right:", icon_position="right",
                query_params={"research": research.id}, width="content",
            )  # fmt: skip
