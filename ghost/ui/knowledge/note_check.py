"""Check against the source: a note, a selection or a pack is compared with its pages in the background."""

from collections.abc import Iterable
from datetime import date

import streamlit as st

from ghost.jobs import Task, failure_text
from ghost.types import Kind, PageCheck, Passage
from ghost.ui.knowledge.selection import PAGE, notify_change, open_passage
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, notify_error
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import capitalized, plain, shorten
from ghost.workbench import CheckedNotes

WORDS = "Check against the source"
HELP = (
    "Reads the page and looks for sentences that say the same. The site sees your network address and which page is "
    "read. Nothing else leaves this machine."
)
_TASK = "knowledge_note_check"
_OUTCOMES = {
    PageCheck.FOUND: (theme.Badge("Found", "check_circle", "green"), "The page says the same in these words:"),
    PageCheck.NOT_FOUND: (
        theme.Badge("Not found", "search_off", "orange"), "The page does not say it, so no verdict rests on it alone.",
    ),
    PageCheck.CONTRADICTED: (
        theme.Badge("Contradicted", "error", "red"), "The page contradicts it, so no verdict rests on it alone:",
    ),
}  # fmt: skip


def start_check(workbench: Workbench, notes: Iterable[Passage]) -> None:
    """Compare notes with their pages; one such check runs at a time. For callbacks."""
    running: Task[CheckedNotes] | None = st.session_state.get(_TASK)
    chosen = [p for p in notes if p.can_be_checked]
    if running and not running.ended:
        notify(PAGE, "Another check against the source is running.", icon="info")
    elif not chosen:
        notify(PAGE, "None of them has a page that it can be checked at.", icon="info")
    else:
        st.session_state[_TASK] = Task[CheckedNotes](
            lambda task: workbench.check_notes(chosen, task.report, task.cancelled)
        )


def show_check(workbench: Workbench) -> None:
    """The progress of a check with a button that stops it; once it has ended, what came of it with its undo."""
    task: Task[CheckedNotes] | None = st.session_state.get(_TASK)
    if task is None:
        return
    if not task.ended:
        task_progress(task, "knowledge_note_check_stop", "Reading pages")
        return
    del st.session_state[_TASK]
    if task.error:
        notify_error(PAGE, failure_text(task.error))
        return
    done = task.result()
    text = f"Checked against the source: {done.summary}."
    if why := next((c.why for c in done.checks if c.outcome is PageCheck.NOT_REACHED), ""):
        text += f" First page not reached: {shorten(why, 200)}"
    if len(done.checks) == 1:
        (one,) = done.checks
        text = f"{capitalized(one.outcome.value)}: {shorten(one.why, 300)}"
    notify_change(workbench, text, done.change, "fact_check" if done.change else "info")


def check_button(workbench: Workbench, p: Passage) -> None:
    """The button on a note, or on what was entered by hand, that can be checked."""
    if p.can_be_checked:
        button(WORDS, "knowledge_check_note", "fact_check", start_check, workbench, [p], help=HELP)


def check_outcome(workbench: Workbench, p: Passage) -> None:
    """What came of the last check, with the excerpts that were found."""
    if not (known := _OUTCOMES.get(p.page_check) if p.page_check else None):
        if p.can_be_checked and p.kind is Kind.NOTE:  # the badge of an excerpt says so
            st.caption("Not checked against the page yet.")
        return
    badge, words = known
    st.markdown(f"{badge.badge} :gray[{theme.day(date.fromisoformat(p.page_checked))}]  \n{words}")
    for excerpt in workbench.knowledge.get(p.page_excerpts):
        button(plain(shorten(excerpt.text, 300)), f"knowledge_check_excerpt_{excerpt.id}", "format_quote",
               open_passage, excerpt.id, type="tertiary", wrap=True)  # fmt: skip
