"""Passages to take along: which, and in what form."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import Cancelled, GhostError
from ghost.jobs import Task
from ghost.knowledge import EXPORT_FORMATS, PassageFilter, export_passages
from ghost.text import redacted
from ghost.types import Origin, SourceType, Status
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean, count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

AT_ONCE = 5_000
"""So many passages are written while the download waits; more than that in the background."""
QUICK_SECONDS = 0.5
POLL_SECONDS = 0.5
TOLD_EVERY = 200
"""Passages."""
_MADE = "exporting_made"
_FORMS = {"jsonl": "JSON Lines", "csv": "CSV"}


Of = tuple[str, PassageFilter]
"""What a file is made of: its form and the filter."""


@dataclass(frozen=True, slots=True)
class Making:
    """A file that is being made, or that is made."""

    of: Of
    task: Task[bytes]
    found: int
    """Passages."""
    watermark: int
    """Of the knowledge base as it was."""


def export_card(workbench: "Workbench") -> None:
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
        found = workbench.knowledge.count(narrow)
        if found > AT_ONCE:
            _large(workbench, form or "jsonl", narrow, found)
        else:
            _let_go()
            _download(
                f"Download {count(found, 'passage')}",
                lambda: _write(workbench, form or "jsonl", narrow),
                form or "jsonl",
                found,
            )


def _download(words: str, data: bytes | Callable[[], bytes], form: str, found: int) -> None:
    st.download_button(
        words, data, f"ghost-passages-{date.today().isoformat()}.{form}", EXPORT_FORMATS[form],
        key="exporting_download", icon=":material/download:", disabled=not found, on_click="ignore",
    )  # fmt: skip


def _large(workbench: "Workbench", form: str, narrow: PassageFilter, found: int) -> None:
    """A file that takes a while: made in the background, then handed out as often as it is asked for."""
    of = (form, narrow)
    making: Making | None = st.session_state.get(_MADE)
    if making and not making.task.ended:
        _wait(making)
        return
    if making and making.of == of and making.task.error is None:
        data = making.task.result()
        words = f"Download {count(making.found, 'passage')} ({len(data) / 1e6:.1f} MB)"
        _download(words, data, form, making.found)
        if making.watermark == workbench.knowledge.watermark():
            return
        st.caption("Passages were added or changed since this file was made.")
    if making and making.of == of and making.task.error is not None:
        _failed(making.task.error)
    elif making and making.of != of:
        _let_go()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Prepare a file of {count(found, 'passage')}", key="exporting_prepare", icon=":material/hourglass_top:",
            on_click=_begin, args=(workbench, of, found),
        )  # fmt: skip
        st.caption("That takes some seconds, and goes on while you look at other pages.", width="content")


def _begin(workbench: "Workbench", of: Of, found: int) -> None:
    watermark = workbench.knowledge.watermark()
    task = Task[bytes](lambda task: _write(workbench, *of, task, found))
    task.wait(QUICK_SECONDS)
    st.session_state[_MADE] = Making(of, task, found, watermark)


def _let_go() -> None:
    """Of a file of another filter or form, made or in the making; it may be large."""
    if making := st.session_state.pop(_MADE, None):
        making.task.cancel()


def _write(
    workbench: "Workbench", form: str, narrow: PassageFilter, task: Task[bytes] | None = None, total: int = 0
) -> bytes:
    pieces = []
    for number, piece in enumerate(export_passages(workbench.knowledge, form, narrow)):
        pieces.append(piece)
        if task and number % TOLD_EVERY == 0:
            task.report("Writing the passages", min(number, total), total)
    return b"".join(pieces)


def _wait(making: Making) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        task = making.task
        if task.ended:
            st.rerun()
        done = task.progress
        st.progress(done.share, text=f"Writing the file: {done.done:,} of {count(done.total, 'passage')}")
        st.button(
            "Stopping …" if task.cancelled() else "Cancel", key="exporting_cancel", icon=":material/stop_circle:",
            disabled=task.cancelled(), on_click=task.cancel,
        )  # fmt: skip

    watch()


def _failed(error: Exception | None) -> None:
    if isinstance(error, Cancelled):
        st.info("It was stopped. No file was made.", icon=":material/stop_circle:")
    elif isinstance(error, GhostError):
        st.error(f"{plain(str(error))} No file was made.", icon=":material/error:")
    else:
        st.error(
            plain(f"No file was made: unexpected {type(error).__name__}: {redacted(str(error))}"),
            icon=":material/error:",
        )


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
