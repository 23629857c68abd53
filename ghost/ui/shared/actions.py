"""What came of an action, with a button that undoes it; and which dialog of a page is open."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from ghost.errors import GhostError
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain

_COLOURS = {"error": "red", "info": "blue", "warning": "orange"}


@dataclass(slots=True)
class _Notice:
    """One message of a page. It stays until it is dismissed, replaced, or another view of the page is opened."""

    text: str
    icon: str
    undo: Callable[[], Any] | None
    view: str | None = None
    """The view it was first drawn in."""


def notify(page: str, text: str, undo: Callable[[], Any] | None = None, icon: str = "check_circle") -> None:
    """Show ``text`` on the page: Markdown in which outside text is plain already. ``undo`` takes back what it says.

    ``undo`` is a callback. It may call ``notify`` itself, else the page says that it was undone.
    """
    st.session_state[f"{page}_notice"] = _Notice(text, icon, undo)


def notify_error(page: str, error: object) -> None:
    """Show what went wrong; the error's text may come from outside."""
    notify(page, plain(str(error)), icon="error")


def run_action(
    page: str,
    action: Callable[[], Any],
    text: str = "",
    undo: Callable[[], Any] | None = None,
    icon: str = "check_circle",
) -> Any:
    """Run an action and show ``text``, or why it failed; returns whether it succeeded. For callbacks.

    Without ``text`` the action itself says what it did. Any, as Streamlit's type of a callback allows no value.
    """
    try:
        action()
    except GhostError as error:
        notify_error(page, error)
        return False
    if text:
        notify(page, text, undo, icon)
    return True


def show_notice(page: str, view: str = "") -> None:
    """Draw the page's message at the bottom of the window, in sight wherever in a long list the click was.

    ``view`` names what the page shows; a message that was drawn in another view is dropped.
    """
    notice: _Notice | None = st.session_state.get(f"{page}_notice")
    if notice is None:
        return
    if notice.view not in (None, view):
        _dismiss(page)
        return
    notice.view = view
    with st.bottom, theme.page(), st.container(horizontal=True, vertical_alignment="center", key=f"{page}_banner"):
        colour = _COLOURS.get(notice.icon, "green")
        st.markdown(f":{colour}[:material/{notice.icon}:] {notice.text}", width="stretch")
        if notice.undo:
            st.button("Undo", key=f"{page}_undo", icon=":material/undo:", on_click=_undo, args=(page, notice.undo))
        st.button("Dismiss", key=f"{page}_dismiss", type="tertiary", on_click=_dismiss, args=(page,))


def _undo(page: str, undo: Callable[[], Any]) -> None:
    before = st.session_state.get(f"{page}_notice")
    if run_action(page, undo) and st.session_state.get(f"{page}_notice") is before:
        notify(page, "Undone.", icon="undo")


def _dismiss(page: str) -> None:
    st.session_state.pop(f"{page}_notice", None)


def open_dialog(page: str, name: str) -> None:
    """Open a dialog the next time that the page is drawn; one at a time. For ``on_click``.

    The session keeps which one is open, so that a rerun of the whole page does not close it.
    """
    st.session_state[f"{page}_dialog"] = name


def is_open(page: str, name: str) -> bool:
    """Whether this dialog is to be drawn."""
    return bool(st.session_state.get(f"{page}_dialog") == name)


def close_dialog(page: str) -> None:
    """Draw no dialog from now on."""
    st.session_state.pop(f"{page}_dialog", None)


def closing(page: str) -> Callable[[], None]:
    """What a dialog of the page is given as ``on_dismiss``."""
    return partial(close_dialog, page)


Result = tuple[str, Callable[[], Any] | None]
"""The text that says what a dialog did, and its undo where something was changed."""


def submit(page: str, action: Callable[[], Result]) -> None:
    """Run what a dialog is for, close it, and show its text with its undo; an error stays in the dialog."""
    try:
        text, undo = action()
    except GhostError as error:
        theme.show_error(error)
        return
    notify(page, text, undo)
    close_dialog(page)
    st.rerun()
