"""The knowledge base: browse and curate what verdicts rest on. Link parameters: ghost/ui/knowledge/filters.py."""

import streamlit as st

from ghost.ui.knowledge import detail
from ghost.ui.knowledge import page as knowledge_page
from ghost.ui.shared import resources, theme

workbench = resources.workbench()
knowledge_page.remember_place()

with theme.page():
    if wanted := st.query_params.get("passage"):
        detail.detail(workbench, wanted)
    else:
        knowledge_page.sections(workbench)
