"""The filters of the list of runs: the fields, and the parameters of the address that hold them.

Parameters of ``trace``, all of them optional; a value that cannot be used is ignored:

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

from ghost.records import RunFilter
from ghost.types import Label, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean

E = TypeVar("E", bound=StrEnum)
WIDTH = 168
"""Pixels of a field: five beside each other, and two on a telephone."""
LONGEST = 200
"""Characters of the search."""
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
PARAMS = ("q", "verdict", "judge", "status", "from", "to")


def filters(judges: Sequence[str]) -> RunFilter:
    """The fields. A new address fills them; afterwards the address holds what they say."""
    named = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    # An address without filters comes from the navigation: this visitor's filters stay.
    if named and named != st.session_state.get("trace_asked"):
        _fill(filter_of(named, judges))
    narrow = _fields(judges)
    days = (day.isoformat() if day else "" for day in (narrow.since, narrow.until))
    values = (narrow.text, narrow.label or "", narrow.judge, narrow.status or "", *days)
    wanted = {name: str(value) for name, value in zip(PARAMS, values, strict=True) if value}
    for name in PARAMS:
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]
    st.session_state["trace_asked"] = wanted
    return narrow


def clear() -> None:
    """No filter from now on; for callbacks."""
    _fill(RunFilter())


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


def _member(kind: type[E], value: str | None) -> E | None:
    return kind(value) if value in list(kind) else None


def _day(value: str | None) -> date | None:
    try:
        day = date.fromisoformat(value) if value else None
    except ValueError:
        return None
    return day if day and FIRST_DAY <= day <= LAST_DAY else None
