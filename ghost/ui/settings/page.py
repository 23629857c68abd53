"""The Settings page. It shows and checks, and changes no setting."""

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

import streamlit as st

from ghost.diagnostics import Variable, variables
from ghost.errors import GhostError
from ghost.jobs import Tasks
from ghost.ui.settings import judge, models, sources, stores
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def settings_page(workbench: "Workbench", tasks: Tasks) -> None:
    """Title and the chosen section; a section that fails leaves the others usable."""
    st.title("Settings", anchor=False)
    st.markdown(
        "How this workbench is set up. To change a setting, set its variable in the environment or in the file `.env` "
        "next to `app.py`, then restart Ghost."
    )
    _, _, draw = SECTIONS[_chosen()]
    try:
        draw(workbench, tasks)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="settings_again", icon=":material/refresh:")


def _chosen() -> str:
    """The section, kept in the address bar and, for a switch of pages, in the session."""
    asked = st.query_params.get("section")
    if asked in SECTIONS and asked != st.session_state.get("settings_synced"):
        st.session_state["settings_section"] = asked  # a link, or a reload
    st.session_state.setdefault("settings_section", "judge")
    chosen = st.segmented_control(
        "Section", list(SECTIONS), key="settings_section", required=True, label_visibility="collapsed", wrap=True,
        persist_state="session", format_func=lambda name: f":material/{SECTIONS[name][1]}: {SECTIONS[name][0]}",
    )  # fmt: skip
    chosen = chosen if chosen in SECTIONS else "judge"
    st.session_state["settings_synced"] = st.query_params["section"] = chosen
    return chosen


def _all_settings(workbench: "Workbench", _tasks: Tasks) -> None:
    """All variables, with a search by name and a switch to those that are set."""
    st.header("All settings", anchor=False)
    known = variables(workbench.settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Search by name", key="settings_words", icon=":material/search:", placeholder="max, search, judge …",
            max_chars=80, persist_state="session", width=320,
        )  # fmt: skip
        only = st.toggle("Changed only", key="settings_only", persist_state="session")
    shown = [v for v in known if (words or "").strip().lower() in v.name.lower() and (v.changed or not only)]
    st.caption(f"{count(len(shown), 'setting')} of {len(known):,}. Keys are never shown, only whether they are set.")
    if not shown:
        st.info("No setting matches these filters.", icon=":material/filter_alt_off:")
    for group, found in groupby(shown, key=lambda v: v.group):
        theme.kicker(group)
        st.table([_row(v) for v in found], border="horizontal", hide_index=True)


def _row(v: Variable) -> dict[str, str]:
    mark = theme.badge("set", "edit", "blue") if v.changed else ""
    lock = ":material/lock: " if v.secret else ""
    return {
        "Variable": f"`{v.name}` {mark}",
        "Value": lock + (plain(shorten(v.value, 120)) or "none"),
        "Default": f":gray[{plain(shorten(v.default, 120)) or 'none'}]",
    }


SECTIONS: dict[str, tuple[str, str, Callable[["Workbench", Tasks], None]]] = {
    "judge": ("Judge and limits", "gavel", judge.section),
    "models": ("Models", "neurology", models.section),
    "stores": ("Data", "database", stores.section),
    "web": ("Web search", "travel_explore", sources.search_section),
    "sources": ("Sources", "domain_verification", sources.site_section),
    "all": ("All settings", "list_alt", _all_settings),
}
"""By the value of the parameter ``section``: word, icon, and the function that draws it."""
