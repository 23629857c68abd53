"""The knowledge base: browse and curate what verdicts rest on. The parameters of a link: see ghost/ui/filters.py."""

import streamlit as st

from ghost.ui import detail, entry, knowledge, resources, theme

entry.through_app()
bench = resources.workbench()
knowledge.remember_place()

with theme.page():
    if wanted := st.query_params.get("passage"):
        detail.detail(bench, wanted)
    else:
        knowledge.sections(bench)
