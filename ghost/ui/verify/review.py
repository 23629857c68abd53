"""What the analyst says about a run: a verdict of their own, errors, bad sources, and a list that can be undone."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import RunView
from ghost.knowledge import DOMAIN_MARK, MARKED_CREDIBILITY, PASSAGE_MARK
from ghost.records import MAX_REVIEW_NOTE, ReviewEntry
from ghost.reports import ERROR_KINDS, EvidenceCard, confidence, source
from ghost.types import ErrorKind, ErrorReport, Label, Override, Review, SourceMark, Verdict
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, open_dialog, run_action, submit
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.sharing import records_place
from ghost.ui.shared.text import plain, shorten
from ghost.ui.verify.visit import PAGE

LABELS: tuple[Label, ...] = tuple(Label)


def review_of(workbench: Workbench, run_id: str) -> Review:
    """The current review of a run; empty when it cannot be read now, which the list of the review says."""
    try:
        return workbench.reviews.of(run_id)
    except StoreError:
        return Review()


def review_buttons(workbench: Workbench, view: RunView, verdict: Verdict, review: Review) -> None:
    """The buttons under a verdict, with their dialogs."""
    override, error = f"override {view.run_id}", f"error {view.run_id}"
    with st.container(horizontal=True, key="verify_actions"):
        button(
            "Change your verdict" if review.override else "Disagree? Record your own verdict", "verify_override",
            "gavel", open_dialog, PAGE, override,
        )  # fmt: skip
        button("Report an error", "verify_report_error", "flag", open_dialog, PAGE, error, type="tertiary")
    if is_open(PAGE, override):
        _override_dialog(workbench, view, verdict, review)
    elif is_open(PAGE, error):
        _error_dialog(workbench, view)


@st.dialog("Your verdict", icon=":material/gavel:", on_dismiss=closing(PAGE))
def _override_dialog(workbench: Workbench, view: RunView, verdict: Verdict, review: Review) -> None:
    badge = theme.VERDICTS[verdict.label]
    sure = f" ({found})" if (found := confidence(verdict)) else ""
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
        hint = "What did Ghost miss or misread? Optional when you confirm its verdict."
        reason = _note_field("Why", "verify_override_reason", hint)
        sent = st.form_submit_button("Save my verdict", key="verify_override_keep", type="primary")

    def override() -> Result:
        made = workbench.reviews.override(view.run_id, label, reason)
        word = theme.VERDICTS[made.label].word
        text = f"You confirmed **{word}**." if made.label is verdict.label else f"Your verdict is **{word}**."
        return f"{text} Ghost's verdict is kept beside it.", lambda: workbench.reviews.withdraw(made.id)

    if sent:
        submit(PAGE, override)


@st.dialog("Report an error in this verdict", icon=":material/flag:", on_dismiss=closing(PAGE))
def _error_dialog(workbench: Workbench, view: RunView) -> None:
    kept = records_place(workbench)
    st.markdown(f"Your report is saved with this check, {kept}, and is part of its reports and exports.")
    with st.form("verify_error_form", border=False):
        kind = st.radio("What is wrong", tuple(ErrorKind), key="verify_error_kind", format_func=ERROR_KINDS.__getitem__)
        hint = "For example: passage 2 is about the year 2019, the claim about 2024."
        note = _note_field("Note", "verify_error_note", hint)
        sent = st.form_submit_button("Save this report", key="verify_error_keep", type="primary")

    def report() -> Result:
        made = workbench.reviews.report_error(view.run_id, kind or ErrorKind.OTHER, note)
        return f"Error noted: {ERROR_KINDS[made.kind].lower()}.", lambda: workbench.reviews.withdraw(made.id)

    if sent:
        submit(PAGE, report)


def _note_field(label: str, key: str, placeholder: str) -> str:
    return st.text_area(label, key=key, max_chars=MAX_REVIEW_NOTE, placeholder=placeholder)


def review_list(workbench: Workbench, run_id: str) -> None:
    """Every verdict, error and mark of the analyst, the newest first, each with a way to undo or redo it."""
    with theme.store_errors_noted("Your review of this check cannot be read now."):
        if acts := workbench.reviews.acts(run_id):
            number = sum(act.stands for act in acts)
            with st.expander(f"Your review · {number}", icon=":material/gavel:", key="verify_review"):
                for act in acts:
                    _act(workbench, act)


def _act(workbench: Workbench, act: ReviewEntry) -> None:
    icon, words, note = _described(act.what)
    with st.container(gap=None):
        head = f"**{words}**" if act.stands else f":gray[~~{words}~~ withdrawn]"
        st.markdown(f":material/{icon}: {head}" + (f"  \n{plain(shorten(note, 600))}" if note else ""))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(theme.moment(act.what.at), width="content")
            if act.stands or not isinstance(act.what, SourceMark):
                word, sign = ("Withdraw", "undo") if act.stands else ("Restore", "redo")
                button(
                    word, f"verify_act_{act.what.id}", sign, _toggle, workbench, act, type="tertiary",
                    help=f"{word}: {words}",
                )  # fmt: skip


def _toggle(workbench: Workbench, act: ReviewEntry) -> None:
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
    source = "A passage" if what.target == PASSAGE_MARK else plain(shorten(what.name, 60))
    return "block", f"{source} marked as bad", what.reason


def source_marks(workbench: Workbench, view: RunView) -> Callable[[EvidenceCard], None]:
    """Draws, at the foot of a card, the marks on its source, and the button that marks it as bad."""
    names = {name for e in view.evidence for name in (e.passage.id, e.passage.domain) if name}
    try:
        known = workbench.reviews.marks_of(sorted(names))
    except StoreError:
        known = {}  # the list of the review shows the error

    def draw(card: EvidenceCard) -> None:
        passage, number = card.main.passage, card.number
        marks = [m for m in (known.get(passage.id), known.get(passage.domain)) if m]
        for mark in marks:
            _marked(workbench, mark, number)
        # A search snippet is not in the knowledge base, so only its domain can be marked.
        can = [PASSAGE_MARK] * (not passage.snippet) + [DOMAIN_MARK] * bool(passage.domain)
        if targets := [target for target in can if target not in {mark.target for mark in marks}]:
            name = f"mark {number} {view.run_id}"
            button(
                "Mark as bad", f"verify_mark_{number}", "block", open_dialog, PAGE, name, type="tertiary",
                help=f"Keep passage {number} or its site out of later checks.",
            )  # fmt: skip
            if is_open(PAGE, name):
                _mark_dialog(workbench, view, card, targets)

    return draw


def _marked(workbench: Workbench, mark: SourceMark, number: int) -> None:
    what = "This passage" if mark.target == PASSAGE_MARK else plain(mark.name)
    with st.container(gap=None):
        st.markdown(
            f":orange[:material/block: **{what} is marked as bad**]: {plain(shorten(mark.reason, 300))} "
            f":gray[:small[{theme.moment(mark.at)}]]"
        )
        button(
            "Undo", f"verify_unmark_{number}_{mark.target}", "undo", run_action, PAGE,
            lambda: workbench.marks.undo(mark), "The mark was removed.", type="tertiary",
        )  # fmt: skip


@st.dialog("Mark a source as bad", icon=":material/block:", on_dismiss=closing(PAGE))
def _mark_dialog(workbench: Workbench, view: RunView, card: EvidenceCard, targets: Sequence[str]) -> None:
    passage = card.main.passage
    words = {
        PASSAGE_MARK: "This passage: no later check finds it",
        DOMAIN_MARK: f"All of {plain(passage.domain)}: credibility {MARKED_CREDIBILITY:g} in later checks",
    }
    st.markdown(f"**{plain(shorten(source(passage), 120))}**  \n{plain(shorten(passage.text, 240))}")
    st.caption("This report keeps the evidence it was made with. You can undo this at any time.")
    with st.form("verify_mark_form", border=False):
        target = st.radio("What is bad", list(targets), key="verify_mark_target", format_func=words.__getitem__)
        reason = _note_field("Why", "verify_mark_reason", "For example: satire, retracted, made up.")
        sent = st.form_submit_button("Mark as bad", key="verify_mark_keep", type="primary")

    def mark() -> Result:
        if target == PASSAGE_MARK:
            made = workbench.marks.passage(view.run_id, passage.id, reason)
            text = "The passage was retired"
        else:
            made = workbench.marks.domain(view.run_id, passage.domain, reason)
            text = f"{plain(passage.domain)} counts less from now on"
        return f"{text}. This report stays as it is.", lambda: workbench.marks.undo(made)

    if sent:
        submit(PAGE, mark)
