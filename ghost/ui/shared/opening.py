"""Progress while the knowledge base is opened, shown to the visitors who wait for it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

POLL_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of long work and its progress."""

    what: str = ""
    done: int = 0
    total: int = 0


class Opening:
    """The progress of opening. The whole server has one, since all visitors wait for the same."""

    def __init__(self) -> None:
        self.ready = False
        """Whether it is open, so that nothing has to be shown."""
        self._step = Step()

    @property
    def step(self) -> Step:
        """The current piece of work."""
        return self._step

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress; called from the thread that opens."""
        self._step = Step(what, done, total)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Draw the progress while the block runs, and remove it afterwards.

        A thread of its own draws it: Streamlit would cache what the opening thread draws with what it opens, and would
        stop the opening when a visitor leaves.
        """
        if self.ready:
            yield
            return
        place, done = st.empty(), threading.Event()
        drawing = threading.Thread(target=self._draw, args=(place, done), name="opening", daemon=True)
        add_script_run_ctx(drawing, get_script_run_ctx())
        drawing.start()
        try:
            yield
            self.ready = True
        finally:
            done.set()
            drawing.join()
            self._step = Step()
            place.empty()

    def _draw(self, place: DeltaGenerator, done: threading.Event) -> None:
        drawn = Step()
        while not done.wait(POLL_SECONDS):
            step = self._step
            if step != drawn and step.total:
                place.progress(min(1.0, step.done / step.total), f"{step.what}: {step.done:,} of {step.total:,}")
                drawn = step
