"""Parts that many pages are made of: buttons, tables, rows of figures, charts with their figures, and what is open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.errors import Cancelled, GhostError
from ghost.jobs import Task, Tasks, failure_text
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Figure, Row, Table, Target
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench as Workbench
else:
    Workbench = Any  # not imported, so that a broken installation can still draw a page

Act = Callable[..., Any]
"""What a click calls."""


def button(label: str, key: str, icon: str = "", act: Act | None = None, *args: Any, **more: Any) -> bool:
    """A button with an icon; a click calls ``act`` with ``args``. ``more`` is as for ``st.button``."""
    return st.button(label, key=key, icon=f":material/{icon}:" if icon else None, on_click=act, args=args, **more)


def details_button(key: str, act: Act, *args: Any) -> None:
    """A button that leads to all about one entry of a list."""
    button("Details", key, "chevron_right", act, *args, type="tertiary", icon_position="right")


def download(label: str, data: Any, name: str, mime: str, key: str, **more: Any) -> None:
    """A download; ``data`` may be a function, which then makes the file on the click, in a thread of its own."""
    st.download_button(label, data, name, mime, key=key, icon=":material/download:", on_click="ignore", **more)


def table(rows: Sequence[Mapping[str, str]]) -> None:
    """A table of Markdown."""
    st.table(rows, border="horizontal", hide_index=True)


def metrics(key: str, items: Sequence[tuple[str, str, str]], width: int = 160) -> None:
    """A row of figures: label, value and note."""
    with st.container(horizontal=True, key=key):
        for label, value, note in items:
            st.metric(label, value, help=note or None, border=True, width=width)


@contextmanager
def retry_on_error(key: str, note: str = "") -> Iterator[None]:
    """Draw an error of the block with a button to try again, instead of raising it."""
    try:
        yield
    except GhostError as error:
        theme.show_error(error)
        if note:
            st.caption(note)
        button("Try again", key, "refresh")


def opened(page: str, param: str) -> str:
    """The id of what is open on a page, kept in the address and, for a switch of pages, in the session."""
    key = f"{page}_open"
    if param in st.query_params:
        st.session_state[key] = st.query_params[param]
    elif st.session_state.setdefault(key, ""):
        st.query_params[param] = st.session_state[key]
    return str(st.session_state[key])


def open_item(page: str, param: str, item_id: str) -> None:
    """Open this; an empty id leads back to the list. For callbacks."""
    st.session_state[f"{page}_open"] = item_id
    if item_id:
        st.query_params[param] = item_id
    else:
        st.query_params.pop(param, None)


def untitled(drawn: Figure) -> Figure:
    """A figure without a title of its own, for a card whose heading says it."""
    layout = drawn["layout"]
    return {**drawn, "layout": layout | {"title": None, "margin": layout["margin"] | {"t": 28}}}


def chart_card(
    key: str, heading: str, says: str, drawn: Figure | None, alt: str, head: Sequence[str], rows: Sequence[Row], *,
    targets: Callable[[dict[str, Any]], Target | None] | None = None, linked: int = 12, note: str = "",
) -> None:  # fmt: skip
    """A chart below a heading and a sentence, with its figures as links and as a file; ``None`` draws no chart.

    ``head`` names the columns of the file, ``targets`` says where a click on a point leads.
    """
    with charts.card(key, heading, says):
        if drawn:
            charts.follow(charts.draw(untitled(drawn), key, alt, targets))
        name = key.partition("_")[2].replace("_", "-")
        charts.figures_below(Table(name, head, rows, linked), key)
        if note:
            st.caption(note)


def task_button(
    tasks: Tasks, name: str, label: str, icon: str, work: Callable[[Task[str]], str], note: str = ""
) -> None:
    """A button that starts a task in the background, its progress, and what came of the last click.

    ``name`` is unique; ``label`` and ``note`` are ours.
    """
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
