"""The Settings page: what this workbench is set up to do. It shows and checks, and changes no setting."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.jobs import Chores
from ghost.ui.settings import judge, sources, stores, variables, web
from ghost.ui.shared.text import plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

Section = Callable[["Workbench", Chores], None]
SECTIONS: dict[str, tuple[str, str, Section]] = {
    "judge": ("Judge and limits", "gavel", judge.section),
    "models": ("Models", "neurology", stores.models_section),
    "stores": ("Data", "database", stores.section),
    "web": ("Web search", "travel_explore", web.section),
    "sources": ("Sources", "domain_verification", sources.section),
    "all": ("All settings", "list_alt", variables.section),
}


def overview(workbench: "Workbench", chores: Chores) -> None:
    """Title, the choice of a section, and the section; a section that fails leaves the others usable."""
    st.title("Settings", anchor=False)
    st.markdown(
        "What this workbench is set up to do. To change a setting, set its variable in the environment or in the file "
        "`.env` beside `app.py`, and start Ghost again."
    )
    chosen = _chosen()
    _, _, draw = SECTIONS[chosen]
    try:
        draw(workbench, chores)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="settings_again", icon=":material/refresh:")


def _chosen() -> str:
    """The section, kept in the address bar and, for a switch of pages, in the visit."""
    asked = st.query_params.get("section")
    if asked in SECTIONS and asked != st.session_state.get("settings_synced"):
        st.session_state["settings_section"] = asked  # a link, or a reload
    st.session_state.setdefault("settings_section", "judge")
    chosen = st.segmented_control(
        "Section", list(SECTIONS), key="settings_section", required=True, label_visibility="collapsed",
        persist_state="session", format_func=lambda name: f":material/{SECTIONS[name][1]}: {SECTIONS[name][0]}",
    )  # fmt: skip
    chosen = chosen if chosen in SECTIONS else "judge"
    st.session_state["settings_synced"] = st.query_params["section"] = chosen
    return chosen
