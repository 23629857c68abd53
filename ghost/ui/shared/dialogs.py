"""Which dialog of a page is open: kept in the session, so that a rerun of the whole page does not close it."""

from collections.abc import Callable
from functools import partial

import streamlit as st


def open_dialog(page: str, name: str) -> None:
    """Open a dialog the next time that the page is drawn; one at a time. For ``on_click``."""
    st.session_state[_key(page)] = name


def is_open(page: str, name: str) -> bool:
    """Whether this dialog is to be drawn."""
    return st.session_state.get(_key(page)) == name


def close_dialog(page: str) -> None:
    """Draw no dialog from now on."""
    st.session_state.pop(_key(page), None)


def closing(page: str) -> Callable[[], None]:
    """What a dialog of the page is given as ``on_dismiss``."""
    return partial(close_dialog, page)


def _key(page: str) -> str:
    return f"{page}_dialog"
