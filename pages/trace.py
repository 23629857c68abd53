"""Every run step by step: find one, look into it, compare it, and see what its verdict hangs on."""

import streamlit as st

from ghost.ui import entry, resources, theme, trace_list, trace_run

entry.through_app()
bench = resources.workbench()
trace_run.remember_place()

with theme.page():
    if run_id := st.query_params.get("run"):
        trace_run.one_run(bench, run_id)
    else:
        trace_list.all_runs(bench)
