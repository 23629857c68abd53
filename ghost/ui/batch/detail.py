"""One batch: how far it is, what can be done with it, and its results."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError, StoreError
from ghost.jobs import BatchEngine, BatchView
from ghost.records import BatchState, ItemState
from ghost.ui.batch.results import results
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.records import BatchStore
    from ghost.workbench import Workbench

POLL_SECONDS = 1.0
RESULTS_SECONDS = 4.0
"""The list of results is drawn anew less often than the progress: it is what somebody reads."""


def opened() -> str:
    """The batch that is looked at, kept in the address bar and, for a switch of pages, in the visit."""
    st.session_state.setdefault("batch_open", "")
    if "batch" in st.query_params:
        st.session_state["batch_open"] = st.query_params["batch"]
    elif st.session_state["batch_open"]:
        st.query_params["batch"] = st.session_state["batch_open"]
    return str(st.session_state["batch_open"])


def open_batch(batch_id: str) -> None:
    """Show this batch from now on; an empty id leads back to the form."""
    st.session_state["batch_open"] = batch_id
    if batch_id:
        st.query_params["batch"] = batch_id
    else:
        st.query_params.pop("batch", None)


def detail(workbench: "Workbench", engine: BatchEngine, batch_id: str) -> None:
    """The page of one batch; says so when nobody knows it or the store cannot be read."""
    st.button(
        "All batches", key="batch_back", type="tertiary", icon=":material/arrow_back:", on_click=open_batch, args=("",)
    )
    try:
        view = engine.snapshot(batch_id)
    except StoreError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="batch_again", icon=":material/refresh:")
        return
    if view is None:
        st.title("This batch is not here", anchor=False)
        st.markdown("The link may come from another machine, or the data folder has changed. Nothing was changed.")
        return
    _heading(view)
    if view.batch.removed:
        _removed(workbench.batches, batch_id)
    _watched(engine, view)
    if view.batch.remarks:
        with st.expander("What was left out of the list", icon=":material/info:"):
            for remark in view.batch.remarks:
                st.markdown(plain(remark))

    @st.fragment(run_every=RESULTS_SECONDS if view.running else None)
    def listed() -> None:
        results(workbench, view.batch)

    listed()


def bring_back(store: "BatchStore", batch_id: str) -> None:
    """Put a batch into the list again; for callbacks."""
    try:
        store.restore(batch_id)
    except StoreError as error:
        st.session_state["batch_trouble"] = str(error)
    else:
        if st.session_state.get("batch_removed", ("",))[0] == batch_id:
            st.session_state.pop("batch_removed")


def _removed(store: "BatchStore", batch_id: str) -> None:
    st.warning("This batch was taken out of the list. Its checks are where they were.", icon=":material/inventory_2:")
    st.button(
        "Bring back", key="batch_restore", icon=":material/undo:", type="primary", on_click=bring_back,
        args=(store, batch_id),
    )  # fmt: skip


def _heading(view: BatchView) -> None:
    batch = view.batch
    parts = [count(view.tally.total, "line")]
    if batch.source:
        parts.append(f"from {plain(shorten(batch.source, 80))}")
    if batch.as_of:
        parts.append(f"evidence up to {theme.day(batch.as_of)} only")
    parts.append("web search on" if batch.web else "knowledge base only, no web search")
    with st.container(gap="xsmall"):
        theme.kicker(f"Batch · {theme.moment(batch.created_at)}")
        st.title(plain(shorten(batch.name, 120)), anchor=False)
        st.caption(" · ".join(parts))


def _watched(engine: BatchEngine, view: BatchView) -> None:
    """The card with the progress; draws the whole page anew when the batch goes into another state."""

    @st.fragment(run_every=POLL_SECONDS if view.running else None)
    def watch() -> None:
        try:
            now = engine.snapshot(view.batch.id)
        except StoreError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        if now is None or (now.batch.state, now.running) != (view.batch.state, view.running):
            st.rerun()
        with st.container(border=True, key="batch_progress"):
            _progress(now)
            _buttons(engine, now)
            if trouble := st.session_state.pop("batch_trouble", ""):
                st.error(plain(trouble), icon=":material/error:")

    watch()


def _progress(view: BatchView) -> None:
    look, tally = theme.BATCH_STATES[view.batch.state], view.tally
    stopping = view.item is not None and view.batch.state is not BatchState.RUNNING
    badge = theme.badge("Stopping", "progress_activity", "blue") if stopping else look.badge
    st.markdown(" · ".join([f"{badge} **{tally.ended:,} of {tally.total:,}**", *_parts(view)]))
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
        st.caption("You can leave this page, or close it: the batch goes on, and this address leads back to it.")


def _parts(view: BatchView) -> list[str]:
    tally = view.tally
    parts = [f"{tally.of(ItemState.FAILED):,} failed"] if tally.of(ItemState.FAILED) else []
    if tally.of(ItemState.REFUSED):
        parts.append(f"{tally.of(ItemState.REFUSED):,} not checkable")
    if view.running and view.pace is not None and tally.left:
        parts.append(f"{60 / max(view.pace, 0.01):,.0f} a minute")
        parts.append(f"about {duration(view.seconds_left or 0)} left")
    return parts


def duration(seconds: float) -> str:
    """``less than a minute``, ``12 min``, ``3 h 20 min``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _buttons(engine: BatchEngine, view: BatchView) -> None:
    state, tally, batch_id = view.batch.state, view.tally, view.batch.id
    waiting = tally.of(ItemState.QUEUED) + tally.of(ItemState.CANCELLED) + tally.of(ItemState.RUNNING)
    with st.container(horizontal=True):
        if state is BatchState.RUNNING:
            _button("Pause", "pause", engine.pause, batch_id, note="The claim at work is finished first.")
        elif waiting:
            _button("Resume", "play_arrow", engine.resume, batch_id, primary=True)
        if state in (BatchState.RUNNING, BatchState.PAUSED) and waiting:
            _button("Cancel", "stop_circle", engine.cancel, batch_id, note="Stops now. You can resume it later.")
        if state is not BatchState.RUNNING and (failed := tally.of(ItemState.FAILED)):
            _button(f"Retry {failed:,} failed", "refresh", engine.retry, batch_id)


def _button(
    label: str, icon: str, act: Callable[[str], object], batch_id: str, *, primary: bool = False, note: str = ""
) -> None:
    st.button(
        label, key=f"batch_{label.split()[0].lower()}", icon=f":material/{icon}:", help=note or None,
        type="primary" if primary else "secondary", on_click=_do, args=(act, batch_id),
    )  # fmt: skip


def _do(act: Callable[[str], object], batch_id: str) -> None:
    try:
        act(batch_id)
    except GhostError as error:
        st.session_state["batch_trouble"] = str(error)
