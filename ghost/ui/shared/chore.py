"""A button that starts work in the background, with how far it is and what came of it."""

import streamlit as st

from ghost.jobs import Chore, Chores, ChoreState, Work
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

POLL_SECONDS = 0.5

_ENDS = {
    ChoreState.DONE: theme.Badge("Done", "check", "green"),
    ChoreState.FAILED: theme.Badge("Failed", "error", "red"),
    ChoreState.CANCELLED: theme.Badge("Stopped", "cancel_presentation", "gray"),
}


def chore_button(chores: Chores, name: str, label: str, icon: str, work: Work, note: str = "") -> None:
    """The button with what it started; ``label`` and ``note`` are ours, ``name`` is a key that is unique."""
    chore = chores.snapshot(name)
    if chore and chore.running:
        _watched(chores, name)
        return

    def begin() -> None:
        chores.start(name, work)

    st.button(label, key=f"settings_{name}", icon=f":material/{icon}:", help=note or None, on_click=begin)
    if chore:
        badge = _ENDS[chore.state]
        st.markdown(f"{badge.badge} {plain(shorten(chore.said, 1000))} :small[:gray[{theme.seconds(chore.seconds)}]]")


def _watched(chores: Chores, name: str) -> None:
    """How far it is, again and again until it ends; then the page is drawn anew."""

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        chore = chores.snapshot(name)
        if chore is None or not chore.running:
            st.rerun()
        _progress(chores, chore)

    watch()


def _progress(chores: Chores, chore: Chore) -> None:
    words = plain(shorten(chore.what, 100)) or "At work"
    if chore.total:
        st.progress(min(1.0, chore.done / chore.total), text=f"{words}: {chore.done:,} of {chore.total:,}")
    else:
        st.markdown(f":blue[:material/progress_activity:] {words} … {theme.seconds(chore.seconds)}")
    st.button(
        "Stopping …" if chore.cancelling else "Stop", key=f"settings_stop_{chore.name}", icon=":material/stop_circle:",
        disabled=chore.cancelling, on_click=chores.cancel, args=(chore.name,),
    )  # fmt: skip
