"""The workbench and its runner, opened once for all visitors; its progress, and the page that is shown if it fails."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from config import ConfigError, load_settings
from ghost.errors import (
    GhostError,
    ModelError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from ghost.jobs import Asker, BatchEngine, Jobs, ResearchJobs, Runner, Tasks, open_jobs
from ghost.ui.shared.text import plain
from ghost.ui.shared.theme import page

if TYPE_CHECKING:
    from ghost.workbench import Workbench

POLL_SECONDS = 0.25


class Opening:
    """The progress of opening. The whole server has one, since all visitors wait for the same."""

    def __init__(self) -> None:
        self.ready = False
        """Whether it is open, so that nothing has to be shown."""
        self._step = ("", 0, 0)

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress; called from the thread that opens."""
        self._step = (what, done, total)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Draw the progress while the block runs, and remove it afterwards.

        A thread of its own draws it: Streamlit would cache what the opening thread draws with what it opens, and would
        stop the opening when a visitor leaves.
        """
        if self.ready:
            yield
            return
        place, ended = st.empty(), threading.Event()
        drawing = threading.Thread(target=self._draw, args=(place, ended), name="opening", daemon=True)
        add_script_run_ctx(drawing, get_script_run_ctx())
        drawing.start()
        try:
            yield
            self.ready = True
        finally:
            ended.set()
            drawing.join()
            self._step = ("", 0, 0)
            place.empty()

    def _draw(self, place: DeltaGenerator, ended: threading.Event) -> None:
        drawn = self._step
        while not ended.wait(POLL_SECONDS):
            what, done, total = step = self._step
            if step != drawn and total:
                place.progress(min(1.0, done / total), f"{what}: {done:,} of {total:,}")
                drawn = step


OPENING = Opening()


@dataclass(frozen=True, slots=True)
class Opened:
    """What the pages work with."""

    workbench: "Workbench"
    runner: Runner
    batches: BatchEngine
    asker: Asker
    research: ResearchJobs
    tasks: Tasks
    """Background tasks of the Settings page."""
    jobs: Jobs
    """All of them but the tasks."""


_OPEN: list[Opened] = []
"""What ``opened`` has opened, for the end of the process: Streamlit may have dropped its cache by then."""


def end(hurry: threading.Event) -> None:
    """Finish what runs within the grace period, store the rest as interrupted, and let go of the stores.

    To be called once the pages are served no longer. Waits for nothing once ``hurry`` is set.
    """
    for opened in _OPEN.copy():
        opened.jobs.finish(opened.workbench.settings.grace_seconds, hurry)
        with suppress(StoreError):  # then the next start does it
            opened.workbench.interrupt()
        close(opened)


def close(opened: Opened) -> None:
    """Stop the runs and let go of the stores."""
    OPENING.ready = False
    if opened in _OPEN:
        _OPEN.remove(opened)
    opened.tasks.close()
    opened.jobs.close()
    opened.workbench.close()


def open_workbench() -> "Workbench":
    """The workbench that the environment describes."""
    from ghost.workbench import build  # here, so that a broken installation is drawn as a page too

    workbench = build(load_settings(), progress=OPENING.progress)
    workbench.get_ready()  # while a page is drawn again and again, an import takes many times as long
    # Streamlit looks through all objects after each rerun. These stay as long as the program runs, and looking through
    # them would take longer than most pages do.
    gc.collect()
    gc.freeze()
    return workbench


@st.cache_resource(
    show_spinner="Opening the knowledge base. The first start also fills it, which takes some seconds.",
    on_release=close,
)
def opened() -> Opened:
    """Workbench and runner; a failure is raised and not remembered, so the next rerun tries again."""
    workbench = open_workbench()
    jobs = open_jobs(workbench)
    made = Opened(workbench, jobs.runner, jobs.batches, jobs.asker, jobs.research, Tasks(), jobs)
    _OPEN.append(made)
    return made


def ready() -> Opened:
    """What is open, for a page; draws what is wrong and ends the script when it cannot be opened."""
    _through_app()
    try:
        with OPENING.shown():
            return opened()
    except Exception as error:  # the page must say something useful whatever breaks at the start
        _draw_failure(error)
        st.stop()


def _through_app() -> None:
    """Start a visit again from ``app.py`` when Streamlit has begun it on a page alone.

    Until ``st.navigation`` was called once in a server's life, Streamlit takes a folder ``pages/`` as its older
    multi-page style and runs the page without our navigation, page width and title. Only at the beginning of a
    visit, because starting again forgets what was clicked.
    """
    first = not st.session_state.get("entry_done")
    st.session_state["entry_done"] = True
    if first and PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


_MODEL_KEPT = "Your knowledge base and your runs are untouched."
_FAILURES: tuple[tuple[type[Exception], str, str], ...] = (
    (ConfigError, "A setting cannot be used", "Nothing was opened or changed."),
    (StoreBusyError, "The knowledge base is in use", "Nothing was opened or changed."),
    (StoreDamagedError, "A stored file is damaged", "Ghost has not touched the file."),
    (StoreFullError, "The disk is full", "What was stored before is kept."),
    (StoreReadOnlyError, "The folder cannot be written", "What was stored before is kept."),
    (StoreError, "The knowledge base could not be opened", "What was stored before is kept."),
    (ModelError, "A model could not be loaded", _MODEL_KEPT),
    (GhostError, "Ghost could not start", _MODEL_KEPT),
)


def _draw_failure(error: Exception) -> None:
    """What happened, what was kept, and what to do, with a button to try again."""
    known = next(((title, kept) for kind, title, kept in _FAILURES if isinstance(error, kind)), None)
    title, kept = known or ("Ghost could not start", "Your knowledge base and your runs were left as they are.")
    text = str(error) if known else f"Unexpected {type(error).__name__}: {error}"
    with page(), st.container(width=720):
        st.header(title, icon=":material/build_circle:", anchor=False)
        with st.container(border=True):
            for line in text.splitlines():
                st.markdown(plain(line))
        st.caption(kept)
        st.button("Try again", key="resources_retry", icon=":material/refresh:", type="primary")
