"""Section Changes: what was done to the knowledge base, newest first, each to be undone."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import Change
from ghost.ui.knowledge import selection
from ghost.ui.knowledge.passage import open_passage
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 20
FEW = 5
"""So many passages of a change are listed."""
_ICONS = {
    "added": "add_circle", "edited": "edit", "retired": "archive", "restored": "unarchive", "accepted": "check",
    "merged": "merge", "undone": "undo",
}  # fmt: skip


def section(workbench: "Workbench") -> None:
    """The log."""
    st.header("Changes", anchor=False)
    st.markdown(
        "Nothing is ever deleted: whatever was done can be taken back, also days later. Whole imports and ratings of "
        "domains are undone in their own sections."
    )
    curation = workbench.knowledge.curation
    total = curation.count()
    if not total:
        st.info("Nothing has been done to the knowledge base yet.", icon=":material/history:")
        return
    pages = -(-total // PAGE)
    page = selection.page_of("changes", pages)
    for change in curation.changes(PAGE, (page - 1) * PAGE):
        _draw(workbench, change)
    if pages > 1:
        selection.pages("changes", page, pages)


def _draw(workbench: "Workbench", change: Change) -> None:
    with st.container(border=True, gap="small", key=f"knowledge_change_{change.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            note = f"  \n:gray[{plain(shorten(change.note, 200))}]" if change.note else ""
            icon = _ICONS.get(change.action, "circle")
            words = selection.summary(change)
            at = f":gray[{theme.moment(change.at)}]"
            st.markdown(f":material/{icon}: **{plain(words)}** {at}{note}", width="stretch")
            if change.undone_by:
                st.markdown(theme.badge("Undone", "undo", "gray"), width="content")
            else:
                st.button(
                    "Undo", key=f"knowledge_change_undo_{change.id}", icon=":material/undo:", on_click=selection.undo,
                    args=(workbench, change.id),
                )  # fmt: skip
        _passages(workbench, change)


def _passages(workbench: "Workbench", change: Change) -> None:
    first = workbench.knowledge.get(workbench.knowledge.curation.concerned(change.id, FEW))
    with st.expander(f"Which: {count(change.passages, 'passage')}", key=f"knowledge_change_which_{change.id}"):
        for p in first:
            st.button(
                f"{plain(shorten(p.source_name, 40))}: {plain(shorten(p.text, 120))}",
                key=f"knowledge_change_{change.id}_{p.id}", type="tertiary", on_click=open_passage, args=(p.id,),
            )  # fmt: skip
        if change.passages > len(first):
            st.caption(f"And {change.passages - len(first):,} more.")
