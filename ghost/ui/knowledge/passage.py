"""A passage as a card in a list."""

from collections.abc import Callable

import streamlit as st

from ghost.types import Passage, Status
from ghost.ui.knowledge import selection
from ghost.ui.shared import theme
from ghost.ui.shared.text import coloured, count, plain, shorten


def open_passage(passage_id: str) -> None:
    """Show this passage; an empty id leads back to where the visitor came from."""
    st.query_params.pop("form", None)
    if passage_id:
        st.query_params["passage"] = passage_id
    else:
        st.query_params.pop("passage", None)
        if not st.query_params:
            st.query_params["section"] = "browse"


def passage_card(
    passage: Passage,
    section: str,
    more: Callable[[Passage], None] | None = None,
    buttons: Callable[[Passage], None] | None = None,
) -> None:
    """A passage in a list of a section, to be ticked and opened.

    A section that draws ``more`` below the text shows the whole of it; ``buttons`` stand before the way to the details.
    """
    with st.container(border=True, gap="small", key=f"knowledge_card_{passage.id}"):
        st.markdown(f"**{plain(shorten(passage.source_name, 80))}** {coloured('gray', _title(passage))}")
        st.markdown(plain(passage.text if more else shorten(passage.text, 500)))
        if more:
            more(passage)
        with st.container(horizontal=True, vertical_alignment="center"):
            selection.tick(section, passage.id)
            st.caption(facts_line(passage), width="stretch")
            if buttons:
                buttons(passage)
            st.button(
                "Details", key=f"knowledge_open_{passage.id}", type="tertiary", icon=":material/chevron_right:",
                icon_position="right", on_click=open_passage, args=(passage.id,),
            )  # fmt: skip


def facts_line(p: Passage) -> str:
    """What one wants to know of a passage at a glance."""
    look = theme.PASSAGE_STATUSES[p.status]
    status = [] if p.status is Status.ACTIVE else [f":{look.colour}[:material/{look.icon}: {look.word}]"]
    return " · ".join(
        [
            *status,
            theme.stars(p.credibility, p.rated),
            theme.dated(p),
            f"Used in {count(p.verification_count, 'check')}" if p.verification_count else "Never used",
        ]
    )


def _title(passage: Passage) -> str:
    return shorten(passage.title, 120) if passage.title != passage.source_name else ""
