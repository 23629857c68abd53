"""What is going on while the knowledge base is opened, for the visitors who wait for it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

LOOK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Step:
    """Long work, and how far it is."""

    what: str = ""
    done: int = 0
    total: int = 0


class Opening:
    """How far the opening is. One for the whole server, since whoever comes meanwhile waits for the same."""

    def __init__(self) -> None:
        self.ready = False
        """Whether it is open: then nothing has to be shown."""
        self._step = Step()

    @property
    def step(self) -> Step:
        """What is being done now."""
        return self._step

    def progress(self, what: str, done: int, total: int) -> None:
        """Note what is being done; called from the thread that opens."""
        self._step = Step(what, done, total)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Draw the progress while the block runs, and take it away afterwards.

        Drawn by a thread of its own: what the opening thread draws would be kept with what it opens, and would end the
        opening when a visitor leaves.
        """
        if self.ready:
            yield
            return
        place, over = st.empty(), threading.Event()
        drawing = threading.Thread(target=self._draw, args=(place, over), name="opening", daemon=True)
        add_script_run_ctx(drawing, get_script_run_ctx())
        drawing.start()
        try:
            yield
            self.ready = True
        finally:
            over.set()
            drawing.join()
            self._step = Step()
            place.empty()

    def _draw(self, place: DeltaGenerator, over: threading.Event) -> None:
        drawn = Step()
        while not over.wait(LOOK_SECONDS):
            step = self._step
            if step != drawn and step.total:
                place.progress(min(1.0, step.done / step.total), f"{step.what}: {step.done:,} of {step.total:,}")
                drawn = step


OPENING = Opening()
