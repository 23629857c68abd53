"""The Knowledge base page: one passage, the form, or a section. A section is one line in SECTIONS."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import KnowledgeStats
from ghost.types import Status
from ghost.ui.knowledge import browse, changes, domains, duplicates, imports, library, quarantine
from ghost.ui.knowledge.detail import detail
from ghost.ui.knowledge.form import add_form
from ghost.ui.knowledge.selection import show_change
from ghost.ui.shared import theme

if TYPE_CHECKING:
    from ghost.knowledge import KnowledgeBase
    from ghost.workbench import Workbench

_PLACE = "knowledge_place"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page."""

    word: str
    icon: str
    draw: Callable[["Workbench"], None]


SECTIONS: dict[str, Section] = {
    "browse": Section("Browse", "search", browse.section),
    "quarantine": Section("Quarantine", "shield", quarantine.section),
    "duplicates": Section("Duplicates", "content_copy", duplicates.section),
    "seeds": Section("Starter library", "potted_plant", library.section),
    "import": Section("Import and export", "import_export", imports.section),
    "domains": Section("Domains", "domain_verification", domains.section),
    "changes": Section("Changes", "history", changes.section),
}
"""By the value of the parameter ``section``."""


def knowledge_page(workbench: "Workbench") -> None:
    """What the address asks for."""
    _remember_place()
    if passage_id := st.query_params.get("passage"):
        detail(workbench, passage_id)
    elif st.query_params.get("form") == "add":
        add_form(workbench)
    else:
        _sections(workbench)


def _remember_place() -> None:
    """Return to the last view when the page is opened without parameters."""
    if st.query_params:
        st.session_state[_PLACE] = st.query_params.to_dict()
    elif st.session_state.get(_PLACE):
        st.query_params.from_dict(st.session_state[_PLACE])


def _sections(workbench: "Workbench") -> None:
    st.title("Knowledge base", anchor=False)
    show_change(workbench)
    try:
        figures = _stats(str(workbench.knowledge.database.path), workbench.knowledge.watermark(), workbench.knowledge)
        section = _chosen(figures)
        if section is SECTIONS["browse"]:
            _figures(figures)
        section.draw(workbench)
    except GhostError as error:
        theme.show_error(error)
        st.button("Try again", key="knowledge_retry", icon=":material/refresh:")


@st.cache_data(max_entries=8, show_spinner=False)
def _stats(database: str, watermark: int, _knowledge: "KnowledgeBase") -> KnowledgeStats:
    """Counted again only when something has changed."""
    del database, watermark
    return _knowledge.stats()


def _chosen(figures: KnowledgeStats) -> Section:
    waiting = figures.by_status.get(Status.QUARANTINED, 0)

    def words(name: str) -> str:
        section = SECTIONS[name]
        number = f" ({waiting:,})" if name == "quarantine" and waiting else ""
        return f":material/{section.icon}: {section.word}{number}"

    asked = st.query_params.get("section", "browse")
    st.session_state["knowledge_section"] = asked if asked in SECTIONS else "browse"
    chosen = st.segmented_control(
        "Section", list(SECTIONS), key="knowledge_section", format_func=words, on_change=_go, required=True,
        label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    return SECTIONS[chosen or "browse"]


def _go() -> None:
    """Open another section without the parameters of this one."""
    st.query_params.from_dict({"section": st.session_state["knowledge_section"]})


def _figures(figures: KnowledgeStats) -> None:
    """How much there is, in one line, and how it came in."""
    dated = theme.percent(figures.dated / figures.active) if figures.active else "none"
    st.markdown(
        f"**{figures.active:,}** active passages from **{figures.domain_count:,}** sources, **{dated}** with a known "
        "date. Checks use active passages only."
    )
    parts = [
        f":material/{badge.icon}: {badge.word} {figures.by_origin[origin.value]:,}"
        for origin, badge in theme.ORIGINS.items()
        if origin.value in figures.by_origin
    ]
    parts += [
        f":material/{badge.icon}: {badge.word} {figures.by_status[status.value]:,} (not used)"
        for status, badge in theme.PASSAGE_STATUSES.items()
        if status is not Status.ACTIVE and status.value in figures.by_status
    ]
    if parts:
        st.caption(" · ".join(parts))
