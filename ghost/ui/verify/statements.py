"""The statements of a claim before the search: seen, corrected, put in order, and then checked."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.jobs import Runner, Task
from ghost.steps import Extracted
from ghost.types import MAX_STATEMENT_CHARS, MAX_STATEMENTS, tidy_claim
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify.draft import ONE_CLAIM, Entry, refill, started
from ghost.ui.verify.place import open_run

if TYPE_CHECKING:
    from ghost.workbench import Workbench

QUICK_SECONDS = 0.6
"""The embedded judge has answered by then; a language model is waited for with a way to stop it."""
POLL_SECONDS = 0.4
_ROWS_GIVEN = "verify_rows_given"


@dataclass
class Row:
    """A statement as it stands in the list; its number tells it from all others of the visit, whatever its place."""

    number: int
    text: str


@dataclass
class Review:
    """One visitor's work on the statements of one claim."""

    entry: Entry
    task: Task[Extracted]
    before: tuple[str, ...] = ()
    """The statements of an earlier check or review of the same words."""
    rows: list[Row] | None = None
    """None until the claim has been read."""

    def put(self, texts: tuple[str, ...]) -> None:
        """Start the list again from these."""
        self.rows = []
        for text in texts:
            self.add(text)

    def add(self, text: str = "") -> None:
        """One more row at the end."""
        # No number twice in a visit: the fields of an earlier review are kept under theirs, and would come back here.
        number = st.session_state[_ROWS_GIVEN] = st.session_state.get(_ROWS_GIVEN, 0) + 1
        self.rows = [*(self.rows or []), Row(number, text)]

    def take(self) -> tuple[str, ...]:
        """The statements as they stand, from the fields."""
        for row in self.rows or []:
            row.text = st.session_state.get(_key(row), row.text)
        return tuple(row.text for row in self.rows or [] if row.text.strip())

    def remove(self, row: Row) -> None:
        """Without this row."""
        self.take()
        self.rows = [other for other in self.rows or [] if other is not row]

    def move(self, row: Row, by: int) -> None:
        """The row so many places further down."""
        self.take()
        rows = list(self.rows or [])
        at = rows.index(row)
        rows.insert(max(0, at + by), rows.pop(at))
        self.rows = rows


def _key(row: Row) -> str:
    return f"verify_statement_{row.number}"


def waiting() -> bool:
    """Whether this visitor has a claim under review."""
    return "verify_reviewing" in st.session_state


def begin(workbench: "Workbench", entry: Entry) -> None:
    """Read the claim, and show its statements from now on; raises ClaimError when it cannot be used."""
    entry = replace(entry, claim=tidy_claim(entry.claim, workbench.settings.max_claim_chars))
    text, kept = st.session_state.get("verify_statements", ("", ()))
    task = Task[Extracted](lambda task: workbench.extract(entry.claim, task.cancelled))
    task.wait(QUICK_SECONDS)
    st.session_state["verify_reviewing"] = Review(entry, task, tuple(kept) if text == entry.claim.text else ())


def _leave(review: Review) -> None:
    review.task.cancel()
    said = review.before if review.rows is None else review.take()
    entry = replace(review.entry, claim=replace(review.entry.claim, statements=said))
    refill(entry, keep_web=False)
    st.session_state["verify_review_first"] = True


def panel(runner: Runner) -> None:
    """The page between the form and the run."""
    review: Review = st.session_state["verify_reviewing"]
    theme.kicker("Review the statements")
    st.title("What will be checked", anchor=False)
    st.markdown(f"**“{plain(shorten(review.entry.claim.text, 400))}”**")
    if not review.task.ended:
        _wait(review)
    elif review.task.error:
        _failed(review, review.task.error)
    else:
        _statements(runner, review, review.task.result())


def _wait(review: Review) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if review.task.ended:
            st.rerun()
        st.markdown(":blue[:material/clock_loader_40:] :shimmer[Reading the claim …]")
        if st.button("Cancel", key="verify_review_cancel", icon=":material/stop_circle:"):
            _leave(review)
            st.rerun()  # the whole page, as this stands in a fragment

    watch()


def _failed(review: Review, error: Exception) -> None:
    if not isinstance(error, Cancelled):
        said = str(error) if isinstance(error, GhostError) else f"Unexpected {type(error).__name__}: {error}"
        st.error(f"The claim could not be read. {plain(said)}", icon=":material/error:")
    st.markdown("Nothing was searched. Go back to the claim and try again, or check it without a review.")
    _back(review)


def _back(review: Review) -> None:
    st.button(
        "Back to the claim", key="verify_review_back", icon=":material/arrow_back:", on_click=_leave, args=(review,)
    )


def _statements(runner: Runner, review: Review, found: Extracted) -> None:
    if review.rows is None:
        review.put(review.before or found.statements)
    rows = review.rows or []
    st.markdown(f"{theme.TYPES[found.classification.type].badge} :gray[{plain(found.classification.reason)}]")
    if review.before and review.before != found.statements:
        st.caption(":material/history: These are the statements as you last had them for this claim.")
    if not rows:
        st.info(
            "Nothing in it was found to check. Add a statement that evidence can settle, or go back and rephrase the "
            "claim." + (f" {plain(found.classification.rephrase)}" if found.classification.rephrase else ""),
            icon=":material/lightbulb:",
        )
    with st.container(border=True, key="verify_rows"):
        for place, row in enumerate(rows, start=1):
            _row(review, row, place, len(rows))
        with st.container(horizontal=True):
            st.button(
                "Add a statement", key="verify_statement_add", icon=":material/add:", type="tertiary",
                on_click=review.add, disabled=len(rows) >= MAX_STATEMENTS,
            )  # fmt: skip
            if review.take() != found.statements:
                st.button(
                    "As extracted", key="verify_statement_reset", icon=":material/undo:", type="tertiary",
                    help="Bring back the statements as they were found in the claim.",
                    on_click=review.put, args=(found.statements,),
                )  # fmt: skip
    st.caption(
        "Each statement is searched for and decided by itself, the first one first. The run keeps what was extracted "
        "beside what you make of it."
    )
    with st.container(horizontal=True):
        ready = st.button(
            f"Check {'this' if len(rows) == 1 else 'these'}",
            key="verify_review_check", type="primary", icon=":material/fact_check:", disabled=not rows,
        )  # fmt: skip
        _back(review)
    if ready:
        _start(runner, review, found)


def _row(review: Review, row: Row, place: int, of: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.session_state.setdefault(_key(row), row.text)
        st.text_area(
            f"Statement {place}", key=_key(row), max_chars=MAX_STATEMENT_CHARS, height=68, persist_state="session"
        )
        with st.container(horizontal=True, width="content", gap="small"):
            for icon, what, by, off in (
                ("arrow_upward", "up", -1, place == 1),
                ("arrow_downward", "down", 1, place == of),
            ):
                st.button(
                    "", key=f"{_key(row)}_{what}", icon=f":material/{icon}:", type="tertiary", disabled=off,
                    help=f"Move statement {place} {what}", on_click=review.move, args=(row, by),
                )  # fmt: skip
            st.button(
                "", key=f"{_key(row)}_remove", icon=":material/close:", type="tertiary",
                help=f"Remove statement {place}", on_click=review.remove, args=(row,),
            )  # fmt: skip


def _start(runner: Runner, review: Review, found: Extracted) -> None:
    texts, entry = review.take(), review.entry
    if not texts:
        st.warning("There is no statement to check. Write one, or go back to the claim.", icon=":material/edit_note:")
        return
    try:
        claim = replace(entry.claim, statements=texts)
        run_id = runner.start(claim, entry.web, entry.allowed, entry.denied, found)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        del st.session_state["verify_reviewing"]
        started(ONE_CLAIM)
        open_run(run_id)
        st.toast(f"{count(len(texts), 'statement')} will be checked.", icon=":material/fact_check:")
        st.rerun()
