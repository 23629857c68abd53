"""Selected passages, what can be done to them together, and changes with their undo."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from ghost.knowledge import Change, KnowledgeBase
from ghost.reports import intake
from ghost.types import Passage, Status
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, run_action, show_notice
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.text import count, plain

PAGE = "knowledge"
QUICK = 500
"""Passages up to which a change takes a moment only."""
_PENDING = "knowledge_pending"
Action = Callable[[Sequence[str], str], Change | None]
"""Takes ids and the note for the history."""


def counted(knowledge: KnowledgeBase, what: str, *args: object) -> Any:
    """What this method of the knowledge base returns, asked again only when something has changed."""
    return _counted(knowledge.database.name, knowledge.watermark(), what, args, knowledge)


@st.cache_data(max_entries=16, show_spinner=False)
def _counted(database: str, watermark: int, what: str, args: tuple[object, ...], _knowledge: KnowledgeBase) -> Any:
    del database, watermark
    return getattr(_knowledge, what)(*args)


def run_change(workbench: Workbench, action: Callable[[], Change | None]) -> Any:
    """Change passages, show what was changed with its undo, and return whether it succeeded. For callbacks."""

    def act() -> None:
        if change := action():
            notify_change(workbench, summary(change), change.id)
        else:
            notify(PAGE, "Nothing to change.", icon="info")

    return run_action(PAGE, act)


def notify_change(workbench: Workbench, text: str, change_id: str = "", icon: str = "check") -> None:
    """Show ``text``, with an undo of the change where there is one."""
    notify(PAGE, plain(text), partial(undo, workbench, change_id) if change_id else None, icon)


def summary(change: Change) -> str:
    """``3 passages retired.``"""
    if change.action == "merged":
        return f"{count(change.passages - 1, 'duplicate')} merged into one passage."
    action = "restored to the previous state" if change.action == "undone" else change.action
    return f"{count(change.passages, 'passage')} {action}."


def run_later(words: str, action: Callable[[], Any]) -> None:
    """Do something long while the page is drawn: a callback cannot show a spinner. For callbacks."""
    st.session_state[_PENDING] = (words, action)


def show_change() -> None:
    """Do what is pending, and show the result of the last action."""
    if pending := st.session_state.pop(_PENDING, None):
        with st.spinner(pending[0]):
            run_action(PAGE, pending[1])
    show_notice(PAGE)


def undo(workbench: Workbench, change_id: str, passage_id: str = "") -> None:
    """Undo a change, or what it did to one passage. For callbacks."""

    def act() -> None:
        undone = workbench.knowledge.curation.undo(change_id, passage_id)
        text, icon = summary(undone.change), "undo"
        if undone.left:
            left = count(len(undone.left), "passage")
            text, icon = f"{text} {left} changed since and stayed as they are.", "warning"
        notify_change(workbench, text, undone.change.id, icon)

    def start() -> None:
        kept = workbench.knowledge.curation.change(change_id)
        if kept and kept.passages > QUICK and not passage_id:
            run_later(f"Undoing a change of {count(kept.passages, 'passage')}, all or none.", act)
        else:
            act()

    run_action(PAGE, start)


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
    return " · ".join([*status, theme.standing(p), theme.dated(p), used(p), intake(p, theme.day)])


def used(p: Passage) -> str:
    """``Used in 3 checks``."""
    return f"Used in {count(p.verification_count, 'check')}" if p.verification_count else "Never used"


def select_box(section: str, passage_id: str, name: str) -> None:
    """A box that selects one passage."""
    _box(section, (passage_id,), f"knowledge_{section}_tick_{passage_id}", f"Select {name}", "collapsed")


def select_all_box(section: str, ids: Sequence[str], visibility: Literal["visible", "collapsed"] = "visible") -> None:
    """A box that selects all passages of a page."""
    _box(section, tuple(ids), f"knowledge_{section}_tick_all", "Select all on this page", visibility)


def clear(section: str) -> None:
    """Select nothing. For callbacks."""
    st.session_state[f"knowledge_picked_{section}"] = []


def _selected(section: str) -> list[str]:
    chosen: list[str] = st.session_state.setdefault(f"knowledge_picked_{section}", [])
    return chosen


def _box(section: str, ids: tuple[str, ...], key: str, label: str, visibility: Any) -> None:
    st.session_state[key] = bool(ids) and set(ids) <= set(_selected(section))
    st.checkbox(label, key=key, label_visibility=visibility, width="content", on_change=_set, args=(section, ids, key))


def _set(section: str, ids: tuple[str, ...], key: str) -> None:
    rest = [i for i in _selected(section) if i not in ids]
    st.session_state[f"knowledge_picked_{section}"] = [*rest, *ids] if st.session_state[key] else rest


def toolbar(
    workbench: Workbench, section: str, actions: Sequence[tuple[str, str, Action]],
    started: Sequence[tuple[str, str, Callable[[Sequence[str]], None]]] = (),
) -> None:  # fmt: skip
    """Buttons for the selected passages at the bottom of the window: word, icon and function of each action.

    What is ``started`` goes on in the background and takes the ids only.
    """
    chosen = tuple(_selected(section))
    if not chosen:
        return
    note = f"knowledge_{section}_note"

    def run(action: Action) -> None:
        def act() -> None:
            if run_change(workbench, lambda: action(chosen, (st.session_state.get(note) or "").strip())):
                clear(section)
                st.session_state[note] = ""

        if len(chosen) > QUICK:
            run_later(f"Changing {count(len(chosen), 'passage')}, all or none.", act)
        else:
            act()

    row = f"knowledge_{section}_toolbar"
    with st.bottom, theme.page(), st.container(horizontal=True, vertical_alignment="center", key=row):
        st.markdown(f"**{len(chosen):,} selected**", width="content")
        st.text_input(
            "Note", key=note, placeholder="Note for the history (optional)", max_chars=300, width=280,
            label_visibility="collapsed",
        )  # fmt: skip
        for word, icon, action in actions:
            button(word, f"knowledge_{section}_{word.lower()}", icon, run, action)
        for word, icon, start in started:
            button(word, f"knowledge_{section}_{icon}", icon, start, chosen)
        button("Clear selection", f"knowledge_{section}_clear", "", clear, section, type="tertiary")
