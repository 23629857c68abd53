"""Section Readings: how you read passages, with an undo for each, and all of them as training pairs."""

import streamlit as st

from ghost.records import PassageReading, latest_readings, training_pairs
from ghost.reports import READINGS
from ghost.ui.knowledge.selection import PAGE
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download
from ghost.ui.shared.text import plain, shorten

SHOWN = 20


def section(workbench: Workbench) -> None:
    """The readings, newest first."""
    st.header("Your readings", anchor=False)
    st.markdown(
        "How you read passages, in place of Ghost. A reading counts in every later check of the same statement "
        "and, reversed, of its opposite, until the passage is edited. To add one, open a check and click *Supports*, "
        "*Contradicts* or *Neither* below a passage."
    )
    made = workbench.readings.store.all()
    if not made:
        st.info("You have not corrected a reading yet.", icon=":material/rate_review:")
        return
    pairs = b"".join(training_pairs(made))
    download(
        "Export as training pairs", pairs, "readings.jsonl", "application/jsonl", "knowledge_readings_export",
        disabled=not pairs, help="JSON Lines: claim, evidence, label. Without those that you have undone or replaced.",
    )  # fmt: skip
    latest = {reading.id for reading in latest_readings(made)}
    part = paging("knowledge_readings_page", len(made), SHOWN)
    for reading in made[part.offset : part.offset + SHOWN]:
        _reading(workbench, reading, reading.id in latest)
    part.numbers()


def _reading(workbench: Workbench, r: PassageReading, counts: bool) -> None:
    with st.container(border=True, gap="small", key=f"knowledge_reading_{r.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            was = f":gray[Ghost: {READINGS.get(r.machine, 'off topic')} · {theme.moment(r.at)}]"
            st.markdown(f"{theme.STANCES[r.label].badge} **{plain(shorten(r.statement, 200))}** {was}", width="stretch")
            if not counts:
                state = ("Replaced by a newer one", "history") if r.stands else ("Undone", "undo")
                st.markdown(theme.badge(*state, "gray"), width="content")
            words, icon = ("Undo", "undo") if r.stands else ("Restore", "redo")
            button(words, f"knowledge_reading_set_{r.id}", icon, _set, workbench, r)
        st.markdown(plain(shorten(r.text, 600)))
        st.page_link("pages/verify.py", label="Open the check", icon=":material/fact_check:",
                     query_params={"run": r.run_id})  # fmt: skip


def _set(workbench: Workbench, r: PassageReading) -> None:
    """Undo a reading, or let it stand again. For callbacks."""
    text = f"{'Undone' if r.stands else 'Restored'}. Its check was decided again."
    readings = workbench.readings
    run_action(PAGE, lambda: readings.set(r.id, not r.stands), text, lambda: readings.set(r.id, r.stands), "undo")
