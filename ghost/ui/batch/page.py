"""The Batch page: one batch, or the form for a new one beside the list of batches."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import BatchEngine
from ghost.records import Batch, BatchState, BatchStore, Tally
from ghost.ui.batch import form
from ghost.ui.batch.progress import PAGE, detail
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action, show_notice
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import button, open_item, opened
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

AT_ONCE = 20
REMOVED_AT_ONCE = 10


def batch_page(workbench: "Workbench", engine: BatchEngine) -> None:
    """What the address asks for."""
    batch_id = opened(PAGE, "batch")
    show_notice(PAGE)
    if batch_id:
        detail(workbench, engine, batch_id)
        return
    left, right = st.columns([2, 1], gap="large")
    with left:
        form.section(workbench, engine)
    with right:
        with st.container(border=True):
            theme.kicker("How batches work")
            st.markdown(
                ":blue[:material/playlist_add_check:] Each different claim is checked once, in the order of the "
                "list.\n\n"
                ":blue[:material/play_circle:] It runs in the background and can be paused. Your own checks go "
                "first.\n\n"
                ":blue[:material/power_settings_new:] If Ghost is closed, you can resume the batch later.\n\n"
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
