"""Section Quarantine: passages that wait for a decision, with the reason."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import PassageFilter
from ghost.types import Passage, Status
from ghost.ui.knowledge.form import open_form
from ghost.ui.knowledge.selection import (
    facts_line,
    open_passage,
    run_change,
    select_all_box,
    select_box,
    toolbar,
)
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import capitalized, coloured, count, plain, shorten
from ghost.ui.shared.theme import source_line

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
            "Nothing is waiting. Passages that look like instructions to an AI, cannot be read, or come from a source "
            "below the minimum credibility wait here until you decide.",
            icon=":material/verified_user:",
        )
        return
    st.markdown(
        "Checks do not use these passages. Accept the good ones and reject the rest. A rejected passage is retired, so "
        "the same text does not come back."
    )
    part = paging("knowledge_quarantine_page", total, PAGE)
    waiting = workbench.knowledge.list(WAITING, PAGE, part.offset)
    why = workbench.knowledge.why_quarantined([p.id for p in waiting])
    st.caption(f"{part.offset + 1:,} to {part.offset + len(waiting):,} of {count(total, 'passage')}, newest first")
    curation = workbench.knowledge.curation
    select_all_box("quarantine", [p.id for p in waiting])
    for p in waiting:
        _card(workbench, p, why.get(p.id, ""))
    toolbar(workbench, "quarantine", [("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)])
    part.numbers()


def _card(workbench: "Workbench", p: Passage, why: str) -> None:
    curation = workbench.knowledge.curation
    title = shorten(p.title, 120) if p.title != p.source_name else ""
    with st.container(border=True, gap="small", key=f"knowledge_card_{p.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            select_box("quarantine", p.id, shorten(p.text, 60))
            st.markdown(f"**{plain(shorten(p.source_name, 80))}** {coloured('gray', title)}")
        st.markdown(plain(p.text))
        reason = f"{plain(capitalized(why))}." if why else "No reason was stored."
        st.markdown(f":orange[:material/shield: **Reason:**] {reason}")
        source_line(p.source_url)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(facts_line(p), width="stretch")
            for word, icon, action in (("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)):
                st.button(
                    word, key=f"knowledge_{word.lower()}_{p.id}", icon=f":material/{icon}:", on_click=run_change,
                    args=(workbench, lambda action=action: action([p.id])),
                )  # fmt: skip
            st.button("Edit first", key=f"knowledge_mend_{p.id}", icon=":material/edit:", on_click=_edit, args=(p.id,))
            st.button(
                "Details", key=f"knowledge_open_{p.id}", type="tertiary", icon=":material/chevron_right:",
                icon_position="right", on_click=open_passage, args=(p.id,),
            )  # fmt: skip


def _edit(passage_id: str) -> None:
    open_passage(passage_id)
    open_form(passage_id)
