"""The progress of a task with a button that stops it, redrawn until the task ends."""

from typing import Any

import streamlit as st

from ghost.jobs import Task
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

POLL_SECONDS = 0.5


def task_progress(task: Task[Any], cancel_key: str, words: str = "Working") -> None:
    """Draw the progress; the whole page is redrawn when the task ends. Without a key it cannot be stopped."""

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if task.ended:
            st.rerun()
        now = task.progress
        doing = plain(shorten(now.what or words, 160))
        if now.total:
            st.progress(now.share, text=f"{doing}: {now.done:,} of {now.total:,}")
        else:
            st.markdown(f":blue[:material/progress_activity:] {doing} … {theme.seconds(task.seconds)}")
        if cancel_key:
            st.button(
                "Stopping …" if task.cancelled() else "Cancel", key=cancel_key, icon=":material/stop_circle:",
                disabled=task.cancelled(), on_click=task.cancel,
            )  # fmt: skip

    watch()
