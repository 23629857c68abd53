"""Import and export: a file is checked, shown, and taken in or left; what was imported can be undone."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import MAX_IMPORT_BYTES, MAX_IMPORT_ROWS, ImportJob, ImportPhase
from ghost.records import ImportRecord, ImportStatus
from ghost.ui.knowledge.export import export_card
from ghost.ui.knowledge.import_preview import PARAM, choose_columns, leave, preview
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

POLL_SECONDS = 0.5
SHOWN = 10
_STATUSES: dict[ImportStatus, theme.Look] = {
    ImportStatus.RUNNING: theme.Look("Under way", "progress_activity", "blue"),
    ImportStatus.FINISHED: theme.Look("Imported", "check", "green"),
    ImportStatus.UNDONE: theme.Look("Undone", "undo", "gray", "What it brought is retired."),
    ImportStatus.CANCELLED: theme.Look("Cancelled", "cancel_presentation", "gray", "Nothing of it was kept."),
    ImportStatus.FAILED: theme.Look("Failed", "error", "red", "Nothing of it was kept."),
    ImportStatus.INTERRUPTED: theme.Look("Interrupted", "power_off", "orange", "Nothing of it was kept."),
}
_EXAMPLES = """**CSV**: the first line names the columns. Only `text` is needed.

```
text,source_url,title,published_at
"Otters hold hands while they sleep.",https://example.org/otters,Otters,2020-05-03
```

**JSON Lines**: one passage on each line, as the export writes them.

```
{"text": "Otters hold hands while they sleep.", "source_url": "https://example.org/otters"}
```

**ClaimReview**: published fact-checks in schema.org's form, as one JSON-LD list, a DataFeed, or one on each line.

```
[{"@type": "ClaimReview", "claimReviewed": "The Moon is made of cheese.", "url": "https://example.org/moon",
  "author": {"name": "Example Checks"}, "reviewRating": {"alternateName": "False"}}]
```"""


def section(workbench: "Workbench") -> None:
    """Import, what was imported so far, and export."""
    job_id = st.query_params.get(PARAM, "")
    job = workbench.imports.snapshot(job_id) if job_id else None
    st.header("Import", anchor=False)
    if job:
        _draw(workbench, job)
    else:
        if job_id:
            st.info("This import is over, or was of an earlier start of Ghost. It is listed below if it was finished.",
                    icon=":material/history:")  # fmt: skip
        _choose(workbench)
    _so_far(workbench, job.record.id if job and job.record else "")
    export_card(workbench)


def _choose(workbench: "Workbench") -> None:
    with st.container(border=True, key="importing_choose"):
        st.markdown(
            "Bring many passages at once. First you see what would become of each row; nothing is changed before you "
            "say so, and an import can be undone as a whole."
        )
        number = st.session_state.setdefault("importing_number", 0)
        st.file_uploader(
            f"CSV, JSON Lines or ClaimReview, up to {MAX_IMPORT_BYTES / 1e6:.0f} MB and {MAX_IMPORT_ROWS:,} rows",
            key=f"importing_file_{number}",
            max_upload_size=MAX_IMPORT_BYTES // 1_000_000,
            on_change=_uploaded,
            args=(workbench, f"importing_file_{number}"),
        )
        with st.expander("What a file looks like", icon=":material/description:", type="compact"):
            st.markdown(_EXAMPLES)


def _uploaded(workbench: "Workbench", key: str) -> None:
    file = st.session_state.get(key)
    if file is not None:
        st.query_params[PARAM] = workbench.imports.check(file.getvalue(), clean(file.name)[:200] or "file")
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
    ImportPhase.WAITING: "Waiting for another import to end",
    ImportPhase.READING: "Checking the file. Nothing is changed yet.",
    ImportPhase.KEEPING: "Taking in the passages. None of them can be found before all are there.",
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
            st.caption("You can leave this page: the work goes on, and this address leads back to it.")

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
            st.markdown(f":gray[:material/undo:] **{name} is undone.** {count(job.changed, 'passage')} retired.")
        elif job.changed:
            st.markdown(f":green[:material/check:] **{name} is back.** {count(job.changed, 'passage')} restored.")
        else:
            st.markdown(f":green[:material/check:] **{name} is imported.** {_brought(record)}.")
        if record.quarantined and record.status is ImportStatus.FINISHED:
            st.markdown(
                ":orange[:material/shield:] In quarantine, and not found until you accept it: "
                f"{count(record.quarantined, 'passage')}."
            )
        with st.container(horizontal=True):
            if record.status is ImportStatus.FINISHED and record.new:
                st.button("Show what was imported", key="importing_show", icon=":material/search:", on_click=_show,
                          args=({"section": "browse", "origin": "import"},))  # fmt: skip
            if record.status is ImportStatus.FINISHED and record.quarantined:
                st.button("Look at the quarantine", key="importing_quarantine", icon=":material/shield:",
                          on_click=_show, args=({"section": "quarantine"},))  # fmt: skip
            _undo_button(workbench, record, "importing_done_undo")
            st.button("Import another file", key="importing_next", icon=":material/upload_file:",
                      on_click=leave, args=(workbench, job.id))  # fmt: skip


def _show(params: dict[str, str]) -> None:
    """Another section of the page."""
    st.query_params.from_dict(params)


def _ended(workbench: "Workbench", job: ImportJob) -> None:
    if job.error:
        st.error(plain(job.error), icon=":material/error:")
    else:
        st.info(f"{plain(shorten(job.name, 100))} was left. Nothing was imported.", icon=":material/info:")
    st.button("Choose another file", key="importing_another", icon=":material/upload_file:", type="primary",
              on_click=leave, args=(workbench, job.id))  # fmt: skip


def _so_far(workbench: "Workbench", drawn: str) -> None:
    """All imports, newest first, but for the one that is drawn above."""
    part = paging("importing_page", workbench.imports.store.count(), SHOWN)
    records = [record for record in workbench.imports.store.list(SHOWN, part.offset) if record.id != drawn]
    if not records and part.pages == 1:
        return
    st.header("Imports so far", anchor=False)
    for record in records:
        with st.container(border=True, gap="small", key=f"importing_record_{record.id}"):
            look = _STATUSES[record.status]
            st.markdown(f"**{plain(shorten(record.name, 100))}** {look.badge}")
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                note = plain(shorten(record.note, 200)) if record.note else look.note
                told = [_brought(record)] if record.status in (ImportStatus.FINISHED, ImportStatus.UNDONE) else []
                st.caption(" · ".join([theme.moment(record.started_at), *told, *([note] if note else [])]),
                           width="content")  # fmt: skip
                _undo_button(workbench, record, f"importing_undo_{record.id}")
    part.numbers()


def _undo_button(workbench: "Workbench", record: ImportRecord, key: str) -> None:
    if record.status is ImportStatus.FINISHED and record.new:
        st.button("Undo this import", key=key, icon=":material/undo:", on_click=_undo, args=(workbench, record.id),
                  help="Retires all that it brought new. You can bring it back.")  # fmt: skip
    elif record.status is ImportStatus.UNDONE:
        st.button("Bring it back", key=key, icon=":material/redo:", on_click=_undo, args=(workbench, record.id))


def _undo(workbench: "Workbench", import_id: str) -> None:
    st.query_params[PARAM] = workbench.imports.undo(import_id)


def _brought(record: ImportRecord) -> str:
    words = {"added": "new", "merged": "there already", "quarantined": "in quarantine", "refused": "refused"}
    parts = [f"{getattr(record, name):,} {word}" for name, word in words.items() if getattr(record, name)]
    return ", ".join(parts) or "nothing new"
