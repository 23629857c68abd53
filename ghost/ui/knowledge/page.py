"""The Knowledge base page: one passage, one card, the form, or a section."""

from collections.abc import Callable

import streamlit as st

from ghost.knowledge import Change, KnowledgeStats
from ghost.reports import source
from ghost.types import Status
from ghost.ui.knowledge import browse, cards, domains, imports, library, readings, review
from ghost.ui.knowledge.detail import detail
from ghost.ui.knowledge.form import add_form
from ghost.ui.knowledge.note_check import show_check
from ghost.ui.knowledge.selection import counted, open_passage, show_change, summary, undo
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, retry_on_error
from ghost.ui.shared.text import count, plain, shorten

CHANGES_SHOWN = 20
FEW = 5
"""Passages of a change that are listed."""
_PLACE = "knowledge_place"
_ICONS = {
    "added": "add_circle", "edited": "edit", "retired": "archive", "restored": "unarchive", "accepted": "check",
    "merged": "merge", "checked": "fact_check", "undone": "undo", "trusted": "verified_user",
    "no longer trusted": "remove_moderator",
}  # fmt: skip


def knowledge_page(workbench: Workbench) -> None:
    """What the address asks for."""
    # Without parameters the page returns to the last view.
    if st.query_params:
        st.session_state[_PLACE] = st.query_params.to_dict()
    elif st.session_state.get(_PLACE):
        st.query_params.from_dict(st.session_state[_PLACE])
    if passage_id := st.query_params.get("passage"):
        detail(workbench, passage_id)
    elif card_id := st.query_params.get("card"):
        cards.one_card(workbench, card_id)
    elif st.query_params.get("form") == "add":
        add_form(workbench)
    else:
        _sections(workbench)


def _sections(workbench: Workbench) -> None:
    st.title("Knowledge base", anchor=False)
    show_check(workbench)
    show_change()
    with retry_on_error("knowledge_retry"):
        figures: KnowledgeStats = counted(workbench.knowledge, "stats")
        section = _chosen(figures)
        if section == "browse":
            _figures(figures)
        SECTIONS[section][1](workbench)


def _chosen(figures: KnowledgeStats) -> str:
    waiting = figures.by_status.get(Status.QUARANTINED, 0)

    def words(name: str) -> str:
        return SECTIONS[name][0] + (f" ({waiting:,})" if name == "quarantine" and waiting else "")

    asked = st.query_params.get("section", "browse")
    st.session_state["knowledge_section"] = asked if asked in SECTIONS else "browse"
    chosen = st.segmented_control(
        "Section", list(SECTIONS), key="knowledge_section", format_func=words, on_change=_go, required=True,
        label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    return chosen or "browse"


def _go() -> None:
    """Open another section without the parameters of this one."""
    st.query_params.from_dict({"section": st.session_state["knowledge_section"]})


def _figures(figures: KnowledgeStats) -> None:
    """How much there is, in one line, and how it came in."""
    dated = theme.share(figures.dated, figures.active)
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


def _changes(workbench: Workbench) -> None:
    """What was changed, newest first, each with an undo."""
    st.header("Changes", anchor=False)
    st.markdown(
        "Nothing is ever deleted, and every change can be undone, even days later. Undo whole imports and domain "
        "ratings in their own sections."
    )
    curation = workbench.knowledge.curation
    total = curation.count()
    if not total:
        st.info("Nothing has been changed yet.", icon=":material/history:")
        return
    part = paging("knowledge_changes_page", total, CHANGES_SHOWN)
    for change in curation.changes(CHANGES_SHOWN, part.offset):
        _change(workbench, change)
    part.numbers()


def _change(workbench: Workbench, change: Change) -> None:
    with st.container(border=True, gap="small", key=f"knowledge_change_{change.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            note = f"  \n:gray[{plain(shorten(change.note, 200))}]" if change.note else ""
            icon, moment = _ICONS.get(change.action, "circle"), theme.moment(change.at)
            st.markdown(f":material/{icon}: **{plain(summary(change))}** :gray[{moment}]{note}", width="stretch")
            if change.undone_by:
                st.markdown(theme.badge("Undone", "undo", "gray"), width="content")
            else:
                button("Undo", f"knowledge_change_undo_{change.id}", "undo", undo, workbench, change.id)
        first = workbench.knowledge.get(workbench.knowledge.curation.concerned(change.id, FEW))
        with st.expander(count(change.passages, "passage"), key=f"knowledge_change_which_{change.id}", type="compact"):
            for p in first:
                words = f"{plain(shorten(source(p), 60))}: {plain(shorten(p.text, 120))}"
                button(words, f"knowledge_change_{change.id}_{p.id}", "", open_passage, p.id, type="tertiary")
            if change.passages > len(first):
                st.caption(f"And {change.passages - len(first):,} more.")


SECTIONS: dict[str, tuple[str, Callable[[Workbench], None]]] = {
    "browse": ("Browse", browse.section),
    "cards": ("Claim cards", cards.section),
    "quarantine": ("Quarantine", review.quarantine_section),
    "duplicates": ("Duplicates", review.duplicates_section),
    "seeds": ("Starter library", library.section),
    "import": ("Import and export", imports.section),
    "domains": ("Domains", domains.section),
    "readings": ("Readings", readings.section),
    "changes": ("Changes", _changes),
}
"""By the value of the parameter ``section``: word, and the function that draws it."""
