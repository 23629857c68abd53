"""What memory has on a topic: what is used, what is left out, and why."""

from collections.abc import Sequence

import streamlit as st

from ghost.types import Recalled
from ghost.ui.research.badges import COLLECTIONS
from ghost.ui.shared.text import coloured, plain, shorten

MOST = 12
"""Memories of one collection that are listed."""


def recalled_section(recalled: Sequence[Recalled]) -> None:
    """The memories by collection, folded; those in use come first."""
    used = sum(memory.used for memory in recalled)
    title = f"Memory · {used} of {len(recalled)} used" if recalled else "Memory"
    with st.expander(title, icon=":material/inventory_2:", key="research_recalled"):
        if not recalled:
            st.caption("Memory has nothing on this topic. What this research finds is kept for the next one.")
        for collection, badge in COLLECTIONS.items():
            found = sorted((m for m in recalled if m.collection is collection), key=lambda m: (not m.used, -m.score))
            if found:
                st.markdown(f"{badge.sign} **{badge.word}** :gray[{sum(m.used for m in found)} used]")
            for memory in found[:MOST]:
                sign = ":green[:material/check:]" if memory.used else ":gray[:material/remove:]"
                st.markdown(
                    f":small[{sign} {plain(shorten(memory.text, 120))}]  \n"
                    f"{coloured('small', shorten(memory.why, 200))} :small[:gray[similarity {memory.score:.2f}]]"
                )
            if len(found) > MOST:
                st.caption(f"And {len(found) - MOST:,} more.")
