"""Marking a source of a report as bad: the passage, so that no check finds it again, or its whole domain."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import RunView
from ghost.knowledge import DOMAIN_MARK, MARKED_CREDIBILITY, PASSAGE_MARK
from ghost.records import MAX_REVIEW_NOTE
from ghost.reports import EvidenceCard
from ghost.types import SourceMark
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, open_dialog, run_action, submit
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "verify"


class MarkSource:
    """Draws, at the foot of a card, the marks on its source, and the button that marks it as bad."""

    def __init__(self, workbench: "Workbench", view: RunView) -> None:
        self._workbench = workbench
        self._view = view
        names = {name for e in view.evidence for name in (e.passage.id, e.passage.domain) if name}
        try:
            self._marks = workbench.reviews.marks_of(sorted(names))
        except StoreError:
            self._marks = {}  # the review section shows the error

    def __call__(self, card: EvidenceCard) -> None:
        passage = card.main.passage
        marks = [m for m in (self._marks.get(passage.id), self._marks.get(passage.domain)) if m]
        for mark in marks:
            self._marked(mark, card.number)
        # A search snippet is not in the knowledge base, so only its domain can be marked.
        can = [PASSAGE_MARK] * (not passage.snippet) + [DOMAIN_MARK] * bool(passage.domain)
        targets = [target for target in can if target not in {mark.target for mark in marks}]
        if not targets:
            return
        name = f"mark {card.number} {self._view.run_id}"
        st.button(
            "Mark as bad", key=f"verify_mark_{card.number}", type="tertiary", icon=":material/block:",
            help=f"Keep passage {card.number} or its site out of later checks.",
            on_click=open_dialog, args=(PAGE, name),
        )  # fmt: skip
        if is_open(PAGE, name):
            _dialog(self._workbench, self._view, card, targets)

    def _marked(self, mark: SourceMark, number: int) -> None:
        what = "This passage" if mark.target == PASSAGE_MARK else plain(mark.name)
        with st.container(gap=None):
            st.markdown(
                f":orange[:material/block: **{what} is marked as bad**]: {plain(shorten(mark.reason, 300))} "
                f":gray[:small[{theme.moment(mark.at)}]]"
            )
            st.button(
                "Undo", key=f"verify_unmark_{number}_{mark.target}", type="tertiary", icon=":material/undo:",
                on_click=run_action, args=(PAGE, lambda: self._workbench.marks.undo(mark), "The mark was removed."),
            )  # fmt: skip


@st.dialog("Mark a source as bad", icon=":material/block:", on_dismiss=closing(PAGE))
def _dialog(workbench: "Workbench", view: RunView, card: EvidenceCard, targets: Sequence[str]) -> None:
    passage = card.main.passage
    words = {
        PASSAGE_MARK: "This passage: no later check finds it",
        DOMAIN_MARK: f"All of {plain(passage.domain)}: credibility {MARKED_CREDIBILITY:g} in later checks",
    }
    st.markdown(f"**{plain(shorten(passage.source_name, 80))}**  \n{plain(shorten(passage.text, 240))}")
    st.caption("This report keeps the evidence it was made with. You can undo this at any time.")
    with st.form("verify_mark_form", border=False):
        target = st.radio("What is bad", list(targets), key="verify_mark_target", format_func=words.__getitem__)
        reason = st.text_area(
            "Why",
            key="verify_mark_reason",
            max_chars=MAX_REVIEW_NOTE,
            placeholder="For example: satire, retracted, made up.",
        )
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
