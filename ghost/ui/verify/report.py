"""A run on the page; ``live.py`` draws it while it goes on."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner, RunView
from ghost.reports import evidence_cards, page_notices
from ghost.types import RunStatus
from ghost.ui.shared import flash, resources, theme
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify import add_link, live
from ghost.ui.verify.add_to_case import case_section
from ghost.ui.verify.draft import again, new
from ghost.ui.verify.evidence import evidence_section, judge_readings, rejected_section, unused_section
from ghost.ui.verify.exports import keep_section
from ghost.ui.verify.mark import MarkSource
from ghost.ui.verify.recent import recent_runs
from ghost.ui.verify.review import actions, review_list, review_of
from ghost.ui.verify.searches import fact_checks_section
from ghost.ui.verify.step_list import full_trace, step_list, usage_line
from ghost.ui.verify.verdict import headline, judge_section, reasons_section, statements_section, verdict_card

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def check(workbench: "Workbench", runner: Runner, run_id: str) -> None:
    """A run as it stands now; says so when nobody knows it or the store cannot be read."""
    try:
        view = runner.snapshot(run_id)
    except StoreError as error:
        _unreadable(run_id, error)
        return
    if view is None:
        unknown_run(workbench, run_id)
    elif view.ended:
        report(workbench, view)
    else:
        live.progress(runner, view)


def _unreadable(run_id: str, error: StoreError) -> None:
    with st.container(width=720):
        st.title(":material/error: This check cannot be read now", anchor=False)
        st.error(plain(str(error)), icon=":material/error:")
        st.caption(f"Run {plain(shorten(run_id, 60))}. Nothing was changed, and its address leads back to it.")
        with st.container(horizontal=True):
            st.button("Try again", key="verify_retry", icon=":material/refresh:", type="primary")
            st.button("New claim", key="verify_new", icon=":material/add:", on_click=new)


def report(workbench: "Workbench", view: RunView) -> None:
    """An ended run: verdict and evidence in the main column, how it was checked beside it."""
    _toolbar(view, theme.STATUSES[view.status].word)
    flash.show("verify")
    headline(view)
    review = review_of(workbench, view.run_id)
    main, side = st.columns([2, 1], gap="large")
    with main:
        if view.verdict:
            verdict_card(view, view.verdict, review)
            actions(workbench, view, view.verdict, review)
            reasons_section(view, view.verdict)
        else:
            _without_verdict(view)
        fact_checks_section(view)
        decided = view.verdict.statements if view.verdict else ()
        statements_section(view.classification.statements if view.classification else (), decided)
        citations = view.verdict.citations if view.verdict else ()
        if view.evidence or any(s.name == "rerank" for s in view.steps):
            read, told = judge_readings(view.steps), page_notices(view.steps)
            evidence_section(view.evidence, citations, read, told, MarkSource(workbench, view))
            unused_section(view.evidence, view.steps)
        add_link.after(resources.runner(), view)
        rejected_section(citations)
    with side:
        with st.container(border=True):
            theme.kicker("How it was checked")
            step_list(view)
            st.caption(usage_line(view))
        with st.container(border=True, key="verify_judge"):
            judge_section(view.judge)
        review_list(workbench, view.run_id)
        case_section(workbench, view.run_id)
        keep_section(workbench, view)
        recent_runs(workbench)
    st.page_link(
        "pages/trace.py", label="Open the trace", icon=":material/query_stats:", query_params={"run": view.run_id}
    )
    with st.expander("The whole trace: every step with its inputs and outputs", icon=":material/account_tree:"):
        full_trace(view)


def _toolbar(view: RunView, state: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"{state} · {theme.moment(view.started_at)}")
        st.button(
            "Edit", key="verify_edit", icon=":material/edit:", type="tertiary",
            on_click=again, args=(view,),
        )  # fmt: skip
        st.button("New claim", key="verify_new", icon=":material/add:", on_click=new)


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
    look = theme.STATUSES[view.status]
    title, note = _ENDINGS.get(view.status, ("This check has no verdict", "What it found is kept below."))
    with st.container(border=True, key="verify_verdict"):
        st.header(f":{look.colour}[:material/{look.icon}:] {title}", anchor="verdict")
        if view.error:
            st.markdown(plain(view.error))
        st.markdown(note)
        passages = count(len(evidence_cards(view.evidence)), "weighed passage")
        st.caption(f"Kept: {count(len(view.steps), 'step')} and {passages}.")
        st.button(
            "Check it again", key="verify_again", icon=":material/refresh:", type="primary", on_click=again,
            args=(view,),
        )  # fmt: skip


def unknown_run(workbench: "Workbench", run_id: str) -> None:
    """The address names a run that nobody knows: what may have happened, and where to go on."""
    with st.container(width=720):
        st.title(":material/search_off: This check is not here", anchor=False)
        st.markdown(
            f"There is no run **{plain(shorten(run_id, 60))}** on this machine. Nothing was lost or changed. It may be "
            "that"
        )
        st.markdown(
            "- the link comes from another machine: each keeps its own checks. Ask for the HTML file or the bundle "
            "instead;\n"
            "- the link was cut off: the id of a run has 32 letters and digits;\n"
            "- Ghost was started with another data folder "
            f"(now: {plain(str(workbench.settings.data_dir))}, set by GHOST\\_DATA\\_DIR)."
        )
        st.button("Check a claim", key="verify_new", icon=":material/add:", type="primary", on_click=new)
        recent_runs(workbench)
