"""Section Quarantine: what waits for the analyst, why, and accepting or rejecting it."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import PassageFilter
from ghost.types import Passage, Status
from ghost.ui.knowledge import selection
from ghost.ui.knowledge.passage import open_passage, passage_card
from ghost.ui.knowledge.passage_form import open_form
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 10
WAITING = PassageFilter(status=Status.QUARANTINED)


def section(workbench: "Workbench") -> None:
    """The queue, newest first."""
    st.header("Quarantine", anchor=False)
    total = workbench.knowledge.count(WAITING)
    if not total:
        st.info(
            "Nothing waits. What reads like an order to an AI, cannot be read, or comes from a source below the least "
            "credibility is put here instead of among the evidence, until you have looked at it.",
            icon=":material/verified_user:",
        )
        return
    st.markdown(
        "These passages are not found when a claim is checked. Accept what is sound; reject what is not. Rejecting "
        "retires a passage, so that the same text does not come back."
    )
    pages = -(-total // PAGE)
    page = selection.page_of("quarantine", pages)
    waiting = workbench.knowledge.list(WAITING, PAGE, (page - 1) * PAGE)
    why = workbench.knowledge.why_quarantined([p.id for p in waiting])
    first = (page - 1) * PAGE + 1
    st.caption(f"{first:,} to {first + len(waiting) - 1:,} of {count(total, 'passage')}, the newest first")
    curation = workbench.knowledge.curation
    selection.toolbar(
        workbench, "quarantine", [p.id for p in waiting],
        [("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)],
    )  # fmt: skip
    for each in waiting:
        passage_card(each, "quarantine", lambda p: _why(p, why.get(p.id, "")), lambda p: _buttons(workbench, p))
    if pages > 1:
        selection.pages("quarantine", page, pages)


def _why(p: Passage, why: str) -> None:
    reason = f"{plain(why[:1].upper() + why[1:])}." if why else "Nobody noted why."
    st.markdown(f":orange[:material/shield: **Why it waits:**] {reason}")
    theme.source_line(p.source_url)


def _buttons(workbench: "Workbench", p: Passage) -> None:
    curation = workbench.knowledge.curation
    st.button(
        "Accept", key=f"knowledge_accept_{p.id}", icon=":material/check:", on_click=selection.run_change,
        args=(workbench, lambda: curation.restore([p.id]),),
    )  # fmt: skip
    st.button(
        "Reject", key=f"knowledge_reject_{p.id}", icon=":material/archive:", on_click=selection.run_change,
        args=(workbench, lambda: curation.retire([p.id]),),
    )  # fmt: skip
    st.button("Edit first", key=f"knowledge_mend_{p.id}", icon=":material/edit:", on_click=_edit, args=(p.id,))


def _edit(passage_id: str) -> None:
    open_passage(passage_id)
    open_form(passage_id)
