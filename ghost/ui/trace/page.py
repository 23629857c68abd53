"""The Trace page: all runs, or one of them with its steps, candidates, what-if and comparison."""

import json
from collections.abc import Callable

import streamlit as st

from ghost.reports import confidence, trace
from ghost.types import Pipeline, Run, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button, download, opened, retry_on_error
from ghost.ui.shared.runs import judge_badge
from ghost.ui.shared.text import plain, shorten
from ghost.ui.trace.candidates import candidates_section
from ghost.ui.trace.compare import compare_section
from ghost.ui.trace.questions import all_questions
from ghost.ui.trace.researches import all_researches
from ghost.ui.trace.run_list import all_runs, open_run
from ghost.ui.trace.steps import steps_section
from ghost.ui.trace.what_if import what_if_section

STEPS, CANDIDATES, WHAT_IF, COMPARE = "Steps", "Candidates", "What if", "Compare"
CHECKS, QUESTIONS, RESEARCH = "Checks", "Questions", "Research"
_LISTS = {CHECKS: "", QUESTIONS: "questions", RESEARCH: "research"}
"""What can be listed, as the address names it."""
_TAB = "trace_tab"
_NAMED = {"candidates": CANDIDATES, "what-if": WHAT_IF}
"""Tabs as the address names them; ``with`` stands for the comparison, and nothing for the steps."""
HEADLINE = 110
"""Longer claims are shortened in the title and shown in full below it."""


def trace_page(workbench: Workbench) -> None:
    """The run in the address, or the one this visitor saw last; else all runs."""
    run_id = opened("trace", "run")
    with retry_on_error("trace_retry"):
        if run_id:
            _one_run(workbench, run_id)
        else:
            _lists(workbench)


def _lists(workbench: Workbench) -> None:
    """All checks, questions or research; the address says which."""
    st.title("Trace", anchor=False)
    st.markdown("Every check, question and research, step by step: what went in, what came out, and why.")
    asked = st.query_params.get("list", "")
    st.session_state["trace_list"] = next((shown for shown, name in _LISTS.items() if name == asked), CHECKS)
    shown = st.segmented_control(
        "What to list", list(_LISTS), key="trace_list", required=True, label_visibility="collapsed",
        on_change=_list_changed,
    )  # fmt: skip
    if shown == QUESTIONS:
        all_questions(workbench)
    elif shown == RESEARCH:
        all_researches(workbench)
    else:
        all_runs(workbench)


def _list_changed() -> None:
    named = _LISTS[st.session_state["trace_list"]]
    st.query_params.from_dict({"list": named} if named else {})


def _one_run(workbench: Workbench, run_id: str) -> None:
    bar = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    with bar:
        button("All runs", "trace_back", "arrow_back", open_run, "", type="tertiary")
    run = workbench.runs.get(run_id)
    if run is None:
        with st.container(width=720):
            theme.not_here("run", run_id)
            if when := workbench.runs.pruned_at(run_id):
                st.caption(
                    f"It was removed on {when:%Y-%m-%d} by `ghost prune`. If it was exported then, "
                    "`ghost prune --bring-back FILE` brings it back."
                )
            button("See all runs", "trace_all", "account_tree", open_run, "", type="primary")
        return
    with bar, st.container(horizontal=True, vertical_alignment="center", width="content"):
        st.page_link(
            "pages/verify.py", label="Open the report", icon=":material/fact_check:", query_params={"run": run.id}
        )
        download(
            "Trace as JSON", lambda: json.dumps(trace(run), ensure_ascii=False, indent=2),
            f"ghost-trace-{run.id[:8]}.json", "application/json", "trace_json",
        )  # fmt: skip
    _head(run)
    if st.query_params.get("with"):
        st.session_state[_TAB] = COMPARE
    elif named := _NAMED.get(st.query_params.get("tab", "")):
        st.session_state[_TAB] = named
    sections: dict[str, Callable[[], None]] = {
        STEPS: lambda: steps_section(run),
        CANDIDATES: lambda: candidates_section(workbench, run),
        WHAT_IF: lambda: what_if_section(workbench, run),
        COMPARE: lambda: compare_section(workbench, run),
    }
    tabs = st.tabs(list(sections), key=_TAB, on_change=_tab_changed)
    for tab, draw in zip(tabs, sections.values(), strict=True):
        with tab:
            if tab.open:  # each of the others would slow down every click
                draw()


def _tab_changed() -> None:
    tab = st.session_state.get(_TAB)
    if tab != COMPARE:
        st.query_params.pop("with", None)
    st.query_params.pop("tab", None)
    for name in (name for name, named in _NAMED.items() if named == tab):
        st.query_params["tab"] = name


def _head(run: Run) -> None:
    st.set_page_config(page_title=f"Trace: {shorten(run.claim.text, 60)} · Ghost")
    badges = [judge_badge(run.judge)]
    if run.verdict:
        badge, sure = theme.VERDICTS[run.verdict.label], confidence(run.verdict)
        badges.insert(0, theme.badge(" · ".join(filter(None, (badge.word, sure))), badge.icon, badge.colour))
    if run.pipeline is not Pipeline.SEVEN_STEPS:
        badges.append(theme.PIPELINES[run.pipeline].badge)
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
