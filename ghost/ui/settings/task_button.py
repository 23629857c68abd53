"""A button that starts a task in the background, with its progress and its result."""

from collections.abc import Callable

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Task, Tasks, failure_text
from ghost.ui.shared import theme
from ghost.ui.shared.parts import button
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
    button(label, f"settings_{name}", icon, tasks.start, name, work, help=note or None)
    if task:
        badge = ("Done", "check", "green")
        if task.error:
            stopped = isinstance(task.error, Cancelled)
            badge = ("Stopped", "cancel_presentation", "gray") if stopped else ("Failed", "error", "red")
        words = plain(shorten(failure_text(task.error) if task.error else task.result(), 1000))
        st.markdown(f"{theme.badge(*badge)} {words} :small[:gray[{theme.seconds(task.seconds)}]]")
