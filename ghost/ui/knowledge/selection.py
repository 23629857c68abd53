"""Selected passages, what can be done to them together, and changes with their undo."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from ghost.knowledge import Change
from ghost.types import Passage, Status
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, run_action, show_notice
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "knowledge"
QUICK_UNDO = 500
"""Passages up to which an undo takes a moment only."""
_PAST = {"undone": "restored to the previous state"}
"""Words for an action, where they differ from its name."""
Action = Callable[[Sequence[str], str], Change | None]
"""Takes ids and the note for the history."""


def run_change(workbench: "Workbench", action: Callable[[], Change | None]) -> Any:
    """Change passages, show what was changed with its undo, and return whether it succeeded. For callbacks."""

    def act() -> None:
        if change := action():
            notify_change(workbench, summary(change), change.id)
        else:
            notify(PAGE, "Nothing to change.", icon="info")

    return run_action(PAGE, act)


def notify_change(workbench: "Workbench", text: str, change_id: str = "", icon: str = "check") -> None:
    """Show ``text``, with an undo of the change where there is one."""
    notify(PAGE, plain(text), partial(undo, workbench, change_id) if change_id else None, icon)


def summary(change: Change) -> str:
    """``3 passages retired.``"""
    if change.action == "merged":
        return f"{count(change.passages - 1, 'duplicate')} merged into one passage."
    return f"{count(change.passages, 'passage')} {_PAST.get(change.action, change.action)}."


def show_change(workbench: "Workbench") -> None:
    """The result of the last action. A long undo runs here, because a callback cannot show a spinner."""
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
        text, icon = f"{text} {left} changed since and stayed as they are.", "warning"
    notify_change(workbench, text, undone.change.id, icon)


def open_passage(passage_id: str) -> None:
    """Show this passage; an empty id leads back to the previous view. For callbacks."""
    st.query_params.pop("form", None)
    if passage_id:
        st.query_params["passage"] = passage_id
    else:
        st.query_params.pop("passage", None)
        if not st.query_params:
            st.query_params["section"] = "browse"


def facts_line(p: Passage) -> str:
    """Status, credibility, date and use of a passage in one line."""
    status = [] if p.status is Status.ACTIVE else [theme.PASSAGE_STATUSES[p.status].text]
    return " · ".join([*status, theme.stars(p.credibility, p.rated), theme.dated(p), used(p)])


def used(p: Passage) -> str:
    """``Used in 3 checks``."""
    return f"Used in {count(p.verification_count, 'check')}" if p.verification_count else "Never used"


def selected(section: str) -> list[str]:
    """Ids of the selected passages of a section."""
    chosen: list[str] = st.session_state.setdefault(f"knowledge_picked_{section}", [])
    return chosen


def select_box(section: str, passage_id: str, name: str) -> None:
    """A box that selects one passage."""
    _box(section, (passage_id,), f"knowledge_{section}_tick_{passage_id}", f"Select {name}", "collapsed")


def select_all_box(section: str, ids: Sequence[str], visibility: Literal["visible", "collapsed"] = "visible") -> None:
    """A box that selects all passages of a page."""
    _box(section, tuple(ids), f"knowledge_{section}_tick_all", "Select all on this page", visibility)


def clear(section: str) -> None:
    """Select nothing. For callbacks."""
    st.session_state[f"knowledge_picked_{section}"] = []


def _box(section: str, ids: tuple[str, ...], key: str, label: str, visibility: Any) -> None:
    st.session_state[key] = bool(ids) and set(ids) <= set(selected(section))
    st.checkbox(label, key=key, label_visibility=visibility, width="content", on_change=_set, args=(section, ids, key))


def _set(section: str, ids: tuple[str, ...], key: str) -> None:
    rest = [i for i in selected(section) if i not in ids]
    st.session_state[f"knowledge_picked_{section}"] = [*rest, *ids] if st.session_state[key] else rest


def toolbar(workbench: "Workbench", section: str, actions: Sequence[tuple[str, str, Action]]) -> None:
    """Buttons for the selected passages at the bottom of the window: word, icon and function of each action."""
    chosen = tuple(selected(section))
    if not chosen:
        return
    note = f"knowledge_{section}_note"

    def run(action: Action) -> None:
        if run_change(workbench, lambda: action(chosen, (st.session_state.get(note) or "").strip())):
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
                word, key=f"knowledge_{section}_{word.lower()}", icon=f":material/{icon}:", on_click=run, args=(action,)
            )
        st.button("Clear selection", key=f"knowledge_{section}_clear", type="tertiary", on_click=clear, args=(section,))
