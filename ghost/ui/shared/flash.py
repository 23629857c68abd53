"""What was just done, said once, with a button that undoes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.errors import GhostError
from ghost.ui.shared.text import plain


@dataclass(frozen=True, slots=True)
class Flash:
    """One message for the next time that the page is drawn."""

    text: str
    """Markdown; outside text in it must be plain already."""
    undo: Callable[[], Any] | None = None
    failed: bool = False


def say(page: str, text: str, undo: Callable[[], Any] | None = None) -> None:
    """Keep a message for the page; ``undo`` takes back what it tells."""
    st.session_state[f"{page}_flash"] = Flash(text, undo)


def attempt(page: str, act: Callable[[], Any], text: str, undo: Callable[[], Any] | None = None) -> None:
    """Do something and say that it was done, or what went wrong and that nothing was changed; for callbacks."""
    try:
        act()
    except GhostError as error:
        fail(page, str(error))
    else:
        say(page, text, undo)


def fail(page: str, text: str) -> None:
    """Keep for the page what went wrong; ``text`` may be from outside."""
    st.session_state[f"{page}_flash"] = Flash(plain(text), failed=True)


def show(page: str) -> None:
    """Draw the message that waits for this page, once."""
    flash = st.session_state.pop(f"{page}_flash", None)
    if not isinstance(flash, Flash):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"{page}_flash_box"):
        icon = ":red[:material/error:]" if flash.failed else ":green[:material/check_circle:]"
        st.markdown(f"{icon} {flash.text}")
        if flash.undo:
            st.button(
                "Undo", key=f"{page}_undo", icon=":material/undo:", on_click=attempt,
                args=(page, flash.undo, "Undone."),
            )  # fmt: skip
