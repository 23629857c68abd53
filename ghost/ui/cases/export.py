"""A case as one file: made on a button, with progress, and able to be stopped."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records import Case, RunSummary
from ghost.reports import CaseExport, Publisher, case_file_name
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

MADE = "cases_made"
"""Where a tab keeps the archive that it has made: what it was made of, and its bytes."""


def export_section(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> None:
    """The button that makes the archive and, when it is made, the one that hands it out."""
    stamp = (case.id, case.name, case.notes, tuple(runs), workbench.reviews.watermark())
    with st.container(border=True, key="cases_export"):
        theme.kicker("Take it away")
        st.caption("A zip with a summary, a table for spreadsheets, and the whole bundle of each check.")
        made = st.session_state.get(MADE)
        if made and made[0] == stamp:
            st.download_button(
                f"Download ({len(made[1]) / 1e6:.1f} MB)", made[1], case_file_name(case), "application/zip",
                key="cases_download", icon=":material/download:", type="primary", on_click="ignore",
            )  # fmt: skip
            return
        st.session_state.pop(MADE, None)  # of another case, or of this one as it was
        if st.button("Prepare the export", key="cases_prepare", icon=":material/folder_zip:"):
            try:
                data = _make(workbench, case, runs)
            except StoreError as error:
                st.error(f"{plain(str(error))} Nothing was written.", icon=":material/error:")
                return
            st.session_state[MADE] = (stamp, data)
            st.rerun()


def _make(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> bytes:
    """Write the runs down one by one; a click on Stop ends the script, and with it this loop."""
    settings = workbench.settings
    export = CaseExport(case, Publisher(settings.publisher_name, settings.publisher_url))
    bar = st.progress(0.0, "Writing the checks down …")
    if runs:
        st.button("Stop", key="cases_stop", icon=":material/stop_circle:")
    for number, summary in enumerate(runs, start=1):
        if run := workbench.runs.get(summary.id):
            export.add(run)
        bar.progress(number / len(runs), f"{number} of {count(len(runs), 'check')}")
    return export.finish()
