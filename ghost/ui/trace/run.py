"""One run: its head, and the ways to look at it."""

import json
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.reports import confidence, trace
from ghost.types import Run, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten
from ghost.ui.trace.candidates import candidates_section
from ghost.ui.trace.compare import compare_section
from ghost.ui.trace.run_list import open_run
from ghost.ui.trace.steps import steps_section
from ghost.ui.trace.what_if import what_if_section
from ghost.ui.verify.verdict import judge_badge

if TYPE_CHECKING:
    from ghost.workbench import Workbench

STEPS, CANDIDATES, WHAT_IF, COMPARE = "Steps", "Candidates", "What if", "Compare"
_TAB = "trace_tab"
_NAMED = {"candidates": CANDIDATES, "what-if": WHAT_IF}
"""Tabs as the address names them; ``with`` stands for the comparison, and nothing for the steps."""
HEADLINE = 110
"""Longer claims are shortened in the title and shown in full below it."""


def remember_place() -> None:
    """Come back to the run that was open when the page is opened again without an address of its own."""
    if "run" in st.query_params:
        st.session_state["trace_run"] = st.query_params["run"]
    elif st.session_state.get("trace_run"):
        st.query_params["run"] = st.session_state["trace_run"]


def one_run(workbench: "Workbench", run_id: str) -> None:
    """A run from all sides; says so when nobody knows it, or when the records cannot be read."""
    try:
        run = workbench.runs.get(run_id)
    except GhostError as error:
        _back()
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="trace_retry", icon=":material/refresh:")
        return
    _back(run)
    if run is None:
        _unknown(run_id)
        return
    _head(run)
    if st.query_params.get("with"):
        st.session_state[_TAB] = COMPARE
    elif named := _NAMED.get(st.query_params.get("tab", "")):
        st.session_state[_TAB] = named
    tabs = st.tabs([STEPS, CANDIDATES, WHAT_IF, COMPARE], key=_TAB, on_change=_tab_changed)
    steps, candidates, what_if, compare = tabs
    # Only the tab that is open is made: each of the others would cost its share of every click.
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
    if st.session_state.get(_TAB) != COMPARE:
        st.query_params.pop("with", None)
    st.query_params.pop("tab", None)
    for name, tab in _NAMED.items():
        if st.session_state.get(_TAB) == tab:
            st.query_params["tab"] = name


def _back(run: Run | None = None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.button(
            "All runs", key="trace_back", type="tertiary", icon=":material/arrow_back:", on_click=open_run, args=("",)
        )
        if run is not None:
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.page_link(
                    "pages/verify.py", label="Open the report", icon=":material/fact_check:",
                    query_params={"run": run.id},
                )  # fmt: skip
                st.download_button(
                    "Trace as JSON", lambda: _json(run), f"ghost-trace-{run.id[:8]}.json", "application/json",
                    key="trace_json", icon=":material/download:", on_click="ignore",
                )  # fmt: skip


def _json(run: Run) -> str:
    return json.dumps(trace(run), ensure_ascii=False, indent=2)


def _head(run: Run) -> None:
    badges = [judge_badge(run.judge)]
    if run.verdict:
        look = theme.VERDICTS[run.verdict.label]
        sure = f" · {confidence(run.verdict.confidence)}" if run.verdict.confidence is not None else ""
        badges.insert(0, theme.badge(look.word + sure, look.icon, look.colour))
    if mine := run.review.override:
        look = theme.VERDICTS[mine.label]
        badges.insert(0, theme.badge(f"Your verdict: {look.word}", look.icon, look.colour))
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
        st.info("This check still goes on; what it has done so far is shown.", icon=":material/progress_activity:")
        st.button("Look again", key="trace_refresh", icon=":material/refresh:")


def _unknown(run_id: str) -> None:
    with st.container(width=720):
        st.title("This run is not here", icon=":material/search_off:", anchor=False)
        st.markdown(
            f"There is no run **{plain(shorten(run_id, 60))}** on this machine. The link may come from another "
            "machine, or the data folder has changed. Nothing was lost or changed."
        )
        st.button(
            "See all runs", key="trace_all", icon=":material/account_tree:", type="primary", on_click=open_run,
            args=("",),
        )  # fmt: skip
