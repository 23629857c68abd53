"""The knowledge base: its figures, and its sections. A section is one line in SECTIONS and a file of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import KnowledgeStats
from ghost.types import Status
from ghost.ui.knowledge import browse, changes, domains, duplicates, imports, library, quarantine, selection
from ghost.ui.knowledge.passage_form import add_form
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain

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


def remember_place() -> None:
    """Come back to where the visitor was when the page is entered without saying where."""
    if st.query_params:
        st.session_state[_PLACE] = st.query_params.to_dict()
    elif st.session_state.get(_PLACE):
        st.query_params.from_dict(st.session_state[_PLACE])


def sections(workbench: "Workbench") -> None:
    """Figures, and the section that the address names; says so when the store cannot be read."""
    if st.query_params.get("form") == "add":
        add_form(workbench)
        return
    st.title("Knowledge base", anchor=False)
    st.markdown("Everything a verdict can rest on. Only active passages are found when a claim is checked.")
    selection.banner(workbench)
    try:
        figures = stats(workbench.knowledge)
        section = _chosen(figures)
        if section is SECTIONS["browse"]:
            _metrics(figures)
        section.draw(workbench)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="knowledge_retry", icon=":material/refresh:")


def stats(knowledge: "KnowledgeBase") -> KnowledgeStats:
    """The figures, counted when something has changed."""
    return _stats(str(knowledge.database.path), knowledge.watermark(), knowledge)


@st.cache_data(max_entries=8, show_spinner=False)
def _stats(database: str, watermark: int, _knowledge: "KnowledgeBase") -> KnowledgeStats:
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
    """To another section, whose own parameters begin anew."""
    st.query_params.from_dict({"section": st.session_state["knowledge_section"]})


def _metrics(figures: KnowledgeStats) -> None:
    with st.container(horizontal=True, key="knowledge_metrics"):
        for label, value, note in (
            ("Active passages", f"{figures.active:,}", "Passages that a verification can find."),
            ("Sources", f"{figures.domain_count:,}", "Different domains among the active passages."),
            ("Dated", _share(figures.dated, figures.active), "Passages whose publication date is known."),
            ("Origins", f"{len(figures.by_origin)}", "Different ways by which the passages came in."),
        ):
            st.metric(label, value, help=note, border=True, width=170)
    parts = [
        f":material/{look.icon}: {look.word} {figures.by_origin[origin.value]:,}"
        for origin, look in theme.ORIGINS.items()
        if origin.value in figures.by_origin
    ]
    parts += [
        f"{look.word} {figures.by_status[status.value]:,} (not found)"
        for status, look in theme.PASSAGE_STATUSES.items()
        if status is not Status.ACTIVE and status.value in figures.by_status
    ]
    if parts:
        st.caption(" · ".join(parts))


def _share(part: int, whole: int) -> str:
    return theme.percent(part / whole) if whole else "none"
