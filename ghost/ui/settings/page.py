"""The Settings page. It shows and checks, and changes no setting."""

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

import streamlit as st

from ghost.diagnostics import (
    Variable,
    check_stores,
    free_bytes,
    places,
    rebuild_index,
    size_words,
    variable_of,
    variables,
)
from ghost.jobs import Tasks
from ghost.text import server_of
from ghost.ui.settings import judge, models, sources
from ghost.ui.settings.task_button import task_button
from ghost.ui.shared import theme
from ghost.ui.shared.parts import metrics, retry_on_error, table
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
    with retry_on_error("settings_again"):
        draw(workbench, tasks)


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


def _stores(workbench: "Workbench", tasks: Tasks) -> None:
    """Counts, places and sizes, and buttons for the checks that take longer."""
    st.header("Stored data", anchor=False)
    figures = workbench.knowledge.stats()
    metrics("settings_counts", [
        ("Passages", f"{figures.total:,}", "In any status."),
        ("Active", f"{figures.active:,}", "Passages that a check can find."),
        ("Checks", f"{workbench.runs.count():,}", "Stored runs, including failed and cancelled ones."),
    ], 170)  # fmt: skip
    s = workbench.settings
    table([
        {
            # The path goes below the name, not beside it, so that both fit on a phone.
            "Store": f"**{place.what}**  \n:small[:gray[{place.note}]]  \n:small[{plain(str(place.path))}]",
            "Size": size_words(place.bytes),
        }
        for place in places(s.database_path, s.chroma_path, s.chroma_url)
    ])  # fmt: skip
    if s.chroma_url:
        st.caption(f"The vector index is on the Chroma server {plain(server_of(s.chroma_url))}.")
    free = size_words(free_bytes(s.data_dir))
    st.caption(f"{free} free on this disk. `{variable_of('data_dir')}` moves both stores together.")
    if repaired := workbench.knowledge.repaired:
        st.info(f"Repaired at startup: {plain(repaired)}.", icon=":material/build:")
    st.header("Check and repair", anchor=False)
    check, rebuild = st.columns(2, gap="large")
    with check, st.container(border=True):
        st.markdown("**Full check.** Reads the whole database and compares it with the vector index. Changes nothing.")
        task_button(tasks, "check", "Check everything", "health_and_safety",
                    lambda task: check_stores(workbench.knowledge, task.report))  # fmt: skip
    with rebuild, st.container(border=True):
        st.markdown(
            "**Rebuild the index** from the database. Searches use the old index until the new one is complete. "
            "Stopping keeps the old one."
        )
        task_button(tasks, "rebuild", "Rebuild the index", "construction",
                    lambda task: rebuild_index(workbench.knowledge, task.report))  # fmt: skip


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
        table([_row(v) for v in found])


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
    "stores": ("Data", "database", _stores),
    "web": ("Web search", "travel_explore", sources.search_section),
    "sources": ("Sources", "domain_verification", sources.site_section),
    "all": ("All settings", "list_alt", _all_settings),
}
"""By the value of the parameter ``section``: word, icon, and the function that draws it."""
