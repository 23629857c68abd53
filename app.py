"""Ghost in the browser: ``streamlit run app.py``."""

import streamlit as st

from config import PROJECT

ASSETS = PROJECT / "assets"

st.set_page_config(page_title="Ghost", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), size="large")

page = st.navigation(
    [
        st.Page("pages/verify.py", title="Verify", icon=":material/fact_check:", default=True),
        st.Page("pages/batch.py", title="Batch", icon=":material/playlist_add_check:"),
        st.Page("pages/knowledge.py", title="Knowledge base", icon=":material/library_books:"),
        st.Page("pages/settings.py", title="Settings", icon=":material/settings:"),
    ],
    position="top",
)
page.run()
