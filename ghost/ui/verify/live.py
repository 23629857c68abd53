"""A run while it goes on: its steps, what is known so far, and sources; and pages that the analyst wants read too."""

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import Runner, RunView
from ghost.reports import evidence_cards, named_pages, page_outcome
from ghost.types import Pipeline, TraceStep
from ghost.ui.shared import theme
from ghost.ui.shared.conversation import conversation_lines
from ghost.ui.shared.parts import button
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import waiting
from ghost.ui.shared.sources import source_cards
from ghost.ui.shared.statements import scope_tags
from ghost.ui.shared.steps import step_list
from ghost.ui.shared.text import clean, coloured, count, host_link, plain, shorten
from ghost.ui.verify.verdict import headline, toolbar
from ghost.ui.verify.visit import open_run

POLL_SECONDS = 0.4
_BOXES = {"add_link": st.success, "schedule": st.info, "edit_note": st.warning, "error": st.error}
"""How the result is shown, by its icon."""


def running_page(runner: Runner, view: RunView, records: str = "") -> None:
    """The run as it goes on; polls until it ends, then draws the page again. ``records`` as for ``privacy_line``."""
    toolbar(view, "In progress", " This check goes on.")
    headline(view)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        # A run of another process is read from the records; the next poll may succeed.
        with theme.store_errors_noted("The progress cannot be read now."):
            now = runner.snapshot(view.run_id)
            if now is None or now.ended:
                st.rerun()
            left, right = st.columns([3, 2], gap="large")
            with left, st.container(border=True):
                _clock(runner, now)
                step_list(now)
                _cancel_button(runner, now)
            with right:
                _known_so_far(now, records)
            source_cards(now.sources, "the claim")

    watch()
    # Outside the fragment, so that a field is not drawn again while the analyst types in it.
    with st.container(border=True, key="verify_links"):
        link_to_running(runner, view)


def _cancel_button(runner: Runner, view: RunView) -> None:
    if view.run_id not in runner.active():
        st.caption("This check was started elsewhere, such as in a batch. Stop it there.")
        return
    button(
        "Stopping …" if view.cancelling else "Cancel", "verify_cancel", "stop_circle", runner.cancel, view.run_id,
        disabled=view.cancelling,
    )  # fmt: skip


def _clock(runner: Runner, view: RunView) -> None:
    """How long it has taken, or how many checks are before it."""
    if view.steps or view.number:
        st.caption(f":material/timer: {theme.seconds(view.seconds)}")
        return
    if view.detail:
        st.caption(f":material/hourglass_top: {plain(waiting(view.detail))}.")
        return
    active = runner.active()
    before = active.index(view.run_id) if view.run_id in active else 0
    waits = f"Waiting for its turn; {count(before, 'check')} started before it."
    st.caption(f":material/hourglass_top: {waits if before else 'Starting in a moment.'}")


def _known_so_far(view: RunView, records: str) -> None:
    theme.kicker("Known so far")
    if found := view.classification:
        st.markdown(theme.TYPES[found.kind].badge)
        for s in found.statements:
            tags = f"  \n{scope_tags(s.scopes)}" if s.scopes else ""
            st.markdown(f"**{s.number}** · {plain(shorten(s.text, 200))}{tags}")
        if found.extracted is not None:
            st.caption(":material/edit: Statements in your words; the trace has the extracted ones.")
    else:
        st.caption("What can be checked in the claim is listed here first, then the evidence.")
    if view.steps and view.pipeline is Pipeline.SINGLE_CONVERSATION:
        conversation_lines(view.steps)
    if view.evidence:
        numbers = Counter(card.stances[0] for card in evidence_cards(view.evidence))
        sides = (
            f"{numbers[s]} {theme.STANCES[s].text.replace(b.word, b.word.lower())}"
            for s, b in theme.STANCES.items()
            if numbers[s]
        )
        st.markdown(f"{count(numbers.total(), 'passage')} weighed: {', '.join(sides)}")
    if view.withdrawn:
        st.caption(f":orange[:material/undo:] Withdrawn: {plain(shorten(view.withdrawn, 300))}")
    for text in view.sentences:
        st.markdown(plain(text))  # its marks lead nowhere yet: the evidence is drawn when the run has ended
    st.caption("You can leave this page: the check goes on, and this address leads back to it.")
    st.caption(privacy_line(view.judge, view.searched, pipeline=view.pipeline, records=records))


def link_to_running(runner: Runner, view: RunView) -> None:
    """The field while a run goes on: the page is read between two steps, and weighed with the rest."""

    def add(url: str) -> bool:
        added = runner.add_link(view.run_id, url)
        if added:
            _report("add_link", f"{plain(shorten(url, 120))} will be read between two steps.")
        else:
            _report("schedule", "Too late for this check: it is deciding. Add the page below the finished report.")
        return added

    _field("Add a link", "Add it", "A page about this claim: it is read and weighed before the verdict.", add)


def link_to_ended(runner: Runner, view: RunView) -> None:
    """The pages that were added to a run, each with its result, and a field for another one."""

    def read(url: str) -> bool:
        open_run(runner.read_again(view.run_id, url))
        return True

    _added_pages(view.steps)
    note = "The claim is checked again with this page read first. This check stays as it is."
    _field("Page to read", "Read this page and decide again", note, read)


def _added_pages(steps: Sequence[TraceStep]) -> None:
    for row in named_pages(steps):
        sign = theme.PAGE_STATES.get(str(row.get("state")), theme.UNKNOWN_STATE).sign
        url = str(row.get("url") or "")
        name = plain(shorten(str(row.get("title") or "") or url, 100))
        st.markdown(f"{sign} {name}{host_link(url, ' · ')}  \n{coloured('small', page_outcome(row))}")


def _field(label: str, button: str, note: str, act: Callable[[str], bool]) -> None:
    """The field for an address; it is emptied when ``act`` accepts the address, and keeps one that was refused."""

    def send() -> None:  # a callback, because a field can only be emptied before it is drawn
        try:
            if act(clean(st.session_state.get("verify_link") or "")):
                st.session_state["verify_link"] = ""
        except GhostError as error:
            _report("edit_note" if isinstance(error, ClaimError) else "error", plain(str(error)))

    with st.form("verify_link_form", border=False).container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(label, key="verify_link", placeholder="https://…", max_chars=2000)
        st.form_submit_button(button, key="verify_link_add", icon=":material/add_link:", on_click=send)
    st.caption(note)
    icon, words = st.session_state.pop("verify_link_result", ("", ""))
    if words:
        _BOXES[icon](words, icon=f":material/{icon}:")


def _report(icon: str, words: str) -> None:
    st.session_state["verify_link_result"] = (icon, words)
