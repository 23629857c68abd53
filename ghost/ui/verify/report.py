"""A run on the page: as it goes on, and, once it has ended, as a report. What is not decisive is folded."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner, RunView
from ghost.reports import any_search_answered, evidence_cards, fact_check_coverage, left_the_machine
from ghost.types import Review, RunStatus, host_of
from ghost.ui.shared import theme
from ghost.ui.shared.runs import judge_section
from ghost.ui.shared.searches import rows_of, searches_table
from ghost.ui.shared.steps import decision_of, step_list, usage_line
from ghost.ui.shared.text import count, link, plain, safe_url, shorten
from ghost.ui.verify.add_link import link_to_ended
from ghost.ui.verify.address import open_run
from ghost.ui.verify.cases import cases_of
from ghost.ui.verify.draft import edit
from ghost.ui.verify.evidence import (
    EvidenceView,
    decisive_numbers,
    evidence_section,
    other_evidence,
    rejected_citations,
    unused_section,
)
from ghost.ui.verify.exports import exports
from ghost.ui.verify.live import running_page
from ghost.ui.verify.problems import not_here, unreadable
from ghost.ui.verify.recent import recent_runs
from ghost.ui.verify.review import review_buttons, review_list, review_of
from ghost.ui.verify.source_mark import MarkSource
from ghost.ui.verify.verdict import change_section, headline, reasons_section, statements_section, toolbar, verdict_card
from ghost.web import reviewer_of

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def run_page(workbench: "Workbench", runner: Runner, run_id: str) -> None:
    """A run as it stands now; says so when it is unknown or the store cannot be read."""
    try:
        view = runner.snapshot(run_id)
    except StoreError as error:
        unreadable("check", error)
        return
    if view is None:
        not_here("check", run_id, _REASONS, workbench)
        recent_runs(workbench)
    elif view.ended:
        _report(workbench, runner, view)
    else:
        running_page(runner, view)


_REASONS = (
    "The link comes from another machine: each keeps its own checks. Ask for the HTML file or the bundle instead.",
    "The link was cut off: the id of a run has 32 letters and digits.",
)


def _report(workbench: "Workbench", runner: Runner, view: RunView) -> None:
    toolbar(view, theme.STATUSES[view.status].word)
    headline(view)
    citations = view.verdict.citations if view.verdict else ()
    evidence = EvidenceView(view.evidence, citations, view.steps, MarkSource(workbench, view))
    review = review_of(workbench, view.run_id)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _main(view, evidence, review)
    with side:
        if view.verdict:
            review_buttons(workbench, view, view.verdict, review)
        _side(workbench, runner, view, evidence)


def _main(view: RunView, evidence: EvidenceView, review: Review) -> None:
    """The verdict and what it rests on."""
    verdict = view.verdict
    decisive = decisive_numbers(evidence, verdict.explanation if verdict else "")
    if verdict:
        verdict_card(view, verdict, frozenset(decisive), review)
        reasons_section(view, verdict)
    else:
        _without_verdict(view)
    if view.evidence or any(s.name == "rerank" for s in view.steps):
        evidence_section(evidence, decisive)
    with st.container(gap="xsmall"):
        other_evidence(evidence, decisive)
        _fact_checks(view)
        _searches(view)


def _side(workbench: "Workbench", runner: Runner, view: RunView, evidence: EvidenceView) -> None:
    """What was checked and how, and what the analyst can do with the report."""
    statements = view.classification.statements if view.classification else ()
    decided = view.verdict.statements if view.verdict else ()
    if len(statements) > 1:
        with st.container(border=True, gap="small", key="verify_statements_box"):
            theme.kicker(f"{len(statements)} statements")
            statements_section(statements, decided)
    if before := str(view.settings.get("follows") or ""):
        st.button(
            "Checked again with added pages. Open the earlier check", key="verify_follows", icon=":material/history:",
            type="tertiary", on_click=open_run, args=(before,),
        )  # fmt: skip
    took = theme.seconds(view.usage.seconds or view.seconds)
    with st.expander(f"How it was checked · {took}", icon=":material/checklist:"):
        st.caption(usage_line(view))
        if len(statements) == 1:
            statements_section(statements, decided)
        step_list(view)
        judge_section(view.judge)
    st.page_link(
        "pages/trace.py", label="Open the trace", icon=":material/query_stats:", query_params={"run": view.run_id}
    )
    if view.verdict:
        change_section(view, view.verdict)
    unused_section(evidence)
    rejected_citations(evidence.citations)
    with st.expander("Add a link", icon=":material/add_link:", key="verify_links"):
        link_to_ended(runner, view)
    try:
        run = workbench.runs.get(view.run_id)
    except StoreError as error:
        st.caption(f"The stored run cannot be read now. {plain(str(error))}")
        run = None
    if run:
        with st.expander("What left this machine", icon=":material/lock:"):
            st.markdown("\n".join(f"- {plain(line)}" for line in left_the_machine(run)))
    review_list(workbench, view.run_id)
    with st.expander("Cases", icon=":material/folder_open:", key="verify_cases"):
        cases_of(workbench, view.run_id)
    if run:
        with st.expander("Export", icon=":material/download:"):
            exports(workbench, run)


_ENDINGS = {
    RunStatus.FAILED: ("This check failed", "A failure is not a verdict: it says nothing about the claim."),
    RunStatus.CANCELLED: ("You cancelled this check", "What it had found until then is kept below."),
    RunStatus.INTERRUPTED: (
        "This check was interrupted",
        "Ghost was closed while it ran. What it had found is kept below; check the claim again for a verdict.",
    ),
}


def _without_verdict(view: RunView) -> None:
    """What happened, what was kept, what to do."""
    badge = theme.STATUSES[view.status]
    title, note = _ENDINGS.get(view.status, ("This check has no verdict", "What it found is kept below."))
    with st.container(border=True, key="verify_verdict"):
        st.header(f":{badge.colour}[:material/{badge.icon}:] {title}", anchor="verdict")
        if view.error:
            st.markdown(plain(view.error))
        st.markdown(note)
        passages = count(len(evidence_cards(view.evidence)), "weighed passage")
        st.caption(f"Kept: {count(len(view.steps), 'step')} and {passages}.")
        st.button(
            "Check it again", key="verify_again", icon=":material/refresh:", type="primary", on_click=edit, args=(view,)
        )


def _fact_checks(view: RunView) -> None:
    """Whether the claim is already fact-checked, for every run that searched; nothing for one that did not."""
    if not any_search_answered(view.steps):
        return
    outputs = [s.outputs for s in view.steps if s.name == "investigate"]
    found = {str(r.get("url")): r for o in outputs for r in rows_of(o.get("reviews")) if r.get("statement")}
    number = f" · {len(found)} found" if found else ""
    with st.expander(f"Already fact-checked?{number}", icon=":material/fact_check:", expanded=bool(found)):
        for line in fact_check_coverage(view.steps, bool(found)):
            st.caption(plain(shorten(line, 500)))
        for url, row in found.items():
            who, rating = shorten(reviewer_of(row), 200), shorten(str(row.get("rating") or "no rating"), 80)
            claim = plain(shorten(str(row.get("claim") or ""), 300))
            host = f" · {link(host_of(url), url)}" if safe_url(url) and host_of(url) else ""
            st.markdown(f":material/fact_check: {plain(who)}: **{plain(rating)}**  \n{claim}{host}")


def _searches(view: RunView) -> None:
    """Every search of the run with the result of each hit; folded."""
    steps = [step for step in view.steps if step.name == "investigate"]
    number = sum(len(rows_of(step.outputs.get("searches"))) for step in steps)
    if not number:
        return
    with st.expander(f"Searches · {number}", icon=":material/travel_explore:", key="verify_searches"):
        for step in steps:
            st.markdown(f"**{plain(shorten(decision_of(step), 200))}**  \n:gray[{plain(shorten(step.reason, 300))}]")
            searches_table(step)
