"""The way into the pages leads through ``app.py``, also for somebody who follows a link to a page."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def through_app() -> None:
    """Start the script again from ``app.py`` when Streamlit has run a page without it.

    Until ``st.navigation`` was called once in a server's life, Streamlit takes a folder ``pages/`` as its older
    multi-page style and runs the page alone: without our navigation, page width and title.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
