"""The knowledge base: how much there is, finding passages, and everything known about one of them."""

import streamlit as st

from ghost.ui import entry, library, passage, resources, theme

entry.through_app()
bench = resources.workbench()

with theme.page():
    if wanted := st.query_params.get("passage"):
        passage.detail(bench, wanted)
    else:
        library.overview(bench)
