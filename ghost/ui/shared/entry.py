"""The way into the pages leads through ``app.py``, also for somebody who follows a link to a page."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def through_app() -> None:
    """Start a visit again from ``app.py`` when Streamlit has begun it on a page alone.

    Until ``st.navigation`` was called once in a server's life, Streamlit takes a folder ``pages/`` as its older
    multi-page style and runs the page without our navigation, page width and title. Only at the beginning of a
    visit, because starting again forgets what was clicked.
    """
    begins = not st.session_state.get("entry_done")
    st.session_state["entry_done"] = True
    if begins and PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
