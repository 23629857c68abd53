"""What the list of runs is narrowed by: the fields, and the parameters of the address that hold them.

Parameters of ``trace``, all of them optional; a value that cannot be used is ignored:

===========  ======================================================================
``q``        words of the claim, or the id of a run
``verdict``  ``False``, ``True`` … as Ghost names them
``judge``    who decided
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
BOX = 168
"""Pixels."""
LONGEST = 200
"""Characters of the search."""
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
PARAMS = ("q", "verdict", "judge", "status", "from", "to")
_KEPT = "trace_asked"
"""What the address said when the list was drawn last."""


def asked(params: Mapping[str, str], judges: Sequence[str]) -> RunFilter:
    """What the address asks for."""
    judge = params.get("judge", "")
    return RunFilter(
        clean(params.get("q", ""))[:LONGEST],
        _one(Label, params.get("verdict")),
        _one(RunStatus, params.get("status")),
        judge if judge in judges else "",
        _day(params.get("from")),
        _day(params.get("to")),
    )


def params_of(narrow: RunFilter) -> dict[str, str]:
    """The parameters that ask for it."""
    days = (day.isoformat() if day else "" for day in (narrow.since, narrow.until))
    values = (narrow.text, narrow.label or "", narrow.judge, narrow.status or "", *days)
    return {name: str(value) for name, value in zip(PARAMS, values, strict=True) if value}


def filters(judges: Sequence[str]) -> RunFilter:
    """The fields. The address is taken over when it is another one than before, and says what they hold afterwards."""
    there = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    # An address that says nothing is that of the navigation: the filters of this visit stay.
    if there and there != st.session_state.get(_KEPT):
        _fill(asked(there, judges))
    narrow = _fields(judges)
    wanted = params_of(narrow)
    for name in PARAMS:
        if name not in wanted:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted[name]:
            st.query_params[name] = wanted[name]
    st.session_state[_KEPT] = wanted
    return narrow


def clear() -> None:
    """No filter from now on; for callbacks."""
    _fill(RunFilter())


def _fill(narrow: RunFilter) -> None:
    st.session_state["trace_text"] = narrow.text
    st.session_state["trace_label"] = narrow.label
    st.session_state["trace_judge"] = narrow.judge or None
    st.session_state["trace_status"] = narrow.status
    st.session_state["trace_since"] = narrow.since
    st.session_state["trace_until"] = narrow.until


def _fields(judges: Sequence[str]) -> RunFilter:
    text = st.text_input(
        "Search", key="trace_text", icon=":material/search:", max_chars=LONGEST, persist_state="session",
        placeholder="Words of the claim, or the id of a run",
    )  # fmt: skip
    # Boxes of a fixed width: five beside each other, and two on a telephone.
    with st.container(horizontal=True, key="trace_filters"):
        label = st.selectbox(
            "Verdict", list(Label), index=None, key="trace_label", placeholder="Any", width=BOX,
            format_func=lambda value: theme.VERDICTS[value].word, persist_state="session",
        )  # fmt: skip
        judge = st.selectbox(
            "Judge", judges, index=None, key="trace_judge", placeholder="Any", width=BOX, persist_state="session"
        )
        status = st.selectbox(
            "Status", list(RunStatus), index=None, key="trace_status", placeholder="Any", width=BOX,
            format_func=lambda value: theme.STATUSES[value].word, persist_state="session",
        )  # fmt: skip
        since, until = (
            st.date_input(
                words, value=None, key=key, min_value=FIRST_DAY, max_value=LAST_DAY, format="YYYY-MM-DD", width=BOX,
                persist_state="session", help=f"{which} day, in UTC.",
            )
            for words, key, which in (("From", "trace_since", "First"), ("To", "trace_until", "Last"))
        )  # fmt: skip
    return RunFilter(clean(text or ""), label, status, judge or "", since, until)


def _one(kind: type[E], value: str | None) -> E | None:
    return kind(value) if value in list(kind) else None


def _day(value: str | None) -> date | None:
    try:
        day = date.fromisoformat(value) if value else None
    except ValueError:
        return None
    return day if day and FIRST_DAY <= day <= LAST_DAY else None
