"""The knowledge base: how much there is, finding passages, and everything known about one of them."""

import streamlit as st

from ghost.errors import GhostError
from ghost.ui import domains, entry, importing, library, passage, resources, text, theme

entry.through_app()
bench = resources.workbench()
SECTIONS = {"browse": "Browse", "import": "Import and export", "domains": "Domains"}

with theme.page():
    if wanted := st.query_params.get("passage"):
        passage.detail(bench, wanted)
    else:
        asked = st.query_params.get("section", "browse")
        st.session_state["knowledge_section"] = asked if asked in SECTIONS else "browse"
        chosen = st.segmented_control(
            "Section", list(SECTIONS), key="knowledge_section", format_func=lambda name: SECTIONS[name], required=True,
            label_visibility="collapsed",
            on_change=lambda: st.query_params.from_dict({"section": st.session_state["knowledge_section"]}),
        )  # fmt: skip
        try:
            {"import": importing.section, "domains": domains.section}.get(chosen or "", library.overview)(bench)
        except GhostError as error:
            st.error(text.plain(str(error)), icon=":material/error:")
