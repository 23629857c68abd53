"""Every run step by step: find one, look into it, compare it, and see what its verdict hangs on."""

import streamlit as st

from ghost.ui.shared import entry, resources, theme
from ghost.ui.trace import run, run_list

entry.through_app()
workbench = resources.workbench()
run.remember_place()

with theme.page():
    if run_id := st.query_params.get("run"):
        run.one_run(workbench, run_id)
    else:
        run_list.all_runs(workbench)
