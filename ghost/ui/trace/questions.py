"""The questions that were asked: where each answer came from, which were wrong, and how that went over time.

The address holds the filters: ``q`` words of a question, ``mode`` such as ``exact_match``, ``wrong`` as ``1`` or ``0``.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date

import streamlit as st

from ghost.records import DayCount, DecisionFilter
from ghost.types import RouteMode, RouterDecision
from ghost.ui.shared import charts, theme
from ghost.ui.shared.cards import MODES, routing
from ghost.ui.shared.charts import Figure, Part, Row
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, chart_card, download
from ghost.ui.shared.text import clean, count, plain, shorten

PAGE_SIZE = 15
DAYS = 30
"""So many of the latest days with questions are drawn."""
WIDTH = 200
_WRONG = {"1": "Only wrong answers", "0": "Not marked as wrong"}


def all_questions(workbench: Workbench) -> None:
    """Filters, a paged list, and the modes by day; says so when there is nothing. Raises StoreError."""
    if not workbench.asking.decisions.count():
        with st.container(border=True):
            st.markdown(":material/forum: **No question has been asked yet.**")
            st.markdown("Each question is saved here with the cards that were looked at and why its answer was chosen.")
            st.page_link("pages/ask.py", label="Ask a question", icon=":material/forum:")
        return
    narrow = _filters()
    total = workbench.asking.decisions.count(narrow)
    if not total:
        st.info("No question passes these filters.", icon=":material/filter_alt_off:")
        button("Clear the filters", "trace_asked_clear", "close", _clear)
        return
    part = paging(f"trace_asked_page_{hash(narrow)}", total, PAGE_SIZE)
    found = workbench.asking.decisions.browse(narrow, PAGE_SIZE, part.offset)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        last = part.offset + len(found)
        st.caption(f"{part.offset + 1:,} to {last:,} of {count(total, 'question')}, newest first", width="content")
        download(
            "Wrong answers as test cases", lambda: _cases(workbench), "ghost-router-cases.jsonl",
            "application/jsonl", "trace_asked_cases", help="One JSON object a line, for those marked as not asked.",
        )  # fmt: skip
    with st.container(gap="small"):
        for decision in found:
            _row(decision)
    part.numbers()
    _over_time(workbench.asking.decisions.by_day(narrow))


def _filters() -> DecisionFilter:
    """The fields, which the address fills once and then follows."""
    state, params = st.session_state, st.query_params
    state.setdefault("trace_asked_text", clean(params.get("q", ""))[:200])
    state.setdefault("trace_asked_mode", _mode(params.get("mode", "")))
    state.setdefault("trace_asked_wrong", params.get("wrong") if params.get("wrong") in _WRONG else None)
    text = st.text_input(
        "Search", key="trace_asked_text", icon=":material/search:", max_chars=200, persist_state="session",
        placeholder="Words of the question",
    )  # fmt: skip
    with st.container(horizontal=True):
        mode = st.selectbox(
            "Answer", list(RouteMode), index=None, key="trace_asked_mode", placeholder="Any", width=WIDTH,
            format_func=lambda value: MODES[value].word, persist_state="session",
        )  # fmt: skip
        wrong = st.selectbox(
            "Marked", list(_WRONG), index=None, key="trace_asked_wrong", placeholder="Any", width=WIDTH,
            format_func=lambda value: _WRONG[value], persist_state="session",
        )  # fmt: skip
    for name, value in (("q", clean(text or "")), ("mode", mode.value if mode else ""), ("wrong", wrong or "")):
        if value:
            params[name] = value
        else:
            params.pop(name, None)
    return DecisionFilter(clean(text or ""), mode, None if wrong is None else wrong == "1")


def _mode(value: str) -> RouteMode | None:
    return RouteMode(value) if value in list(RouteMode) else None


def _clear() -> None:
    st.session_state.update(trace_asked_text="", trace_asked_mode=None, trace_asked_wrong=None)


def _row(decision: RouterDecision) -> None:
    with st.container(border=True, gap="xxsmall", key=f"trace_asked_{decision.id}"):
        wrong = f" {theme.badge('Not what was asked', 'flag', 'red')}" if decision.wrong else ""
        st.markdown(f"{MODES[decision.mode].badge}{wrong} **{plain(shorten(decision.question, 220))}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            facts = (theme.moment(decision.created_at), theme.seconds(decision.seconds), plain(decision.decided_by))
            st.caption(" · ".join(facts), width="content")
            if decision.conversation_id:
                st.page_link(
                    "pages/ask.py", label="Open the conversation", icon=":material/forum:",
                    query_params={"conversation": decision.conversation_id}, width="content",
                )  # fmt: skip
        routing(decision, f"trace_asked_routing_{decision.id}")


def _cases(workbench: Workbench) -> str:
    return "".join(f"{json.dumps(case, ensure_ascii=False)}\n" for case in workbench.asking.decisions.export_cases())


def _over_time(counts: Sequence[DayCount]) -> None:
    """The share of each mode by day, and how many answers were marked as wrong."""
    days = sorted({c.day for c in counts})[-DAYS:]
    modes = {day: {c.mode: c.count for c in counts if c.day == day} for day in days}
    asked = {day: sum(of.values()) for day, of in modes.items()}
    wrong = {day: sum(c.wrong for c in counts if c.day == day) for day in days}
    rows = [Row((day.isoformat(), *(modes[day].get(mode, 0) for mode in MODES), wrong[day])) for day in days]
    head = ("day", *(badge.word for badge in MODES.values()), "marked as wrong")
    several = len(days) > 1
    st.header("Over time", anchor=False)
    chart_card(
        "trace_modes", "Where answers came from",
        f"**{count(sum(asked.values()), 'question')}** on {count(len(days), 'day')}; "
        f"**{count(sum(wrong.values()), 'answer')}** marked as wrong.",
        _modes_chart(modes, asked) if several else None, "Stacked bars: the share of each kind of answer by day.",
        head, rows,
    )  # fmt: skip
    if several and any(wrong.values()):
        chart_card(
            "trace_errors", "Answers marked as wrong", "The share of each day's questions.",
            _errors_chart(wrong, asked), "Bar chart: the share of answers marked as wrong by day.", head, rows,
        )  # fmt: skip


def _modes_chart(modes: Mapping[date, Mapping[RouteMode, int]], asked: Mapping[date, int]) -> Figure:
    parts = []
    for mode, badge in MODES.items():
        numbers = {day: of.get(mode, 0) for day, of in modes.items()}
        hover = [f"{theme.day(day)}<br>{badge.word}: {n:,} of {asked[day]:,}" for day, n in numbers.items()]
        shares = [n / asked[day] for day, n in numbers.items()]
        parts.append(Part(badge.word, shares, charts.colour(badge.colour), "", hover))
    names = [f"{theme.day(day)} ({n:,})" for day, n in asked.items()]
    return charts.stacked_rows(names, parts, "", "share of questions")


def _errors_chart(wrong: Mapping[date, int], asked: Mapping[date, int]) -> Figure:
    shares = {day: n / asked[day] for day, n in wrong.items()}
    hover = [f"{theme.day(day)}<br>Marked as wrong: {n:,} of {asked[day]:,}" for day, n in wrong.items()]
    drawn = charts.rows(
        [theme.day(day) for day in shares], list(shares.values()), "", "share marked as wrong",
        colours=[charts.colour("red")] * len(shares), hover=hover, texts=[f"{share:.0%}" for share in shares.values()],
    )  # fmt: skip
    drawn["layout"]["xaxis"] |= {"tickformat": ".0%", "range": [0, 1.05]}
    return drawn
