"""The report of a run that has ended. What is not decisive is folded."""

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner, RunView, view_of
from ghost.reports import any_search_answered, evidence_cards, fact_check_coverage, left_the_machine, offline
from ghost.types import Review, Run, RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.conversation import conversation_lines, left_because, turns_of
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.runs import judge_section
from ghost.ui.shared.statements import statements_section
from ghost.ui.shared.steps import decision_of, rows_of, searches_table, step_list, usage_line
from ghost.ui.shared.text import count, host_link, plain, shorten
from ghost.ui.verify.corrections import reading_control
from ghost.ui.verify.evidence import EvidenceView, evidence_section, other_evidence, rejected_citations, unused_section
from ghost.ui.verify.filing import cases_of, exports
from ghost.ui.verify.live import link_to_ended
from ghost.ui.verify.review import review_buttons, review_list, review_of, source_marks
from ghost.ui.verify.verdict import change_section, headline, reasons_section, toolbar, verdict_card
from ghost.ui.verify.visit import edit, open_run
from ghost.web import reviewer_of


def report_page(workbench: Workbench, runner: Runner, view: RunView) -> None:
    """The verdict and what it rests on; beside them how it was checked, and what can be done with it."""
    unread, run = "", None
    try:
        run = workbench.runs.get(view.run_id)
    except StoreError as error:
        unread = str(error)
    if run and view.verdict and len(run.steps) > len(view.steps):
        view = view_of(run)  # decided again since
    toolbar(view, theme.STATUSES[view.status].word)
    headline(view)
    evidence = EvidenceView(view, source_marks(workbench, view), reading_control(workbench, view))
    review = review_of(workbench, view.run_id)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _main(workbench, view, evidence, review)
    with side:
        if view.verdict:
            review_buttons(workbench, view, view.verdict, review)
        _side(workbench, runner, view, evidence, run, unread, review)


def _main(workbench: Workbench, view: RunView, evidence: EvidenceView, review: Review) -> None:
    if verdict := view.verdict:
        verdict_card(view, verdict, frozenset(evidence.decisive), review)
        reasons_section(view, verdict, review, not workbench.language_models)
    else:
        _without_verdict(view)
    if view.evidence or any(s.name == "rerank" for s in view.steps):
        evidence_section(evidence)
    with st.container(gap="xsmall"):
        other_evidence(evidence)
        _conversation(view)
        _fact_checks(view)
        _searches(view)


def _side(
    workbench: Workbench,
    runner: Runner,
    view: RunView,
    evidence: EvidenceView,
    run: Run | None,
    unread: str,
    review: Review,
) -> None:
    statements = view.classification.statements if view.classification else ()
    decided = view.verdict.statements if view.verdict else ()
    if len(statements) > 1:
        with st.container(border=True, gap="small", key="verify_statements_box"):
            theme.kicker(f"{len(statements)} statements")
            statements_section(statements, decided)
    if before := str(view.settings.get("follows") or ""):
        button(
            "Checked again with added pages. Open the earlier check", "verify_follows", "history", open_run, before,
            type="tertiary",
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
        change_section(view, view.verdict, review)
    unused_section(evidence)
    rejected_citations(evidence.citations)
    with st.expander("Add a link", icon=":material/add_link:", key="verify_links"):
        link_to_ended(runner, view)
    if unread:
        st.caption(f"The stored run cannot be read now. {plain(unread)}")
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
        button("Check it again", "verify_again", "refresh", edit, view, type="primary")


def _conversation(view: RunView) -> None:
    """The turns of the model, folded; nothing for a run of the seven steps."""
    if turns := turns_of(view.steps):
        with st.expander(f"Conversation · {count(len(turns), 'turn')}", icon=":material/forum:", key="verify_turns"):
            conversation_lines(turns)
            if why := left_because(view.steps):
                st.markdown(f":orange[:material/alt_route:] {plain(shorten(why, 600))}")


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
            st.markdown(f":material/fact_check: {plain(who)}: **{plain(rating)}**  \n{claim}{host_link(url, ' · ')}")


def _searches(view: RunView) -> None:
    """Every search of the run with the result of each hit; folded. One line where there is no network."""
    if line := offline(view.steps):
        if not view.verdict or all(reason.text != line for reason in view.verdict.reasons):
            st.caption(f":material/wifi_off: {line}")
        return
    steps = [step for step in view.steps if step.name == "investigate"]
    if number := sum(len(rows_of(step.outputs.get("searches"))) for step in steps):
        with st.expander(f"Searches · {number}", icon=":material/travel_explore:", key="verify_searches"):
            for step in steps:
                decision, reason = plain(shorten(decision_of(step), 200)), plain(shorten(step.reason, 300))
                st.markdown(f"**{decision}**  \n:gray[{reason}]")
                searches_table(step)
