"""All runs: found by their words, verdict, judge, status and day, and two of them picked to compare."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.records import RunFilter, RunSummary
from ghost.reports import confidence, iso
from ghost.text import csv_bytes
from ghost.types import RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten
from ghost.ui.trace.filters import clear, filters

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 25
EXPORTED = 10_000
"""Rows of the list that a download holds at most."""
_PICKED = "trace_picked"


def all_runs(workbench: "Workbench") -> None:
    """Search, filters and a paged list; says so when there is nothing, or when the records cannot be read."""
    st.title("Trace", anchor=False)
    st.markdown("Every check, step by step: what went in, what came out, and what its verdict hangs on.")
    try:
        if not workbench.runs.matching():
            _nothing_yet()
            return
        narrow = filters(workbench.runs.judges())
        _found(workbench, narrow)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="trace_retry", icon=":material/refresh:")


def open_run(run_id: str, against: str = "") -> None:
    """Look into a run, or into two beside each other; an empty id leads back to the list."""
    st.session_state["trace_run"] = run_id
    st.query_params.pop("tab", None)
    for name, value in (("run", run_id), ("with", against)):
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def _nothing_yet() -> None:
    with st.container(border=True):
        st.markdown(":material/account_tree: **No claim has been checked yet.**")
        st.markdown("Each check leaves its whole trace here, and it stays on this machine.")
        st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")


def _found(workbench: "Workbench", narrow: RunFilter) -> None:
    total = workbench.runs.matching(narrow)
    if not total:
        st.info("No check passes these filters.", icon=":material/filter_alt_off:")
        st.button("Clear the filters", key="trace_clear", icon=":material/close:", on_click=clear)
        return
    pages = -(-total // PAGE)
    page_key = f"trace_page_{hash(narrow)}"
    page = min(int(st.session_state.get(page_key, 1)), pages)
    runs = workbench.runs.browse(narrow, PAGE, (page - 1) * PAGE)
    _toolbar(workbench, narrow, total, (page - 1) * PAGE + 1, len(runs))
    with st.container(gap="small"):
        for run in runs:
            _row(run)
    if pages > 1:
        st.pagination(pages, default=page, key=page_key, persist_state="session")


def _toolbar(workbench: "Workbench", narrow: RunFilter, total: int, first: int, shown: int) -> None:
    picked = _picked()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        words = "check" if total == 1 else "checks"
        st.caption(f"{first:,} to {first + shown - 1:,} of {total:,} {words}, newest first", width="content")
        with st.container(horizontal=True, width="content"):
            if picked:
                st.button(
                    "Compare the two" if len(picked) == 2 else "Pick one more to compare",
                    key="trace_compare", icon=":material/compare_arrows:", disabled=len(picked) < 2,
                    type="primary", on_click=open_run, args=(picked[0], picked[-1]),
                )  # fmt: skip
            st.download_button(
                "Download CSV", lambda: _csv(workbench, narrow), "ghost-runs.csv", "text/csv", key="trace_csv",
                icon=":material/download:", on_click="ignore", help="The checks that pass the filters, as a table.",
            )  # fmt: skip


def _csv(workbench: "Workbench", narrow: RunFilter) -> bytes:
    head = ("run", "started", "finished", "status", "verdict", "confidence", "judge", "claim", "your verdict")
    rows = (
        (
            r.id,
            iso(r.started_at),
            iso(r.finished_at),
            r.status,
            r.label,
            r.confidence,
            r.judge,
            r.claim_text,
            r.override,
        )
        for r in workbench.runs.browse(narrow, EXPORTED)
    )
    return csv_bytes(head, rows)


def look_of(run: RunSummary) -> theme.Look:
    """Its verdict, the analyst's before Ghost's, or how it ended without one."""
    return theme.VERDICTS[run.override or run.label] if run.label else theme.STATUSES[run.status]


def _row(run: RunSummary) -> None:
    look = look_of(run)
    with st.container(border=True, gap="xxsmall", key=f"trace_row_{run.id}"):
        st.markdown(f"{look.badge} **{plain(shorten(run.claim_text, 220))}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(" · ".join(_facts(run)), width="content")
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.session_state.setdefault(f"trace_pick_{run.id}", run.id in _picked())
                st.checkbox("Compare", key=f"trace_pick_{run.id}", on_change=_pick, args=(run.id,))
                st.button(
                    "Open", key=f"trace_open_{run.id}", type="tertiary", icon=":material/chevron_right:",
                    icon_position="right", on_click=open_run, args=(run.id,),
                )  # fmt: skip


def _facts(run: RunSummary) -> list[str]:
    facts = []
    if run.confidence is not None:
        facts.append(confidence(run.confidence))
    if run.label and run.override:
        facts.append("confirmed by you" if run.override is run.label else f"yours; Ghost: {run.label.value}")
    if run.label and run.status is not RunStatus.FINISHED:
        facts.append(theme.STATUSES[run.status].word)
    if run.judge:
        facts.append(f"{plain(run.judge)} judge")
    if run.finished_at:
        facts.append(theme.seconds(max(0.0, (run.finished_at - run.started_at).total_seconds())))
    return [*facts, theme.moment(run.started_at)]


def _picked() -> list[str]:
    return list(st.session_state.get(_PICKED, ()))


def _pick(run_id: str) -> None:
    """Two are compared at most: a third takes the place of the first."""
    picked = [other for other in _picked() if other != run_id]
    if st.session_state.get(f"trace_pick_{run_id}"):
        for dropped in picked[:-1]:
            st.session_state[f"trace_pick_{dropped}"] = False
        picked = [*picked[-1:], run_id]
    st.session_state[_PICKED] = picked
