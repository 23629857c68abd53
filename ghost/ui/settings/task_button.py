"""A button that starts a task in the background, with its progress and its result."""

from collections.abc import Callable

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Task, Tasks, failure_text
from ghost.ui.shared import theme
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import plain, shorten


def task_button(
    tasks: Tasks, name: str, label: str, icon: str, work: Callable[[Task[str]], str], note: str = ""
) -> None:
    """The button and what came of the last click; ``name`` is unique, ``label`` and ``note`` are ours."""
    task = tasks.get(name)
    if task and not task.ended:
        task_progress(task, f"settings_stop_{name}")
        return

    def start() -> None:
        tasks.start(name, work)

    st.button(label, key=f"settings_{name}", icon=f":material/{icon}:", help=note or None, on_click=start)
    if task:
        st.markdown(f"{_outcome(task)} :small[:gray[{theme.seconds(task.seconds)}]]")


def _outcome(task: Task[str]) -> str:
    if task.error is None:
        return f"{theme.badge('Done', 'check', 'green')} {plain(shorten(task.result(), 1000))}"
    words = plain(shorten(failure_text(task.error), 1000))
    if isinstance(task.error, Cancelled):
        return f"{theme.badge('Stopped', 'cancel_presentation', 'gray')} {words}"
    return f"{theme.badge('Failed', 'error', 'red')} {words}"
