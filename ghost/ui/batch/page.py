"""The Batch page: one batch with its progress and results, or the form for a new one beside the list of batches."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import BatchEngine, BatchView
from ghost.records import Batch, BatchState, BatchStore, ItemState, Tally
from ghost.ui.batch import form
from ghost.ui.batch.results import results
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action, show_notice
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, open_item, opened, retry_on_error
from ghost.ui.shared.sharing import WAITING, shared_records, waiting
from ghost.ui.shared.text import count, plain, shorten

PAGE = "batch"
POLL_SECONDS = 1.0
RESULTS_SECONDS = 4.0
"""The results are redrawn less often than the progress, because people read them."""
AT_ONCE = 20
REMOVED_AT_ONCE = 10


def batch_page(workbench: Workbench, engine: BatchEngine) -> None:
    """What the address asks for."""
    batch_id = opened(PAGE, "batch")
    show_notice(PAGE)
    if batch_id:
        _detail(workbench, engine, batch_id)
        return
    left, right = st.columns([2, 1], gap="large")
    with left:
        form.section(workbench, engine)
    with right:
        with st.container(border=True):
            theme.kicker("How batches work")
            closed = "The workers go on when you close this page."
            if not shared_records(workbench):
                closed = "If Ghost is closed, you can resume the batch later."
            st.markdown(
                ":blue[:material/playlist_add_check:] Each different claim is checked once, in the order of the "
                "list.\n\n"
                ":blue[:material/play_circle:] It runs in the background and can be paused. Your own checks go "
                "first.\n\n"
                f":blue[:material/power_settings_new:] {closed}\n\n"
                ":blue[:material/download:] Export the results as CSV or JSONL together with your own columns."
            )
        theme.kicker("Batches")
        try:
            _batches(workbench.batches)
        except StoreError as error:
            st.caption(f"The list cannot be read. {plain(str(error))}")


def _batches(store: BatchStore) -> None:
    """The batches, newest first, with their progress, and below them the removed ones."""
    total, removed = store.totals()
    part = paging("batch_list_page", total, AT_ONCE)
    found = store.list(AT_ONCE, part.offset)
    tallies = store.tallies([batch.id for batch in found])
    if not total and not removed:
        st.caption("No batches yet. They will be listed here and survive a restart.")
    for batch in found:
        _card(store, batch, tallies[batch.id])
    part.numbers()
    if not removed:
        return
    with st.expander(f"Removed ({removed:,})", key="batch_removed_list", icon=":material/inventory_2:", type="compact"):
        part = paging("batch_removed_page", removed, REMOVED_AT_ONCE)
        for batch in store.removed(REMOVED_AT_ONCE, part.offset):
            name = plain(shorten(batch.name, 60))
            with st.container(border=True, gap="xxsmall", key=f"batch_gone_{batch.id}"):
                button(name, f"batch_gone_open_{batch.id}", "", open_item, PAGE, "batch", batch.id, type="tertiary")
                button(
                    "Restore", f"batch_back_{batch.id}", "undo", run_action, PAGE, partial(store.restore, batch.id),
                    f"“{name}” is in the list again.", partial(store.remove, batch.id),
                )  # fmt: skip
        part.numbers()


def _card(store: BatchStore, batch: Batch, tally: Tally) -> None:
    with st.container(border=True, gap="xsmall", key=f"batch_card_{batch.id}"):
        button(plain(shorten(batch.name, 80)), f"batch_open_{batch.id}", "chevron_right", open_item, PAGE, "batch",
               batch.id, type="tertiary", icon_position="right")  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            ended = f"{tally.ended:,} of {tally.total:,} · {theme.day(batch.created_at)}"
            st.markdown(f"{theme.BATCH_STATES[batch.state].badge} :small[{ended}]", width="content")
            if batch.state is not BatchState.RUNNING:
                text = f"“{plain(shorten(batch.name, 60))}” was removed from the list. Its checks are kept."
                button(
                    "Remove", f"batch_remove_{batch.id}", "playlist_remove", run_action, PAGE,
                    partial(store.remove, batch.id), text, partial(store.restore, batch.id), type="tertiary",
                    help="Removes it from this list. Its checks are kept.",
                )  # fmt: skip


def _detail(workbench: Workbench, engine: BatchEngine, batch_id: str) -> None:
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


def _draw(workbench: Workbench, engine: BatchEngine, view: BatchView) -> None:
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
        st.caption(f":material/hourglass_empty: {_waits(view.waits)}.")
    elif view.batch.state is BatchState.RUNNING and not view.here:
        st.caption(":material/computer: Another Ghost on this machine is checking it.")
    if view.running:
        st.caption("You can leave this page. The batch continues, and this address leads back to it.")


def _waits(why: str) -> str:
    return WAITING if waiting(why) == WAITING else f"Waiting: {plain(why)}"


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
