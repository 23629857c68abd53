"""Export of passages: filter, form and file. A large file is made in the background."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Task, failure_text
from ghost.knowledge import EXPORT_FORMATS, PassageFilter, export_passages
from ghost.types import Origin, SourceType, Status
from ghost.ui.shared import theme
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import clean, count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

AT_ONCE = 5_000
"""Passages up to which the file is made on the click."""
QUICK_SECONDS = 0.5
REPORT_EVERY = 200
"""Passages."""
_MADE = "exporting_made"
_FORMS = {"jsonl": "JSON Lines", "csv": "CSV"}
Of = tuple[str, PassageFilter]
"""What a file is made of: its form and the filter."""


@dataclass(frozen=True, slots=True)
class Making:
    """A file that is being made, or is finished."""

    of: Of
    task: Task[bytes]
    found: int
    """Passages."""
    watermark: int
    """Of the knowledge base when it was started."""


def export_card(workbench: "Workbench") -> None:
    """The filter, the number of matching passages, and the file."""
    st.header("Export", anchor=False)
    with st.container(border=True, key="exporting_card"):
        form = st.segmented_control(
            "Form", list(_FORMS), default="jsonl", key="exporting_form", required=True,
            format_func=lambda form: _FORMS[form],
            help="JSON Lines is complete and can be imported again. CSV is for spreadsheets: cells that would run as a "
            "formula start with an apostrophe.",
        ) or "jsonl"  # fmt: skip
        narrow = _filter()
        found = workbench.knowledge.count(narrow)
        if found > AT_ONCE:
            _large(workbench, (form, narrow), found)
        else:
            _forget()
            _download(f"Export {count(found, 'passage')}", lambda: _write(workbench, (form, narrow)), form, found)


def _download(words: str, data: bytes | Callable[[], bytes], form: str, found: int) -> None:
    st.download_button(
        words, data, f"ghost-passages-{date.today().isoformat()}.{form}", EXPORT_FORMATS[form],
        key="exporting_download",
        icon=":material/download:", disabled=not found, on_click="ignore",
    )  # fmt: skip


def _large(workbench: "Workbench", of: Of, found: int) -> None:
    """A large file is made in the background and can then be downloaded again and again."""
    making: Making | None = st.session_state.get(_MADE)
    if making and not making.task.ended:
        task_progress(making.task, "exporting_cancel", "Writing the file")
        return
    if making and making.of != of:
        _forget()
    elif making and (error := making.task.error):
        if isinstance(error, Cancelled):
            st.info("Cancelled. No file was made.", icon=":material/stop_circle:")
        else:
            st.error(plain(f"{failure_text(error)} No file was made."), icon=":material/error:")
    elif making:
        data = making.task.result()
        _download(f"Export {count(making.found, 'passage')} ({len(data) / 1e6:.1f} MB)", data, of[0], making.found)
        if making.watermark == workbench.knowledge.watermark():
            return
        st.caption("Passages were added or changed since this file was made.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Prepare {count(found, 'passage')}", key="exporting_prepare", icon=":material/hourglass_top:",
            on_click=_start, args=(workbench, of, found),
        )  # fmt: skip
        st.caption("Takes a few seconds and continues while you use other pages.", width="content")


def _start(workbench: "Workbench", of: Of, found: int) -> None:
    watermark = workbench.knowledge.watermark()
    task = Task[bytes](lambda task: _write(workbench, of, task, found))
    task.wait(QUICK_SECONDS)
    st.session_state[_MADE] = Making(of, task, found, watermark)


def _forget() -> None:
    """Drop a file of another filter or form, which may be large, and stop making it."""
    if making := st.session_state.pop(_MADE, None):
        making.task.cancel()


def _write(workbench: "Workbench", of: Of, task: Task[bytes] | None = None, total: int = 0) -> bytes:
    pieces = []
    for number, piece in enumerate(export_passages(workbench.knowledge, *of)):
        pieces.append(piece)
        if task and number % REPORT_EVERY == 0:
            task.report("Writing the passages", min(number, total), total)
    return b"".join(pieces)


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
