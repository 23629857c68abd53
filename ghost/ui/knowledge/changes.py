"""Section Changes: what was changed, newest first, each with an undo."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import Change
from ghost.ui.knowledge.selection import open_passage, summary, undo
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 20
FEW = 5
"""Passages of a change that are listed."""
_ICONS = {
    "added": "add_circle", "edited": "edit", "retired": "archive", "restored": "unarchive", "accepted": "check",
    "merged": "merge", "undone": "undo",
}  # fmt: skip


def section(workbench: "Workbench") -> None:
    """The log."""
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
    part = paging("knowledge_changes_page", total, PAGE)
    for change in curation.changes(PAGE, part.offset):
        _change(workbench, change)
    part.numbers()


def _change(workbench: "Workbench", change: Change) -> None:
    with st.container(border=True, gap="small", key=f"knowledge_change_{change.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            note = f"  \n:gray[{plain(shorten(change.note, 200))}]" if change.note else ""
            icon = _ICONS.get(change.action, "circle")
            st.markdown(
                f":material/{icon}: **{plain(summary(change))}** :gray[{theme.moment(change.at)}]{note}",
                width="stretch",
            )
            if change.undone_by:
                st.markdown(theme.badge("Undone", "undo", "gray"), width="content")
            else:
                st.button(
                    "Undo", key=f"knowledge_change_undo_{change.id}", icon=":material/undo:", on_click=undo,
                    args=(workbench, change.id),
                )  # fmt: skip
        first = workbench.knowledge.get(workbench.knowledge.curation.concerned(change.id, FEW))
        with st.expander(count(change.passages, "passage"), key=f"knowledge_change_which_{change.id}", type="compact"):
            for p in first:
                st.button(
                    f"{plain(shorten(p.source_name, 40))}: {plain(shorten(p.text, 120))}",
                    key=f"knowledge_change_{change.id}_{p.id}", type="tertiary", on_click=open_passage, args=(p.id,),
                )  # fmt: skip
            if change.passages > len(first):
                st.caption(f"And {change.passages - len(first):,} more.")
