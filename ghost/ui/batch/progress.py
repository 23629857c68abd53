"""One batch: its progress, what can be done with it, and its results."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import BatchEngine, BatchView
from ghost.records import BatchState, ItemState
from ghost.ui.batch.results import results
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.parts import button, open_item, retry_on_error
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "batch"
POLL_SECONDS = 1.0
RESULTS_SECONDS = 4.0
"""The results are redrawn less often than the progress, because people read them."""


def detail(workbench: "Workbench", engine: BatchEngine, batch_id: str) -> None:
    """The batch, or why it cannot be shown."""
    button("All batches", "batch_back", "arrow_back", open_item, PAGE, "batch", "", type="tertiary")
    with retry_on_error("batch_again"):
        if view := engine.snapshot(batch_id):
            _draw(workbench, engine, view)
        else:
            st.title("This batch is not here", anchor=False)
            st.markdown(
                "The link may come from another machine, or the data folder may have changed. Nothing was changed."
            )


def _draw(workbench: "Workbench", engine: BatchEngine, view: BatchView) -> None:
    _heading(view)
    if view.batch.removed:
        st.warning("This batch was removed from the list. Its checks are kept.", icon=":material/inventory_2:")
        button("Restore", "batch_restore", "undo", run_action, PAGE, partial(workbench.batches.restore, view.batch.id),
               "The batch is in the list again.", type="primary")  # fmt: skip
    _watched(engine, view)
    if view.batch.remarks:
        with st.expander("Lines that were not checked", icon=":material/info:", type="compact"):
            for remark in view.batch.remarks:
                st.markdown(plain(remark))

    @st.fragment(run_every=RESULTS_SECONDS if view.running else None)
    def listed() -> None:
        results(workbench, view.batch)

    listed()


def _heading(view: BatchView) -> None:
    batch = view.batch
    parts = [count(view.tally.total, "line")]
    if batch.source:
        parts.append(f"from {plain(shorten(batch.source, 80))}")
    if batch.as_of:
        parts.append(f"evidence up to {theme.day(batch.as_of)}")
    parts.append("with web search" if batch.web else "knowledge base only")
    with st.container(gap="xsmall"):
        theme.kicker(f"Batch · {theme.moment(batch.created_at)}")
        st.title(plain(shorten(batch.name, 120)), anchor=False)
        st.caption(" · ".join(parts))


def _watched(engine: BatchEngine, view: BatchView) -> None:
    """The progress; the whole page is redrawn when the state of the batch changes."""

    @st.fragment(run_every=POLL_SECONDS if view.running else None)
    def watch() -> None:
        try:
            now = engine.snapshot(view.batch.id)
        except StoreError as error:
            theme.show_error(error)
            return
        if now is None or (now.batch.state, now.running) != (view.batch.state, view.running):
            st.rerun()
        with st.container(border=True, key="batch_progress"):
            _progress(now)
            _buttons(engine, now)
        if st.session_state.pop("batch_acted", False):
            st.rerun()  # the notice is drawn outside this fragment

    watch()


def _progress(view: BatchView) -> None:
    tally = view.tally
    stopping = view.item is not None and view.batch.state is not BatchState.RUNNING
    badge = (
        theme.badge("Stopping", "progress_activity", "blue") if stopping else theme.BATCH_STATES[view.batch.state].badge
    )
    st.markdown(" · ".join([f"{badge} **{tally.ended:,} of {tally.total:,}**", *_details(view)]))
    st.progress(tally.ended / tally.total if tally.total else 1.0)
    if view.problem or view.batch.note:
        st.markdown(f":orange[:material/info:] {plain(view.problem or view.batch.note)}")
    if view.item:
        st.caption(f":material/progress_activity: Now: {plain(shorten(view.item.claim, 160))}")
    if view.waits:
        st.caption(f":material/hourglass_empty: Waiting: {plain(view.waits)}.")
    elif view.batch.state is BatchState.RUNNING and not view.here:
        st.caption(":material/computer: Another Ghost on this machine is checking it.")
    if view.running:
        st.caption("You can leave this page. The batch continues, and this address leads back to it.")


def _details(view: BatchView) -> list[str]:
    tally = view.tally
    parts = [f"{tally.of(ItemState.FAILED):,} failed"] if tally.of(ItemState.FAILED) else []
    if tally.of(ItemState.REFUSED):
        parts.append(f"{tally.of(ItemState.REFUSED):,} not checkable")
    if view.running and view.pace is not None and tally.left:
        parts.append(f"{60 / max(view.pace, 0.01):,.0f} per minute")
        parts.append(f"about {_duration(view.seconds_left or 0)} left")
    return parts


def _duration(seconds: float) -> str:
    """``less than a minute``, ``12 min``, ``3 h 20 min``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _buttons(engine: BatchEngine, view: BatchView) -> None:
    state, tally = view.batch.state, view.tally
    waiting = tally.of(ItemState.QUEUED) + tally.of(ItemState.CANCELLED) + tally.of(ItemState.RUNNING)

    def act(action: Callable[[str], object]) -> None:
        st.session_state["batch_acted"] = True
        run_action(PAGE, partial(action, view.batch.id))

    with st.container(horizontal=True):
        if state is BatchState.RUNNING:
            button("Pause", "batch_pause", "pause", act, engine.pause, help="Finishes the current claim first.")
        elif waiting:
            button("Resume", "batch_resume", "play_arrow", act, engine.resume, type="primary")
        if state in (BatchState.RUNNING, BatchState.PAUSED) and waiting:
            note = "Stops now. You can resume later."
            button("Cancel", "batch_cancel", "stop_circle", act, engine.cancel, help=note)
        if state is not BatchState.RUNNING and (failed := tally.of(ItemState.FAILED)):
            button(f"Retry {failed:,} failed", "batch_retry", "refresh", act, engine.retry)
