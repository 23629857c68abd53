"""Check a claim: enter it, watch the seven steps, read the verdict. The address bar holds the run."""

import streamlit as st

from ghost.ui import compose, entry, report, resources, theme

entry.through_app()
bench, runner = resources.workbench(), resources.runner()
st.session_state.setdefault("verify_run", "")
if "run" in st.query_params:
    st.session_state["verify_run"] = st.query_params["run"]
elif st.session_state["verify_run"]:
    st.query_params["run"] = st.session_state["verify_run"]
run_id = st.session_state["verify_run"]

with theme.page():
    if not run_id:
        compose.claim_form(bench, runner)
    elif (view := runner.snapshot(run_id)) is None:
        report.unknown_run(bench, run_id)
    elif view.ended:
        report.report(bench, view)
    else:
        report.progress(runner, view)
