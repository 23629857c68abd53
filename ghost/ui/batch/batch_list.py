"""The batches that there are: to open one, and to take one out of the list and back in."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records import Batch, BatchState, Tally
from ghost.ui.batch.detail import bring_back, open_batch
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.records import BatchStore
    from ghost.workbench import Workbench

AT_ONCE = 20
REMOVED_AT_ONCE = 10


def batch_list(workbench: "Workbench") -> None:
    """The batches, newest first, each with how far it is; below them those that were taken out."""
    theme.kicker("Batches")
    try:
        total, gone = workbench.batches.totals()
        part = paging("batch_list_page", total, AT_ONCE)
        found = workbench.batches.list(AT_ONCE, part.offset)
        tallies = workbench.batches.tallies([batch.id for batch in found])
    except StoreError as error:
        st.caption(f"They cannot be read now. {plain(str(error))}")
        return
    _undo(workbench.batches)
    if not total and not gone:
        st.caption("No list was checked yet. Batches will be listed here; they survive closing Ghost.")
    for batch in found:
        _card(workbench.batches, batch, tallies[batch.id])
    part.numbers()
    if gone:
        _removed(workbench.batches, gone)


def _card(store: "BatchStore", batch: Batch, tally: Tally) -> None:
    look = theme.BATCH_STATES[batch.state]
    with st.container(border=True, gap="small", key=f"batch_card_{batch.id}"):
        st.button(
            plain(shorten(batch.name, 80)), key=f"batch_open_{batch.id}", type="tertiary",
            icon=":material/chevron_right:", icon_position="right", on_click=open_batch, args=(batch.id,),
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(
                f"{look.badge} :small[{tally.ended:,} of {tally.total:,} · {theme.day(batch.created_at)}]",
                width="content",
            )
            if batch.state is not BatchState.RUNNING:
                st.button(
                    "Remove", key=f"batch_remove_{batch.id}", icon=":material/playlist_remove:", type="tertiary",
                    on_click=_remove, args=(store, batch), help="Takes it out of this list; its checks stay.",
                )  # fmt: skip


def _removed(store: "BatchStore", gone: int) -> None:
    """What was taken out of the list, folded, each with the way back."""
    with st.expander(f"Removed ({gone:,})", key="batch_removed_list", icon=":material/inventory_2:", type="compact"):
        part = paging("batch_removed_page", gone, REMOVED_AT_ONCE)
        try:
            found = store.removed(REMOVED_AT_ONCE, part.offset)
        except StoreError as error:
            st.caption(f"They cannot be read now. {plain(str(error))}")
            return
        for batch in found:
            name = plain(shorten(batch.name, 60))
            with st.container(border=True, gap="xxsmall", key=f"batch_gone_{batch.id}"):
                st.button(name, key=f"batch_gone_open_{batch.id}", type="tertiary", on_click=open_batch,
                          args=(batch.id,))  # fmt: skip
                st.button("Bring back", key=f"batch_back_{batch.id}", icon=":material/undo:", on_click=bring_back,
                          args=(store, batch.id), help=f"Puts “{name}” into the list again.")  # fmt: skip
        part.numbers()


def _remove(store: "BatchStore", batch: Batch) -> None:
    try:
        store.remove(batch.id)
    except StoreError as error:
        st.session_state["batch_trouble"] = str(error)
    else:
        st.session_state["batch_removed"] = (batch.id, batch.name)


def _undo(store: "BatchStore") -> None:
    if trouble := st.session_state.pop("batch_trouble", ""):
        st.error(plain(trouble), icon=":material/error:")
    if removed := st.session_state.get("batch_removed"):
        batch_id, name = removed
        with st.container(border=True, gap="small"):
            st.markdown(f"“{plain(shorten(name, 60))}” was taken out of the list. Its checks stay.")
            with st.container(horizontal=True):
                st.button(
                    "Undo", key="batch_undo", icon=":material/undo:", on_click=bring_back, args=(store, batch_id),
                )  # fmt: skip
                st.button(
                    "Dismiss", key="batch_dismiss", type="tertiary", help="It stays under “Removed” below.",
                    on_click=lambda: st.session_state.pop("batch_removed", None),
                )  # fmt: skip
