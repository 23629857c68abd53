"""Ghost in the browser: ``streamlit run app.py``."""

import streamlit as st

from config import PROJECT
from ghost.ui import serve
from ghost.ui.shared import theme

ASSETS = PROJECT / "assets"

serve.keep_address_private()
st.set_page_config(page_title="Ghost", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), size="large")
theme.apply_rules()

page = st.navigation(
    {
        "Check": [
            st.Page("pages/verify.py", title="Verify", icon=":material/fact_check:", default=True),
            st.Page("pages/ask.py", title="Ask", icon=":material/forum:"),
            st.Page("pages/research.py", title="Research", icon=":material/travel_explore:"),
            st.Page("pages/batch.py", title="Batch", icon=":material/playlist_add_check:"),
            st.Page("pages/cases.py", title="Cases", icon=":material/folder_open:"),
        ],
        "Evidence": [
            st.Page("pages/knowledge.py", title="Knowledge base", icon=":material/library_books:"),
            st.Page("pages/analytics.py", title="Analytics", icon=":material/monitoring:"),
        ],
        "Insight": [
            st.Page("pages/trace.py", title="Trace", icon=":material/account_tree:"),
            st.Page("pages/quality.py", title="Quality", icon=":material/verified:"),
        ],
        "Ghost": [
            st.Page("pages/settings.py", title="Settings", icon=":material/settings:"),
        ],
    },
    position="top",
)
page.run()
