"""A button that starts a task in the background, with its progress and its result."""

from collections.abc import Callable

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Task, Tasks, failure_text
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

POLL_SECONDS = 0.5


def task_button(
    tasks: Tasks, name: str, label: str, icon: str, work: Callable[[Task[str]], str], note: str = ""
) -> None:
    """The button and what came of the last click; ``name`` is unique, ``label`` and ``note`` are ours."""
    task = tasks.get(name)
    if task and not task.ended:
        _watch(task, name)
        return
    st.button(
        label, key=f"settings_{name}", icon=f":material/{icon}:", help=note or None, on_click=tasks.start,
        args=(name, work),
    )  # fmt: skip
    if task:
        st.markdown(f"{_outcome(task)} :small[:gray[{theme.seconds(task.seconds)}]]")


def _outcome(task: Task[str]) -> str:
    if task.error is None:
        return f"{theme.badge('Done', 'check', 'green')} {plain(shorten(task.result(), 1000))}"
    words = plain(shorten(failure_text(task.error), 1000))
    if isinstance(task.error, Cancelled):
        return f"{theme.badge('Stopped', 'cancel_presentation', 'gray')} {words}"
    return f"{theme.badge('Failed', 'error', 'red')} {words}"


def _watch(task: Task[str], name: str) -> None:
    """The progress, redrawn until the task ends; then the whole page is redrawn."""

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if task.ended:
            st.rerun()
        now = task.progress
        words = plain(shorten(now.what, 100)) or "Working"
        if now.total:
            st.progress(now.share, text=f"{words}: {now.done:,} of {now.total:,}")
        else:
            st.markdown(f":blue[:material/progress_activity:] {words} … {theme.seconds(task.seconds)}")
        st.button(
            "Stopping …" if task.cancelled() else "Stop", key=f"settings_stop_{name}", icon=":material/stop_circle:",
            disabled=task.cancelled(), on_click=task.cancel,
        )  # fmt: skip

    watch()
