"""The Trace page: all runs, or one of them with its steps, candidates, what-if and comparison."""

import json
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.reports import confidence, trace
from ghost.types import Run, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.parts import button
from ghost.ui.shared.runs import judge_badge
from ghost.ui.shared.text import plain, shorten
from ghost.ui.trace.candidates import candidates_section
from ghost.ui.trace.compare import compare_section
from ghost.ui.trace.run_list import all_runs, open_run
from ghost.ui.trace.steps import steps_section
from ghost.ui.trace.what_if import what_if_section

if TYPE_CHECKING:
    from ghost.workbench import Workbench

STEPS, CANDIDATES, WHAT_IF, COMPARE = "Steps", "Candidates", "What if", "Compare"
_TAB = "trace_tab"
_NAMED = {"candidates": CANDIDATES, "what-if": WHAT_IF}
"""Tabs as the address names them; ``with`` stands for the comparison, and nothing for the steps."""
HEADLINE = 110
"""Longer claims are shortened in the title and shown in full below it."""


def trace_page(workbench: "Workbench") -> None:
    """The run in the address, or the one this visitor saw last; else all runs."""
    if "run" in st.query_params:
        st.session_state["trace_run"] = st.query_params["run"]
    elif st.session_state.get("trace_run"):
        st.query_params["run"] = st.session_state["trace_run"]
    if run_id := st.query_params.get("run"):
        _one_run(workbench, run_id)
    else:
        all_runs(workbench)


def _one_run(workbench: "Workbench", run_id: str) -> None:
    try:
        run = workbench.runs.get(run_id)
    except GhostError as error:
        _toolbar()
        theme.show_error(error)
        button("Try again", "trace_retry", "refresh")
        return
    _toolbar(run)
    if run is None:
        _unknown(run_id)
        return
    _head(run)
    if st.query_params.get("with"):
        st.session_state[_TAB] = COMPARE
    elif named := _NAMED.get(st.query_params.get("tab", "")):
        st.session_state[_TAB] = named
    steps, candidates, what_if, compare = st.tabs(
        [STEPS, CANDIDATES, WHAT_IF, COMPARE], key=_TAB, on_change=_tab_changed
    )
    # Only the open tab is drawn: each of the others would slow down every click.
    with steps:
        if steps.open:
            steps_section(run)
    with candidates:
        if candidates.open:
            candidates_section(workbench, run)
    with what_if:
        if what_if.open:
            what_if_section(workbench, run)
    with compare:
        if compare.open:
            compare_section(workbench, run)


def _tab_changed() -> None:
    tab = st.session_state.get(_TAB)
    if tab != COMPARE:
        st.query_params.pop("with", None)
    st.query_params.pop("tab", None)
    for name in (name for name, named in _NAMED.items() if named == tab):
        st.query_params["tab"] = name


def _toolbar(run: Run | None = None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        button("All runs", "trace_back", "arrow_back", open_run, "", type="tertiary")
        if run is None:
            return
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.page_link(
                "pages/verify.py", label="Open the report", icon=":material/fact_check:", query_params={"run": run.id}
            )
            st.download_button(
                "Trace as JSON", lambda: json.dumps(trace(run), ensure_ascii=False, indent=2),
                f"ghost-trace-{run.id[:8]}.json", "application/json", key="trace_json", icon=":material/download:",
                on_click="ignore",
            )  # fmt: skip


def _head(run: Run) -> None:
    st.set_page_config(page_title=f"Trace: {shorten(run.claim.text, 60)} · Ghost")
    badges = [judge_badge(run.judge)]
    if run.verdict:
        badge, sure = theme.VERDICTS[run.verdict.label], confidence(run.verdict.confidence)
        badges.insert(0, theme.badge(" · ".join(filter(None, (badge.word, sure))), badge.icon, badge.colour))
    if mine := run.review.override:
        badge = theme.VERDICTS[mine.label]
        badges.insert(0, theme.badge(f"Your verdict: {badge.word}", badge.icon, badge.colour))
    with st.container(gap="xsmall"):
        theme.kicker(f"{theme.STATUSES[run.status].word} · {theme.moment(run.started_at)}")
        st.title(f"“{plain(shorten(run.claim.text, HEADLINE))}”", anchor=False)
        st.markdown(" ".join([*badges, f":gray[:small[Run {plain(run.id)}]]"]))
    if len(run.claim.text) > HEADLINE:
        with st.expander("The whole claim"):
            st.text(run.claim.text)
    if run.error:
        st.warning(plain(run.error), icon=f":material/{theme.STATUSES[run.status].icon}:")
    if run.status is RunStatus.RUNNING:
        st.info("This check is still running. The steps so far are shown.", icon=":material/progress_activity:")
        button("Refresh", "trace_refresh", "refresh")


def _unknown(run_id: str) -> None:
    with st.container(width=720):
        st.title("This run is not here", icon=":material/search_off:", anchor=False)
        st.markdown(
            f"There is no run **{plain(shorten(run_id, 60))}** on this machine. The link may come from another "
            "machine, or the data folder has changed. Nothing was lost or changed."
        )
        button("See all runs", "trace_all", "account_tree", open_run, "", type="primary")
