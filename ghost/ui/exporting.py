"""Passages to take along: which, and in what form."""

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge.packs.export import FORMATS, export
from ghost.knowledge.values import PassageFilter
from ghost.types import Origin, SourceType, Status
from ghost.ui import theme
from ghost.ui.text import clean, count

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_FORMS = {"jsonl": "JSON Lines", "csv": "CSV"}


def export_card(bench: "Workbench") -> None:
    """The filter, how many pass it, and the file."""
    st.header("Export", anchor=False)
    with st.container(border=True, key="exporting_card"):
        form = st.segmented_control(
            "Form", list(_FORMS), default="jsonl", key="exporting_form", required=True,
            format_func=lambda form: _FORMS[form],
            help="JSON Lines has everything and can be imported again. CSV is for spreadsheets: what they would take "
            "for a formula has an apostrophe before it.",
        )  # fmt: skip
        narrow = _filter()
        found = bench.knowledge.count(narrow)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                f"Download {count(found, 'passage')}",
                lambda: b"".join(export(bench.knowledge, form or "jsonl", narrow)),
                f"ghost-passages-{date.today().isoformat()}.{form or 'jsonl'}",
                FORMATS[form or "jsonl"],
                key="exporting_download",
                icon=":material/download:",
                disabled=not found,
                on_click="ignore",
            )
            if found > 5_000:
                st.caption("The file is made when you click; that takes some seconds.", width="content")


def _filter() -> PassageFilter:
    columns = st.columns(3)
    status = columns[0].selectbox(
        "Status", list(Status), index=None, key="exporting_status", placeholder="Any", persist_state="session",
        format_func=lambda value: theme.PASSAGE_STATUSES[value].word,
    )  # fmt: skip
    origin = columns[1].selectbox(
        "Origin", list(Origin), index=None, key="exporting_origin", placeholder="Any", persist_state="session",
        format_func=lambda value: theme.ORIGINS[value].word,
    )  # fmt: skip
    kind = columns[2].selectbox(
        "Kind of source", list(SourceType), index=None, key="exporting_kind", placeholder="Any",
        format_func=lambda value: theme.SOURCE_TYPES[value].capitalize(), persist_state="session",
    )  # fmt: skip
    words, domain, topic = (
        column.text_input(label, key=f"exporting_{label.lower()}", placeholder="Any", max_chars=200,
                          persist_state="session")
        for column, label in zip(st.columns(3), ("Words", "Domain", "Topic"), strict=True)
    )  # fmt: skip
    return PassageFilter(
        text=clean(words or ""),
        status=status,
        origin=origin,
        source_type=kind,
        domain=clean(domain or "").lower() or None,
        topic=clean(topic or "").lower() or None,
    )
