"""What the analyst says of a run: a verdict of their own, an error, and all of it as a list that can be taken back."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError, StoreError
from ghost.jobs import RunView
from ghost.records import MAX_REVIEW_NOTE, ReviewEntry
from ghost.reports import ERROR_KINDS, confidence
from ghost.types import ErrorKind, ErrorReport, Label, Override, Review, SourceMark, Verdict
from ghost.ui.shared import flash, theme
from ghost.ui.shared.dialogs import close_dialog, closing, is_open, open_dialog
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "verify"
LABELS: tuple[Label, ...] = tuple(Label)
KINDS: tuple[ErrorKind, ...] = tuple(ErrorKind)


def review_of(workbench: "Workbench", run_id: str) -> Review:
    """What stands about a run; nothing when it cannot be read now, which the list of the review says."""
    try:
        return workbench.reviews.of(run_id)
    except StoreError:
        return Review()


def actions(workbench: "Workbench", view: RunView, verdict: Verdict, review: Review) -> None:
    """The buttons under a verdict."""
    with st.container(horizontal=True, key="verify_actions"):
        words = "Change your verdict" if review.override else "Give your verdict"
        st.button(
            words, key="verify_override", icon=":material/gavel:", on_click=open_dialog,
            args=(PAGE, f"override {view.run_id}"),
        )  # fmt: skip
        st.button(
            "Report an error", key="verify_report_error", icon=":material/flag:", on_click=open_dialog,
            args=(PAGE, f"error {view.run_id}"),
        )  # fmt: skip
    if is_open(PAGE, f"override {view.run_id}"):
        _override(workbench, view, verdict, review)
    elif is_open(PAGE, f"error {view.run_id}"):
        _report_error(workbench, view)


@st.dialog("Your verdict", icon=":material/gavel:", on_dismiss=closing(PAGE))
def _override(workbench: "Workbench", view: RunView, verdict: Verdict, review: Review) -> None:
    look = theme.VERDICTS[verdict.label]
    sure = f" ({confidence(verdict.confidence)})" if verdict.confidence is not None else ""
    st.markdown(
        f"Ghost says :{look.colour}[:material/{look.icon}: **{look.word}**]{sure}. Yours is shown first, in every "
        "list, report and export. Ghost's own is kept beside it."
    )
    chosen = review.override.label if review.override else verdict.label
    with st.form("verify_override_form", border=False):
        label = st.radio(
            "Your verdict",
            LABELS,
            index=LABELS.index(chosen),
            key="verify_override_label",
            format_func=lambda each: f":material/{theme.VERDICTS[each].icon}: {theme.VERDICTS[each].word}",
            captions=[theme.VERDICTS[each].note for each in LABELS],
        )
        reason = st.text_area(
            "Why",
            key="verify_override_reason",
            max_chars=MAX_REVIEW_NOTE,
            placeholder="What did Ghost miss or misread? May be empty when you confirm its verdict.",
        )
        sent = st.form_submit_button("Keep my verdict", key="verify_override_keep", type="primary")
    if not sent:
        return
    try:
        made = workbench.reviews.override(view.run_id, label, reason)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    mine = theme.VERDICTS[made.label]
    words = f"You confirmed **{mine.word}**." if made.label is verdict.label else f"Your verdict is **{mine.word}**."
    flash.say(PAGE, f"{words} Ghost's own is kept beside it.", lambda: workbench.reviews.withdraw(made.id))
    close_dialog(PAGE)
    st.rerun()


@st.dialog("Report an error in this verdict", icon=":material/flag:", on_dismiss=closing(PAGE))
def _report_error(workbench: "Workbench", view: RunView) -> None:
    st.markdown("Your report is kept with this check, on this machine, and stands in its reports and exports.")
    with st.form("verify_error_form", border=False):
        kind = st.radio("What is wrong", KINDS, key="verify_error_kind", format_func=ERROR_KINDS.__getitem__)
        note = st.text_area(
            "Note",
            key="verify_error_note",
            max_chars=MAX_REVIEW_NOTE,
            placeholder="For example: passage 2 speaks of the year 2019, the claim of 2024.",
        )
        sent = st.form_submit_button("Keep this report", key="verify_error_keep", type="primary")
    if not sent:
        return
    try:
        made = workbench.reviews.report_error(view.run_id, kind, note)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    flash.say(PAGE, f"Error noted: {ERROR_KINDS[made.kind].lower()}.", lambda: workbench.reviews.withdraw(made.id))
    close_dialog(PAGE)
    st.rerun()


def review_list(workbench: "Workbench", run_id: str) -> None:
    """Everything that was ever said of the run, the newest first, each with a way to take it back or bring it back."""
    try:
        acts = workbench.reviews.acts(run_id)
    except StoreError as error:
        st.caption(f"What you said of this check cannot be read now. {plain(str(error))}")
        return
    if not acts:
        return
    with st.container(border=True, key="verify_review"):
        theme.kicker("What you said")
        for act in acts:
            _act(workbench, act)


def _act(workbench: "Workbench", act: ReviewEntry) -> None:
    icon, words, note = _told(act.what)
    with st.container(gap=None):
        head = f"**{words}**" if act.stands else f":gray[~~{words}~~ taken back]"
        st.markdown(f":material/{icon}: {head}" + (f"  \n{plain(shorten(note, 600))}" if note else ""))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(theme.moment(act.what.at), width="content")
            if act.stands or not isinstance(act.what, SourceMark):
                deed, sign = ("Take back", "undo") if act.stands else ("Bring back", "redo")
                st.button(
                    deed, key=f"verify_act_{act.what.id}", type="tertiary", icon=f":material/{sign}:",
                    help=f"{deed}: {words}", on_click=_turn, args=(workbench, act),
                )  # fmt: skip


def _turn(workbench: "Workbench", act: ReviewEntry) -> None:
    """Take an act back or bring it back."""
    what, reviews = act.what, workbench.reviews
    if isinstance(what, SourceMark):
        flash.attempt(PAGE, lambda: workbench.marks.undo(what), "The mark was taken back, and the source is as before.")
    elif act.stands:
        flash.attempt(PAGE, lambda: reviews.withdraw(what.id), "Taken back.", lambda: reviews.reinstate(what.id))
    else:
        flash.attempt(PAGE, lambda: reviews.reinstate(what.id), "Brought back.", lambda: reviews.withdraw(what.id))


def _told(what: Override | ErrorReport | SourceMark) -> tuple[str, str, str]:
    """Icon, words and note of an act."""
    if isinstance(what, Override):
        return "gavel", f"Your verdict: {theme.VERDICTS[what.label].word}", what.reason
    if isinstance(what, ErrorReport):
        return "flag", ERROR_KINDS[what.kind], what.note
    source = "A passage" if what.target == "passage" else plain(shorten(what.name, 60))
    return "block", f"{source} marked as bad", what.reason
