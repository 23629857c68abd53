"""What the analyst says about a run: a verdict of their own, errors, and a list of both that can be undone."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import RunView
from ghost.records import MAX_REVIEW_NOTE, ReviewEntry
from ghost.reports import ERROR_KINDS, confidence
from ghost.types import ErrorKind, ErrorReport, Label, Override, Review, SourceMark, Verdict
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, open_dialog, run_action, submit
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "verify"
LABELS: tuple[Label, ...] = tuple(Label)


def review_of(workbench: "Workbench", run_id: str) -> Review:
    """The current review of a run; empty when it cannot be read now, which the list of the review says."""
    try:
        return workbench.reviews.of(run_id)
    except StoreError:
        return Review()


def review_buttons(workbench: "Workbench", view: RunView, verdict: Verdict, review: Review) -> None:
    """The buttons under a verdict, with their dialogs."""
    override, error = f"override {view.run_id}", f"error {view.run_id}"
    with st.container(horizontal=True, key="verify_actions"):
        st.button(
            "Change your verdict" if review.override else "Disagree? Record your own verdict", key="verify_override",
            icon=":material/gavel:", on_click=open_dialog, args=(PAGE, override),
        )  # fmt: skip
        st.button(
            "Report an error", key="verify_report_error", icon=":material/flag:", type="tertiary",
            on_click=open_dialog, args=(PAGE, error),
        )  # fmt: skip
    if is_open(PAGE, override):
        _override_dialog(workbench, view, verdict, review)
    elif is_open(PAGE, error):
        _error_dialog(workbench, view)


@st.dialog("Your verdict", icon=":material/gavel:", on_dismiss=closing(PAGE))
def _override_dialog(workbench: "Workbench", view: RunView, verdict: Verdict, review: Review) -> None:
    badge = theme.VERDICTS[verdict.label]
    sure = f" ({confidence(verdict.confidence)})" if verdict.confidence is not None else ""
    st.markdown(
        f"Ghost says :{badge.colour}[:material/{badge.icon}: **{badge.word}**]{sure}. Yours is shown first, in every "
        "list, report and export, with Ghost's beside it."
    )
    chosen = review.override.label if review.override else verdict.label
    with st.form("verify_override_form", border=False):
        label = st.radio(
            "Your verdict", LABELS, index=LABELS.index(chosen), key="verify_override_label",
            format_func=lambda each: f":material/{theme.VERDICTS[each].icon}: {theme.VERDICTS[each].word}",
            captions=[theme.VERDICTS[each].note for each in LABELS],
        )  # fmt: skip
        reason = st.text_area(
            "Why", key="verify_override_reason", max_chars=MAX_REVIEW_NOTE,
            placeholder="What did Ghost miss or misread? Optional when you confirm its verdict.",
        )  # fmt: skip
        sent = st.form_submit_button("Save my verdict", key="verify_override_keep", type="primary")

    def override() -> Result:
        made = workbench.reviews.override(view.run_id, label, reason)
        word = theme.VERDICTS[made.label].word
        text = f"You confirmed **{word}**." if made.label is verdict.label else f"Your verdict is **{word}**."
        return f"{text} Ghost's verdict is kept beside it.", lambda: workbench.reviews.withdraw(made.id)

    if sent:
        submit(PAGE, override)


@st.dialog("Report an error in this verdict", icon=":material/flag:", on_dismiss=closing(PAGE))
def _error_dialog(workbench: "Workbench", view: RunView) -> None:
    st.markdown("Your report is saved with this check, on this machine, and is part of its reports and exports.")
    with st.form("verify_error_form", border=False):
        kind = st.radio("What is wrong", tuple(ErrorKind), key="verify_error_kind", format_func=ERROR_KINDS.__getitem__)
        note = st.text_area(
            "Note", key="verify_error_note", max_chars=MAX_REVIEW_NOTE,
            placeholder="For example: passage 2 is about the year 2019, the claim about 2024.",
        )  # fmt: skip
        sent = st.form_submit_button("Save this report", key="verify_error_keep", type="primary")

    def report() -> Result:
        made = workbench.reviews.report_error(view.run_id, kind or ErrorKind.OTHER, note)
        return f"Error noted: {ERROR_KINDS[made.kind].lower()}.", lambda: workbench.reviews.withdraw(made.id)

    if sent:
        submit(PAGE, report)


def review_list(workbench: "Workbench", run_id: str) -> None:
    """Every verdict, error and mark of the analyst, the newest first, each with a way to undo or redo it."""
    try:
        acts = workbench.reviews.acts(run_id)
    except StoreError as error:
        st.caption(f"Your review of this check cannot be read now. {plain(str(error))}")
        return
    if not acts:
        return
    number = sum(act.stands for act in acts)
    with st.expander(f"Your review · {number}", icon=":material/gavel:", key="verify_review"):
        for act in acts:
            _act(workbench, act)


def _act(workbench: "Workbench", act: ReviewEntry) -> None:
    icon, words, note = _described(act.what)
    with st.container(gap=None):
        head = f"**{words}**" if act.stands else f":gray[~~{words}~~ withdrawn]"
        st.markdown(f":material/{icon}: {head}" + (f"  \n{plain(shorten(note, 600))}" if note else ""))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(theme.moment(act.what.at), width="content")
            if act.stands or not isinstance(act.what, SourceMark):
                word, sign = ("Withdraw", "undo") if act.stands else ("Restore", "redo")
                st.button(
                    word, key=f"verify_act_{act.what.id}", type="tertiary", icon=f":material/{sign}:",
                    help=f"{word}: {words}", on_click=_toggle, args=(workbench, act),
                )  # fmt: skip


def _toggle(workbench: "Workbench", act: ReviewEntry) -> None:
    what, reviews = act.what, workbench.reviews
    if isinstance(what, SourceMark):
        run_action(PAGE, partial(workbench.marks.undo, what), "The mark was removed, and the source is as before.")
        return
    withdraw, restore = partial(reviews.withdraw, what.id), partial(reviews.reinstate, what.id)
    if act.stands:
        run_action(PAGE, withdraw, "Withdrawn.", restore)
    else:
        run_action(PAGE, restore, "Restored.", withdraw)


def _described(what: Override | ErrorReport | SourceMark) -> tuple[str, str, str]:
    """Icon, words and note of an act."""
    if isinstance(what, Override):
        return "gavel", f"Your verdict: {theme.VERDICTS[what.label].word}", what.reason
    if isinstance(what, ErrorReport):
        return "flag", ERROR_KINDS[what.kind], what.note
    source = "A passage" if what.target == "passage" else plain(shorten(what.name, 60))
    return "block", f"{source} marked as bad", what.reason
