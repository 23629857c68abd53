"""What is stored where, how large it is, and checks and repair of it."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.diagnostics import check_stores, free_bytes, places, rebuild_index, size_words, variable_of
from ghost.jobs import Tasks
from ghost.text import server_of
from ghost.ui.settings.task_button import task_button
from ghost.ui.shared.text import plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

FRESH_SECONDS = 10.0


def section(workbench: "Workbench", tasks: Tasks) -> None:
    """Counts, places and sizes, and buttons for the checks that take longer."""
    st.header("Stored data", anchor=False)
    _counts(workbench)
    s = workbench.settings
    rows = [
        {
            # The path goes below the name, not beside it, so that both fit on a phone.
            "Store": f"**{place.what}**  \n:small[:gray[{place.note}]]  \n:small[{plain(str(place.path))}]",
            "Size": size_words(place.bytes),
        }
        for place in places(s.database_path, s.chroma_path, s.chroma_url)
    ]
    st.table(rows, border="horizontal", hide_index=True)
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


def _counts(workbench: "Workbench") -> None:
    passages, active, runs = _counted(str(workbench.settings.database_path), workbench)
    with st.container(horizontal=True, key="settings_counts"):
        for label, number, note in (
            ("Passages", passages, "In any status."),
            ("Active", active, "Passages that a check can find."),
            ("Checks", runs, "Stored runs, including failed and cancelled ones."),
        ):
            st.metric(label, f"{number:,}", help=note, border=True, width=170)


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner=False)
def _counted(database: str, _workbench: "Workbench") -> tuple[int, int, int]:
    """Passages, active ones and runs, counted at most once every few seconds per database."""
    del database
    figures = _workbench.knowledge.stats()
    return figures.total, figures.active, _workbench.runs.count()
