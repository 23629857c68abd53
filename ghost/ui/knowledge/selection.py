"""Passages that the visitor has selected, what can be done to them together, and changes that can be undone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import Change
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, run_action, show_notice
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "knowledge"
QUICK_UNDO = 500
"""So many passages are put back within a moment."""

DONE = {
    "added": "added",
    "edited": "edited",
    "retired": "retired",
    "restored": "restored",
    "accepted": "accepted",
    "merged": "merged",
    "undone": "put back as before",
}
"""Action of a change, as words after a number of passages."""


def run_change(workbench: "Workbench", action: Callable[[], Change | None]) -> bool:
    """Change passages, show what was changed with its undo, and return whether it succeeded. For callbacks."""

    def act() -> None:
        if change := action():
            notify_change(workbench, summary(change), change.id)
        else:
            notify(PAGE, "Nothing had to be changed.", icon="info")

    return run_action(PAGE, act)


def notify_change(workbench: "Workbench", text: str, change_id: str = "", icon: str = "check") -> None:
    """Show ``text``, with an undo of the change where there is one."""
    notify(PAGE, plain(text), partial(undo, workbench, change_id) if change_id else None, icon)


def summary(change: Change) -> str:
    """``3 passages retired.``"""
    if change.action == "merged":
        return f"{count(change.passages - 1, 'duplicate')} merged into one passage."
    return f"{count(change.passages, 'passage')} {DONE.get(change.action, change.action)}."


def banner(workbench: "Workbench") -> None:
    """The result of the last action. A long undo runs here: during a callback the page could not show that it does."""
    if waiting := st.session_state.pop("knowledge_to_undo", None):
        with st.spinner(f"Undoing a change of {count(waiting[1], 'passage')}, all or none."):
            run_action(PAGE, partial(_undo, workbench, waiting[0]))
    show_notice(PAGE)


def undo(workbench: "Workbench", change_id: str, passage_id: str = "") -> None:
    """Undo a change, or what it did to one passage. For callbacks."""
    run_action(PAGE, partial(_start_undo, workbench, change_id, passage_id))


def _start_undo(workbench: "Workbench", change_id: str, passage_id: str) -> None:
    kept = workbench.knowledge.curation.change(change_id)
    if kept and kept.passages > QUICK_UNDO and not passage_id:
        st.session_state["knowledge_to_undo"] = (change_id, kept.passages)
    else:
        _undo(workbench, change_id, passage_id)


def _undo(workbench: "Workbench", change_id: str, passage_id: str = "") -> None:
    undone = workbench.knowledge.curation.undo(change_id, passage_id)
    text, icon = summary(undone.change), "undo"
    if undone.left:
        left = count(len(undone.left), "passage")
        text, icon = f"{text} {left} changed again since and stayed as they are.", "warning"
    notify_change(workbench, text, undone.change.id, icon)


def selected(section: str) -> list[str]:
    """Ids of the passages that the visitor has ticked in a section."""
    chosen: list[str] = st.session_state.setdefault(f"knowledge_picked_{section}", [])
    return chosen


def tick(section: str, passage_id: str) -> None:
    """A box before a passage."""
    key = f"knowledge_{section}_tick_{passage_id}"
    st.session_state[key] = passage_id in selected(section)
    st.checkbox("Select", key=key, on_change=_set, args=(section, (passage_id,), key))


def clear(section: str) -> None:
    """Untick everything (a callback)."""
    st.session_state[f"knowledge_picked_{section}"] = []


def _set(section: str, ids: tuple[str, ...], key: str) -> None:
    rest = [i for i in selected(section) if i not in ids]
    st.session_state[f"knowledge_picked_{section}"] = [*rest, *ids] if st.session_state[key] else rest


Action = Callable[[Sequence[str], str], Change | None]
"""Given ids and the note for the history."""


def toolbar(
    workbench: "Workbench", section: str, ids: Sequence[str], actions: Sequence[tuple[str, str, Action]]
) -> None:
    """What can be done to the ticked passages: the word, icon and function of each action."""
    key = f"knowledge_{section}_tick_all"
    st.session_state[key] = bool(ids) and set(ids) <= set(selected(section))
    st.checkbox("Select all on this page", key=key, on_change=_set, args=(section, tuple(ids), key))
    chosen = selected(section)
    if not chosen:
        return
    note = f"knowledge_{section}_note"

    def together(action: Action) -> None:
        if run_change(workbench, lambda: action(tuple(chosen), (st.session_state.get(note) or "").strip())):
            clear(section)
            st.session_state[note] = ""

    row = f"knowledge_{section}_toolbar"
    with st.bottom, theme.page(), st.container(horizontal=True, vertical_alignment="center", key=row):
        st.markdown(f"**{len(chosen):,} selected**", width="content")
        st.text_input(
            "Note", key=note, placeholder="Note for the history (optional)", max_chars=300, width=280,
            label_visibility="collapsed",
        )  # fmt: skip
        for word, icon, action in actions:
            st.button(
                word, key=f"knowledge_{section}_{word.lower()}", icon=f":material/{icon}:", on_click=together,
                args=(action,),
            )  # fmt: skip
        st.button("Clear selection", key=f"knowledge_{section}_clear", type="tertiary", on_click=clear, args=(section,))


def page_of(section: str, pages: int) -> int:
    """The page that the visitor has turned to, of so many."""
    return min(max(1, int(st.session_state.get(f"knowledge_{section}_at", 1))), pages)


def pages(section: str, page: int, pages: int) -> None:
    """Numbers to turn the pages of a section by."""
    key = f"knowledge_{section}_page_{page}"
    st.pagination(pages, default=page, key=key, on_change=_turn, args=(section, key))


def _turn(section: str, key: str) -> None:
    st.session_state[f"knowledge_{section}_at"] = st.session_state[key]
