"""How a passage really reads: one click corrects Ghost and decides the check again."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import READINGS, EvidenceCard
from ghost.types import Evidence, StanceLabel
from ghost.ui.shared.actions import notify, run_action
from ghost.ui.shared.parts import Workbench
from ghost.ui.verify.visit import PAGE

_WORDS = {StanceLabel.SUPPORTS: "Supports", StanceLabel.REFUTES: "Contradicts", StanceLabel.NEUTRAL: "Neither"}


def reading_control(workbench: Workbench, view: RunView) -> Callable[[EvidenceCard], None]:
    """Draws, on a card, how its passage reads for each statement; nothing where the check has no verdict."""

    def draw(card: EvidenceCard) -> None:
        for e in card.all if view.verdict else ():
            key = f"verify_reads_{e.number}_{e.statement}"
            now = e.correction.label if e.correction else card.stances_for(e)[0]  # what the badge of the card says
            st.session_state[key] = now if now in _WORDS else StanceLabel.NEUTRAL
            of = f" for statement {e.statement}" if len(card.all) > 1 else ""
            st.segmented_control(
                f"How passage {e.number} really reads{of}", list(_WORDS), key=key, required=True, wrap=True,
                format_func=_WORDS.__getitem__, label_visibility="visible" if of else "collapsed", on_change=_correct,
                args=(workbench, view, e, key),
            )  # fmt: skip

    return draw


def _correct(workbench: Workbench, view: RunView, e: Evidence, key: str) -> None:
    label: StanceLabel = st.session_state[key]

    def correct() -> None:
        made = workbench.readings.add(view.run_id, e.passage.id, e.statement, label)
        run = workbench.runs.get(view.run_id)
        text = f"Passage {e.number} {READINGS[label]} the statement, as you read it."
        if run and run.verdict and view.verdict:
            word = "still" if run.verdict.label is view.verdict.label else "now"
            text += f" The verdict is {word} **{run.verdict.label}**."
        notify(PAGE, text, partial(workbench.readings.set, made.id, False), "rate_review")

    run_action(PAGE, correct)
