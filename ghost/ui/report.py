"""A run on the page: while it goes on, and as a report when it has ended."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.reports.disclosure import left_the_machine
from ghost.reports.markdown import markdown
from ghost.reports.pages import notices
from ghost.reports.result import result
from ghost.runner import Runner, RunView
from ghost.types import Run, RunStatus
from ghost.ui import add_link, resources, theme
from ghost.ui.compose import fill
from ghost.ui.evidence import cards, evidence_section, judge_readings, rejected_section
from ghost.ui.recent import open_run, recent_runs
from ghost.ui.searches import fact_checks_section, live_hits
from ghost.ui.text import count, plain, shorten
from ghost.ui.trace import full_trace, step_list, usage_line
from ghost.ui.verdict import headline, judge_section, privacy_line, reasons_section, statements_section, verdict_card

if TYPE_CHECKING:
    from ghost.workbench import Workbench

POLL_SECONDS = 0.4


def progress(runner: Runner, view: RunView) -> None:
    """The run as it goes on; looks again and again until it ends, then draws the page anew."""
    _toolbar(view, "In progress")
    headline(view)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        now = runner.snapshot(view.run_id)
        if now is None or now.ended:
            st.rerun()
        left, right = st.columns([3, 2], gap="large")
        with left, st.container(border=True):
            step_list(now)
            st.button(
                "Stopping …" if now.cancelling else "Cancel",
                key="verify_cancel",
                icon=":material/stop_circle:",
                disabled=now.cancelling,
                on_click=runner.cancel,
                args=(view.run_id,),
            )
        with right:
            _so_far(now)

    watch()
    # Outside the fragment, so that what is being typed is not drawn again under the analyst's hands.
    with st.container(border=True, key="verify_links"):
        add_link.live(runner, view)


def _so_far(view: RunView) -> None:
    theme.kicker("Known so far")
    if view.classification:
        st.markdown(theme.TYPES[view.classification.type].badge)
    if view.evidence:
        st.markdown(count(len(cards(view.evidence)), "passage") + " weighed")
    live_hits(view)
    if view.withdrawn:
        st.caption(f":orange[:material/undo:] Taken back: {plain(shorten(view.withdrawn, 300))}")
    for text in view.sentences:
        st.markdown(plain(text))  # its marks lead nowhere yet: the evidence is not drawn before the end
    st.caption("You can leave this page: the check goes on, and this address leads back to it.")
    st.caption(privacy_line(view.judge, view.searched))


def report(bench: "Workbench", view: RunView) -> None:
    """An ended run: verdict and evidence in the main column, how it was checked beside it."""
    _toolbar(view, theme.STATUSES[view.status].word)
    headline(view)
    main, side = st.columns([2, 1], gap="large")
    with main:
        if view.verdict:
            verdict_card(view, view.verdict)
            reasons_section(view, view.verdict)
        else:
            _without_verdict(view)
        fact_checks_section(view)
        decided = view.verdict.statements if view.verdict else ()
        statements_section(view.classification.statements if view.classification else (), decided)
        citations = view.verdict.citations if view.verdict else ()
        if view.evidence or any(s.name == "rerank" for s in view.steps):
            evidence_section(view.evidence, citations, judge_readings(view.steps), notices(view.steps))
        add_link.after(resources.runner(), view)
        rejected_section(citations)
    with side:
        with st.container(border=True):
            theme.kicker("How it was checked")
            step_list(view)
            st.caption(usage_line(view))
        with st.container(border=True, key="verify_judge"):
            judge_section(view.judge)
        _keep(bench, view)
        recent_runs(bench)
    with st.expander("The whole trace: every step with its inputs and outputs", icon=":material/account_tree:"):
        full_trace(view)


def _toolbar(view: RunView, state: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"{state} · {theme.moment(view.started_at)}")
        st.button(
            "Edit", key="verify_edit", icon=":material/edit:", type="tertiary",
            on_click=fill, args=(view.claim,),
        )  # fmt: skip
        st.button("New claim", key="verify_new", icon=":material/add:", on_click=_new)


def _new() -> None:
    for field in ("verify_claim", "verify_context", "verify_found_at"):
        st.session_state[field] = ""
    st.session_state["verify_as_of"] = None
    open_run("")


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
        st.title(f":{look.colour}[:material/{look.icon}:] {title}", anchor="verdict")
        if view.error:
            st.markdown(plain(view.error))
        st.markdown(note)
        st.caption(f"Kept: {count(len(view.steps), 'step')} and {count(len(cards(view.evidence)), 'weighed passage')}.")
        st.button(
            "Check it again", key="verify_again", icon=":material/refresh:", type="primary", on_click=fill,
            args=(view.claim,),
        )  # fmt: skip


def _keep(bench: "Workbench", view: RunView) -> None:
    """Downloads, what left the machine, and the run's id."""
    try:
        run = bench.runs.get(view.run_id)
    except StoreError as error:
        st.caption(f"The stored run cannot be read now. {plain(str(error))}")
        return
    if run is None:
        return
    with st.container(border=True):
        theme.kicker("Keep it")
        with st.container(horizontal=True):
            name = f"ghost-{run.id[:8]}"
            _download("Markdown", "md", "text/markdown", f"{name}.md", lambda: markdown(run))
            _download("JSON", "json", "application/json", f"{name}.json", lambda: _json(run))
        st.caption(f"What left this machine: {plain(' '.join(left_the_machine(run)))}")
        st.caption(f"Run {plain(run.id)}")
        add_link.follows(run.settings)


def _download(label: str, key: str, mime: str, name: str, data: Callable[[], str]) -> None:
    """A download that is only made when it is asked for."""
    st.download_button(label, data, name, mime, key=f"verify_{key}", icon=":material/download:", on_click="ignore")


def _json(run: Run) -> str:
    return json.dumps(result(run), ensure_ascii=False, indent=2)


def unknown_run(run_id: str) -> None:
    """The address names a run that nobody knows."""
    with st.container(width=720):
        st.header("This check is not here", icon=":material/search_off:", anchor=False)
        st.markdown(
            f"There is no run **{plain(shorten(run_id, 60))}** on this machine. The link may come from another "
            "machine, or the data folder has changed. Nothing was lost or changed."
        )
        st.button("Check a claim", key="verify_new", icon=":material/add:", type="primary", on_click=_new)
