"""The progress of work in the background with a button that stops it, redrawn until it ends."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ghost.jobs import Progress, Task
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

POLL_SECONDS = 0.5


def task_progress(task: Task[Any], cancel_key: str, words: str = "Working") -> None:
    """Draw the progress; the whole page is redrawn when the task ends. Without a key it cannot be stopped."""

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if task.ended:
            st.rerun()
        progress_line(task.progress, task.seconds, words)
        if cancel_key:
            cancel_button(cancel_key, task.cancelled(), task.cancel)

    watch()


def progress_line(now: Progress, seconds: float, words: str) -> None:
    """A bar where it is known how much there is to do, else what is being done (``words`` where nothing says so)."""
    doing = plain(shorten(now.what or words, 160))
    if now.total:
        st.progress(now.share, text=f"{doing}: {now.done:,} of {now.total:,}")
    else:
        st.markdown(f":blue[:material/progress_activity:] {doing} … {theme.seconds(seconds)}")


def cancel_button(key: str, cancelling: bool, cancel: Callable[[], None]) -> None:
    """Asks the work to stop, once."""
    st.button(
        "Stopping …" if cancelling else "Cancel", key=key, icon=":material/stop_circle:", disabled=cancelling,
        on_click=cancel,
    )  # fmt: skip
