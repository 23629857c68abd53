"""All runs: found by words, verdict, judge, status and day, and two of them selected to compare.

The address holds the filters; all parameters are optional, and a value that cannot be used is ignored:

===========  ======================================================================
``q``        words of the claim, or the id of a run
``verdict``  ``False``, ``True`` … as Ghost names them
``judge``    the judge that decided
``status``   ``finished``, ``failed`` …
``from``     first day, YYYY-MM-DD in UTC; ``to``: the last one
===========  ======================================================================
"""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import TypeVar

import streamlit as st

from ghost.records import RunFilter, RunSummary
from ghost.reports import iso
from ghost.text import csv_bytes
from ghost.types import Label, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download, open_item
from ghost.ui.shared.runs import run_badge, run_confidence
from ghost.ui.shared.sharing import records_place
from ghost.ui.shared.text import clean, count, plain, shorten

E = TypeVar("E", bound=StrEnum)
PAGE_SIZE = 25
EXPORTED = 10_000
"""Rows of the list that a download holds at most."""
WIDTH = 168
"""Pixels of a field: five beside each other, and two on a telephone."""
LONGEST = 200
"""Characters of the search."""
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
PARAMS = ("q", "verdict", "judge", "status", "from", "to")
_SELECTED = "trace_picked"


def all_runs(workbench: Workbench) -> None:
    """Search, filters and a paged list; says so when there is nothing. Raises StoreError."""
    if not workbench.runs.matching():
        with st.container(border=True):
            st.markdown(":material/account_tree: **No claim has been checked yet.**")
            st.markdown(f"Each check is saved here with its whole trace, {records_place(workbench)}.")
            st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")
        return
    narrow = _filters(workbench.runs.judges())
    total = workbench.runs.matching(narrow)
    if not total:
        st.info("No check passes these filters.", icon=":material/filter_alt_off:")
        button("Clear the filters", "trace_clear", "close", _fill, RunFilter())
        return
    part = paging(f"trace_page_{hash(narrow)}", total, PAGE_SIZE)
    runs = workbench.runs.browse(narrow, PAGE_SIZE, part.offset)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        last = part.offset + len(runs)
        st.caption(f"{part.offset + 1:,} to {last:,} of {count(total, 'check')}, newest first", width="content")
        with st.container(horizontal=True, width="content"):
            if selected := _selected():
                button(
                    "Compare the two" if len(selected) == 2 else "Select one more to compare", "trace_compare",
                    "compare_arrows", open_run, selected[0], selected[-1], disabled=len(selected) < 2, type="primary",
                )  # fmt: skip
            download(
                "Download CSV", lambda: _csv(workbench, narrow), "ghost-runs.csv", "text/csv", "trace_csv",
                help="The checks that pass the filters, as a table.",
            )  # fmt: skip
    with st.container(gap="small"):
        for run in runs:
            _row(run)
    part.numbers()


def open_run(run_id: str, other: str = "") -> None:
    """Show a run, or two side by side; an empty id leads back to the list. For callbacks."""
    open_item("trace", "run", run_id)
    st.query_params.pop("tab", None)
    st.query_params.pop("with", None)
    if other:
        st.query_params["with"] = other


def filter_of(params: Mapping[str, str], judges: Sequence[str]) -> RunFilter:
    """What an address asks for; ``judges`` are those that there are."""
    judge = params.get("judge", "")
    return RunFilter(
        clean(params.get("q", ""))[:LONGEST],
        _member(Label, params.get("verdict")),
        _member(RunStatus, params.get("status")),
        judge if judge in judges else "",
        _day(params.get("from")),
        _day(params.get("to")),
    )


def _member(kind: type[E], value: str | None) -> E | None:
    return kind(value) if value in list(kind) else None


def _day(value: str | None) -> date | None:
    try:
        day = date.fromisoformat(value or "")
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def _filters(judges: Sequence[str]) -> RunFilter:
    """The fields. A new address fills them; afterwards the address holds what they say."""
    named = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    # An address without filters comes from the navigation: this visitor's filters stay.
    if named and named != st.session_state.get("trace_asked"):
        _fill(filter_of(named, judges))
    narrow = _fields(judges)
    values = (narrow.text, narrow.label, narrow.judge, narrow.status, narrow.since, narrow.until)
    wanted = {name: str(value) for name, value in zip(PARAMS, values, strict=True) if value}
    if named != wanted:
        for name in named.keys() - wanted.keys():
            st.query_params.pop(name)
        st.query_params.update(wanted)
    st.session_state["trace_asked"] = wanted
    return narrow


def _fill(narrow: RunFilter) -> None:
    st.session_state.update(
        trace_text=narrow.text, trace_label=narrow.label, trace_judge=narrow.judge or None,
        trace_status=narrow.status, trace_since=narrow.since, trace_until=narrow.until,
    )  # fmt: skip


def _fields(judges: Sequence[str]) -> RunFilter:
    text = st.text_input(
        "Search", key="trace_text", icon=":material/search:", max_chars=LONGEST, persist_state="session",
        placeholder="Words of the claim, or the id of a run",
    )  # fmt: skip
    with st.container(horizontal=True, key="trace_filters"):
        label = st.selectbox(
            "Verdict", list(Label), index=None, key="trace_label", placeholder="Any", width=WIDTH,
            format_func=lambda value: theme.VERDICTS[value].word, persist_state="session",
        )  # fmt: skip
        judge = st.selectbox(
            "Judge", judges, index=None, key="trace_judge", placeholder="Any", width=WIDTH, persist_state="session"
        )
        status = st.selectbox(
            "Status", list(RunStatus), index=None, key="trace_status", placeholder="Any", width=WIDTH,
            format_func=lambda value: theme.STATUSES[value].word, persist_state="session",
        )  # fmt: skip
        since, until = (
            st.date_input(
                words, value=None, key=key, min_value=FIRST_DAY, max_value=LAST_DAY, format="YYYY-MM-DD", width=WIDTH,
                persist_state="session", help=f"{which} day, in UTC.",
            )
            for words, key, which in (("From", "trace_since", "First"), ("To", "trace_until", "Last"))
        )  # fmt: skip
    return RunFilter(clean(text or ""), label, status, judge or "", since, until)


def _csv(workbench: Workbench, narrow: RunFilter) -> bytes:
    head = ("run", "started", "finished", "status", "verdict", "confidence", "judge", "claim", "your verdict")
    rows = (
        (r.id, iso(r.started_at), iso(r.finished_at), r.status, r.label, r.confidence, r.judge, r.claim_text,
         r.override)
        for r in workbench.runs.browse(narrow, EXPORTED)
    )  # fmt: skip
    return csv_bytes(head, rows)


def _row(run: RunSummary) -> None:
    with st.container(border=True, gap="xxsmall", key=f"trace_row_{run.id}"):
        st.markdown(f"{run_badge(run).badge} **{plain(shorten(run.claim_text, 220))}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(" · ".join(_facts(run)), width="content")
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.session_state.setdefault(f"trace_pick_{run.id}", run.id in _selected())
                st.checkbox("Compare", key=f"trace_pick_{run.id}", on_change=_select, args=(run.id,))
                button(
                    "Open", f"trace_open_{run.id}", "chevron_right", open_run, run.id, type="tertiary",
                    icon_position="right",
                )  # fmt: skip


def _facts(run: RunSummary) -> list[str]:
    facts = [sure] if (sure := run_confidence(run)) else []
    if run.label and run.override:
        facts.append("confirmed by you" if run.override is run.label else f"yours; Ghost: {run.label.value}")
    if run.label and run.status is not RunStatus.FINISHED:
        facts.append(theme.STATUSES[run.status].word)
    if run.judge:
        facts.append(f"{plain(run.judge)} judge")
    if run.finished_at:
        facts.append(theme.seconds(max(0.0, (run.finished_at - run.started_at).total_seconds())))
    return [*facts, theme.moment(run.started_at)]


def _selected() -> list[str]:
    return list(st.session_state.get(_SELECTED, ()))


def _select(run_id: str) -> None:
    """Two are compared at most: a third takes the place of the first."""
    selected = [other for other in _selected() if other != run_id]
    if st.session_state.get(f"trace_pick_{run_id}"):
        for dropped in selected[:-1]:
            st.session_state[f"trace_pick_{dropped}"] = False
        selected = [*selected[-1:], run_id]
    st.session_state[_SELECTED] = selected
