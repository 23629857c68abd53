"""Every setting with its variable, its value and its default."""

from itertools import groupby
from typing import TYPE_CHECKING

import streamlit as st

from ghost.inspection import Variable, variables
from ghost.jobs import Chores
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", _chores: Chores) -> None:
    """All variables, to be narrowed by their names and to those that are set."""
    st.header("Every setting and its variable", anchor=False)
    known = variables(workbench.settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Search in the names", key="settings_words", icon=":material/search:", placeholder="max, search, judge …",
            max_chars=80, persist_state="session", width=320,
        )  # fmt: skip
        only = st.toggle("Only what is set", key="settings_only", persist_state="session")
    shown = [v for v in known if (words or "").strip().lower() in v.name.lower() and (v.changed or not only)]
    st.caption(f"{count(len(shown), 'setting')} of {len(known):,}. Of keys it is only shown whether they are set.")
    if not shown:
        st.info("No setting passes these filters.", icon=":material/filter_alt_off:")
    for group, found in groupby(shown, key=lambda v: v.group):
        theme.kicker(group)
        st.table([_row(v) for v in found], border="horizontal", hide_index=True)


def _row(v: Variable) -> dict[str, str]:
    value = plain(shorten(v.value, 120)) or "none"
    mark = theme.badge("set", "edit", "blue") if v.changed else ""
    lock = ":material/lock: " if v.secret else ""
    return {
        "Variable": f"`{v.name}` {mark}",
        "Value": f"{lock}{value}",
        "Default": f":gray[{plain(shorten(v.default, 120)) or 'none'}]",
    }
