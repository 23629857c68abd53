"""The statements of a claim before the search: read, corrected, put in order, and then checked."""

from dataclasses import dataclass, field, replace

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Lookups, Runner, Task, failure_text
from ghost.steps import Extracted
from ghost.types import MAX_STATEMENT_CHARS, MAX_STATEMENTS, tidy_claim
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.rows import TextRows
from ghost.ui.shared.statements import scope_tags
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify.visit import ONE_CLAIM, Entry, back_to_form, is_set, open_run, started

QUICK_SECONDS = 0.6
"""The embedded judge has answered by then; a language model is waited for with a way to stop it."""
POLL_SECONDS = 0.4


@dataclass
class StatementReview:
    """One visitor's work on the statements of one claim."""

    entry: Entry
    task: Task[Extracted]
    before: tuple[str, ...] = ()
    """The statements of an earlier check or review of the same words."""
    rows: TextRows = field(default_factory=lambda: TextRows("verify_statement"))
    """Without a list until the claim has been read."""


def waiting() -> bool:
    """Whether this visitor has a claim under review."""
    return is_set("verify_reviewing")


def begin_review(workbench: Workbench, lookups: Lookups, entry: Entry) -> None:
    """Read the claim, and show its statements from now on; raises ClaimError when it cannot be used."""
    entry = replace(entry, claim=tidy_claim(entry.claim, workbench.settings.max_claim_chars))
    text, kept = st.session_state.get("verify_statements", ("", ()))
    task = Task[Extracted](lambda task: lookups.extract(entry.claim, task.cancelled))
    task.wait(QUICK_SECONDS)
    before = tuple(kept) if text == entry.claim.text else ()
    st.session_state["verify_reviewing"] = StatementReview(entry, task, before)


def panel(runner: Runner) -> None:
    """The page between the form and the run."""
    review: StatementReview = st.session_state["verify_reviewing"]
    theme.kicker("Review the statements")
    st.title("What will be checked", anchor=False)
    st.markdown(f"**“{plain(shorten(review.entry.claim.text, 400))}”**")
    if not review.task.ended:
        _progress(review)
    elif error := review.task.error:
        if not isinstance(error, Cancelled):
            theme.show_error(f"The claim could not be read. {failure_text(error)}")
        st.markdown("Nothing was searched. Go back to the claim and try again, or check it without a review.")
        _back_button(review)
    else:
        _statements(runner, review, review.task.result())


def _leave(review: StatementReview) -> None:
    review.task.cancel()
    statements = review.before if review.rows.keys is None else review.rows.read()
    back_to_form(replace(review.entry, claim=replace(review.entry.claim, statements=statements)))
    st.session_state["verify_review_first"] = True


def _progress(review: StatementReview) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if review.task.ended:
            st.rerun()
        st.markdown(":blue[:material/clock_loader_40:] :shimmer[Reading the claim …]")
        if button("Cancel", "verify_review_cancel", "stop_circle"):
            _leave(review)
            st.rerun()  # the whole page, as this stands in a fragment

    watch()


def _back_button(review: StatementReview) -> None:
    button("Back to the claim", "verify_review_back", "arrow_back", _leave, review)


def _statements(runner: Runner, review: StatementReview, found: Extracted) -> None:
    rows, kind = review.rows, found.classification
    if rows.keys is None:
        rows.reset(review.before or found.statements)
    keys = rows.keys or []
    st.markdown(f"{theme.TYPES[kind.kind].badge} :gray[{plain(kind.reason)}]")
    if review.before and review.before != found.statements:
        st.caption(":material/history: Your statements from the last time you edited this claim.")
    if not keys:
        st.info(
            "Nothing in it can be checked. Add a statement that evidence can settle, or go back and rephrase the "
            "claim." + (f" {plain(kind.rephrase)}" if kind.rephrase else ""),
            icon=":material/lightbulb:",
        )
    with st.container(border=True, key="verify_rows"):
        for position, key in enumerate(keys, start=1):
            rows.draw(key, position, "Statement", MAX_STATEMENT_CHARS)
        with st.container(horizontal=True):
            button(
                "Add a statement", "verify_statement_add", "add", rows.add, type="tertiary",
                disabled=len(keys) >= MAX_STATEMENTS,
            )  # fmt: skip
            if rows.read() != found.statements:
                button(
                    "Reset", "verify_statement_reset", "undo", rows.reset, found.statements, type="tertiary",
                    help="Bring back the statements as they were found in the claim.",
                )  # fmt: skip
    if tags := scope_tags(*(statement.scopes for statement in kind.statements)):
        st.markdown(f":small[:gray[Scopes:]] {tags}")
    st.caption(
        "Each statement is searched for and decided by itself, the first one first. The run keeps both the extracted "
        "statements and yours."
    )
    with st.container(horizontal=True):
        ready = button(
            f"Check {'this' if len(keys) == 1 else 'these'}", "verify_review_check", "fact_check", type="primary",
            disabled=not keys,
        )  # fmt: skip
        _back_button(review)
    if ready:
        _start(runner, review, found)


def _start(runner: Runner, review: StatementReview, found: Extracted) -> None:
    texts, entry = review.rows.read(), review.entry
    if not texts:
        st.warning("There is no statement to check. Write one, or go back to the claim.", icon=":material/edit_note:")
        return
    with theme.errors_shown():
        claim = replace(entry.claim, statements=texts)
        open_run(runner.start(claim, replace(entry.options, extracted=found)))
        del st.session_state["verify_reviewing"]
        started(ONE_CLAIM)
        st.toast(f"{count(len(texts), 'statement')} will be checked.", icon=":material/fact_check:")
        st.rerun()
