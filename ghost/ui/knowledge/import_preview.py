"""The preview of an import: what each row becomes, and how the file is read."""

from collections.abc import Iterable, Mapping
from functools import partial

import streamlit as st

from ghost.knowledge import (
    IMPORT_FIELDS,
    PREVIEWED,
    Action,
    FileFormat,
    ImportCheck,
    ImportFile,
    ImportJob,
    ReadOptions,
    RowProblem,
    csv_table,
    missing_columns,
)
from ghost.text import ENCODINGS, safe_cell
from ghost.ui.knowledge.form import kind_choice
from ghost.ui.knowledge.selection import PAGE
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.parts import Workbench, button, download, metrics
from ghost.ui.shared.text import clean, count, plain, shorten

PARAM = "import"
"""Query parameter with the id of the job, so that a page switch or a reload comes back to it."""
PROBLEMS_SHOWN = 200
TOP = 8
_FORMS = {FileFormat.CSV: "CSV", FileFormat.JSONL: "JSON Lines", FileFormat.CLAIM_REVIEW: "ClaimReview"}
_BECOMES: dict[Action, tuple[str, str, str]] = {
    Action.ADDED: ("New", "add_circle", "Not known yet; used at once."),
    Action.MERGED: ("Known", "merge", "Known from the same source. Missing details, such as the date, are filled in."),
    Action.QUARANTINED: ("Quarantine", "shield", "New, but not used until you accept it."),
    Action.REFUSED: ("Refused", "block", "Not usable as a passage."),
}  # fmt: skip
"""Word, icon and note."""
_LABELS = {
    "text": "Text of the passage", "source_url": "Address of the source", "title": "Title", "publisher": "Publisher",
    "topic": "Topic", "language": "Language", "published_at": "Published", "as_of": "Valid as of",
    "retrieved_at": "Retrieved", "status": "Status", "kind": "Kind", "note": "Note for the history",
    "frame": "Frame",
}  # fmt: skip


def preview(workbench: Workbench, job: ImportJob, check: ImportCheck) -> None:
    """Counts, first rows and problems, and the choice to import or cancel."""
    pack, merging = check.file, check.counts[Action.MERGED]
    with st.container(border=True, key="importing_preview"):
        theme.kicker("Preview: nothing has been changed")
        kind = theme.badge(_FORMS[pack.format], "description", "gray")
        st.markdown(f"**{plain(shorten(job.name, 100))}** {kind} {count(pack.rows, 'row')}")
        metrics("importing_counts", [
            *((f":material/{icon}: {word}", f"{check.counts[action]:,}", note)
              for action, (word, icon, note) in _BECOMES.items()),
            (":material/report: Unusable", f"{pack.unusable:,}",
             "Rows that are not passages; each is listed below with the reason."),
        ], 150)  # fmt: skip
        for note in pack.notes:
            st.warning(plain(note), icon=":material/info:")
        if check.languages:
            domains = {name or "without an address": n for name, n in check.domains.items()}
            st.caption(f"Languages of new passages: {_most(check.languages)}")
            st.caption(f"Domains of new passages: {_most(domains)}")
        if check.retired:
            verb = "is" if check.retired == 1 else "are"
            st.caption(
                f":material/archive: {count(check.retired, 'passage')} {verb} known and retired, and will stay "
                "retired. Restore them yourself, or restore the import that was undone."
            )
        otherwise = "Fill in missing details" if merging else "Nothing can be imported"
        with st.container(horizontal=True):
            button(
                f"Import {count(check.new, 'passage')}" if check.new else otherwise, "importing_keep", "download_done",
                run_action, PAGE, partial(workbench.imports.keep, job.id), type="primary",
                disabled=not (check.new or merging),
            )  # fmt: skip
            button("Cancel", "importing_leave", "close", cancel_import, workbench, job.id)
    _first_rows(check)
    _problems(job.name, check)
    with st.expander("Import options", icon=":material/tune:", type="compact"):
        _option_form(workbench, job, pack)


def choose_columns(workbench: Workbench, job: ImportJob, pack: ImportFile) -> None:
    """The choice of columns, for a CSV file without a column called text."""
    with st.container(border=True, key="importing_asking"):
        rows = f" · {count(pack.rows, 'row')}" if pack.rows else ""
        st.markdown(f"**{plain(shorten(job.name, 100))}**{rows}")
        st.warning(missing_columns(pack), icon=":material/view_column:")
        _option_form(workbench, job, pack)
        button("Cancel", "importing_leave", "close", cancel_import, workbench, job.id)


def cancel_import(workbench: Workbench, job_id: str) -> None:
    """Drop a checked file and return to the upload. For callbacks."""
    if run_action(PAGE, partial(workbench.imports.cancel, job_id)):
        st.query_params.pop(PARAM, None)


def _most(counts: Mapping[str, int]) -> str:
    shown = [f"{plain(shorten(name, 60))} {n:,}" for name, n in list(counts.items())[:TOP]]
    more = len(counts) - TOP
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def _first_rows(check: ImportCheck) -> None:
    """As a table that can be saved as CSV, so no cell may be a formula."""
    st.subheader("First rows", anchor=False)
    rows = [
        {
            "Row": j.row,
            "Becomes": _BECOMES[j.action][0],
            "Text": safe_cell(shorten(j.excerpt, 300)),
            "Kind": p.kind.value if (p := j.admission.passage) else "",
            "Source": shorten(p.source_url, 120) if p else "",
            "Title": safe_cell(shorten(p.title, 100)) if p else "",
            "Published": p.published_at.isoformat() if p and p.published_at else "",
            "Language": p.language if p else "",
            "Why": shorten(j.reason, 200),
        }
        for j in check.judged[:PREVIEWED]
    ]
    if not rows:
        st.info("No row of this file is usable as a passage.", icon=":material/inbox:")
        return
    config = {"Text": st.column_config.TextColumn(width="large"), "Row": st.column_config.NumberColumn(width="small")}
    st.dataframe(rows, hide_index=True, column_config=config, key="importing_rows")
    if check.passages > PREVIEWED:
        st.caption(f"{PREVIEWED} of {check.passages:,} passages.")


def _problems(name: str, check: ImportCheck) -> None:
    total = len(check.problems) + check.more_problems
    if not total:
        return
    left_out = sum(p.fatal for p in check.problems)
    rest = f", or import {'the rest' if left_out else 'it as it is'}" if check.new else ""
    st.subheader("Problems", anchor=False)
    st.markdown(
        f"{count(total, 'problem')}, {count(left_out, 'row') if left_out else 'no row'} left out. "
        f"Fix the file and upload it again{rest}."
    )
    rows = [
        {"Row": p.row, "Field": p.field, "Problem": shorten(p.problem, 300), "Value": safe_cell(shorten(p.value, 100)),
         "Left out": "yes" if p.fatal else "no"}
        for p in check.problems[:PROBLEMS_SHOWN]
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, key="importing_problems")
    if total > PROBLEMS_SHOWN:
        st.caption(f"The first {PROBLEMS_SHOWN} are shown; the download has {len(check.problems):,}.")
    download("Download all problems", lambda: problem_file(check.problems), f"problems-{clean(name)[:80]}.csv",
             "text/csv", "importing_problem_file")  # fmt: skip


def problem_file(problems: Iterable[RowProblem]) -> bytes:
    """All problems as CSV."""
    rows = ((p.row, p.field, p.problem, p.value, "yes" if p.fatal else "no") for p in problems)
    return b"".join(csv_table(("row", "field", "problem", "value", "left out"), rows))


def _option_form(workbench: Workbench, job: ImportJob, pack: ImportFile) -> None:
    csv, now = pack.format is FileFormat.CSV, job.options
    with st.form("importing_columns", border=False):
        chosen = _columns(pack) if csv else {}
        cut = st.toggle("Split long texts into passages of one to three sentences", now.cut, key="importing_cut")
        kind = kind_choice("importing_kind", "Rows without a kind are", now.kind)
        encoding = st.selectbox(
            "Encoding", list(ENCODINGS), key="importing_again_encoding", format_func=lambda e: ENCODINGS[e], width=320,
            index=list(ENCODINGS).index(now.encoding) if now.encoding in ENCODINGS else 0,
        )  # fmt: skip
        sent = st.form_submit_button("Check again", key="importing_check_again", icon=":material/refresh:")
    if sent and csv and not chosen.get("text"):
        st.warning("Choose the column with the text of the passages.", icon=":material/view_column:")
    elif sent:
        workbench.imports.again(job.id, ReadOptions(chosen, cut, encoding or "", kind))
        st.rerun()


def _columns(pack: ImportFile) -> dict[str, str]:
    """The column that was chosen for each field of a passage."""
    st.markdown("Columns")
    header = [column for column in pack.header if column.strip()]
    chosen: dict[str, str] = {}
    for number, field in enumerate(IMPORT_FIELDS):
        if not number % 3:
            places = st.columns(3)  # a row at a time, or a phone would show them column by column
        now = pack.columns.get(field)
        column = places[number % 3].selectbox(
            _LABELS[field], header, index=header.index(now) if now in header else None,
            key=f"importing_column_{field}", placeholder="None", format_func=lambda c: shorten(c, 60),
        )  # fmt: skip
        if column:
            chosen[field] = column
    return chosen
