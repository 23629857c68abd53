"""Section Import and export: a file is checked, previewed and imported, and an import can be undone."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import MAX_IMPORT_BYTES, MAX_IMPORT_ROWS, ImportJob, ImportPhase, ReadOptions
from ghost.records import ImportRecord, ImportStatus
from ghost.text import ENCODINGS
from ghost.ui.knowledge.export import export_card
from ghost.ui.knowledge.import_preview import PARAM, cancel_import, choose_columns, preview
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

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
_EXAMPLES = """**CSV**: the first line names the columns. Only `text` is needed.

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


def section(workbench: "Workbench") -> None:
    """Import, the list of imports, and export."""
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
    export_card(workbench)


def _choose(workbench: "Workbench") -> None:
    with st.container(border=True, key="importing_choose"):
        st.markdown(
            "Import many passages at once. You see a preview of every row before anything is changed, and a whole "
            "import can be undone."
        )
        number = st.session_state.setdefault("importing_number", 0)
        st.file_uploader(
            f"CSV, JSON Lines or ClaimReview, up to {MAX_IMPORT_BYTES / 1e6:.0f} MB and {MAX_IMPORT_ROWS:,} rows",
            key=f"importing_file_{number}",
            max_upload_size=MAX_IMPORT_BYTES // 1_000_000,
            on_change=_uploaded,
            args=(workbench, f"importing_file_{number}"),
        )
        with st.expander("File formats and encoding", icon=":material/description:", type="compact"):
            st.selectbox(
                "Encoding", list(ENCODINGS), key="importing_encoding", format_func=lambda e: ENCODINGS[e], width=320,
                persist_state="session", help="For files that are not Unicode. Choose it before the file.",
            )  # fmt: skip
            st.markdown(_EXAMPLES)


def _uploaded(workbench: "Workbench", key: str) -> None:
    file = st.session_state.get(key)
    if file is not None:
        options = ReadOptions(encoding=st.session_state.get("importing_encoding") or "")
        st.query_params[PARAM] = workbench.imports.check(file.getvalue(), clean(file.name)[:200] or "file", options)
        st.session_state["importing_number"] += 1  # or the widget would show the old file when it comes back


def _draw(workbench: "Workbench", job: ImportJob) -> None:
    if job.busy:
        _progress(workbench, job)
    elif job.phase is ImportPhase.ASKING and job.file:
        choose_columns(workbench, job, job.file)
    elif job.phase is ImportPhase.CHECKED and job.check:
        preview(workbench, job, job.check)
    elif job.phase is ImportPhase.DONE and job.record:
        _done(workbench, job, job.record)
    else:
        _ended(workbench, job)


_WORDS = {
    ImportPhase.WAITING: "Waiting for another import to finish",
    ImportPhase.READING: "Checking the file. Nothing has been changed.",
    ImportPhase.KEEPING: "Importing. The passages are used only when all of them are stored.",
    ImportPhase.CHANGING: "Changing the passages of this import",
}


def _progress(workbench: "Workbench", job: ImportJob) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        now = workbench.imports.snapshot(job.id)
        if now is None or not now.busy:
            st.rerun()
        with st.container(border=True, key="importing_progress"):
            st.markdown(f"**{plain(shorten(now.name, 100))}**")
            st.markdown(_WORDS[now.phase])
            share = min(now.done / now.total, 1.0) if now.total else 0.0
            st.progress(share, text=_so_much(now))
            if now.phase is not ImportPhase.CHANGING:
                st.button(
                    "Stopping …" if now.cancelling else "Cancel", key="importing_cancel",
                    icon=":material/stop_circle:", disabled=now.cancelling,
                    on_click=workbench.imports.cancel, args=(job.id,),
                )  # fmt: skip
            st.caption("You can leave this page. The import continues, and this address leads back to it.")

    watch()


def _so_much(job: ImportJob) -> str:
    parts = [job.what or "Starting"]
    if job.total:
        parts.append(f"{job.done:,} of {job.total:,}")
    if job.left is not None and job.left > 2:
        parts.append(f"about {job.left:.0f} s left" if job.left < 90 else f"about {job.left / 60:.0f} min left")
    return " · ".join(parts)


def _done(workbench: "Workbench", job: ImportJob, record: ImportRecord) -> None:
    with st.container(border=True, key="importing_done"):
        name = plain(shorten(record.name, 100))
        if record.status is ImportStatus.UNDONE:
            st.markdown(f":gray[:material/undo:] **{name} was undone.** {count(job.changed, 'passage')} retired.")
        elif job.changed:
            st.markdown(f":green[:material/check:] **{name} was restored.** {count(job.changed, 'passage')} restored.")
        else:
            st.markdown(f":green[:material/check:] **{name} was imported.** {_brought(record)}.")
        if record.quarantined and record.status is ImportStatus.FINISHED:
            st.markdown(
                f":orange[:material/shield:] {count(record.quarantined, 'passage')} in quarantine, not used by checks "
                "until accepted."
            )
        with st.container(horizontal=True):
            if record.status is ImportStatus.FINISHED and record.new:
                st.button("Show imported passages", key="importing_show", icon=":material/search:", on_click=_show,
                          args=({"section": "browse", "origin": "import"},))  # fmt: skip
            if record.status is ImportStatus.FINISHED and record.quarantined:
                st.button("Open the quarantine", key="importing_quarantine", icon=":material/shield:",
                          on_click=_show, args=({"section": "quarantine"},))  # fmt: skip
            _undo_button(workbench, record, "importing_done_undo")
            st.button("Import another file", key="importing_next", icon=":material/upload_file:",
                      on_click=cancel_import, args=(workbench, job.id))  # fmt: skip


def _show(params: dict[str, str]) -> None:
    """Another section of the page."""
    st.query_params.from_dict(params)


def _ended(workbench: "Workbench", job: ImportJob) -> None:
    if job.error:
        theme.show_error(job.error)
    else:
        st.info(f"{plain(shorten(job.name, 100))} was cancelled. Nothing was imported.", icon=":material/info:")
    st.button("Choose another file", key="importing_another", icon=":material/upload_file:", type="primary",
              on_click=cancel_import, args=(workbench, job.id))  # fmt: skip


def _previous(workbench: "Workbench", drawn: str) -> None:
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
                counts = [_brought(record)] if record.status in (ImportStatus.FINISHED, ImportStatus.UNDONE) else []
                st.caption(" · ".join([theme.moment(record.started_at), *counts, *([note] if note else [])]),
                           width="content")  # fmt: skip
                _undo_button(workbench, record, f"importing_undo_{record.id}")
    part.numbers()


def _undo_button(workbench: "Workbench", record: ImportRecord, key: str) -> None:
    if record.status is ImportStatus.FINISHED and record.new:
        st.button("Undo import", key=key, icon=":material/undo:", on_click=_undo, args=(workbench, record.id),
                  help="Retires all passages that it added. You can restore them.")  # fmt: skip
    elif record.status is ImportStatus.UNDONE:
        st.button("Restore import", key=key, icon=":material/redo:", on_click=_undo, args=(workbench, record.id))


def _undo(workbench: "Workbench", import_id: str) -> None:
    st.query_params[PARAM] = workbench.imports.undo(import_id)


def _brought(record: ImportRecord) -> str:
    words = {"added": "new", "merged": "already known", "quarantined": "in quarantine", "refused": "refused"}
    parts = [f"{getattr(record, name):,} {word}" for name, word in words.items() if getattr(record, name)]
    return ", ".join(parts) or "nothing new"
