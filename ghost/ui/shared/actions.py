"""Doing something to the knowledge base from a page: what came of it is said once, with a button to undo it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ghost.errors import GhostError
from ghost.knowledge import Change
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_SAID = "knowledge_said"
"""What came of the last deed of this visitor: words, icon, id of the change that can be undone."""

_TO_UNDO = "knowledge_to_undo"
"""A change that will take a while to be taken back."""
AT_ONCE = 500
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


def do(deed: Callable[[], Change | None]) -> None:
    """Do something (a callback) and remember what came of it."""
    done(deed)


def done(deed: Callable[[], Change | None]) -> bool:
    """The same, and whether it was possible."""
    try:
        change = deed()
    except GhostError as error:
        say(str(error), "error")
        return False
    if change:
        say(words_of(change), "check", change.id)
    else:
        say("Nothing had to be changed.", "info")
    return True


def say(words: str, icon: str, change: str = "") -> None:
    """Have ``words`` shown until they are dismissed or something else is done."""
    st.session_state[_SAID] = (words, icon, change)


def words_of(change: Change) -> str:
    """``3 passages retired.``"""
    if change.action == "merged":
        return f"{count(change.passages - 1, 'duplicate')} merged into one passage."
    return f"{count(change.passages, 'passage')} {DONE.get(change.action, change.action)}."


def banner(workbench: "Workbench") -> None:
    """What came of the last deed, and the way back."""
    if waiting := st.session_state.pop(_TO_UNDO, None):
        # Not in the callback, during which a page shows nothing of what is going on.
        with st.spinner(f"Taking back a change of {count(waiting[1], 'passage')}, as a whole or not at all."):
            _undo(workbench, waiting[0])
    words, icon, change = st.session_state.get(_SAID, ("", "", ""))
    if not words:
        return
    with _at_the_bottom("knowledge_banner"):
        colour = {"error": "red", "info": "blue", "warning": "orange"}.get(icon, "green")
        st.markdown(f":{colour}[:material/{icon}:] {plain(words)}", width="stretch")
        if change:
            st.button("Undo", key="knowledge_undo", icon=":material/undo:", on_click=undo, args=(workbench, change))
        st.button("Dismiss", key="knowledge_dismiss", type="tertiary", on_click=say, args=("", ""))


def undo(workbench: "Workbench", change: str, passage_id: str = "") -> None:
    """Take a change back (a callback), or what it did to one passage."""
    try:
        kept = workbench.knowledge.curation.change(change)
    except GhostError as error:
        say(str(error), "error")
        return
    if kept and kept.passages > AT_ONCE and not passage_id:
        st.session_state[_TO_UNDO] = (change, kept.passages)
    else:
        _undo(workbench, change, passage_id)


def _undo(workbench: "Workbench", change: str, passage_id: str = "") -> None:
    try:
        undone = workbench.knowledge.curation.undo(change, passage_id)
    except GhostError as error:
        say(str(error), "error")
        return
    words = words_of(undone.change)
    if undone.left:
        left = count(len(undone.left), "passage")
        say(f"{words} {left} changed again since and stayed as they are.", "warning", undone.change.id)
    else:
        say(words, "undo", undone.change.id)


def picked(section: str) -> list[str]:
    """Ids of the passages that the visitor has ticked in a section."""
    chosen: list[str] = st.session_state.setdefault(f"knowledge_picked_{section}", [])
    return chosen


def tick(section: str, passage_id: str) -> None:
    """A box before a passage."""
    key = f"knowledge_{section}_tick_{passage_id}"
    st.session_state[key] = passage_id in picked(section)
    st.checkbox("Select", key=key, on_change=_ticked, args=(section, passage_id, key))


def tick_all(section: str, ids: Sequence[str]) -> None:
    """A box for all passages that are shown."""
    key = f"knowledge_{section}_tick_all"
    st.session_state[key] = bool(ids) and set(ids) <= set(picked(section))
    st.checkbox("Select all on this page", key=key, on_change=_ticked_all, args=(section, tuple(ids), key))


def clear(section: str) -> None:
    """Untick everything (a callback)."""
    st.session_state[f"knowledge_picked_{section}"] = []


def _ticked(section: str, passage_id: str, key: str) -> None:
    rest = [i for i in picked(section) if i != passage_id]
    st.session_state[f"knowledge_picked_{section}"] = [*rest, passage_id] if st.session_state[key] else rest


def _ticked_all(section: str, ids: tuple[str, ...], key: str) -> None:
    rest = [i for i in picked(section) if i not in ids]
    st.session_state[f"knowledge_picked_{section}"] = [*rest, *ids] if st.session_state[key] else rest


def toolbar(
    section: str, ids: Sequence[str], deeds: Sequence[tuple[str, str, Callable[[Sequence[str], str], Change | None]]]
) -> None:
    """What can be done to the ticked passages: for each deed its word, its icon, and what does it with ids and note."""
    tick_all(section, ids)
    chosen = picked(section)
    if not chosen:
        return
    note = f"knowledge_{section}_note"
    with _at_the_bottom(f"knowledge_{section}_toolbar"):
        st.markdown(f"**{len(chosen):,} selected**", width="content")
        st.text_input(
            "Note", key=note, placeholder="Note for the history (optional)", max_chars=300, width=280,
            label_visibility="collapsed",
        )  # fmt: skip
        for word, icon, deed in deeds:
            st.button(
                word, key=f"knowledge_{section}_{word.lower()}", icon=f":material/{icon}:", on_click=_together,
                args=(section, deed, note),
            )  # fmt: skip
        st.button("Clear selection", key=f"knowledge_{section}_clear", type="tertiary", on_click=clear, args=(section,))


def _at_the_bottom(key: str) -> DeltaGenerator:
    """A row at the bottom edge of the window, which is in view wherever in a long list something was clicked."""
    with st.bottom, theme.page():
        return st.container(horizontal=True, vertical_alignment="center", key=key)


def _together(section: str, deed: Callable[[Sequence[str], str], Change | None], note: str) -> None:
    ids = tuple(picked(section))
    if done(lambda: deed(ids, (st.session_state.get(note) or "").strip())):
        clear(section)
        st.session_state[note] = ""


def page_of(section: str, pages: int) -> int:
    """The page that the visitor has turned to, of so many."""
    return min(max(1, int(st.session_state.get(f"knowledge_{section}_at", 1))), pages)


def pages(section: str, page: int, pages: int) -> None:
    """Numbers to turn the pages of a section by."""
    key = f"knowledge_{section}_page_{page}"
    st.pagination(pages, default=page, key=key, on_change=_turn, args=(section, key))


def _turn(section: str, key: str) -> None:
    st.session_state[f"knowledge_{section}_at"] = st.session_state[key]
