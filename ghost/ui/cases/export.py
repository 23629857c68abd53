"""A case as one file, made on a click with progress and a stop button."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records import Case, RunSummary
from ghost.reports import CaseExport, Publisher, case_file_name
from ghost.ui.shared import theme
from ghost.ui.shared.text import count

if TYPE_CHECKING:
    from ghost.workbench import Workbench

MADE = "cases_made"
"""Session key of the finished archive: what it was made of, and its bytes."""


def export_section(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> None:
    """The button that makes the archive, then the one that downloads it."""
    stamp = (case.id, case.name, case.notes, tuple(runs), workbench.reviews.watermark())
    with st.container(border=True, key="cases_export"):
        theme.kicker("Export case")
        st.caption("A zip with a summary, a spreadsheet table, and the full bundle of each check.")
        made = st.session_state.get(MADE)
        if made and made[0] == stamp:
            st.download_button(
                f"Download ({len(made[1]) / 1e6:.1f} MB)", made[1], case_file_name(case), "application/zip",
                key="cases_download", icon=":material/download:", type="primary", on_click="ignore",
            )  # fmt: skip
            return
        st.session_state.pop(MADE, None)  # of another case, or of an older state of this one
        if st.button("Prepare export", key="cases_prepare", icon=":material/folder_zip:"):
            try:
                data = _make(workbench, case, runs)
            except StoreError as error:
                theme.show_error(f"{error} Nothing was written.")
                return
            st.session_state[MADE] = (stamp, data)
            st.rerun()


def _make(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> bytes:
    """Write the runs one by one; a click on Stop ends the script and this loop with it."""
    settings = workbench.settings
    export = CaseExport(case, Publisher(settings.publisher_name, settings.publisher_url))
    bar = st.progress(0.0, "Writing the checks …")
    if runs:
        st.button("Stop", key="cases_stop", icon=":material/stop_circle:")
    for number, summary in enumerate(runs, start=1):
        if run := workbench.runs.get(summary.id):
            export.add(run)
        bar.progress(number / len(runs), f"{number} of {count(len(runs), 'check')}")
    return export.finish()
