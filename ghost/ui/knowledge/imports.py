"""Section Import and export: a file is checked, previewed and imported, an import can be undone, passages exported."""

from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from ghost.knowledge import (
    EXPORT_FORMATS,
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ROWS,
    ImportJob,
    ImportPhase,
    PassageFilter,
    ReadOptions,
    export_passages,
)
from ghost.records import ImportRecord, ImportStatus
from ghost.text import ENCODINGS
from ghost.ui.knowledge.import_preview import PARAM, cancel_import, choose_columns, preview
from ghost.ui.knowledge.selection import PAGE
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download, retry_on_error
from ghost.ui.shared.sharing import worker_note
from ghost.ui.shared.text import clean, count, plain, shorten

POLL_SECONDS = 0.5
SHOWN = 10
_STATUSES: dict[ImportStatus, theme.Badge] = {
    ImportStatus.RUNNING: theme.Badge("Running", "progress_activity", "blue"),
    ImportStatus.FINISHED: theme.Badge("Imported", "check", "green"),
    ImportStatus.UNDONE: theme.Badge("Undone", "undo", "gray", "Its passages are retired."),
    ImportStatus.CANCELLED: theme.Badge("Cancelled", "cancel_presentation", "gray", "Nothing was imported."),
    ImportStatus.FAILED: theme.Badge("Failed", "error", "red", "Nothing was imported."),
    ImportStatus.INTERRUPTED: theme.Badge("Interrupted", "power_off", "orange", "Nothing was imported."),
}
_DOING = {
    ImportPhase.WAITING: "Waiting for its turn",
    ImportPhase.READING: "Checking the file. Nothing has been changed.",
    ImportPhase.KEEPING: "Importing. The passages are used only when all of them are stored.",
    ImportPhase.CHANGING: "Changing the passages of this import",
}
_FORMS = {"jsonl": "JSON Lines", "csv": "CSV"}
_EXAMPLES = """**CSV**: the first line names the columns. Only `text` is needed. `kind` is `note` or
`excerpt`, which needs an address.

```
text,source_url,title,published_at
"Otters hold hands while they sleep.",https://example.org/otters,Otters,2020-05-03
```

**JSON Lines**: one passage per line, as in an export.

```
{"text": "Otters hold hands while they sleep.", "source_url": "https://example.org/otters"}
```

**ClaimReview**: published fact-checks as a JSON-LD list, a DataFeed, one per line, or a saved answer of Google's Fact
Check Tools.

```
[{"@type": "ClaimReview", "claimReviewed": "The Moon is made of cheese.", "url": "https://example.org/moon",
  "author": {"name": "Example Checks"}, "reviewRating": {"alternateName": "False"}}]
```"""


def section(workbench: Workbench) -> None:
    """Import, the list of imports, and export."""
    worker_note(workbench)
    job_id = st.query_params.get(PARAM, "")
    job = workbench.imports.snapshot(job_id) if job_id else None
    st.header("Import", anchor=False)
    if job:
        _draw(workbench, job)
    else:
        if job_id:
            st.info("This import is over or belongs to an earlier session. If it was completed, it is listed below.",
                    icon=":material/history:")  # fmt: skip
        _choose(workbench)
    _previous(workbench, job.record.id if job and job.record else "")
    _export(workbench)


def _choose(workbench: Workbench) -> None:
    with st.container(border=True, key="importing_choose"):
        st.markdown(
            "Import many passages at once. You see a preview and every problem before anything is changed, and you "
            "can undo a whole import."
        )
        key = f"importing_file_{st.session_state.setdefault('importing_number', 0)}"
        st.file_uploader(
            f"CSV, JSON Lines or ClaimReview, up to {MAX_IMPORT_BYTES / 1e6:.0f} MB and {MAX_IMPORT_ROWS:,} rows",
            key=key, max_upload_size=MAX_IMPORT_BYTES // 1_000_000, on_change=_uploaded, args=(workbench, key),
        )  # fmt: skip
        with st.expander("File formats and encoding", icon=":material/description:", type="compact"):
            st.selectbox(
                "Encoding", list(ENCODINGS), key="importing_encoding", format_func=lambda e: ENCODINGS[e], width=320,
                persist_state="session", help="For files that are not Unicode. Choose it before the file.",
            )  # fmt: skip
            st.markdown(_EXAMPLES)


def _uploaded(workbench: Workbench, key: str) -> None:
    file = st.session_state.get(key)
    if file is not None:
        options = ReadOptions(encoding=st.session_state.get("importing_encoding") or "")

        def check() -> None:
            name = clean(file.name)[:200] or "file"
            st.query_params[PARAM] = workbench.imports.check(file.getvalue(), name, options)

        run_action(PAGE, check)
        st.session_state["importing_number"] += 1  # or the widget would show the old file when it comes back


def _draw(workbench: Workbench, job: ImportJob) -> None:
    if job.busy:
        _progress(workbench, job)
    elif job.phase is ImportPhase.ASKING and job.file:
        choose_columns(workbench, job, job.file)
    elif job.phase is ImportPhase.CHECKED and job.check:
        preview(workbench, job, job.check)
    elif job.phase is ImportPhase.DONE and job.record:
        _done(workbench, job, job.record)
    else:
        if job.error:
            theme.show_error(job.error)
        else:
            st.info(f"{plain(shorten(job.name, 100))} was cancelled. Nothing was imported.", icon=":material/info:")
        button("Choose another file", "importing_another", "upload_file", cancel_import, workbench, job.id,
               type="primary")  # fmt: skip


def _progress(workbench: Workbench, job: ImportJob) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        with retry_on_error("importing_retry"):
            draw(workbench.imports.snapshot(job.id))

    def draw(now: ImportJob | None) -> None:
        if now is None or not now.busy:
            st.rerun()
        parts = [now.what or "Starting"]
        if now.total:
            parts.append(f"{now.done:,} of {now.total:,}")
        if now.left is not None and now.left > 2:
            parts.append(f"about {now.left:.0f} s left" if now.left < 90 else f"about {now.left / 60:.0f} min left")
        with st.container(border=True, key="importing_progress"):
            st.markdown(f"**{plain(shorten(now.name, 100))}**")
            st.markdown(_DOING[now.phase])
            st.progress(min(now.done / now.total, 1.0) if now.total else 0.0, text=" · ".join(parts))
            if now.phase is not ImportPhase.CHANGING:
                button("Stopping …" if now.cancelling else "Cancel", "importing_cancel", "stop_circle",
                       run_action, PAGE, partial(workbench.imports.cancel, job.id),
                       disabled=now.cancelling)  # fmt: skip
            st.caption("You can leave this page. The import continues, and this address leads back to it.")

    watch()


def _done(workbench: Workbench, job: ImportJob, record: ImportRecord) -> None:
    finished, changed = record.status is ImportStatus.FINISHED, count(job.changed, "passage")
    with st.container(border=True, key="importing_done"):
        name = plain(shorten(record.name, 100))
        if record.status is ImportStatus.UNDONE:
            st.markdown(f":gray[:material/undo:] **{name} was undone.** {changed} retired.")
        elif job.changed:
            st.markdown(f":green[:material/check:] **{name} was restored.** {changed} restored.")
        else:
            st.markdown(f":green[:material/check:] **{name} was imported.** {_brought(record)}.")
        if record.quarantined and finished:
            st.markdown(
                f":orange[:material/shield:] {count(record.quarantined, 'passage')} in quarantine, not used by checks "
                "until accepted."
            )
        with st.container(horizontal=True):
            if record.new and finished:
                button("Show imported passages", "importing_show", "search", st.query_params.from_dict,
                       {"section": "browse", "origin": "import"})  # fmt: skip
            if record.quarantined and finished:
                button("Open the quarantine", "importing_quarantine", "shield", st.query_params.from_dict,
                       {"section": "quarantine"})  # fmt: skip
            _undo_button(workbench, record, "importing_done_undo")
            button("Import another file", "importing_next", "upload_file", cancel_import, workbench, job.id)


def _previous(workbench: Workbench, drawn: str) -> None:
    """All imports, newest first, except the one drawn above."""
    part = paging("importing_page", workbench.imports.store.count(), SHOWN)
    records = [record for record in workbench.imports.store.list(SHOWN, part.offset) if record.id != drawn]
    if not records and part.pages == 1:
        return
    st.header("Previous imports", anchor=False)
    for record in records:
        with st.container(border=True, gap="small", key=f"importing_record_{record.id}"):
            badge = _STATUSES[record.status]
            st.markdown(f"**{plain(shorten(record.name, 100))}** {badge.badge}")
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                note = plain(shorten(record.note, 200)) if record.note else badge.note
                brought = _brought(record) if record.status in (ImportStatus.FINISHED, ImportStatus.UNDONE) else ""
                parts = [theme.moment(record.started_at), brought, note]
                st.caption(" · ".join(part for part in parts if part), width="content")
                _undo_button(workbench, record, f"importing_undo_{record.id}")
    part.numbers()


def _undo_button(workbench: Workbench, record: ImportRecord, key: str) -> None:
    if record.status is ImportStatus.FINISHED and record.new:
        button("Undo import", key, "undo", _undo, workbench, record.id,
               help="Retires all passages that it added. You can restore them.")  # fmt: skip
    elif record.status is ImportStatus.UNDONE:
        button("Restore import", key, "redo", _undo, workbench, record.id)


def _undo(workbench: Workbench, import_id: str) -> None:
    def start() -> None:
        st.query_params[PARAM] = workbench.imports.undo(import_id)

    run_action(PAGE, start)


def _brought(record: ImportRecord) -> str:
    words = {"added": "new", "merged": "already known", "quarantined": "in quarantine", "refused": "refused"}
    parts = [f"{getattr(record, name):,} {word}" for name, word in words.items() if getattr(record, name)]
    return ", ".join(parts) or "nothing new"


def _export(workbench: Workbench) -> None:
    """The filter, the number of matching passages, and the file, which is made on the click."""
    st.header("Export", anchor=False)
    with st.container(border=True, key="exporting_card"):
        form = st.segmented_control(
            "Format", list(_FORMS), default="jsonl", key="exporting_form", required=True,
            format_func=_FORMS.__getitem__,
            help="JSON Lines is complete and can be imported again. CSV is for spreadsheets: cells that would run as a "
            "formula start with an apostrophe.",
        ) or "jsonl"  # fmt: skip
        narrow = _filter()
        found = workbench.knowledge.count(narrow)
        download(
            f"Export {count(found, 'passage')}", lambda: b"".join(export_passages(workbench.knowledge, form, narrow)),
            f"ghost-passages-{date.today().isoformat()}.{form}", EXPORT_FORMATS[form], "exporting_download",
            disabled=not found,
        )  # fmt: skip


def _filter() -> PassageFilter:
    offered: tuple[tuple[str, str, dict[Any, str]], ...] = (
        ("Status", "status", {status: badge.word for status, badge in theme.PASSAGE_STATUSES.items()}),
        ("Origin", "origin", {origin: badge.word for origin, badge in theme.ORIGINS.items()}),
        ("Kind of source", "kind", {kind: words.capitalize() for kind, words in theme.SOURCE_TYPES.items()}),
    )
    status, origin, kind = (
        column.selectbox(label, list(words), index=None, key=f"exporting_{name}", placeholder="Any",
                         persist_state="session", format_func=words.__getitem__)
        for column, (label, name, words) in zip(st.columns(3), offered, strict=True)
    )  # fmt: skip
    words, domain, topic = (
        clean(column.text_input(label, key=f"exporting_{label.lower()}", placeholder="Any", max_chars=200,
                                persist_state="session") or "")
        for column, label in zip(st.columns(3), ("Words", "Domain", "Topic"), strict=True)
    )  # fmt: skip
    return PassageFilter(
        text=words, status=status, origin=origin, source_type=kind, domain=domain.lower() or None,
        topic=topic.lower() or None,
    )  # fmt: skip
