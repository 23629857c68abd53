"""What would become of a file, before anything is changed."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import (
    IMPORT_FIELDS,
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
from ghost.text import safe_cell
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PARAM = "import"
"""Query parameter with the id of the job, so that a page switch or a reload comes back to it."""
ROWS_SHOWN = 20
PROBLEMS_SHOWN = 200
TOP = 8
_FORMS = {FileFormat.CSV: "CSV", FileFormat.JSONL: "JSON Lines", FileFormat.CLAIM_REVIEW: "ClaimReview"}
_LOOKS: dict[Action, theme.Look] = {
    Action.ADDED: theme.Look("New", "add_circle", "green", "Not there yet; can be found at once."),
    Action.MERGED: theme.Look("Known", "merge", "gray", "There already: the same text from the same source. Details "
                              "that are missing, such as the date, are filled in."),
    Action.QUARANTINED: theme.Look("Quarantine", "shield", "orange", "New, but in doubt: not found before you accept."),
    Action.REFUSED: theme.Look("Refused", "block", "red", "No text that could be a passage."),
}  # fmt: skip
_LABELS = {
    "text": "Text of the passage", "source_url": "Address of the source", "title": "Title", "publisher": "Publisher",
    "topic": "Topic", "language": "Language", "published_at": "Published", "as_of": "As of",
    "retrieved_at": "Retrieved", "status": "Status", "note": "Note",
}  # fmt: skip


def preview(workbench: "Workbench", job: ImportJob, check: ImportCheck) -> None:
    """How many rows become what, the first of them, what is wrong, and the choice to import or leave."""
    file = check.file
    with st.container(border=True, key="importing_preview"):
        theme.kicker("Nothing is changed yet")
        kind = theme.badge(_FORMS[file.format], "description", "gray")
        st.markdown(f"**{plain(shorten(job.name, 100))}** {kind} {count(file.rows, 'row')}")
        _counts(check)
        for note in file.notes:
            st.warning(plain(note), icon=":material/info:")
        _what(check)
        merging = check.counts[Action.MERGED]
        otherwise = "Fill in missing details" if merging else "Nothing can be imported"
        with st.container(horizontal=True):
            st.button(
                f"Import {count(check.new, 'passage')}" if check.new else otherwise, key="importing_keep",
                type="primary", icon=":material/download_done:", disabled=not (check.new or merging),
                on_click=workbench.imports.keep, args=(job.id,),
            )  # fmt: skip
            st.button(
                "Leave it", key="importing_leave", icon=":material/close:", on_click=leave, args=(workbench, job.id)
            )
    _first_rows(check)
    _problems(job.name, check)
    _options(workbench, job, file)


def choose_columns(workbench: "Workbench", job: ImportJob, file: ImportFile) -> None:
    """A CSV file in which no column is known to have the passages."""
    with st.container(border=True, key="importing_asking"):
        st.markdown(f"**{plain(shorten(job.name, 100))}** · {count(file.rows, 'row')}" if file.rows else
                    f"**{plain(shorten(job.name, 100))}**")  # fmt: skip
        st.warning(missing_columns(file), icon=":material/view_column:")
        _column_form(workbench, job, file)
        st.button("Leave it", key="importing_leave", icon=":material/close:", on_click=leave, args=(workbench, job.id))


def leave(workbench: "Workbench", job_id: str) -> None:
    """Drop a checked file, and let another one be chosen."""
    workbench.imports.cancel(job_id)
    st.query_params.pop(PARAM, None)


def _counts(check: ImportCheck) -> None:
    with st.container(horizontal=True, key="importing_counts"):
        for action, look in _LOOKS.items():
            st.metric(f":material/{look.icon}: {look.word}", f"{check.counts[action]:,}", help=look.note, border=True,
                      width=150)  # fmt: skip
        st.metric(":material/report: Unusable", f"{check.file.unusable:,}", border=True, width=150,
                  help="Rows that cannot be read as a passage; each is listed below with the reason.")  # fmt: skip


def _what(check: ImportCheck) -> None:
    if check.languages:
        st.caption(f"Languages of what is new: {_most(check.languages)}")
        st.caption(
            "Domains of what is new: " + _most({name or "without an address": n for name, n in check.domains.items()})
        )
    if check.retired:
        st.caption(
            f":material/archive: {count(check.retired, 'passage')} {'is' if check.retired == 1 else 'are'} there "
            "already and retired. What is retired stays so: restore it by hand, or bring back the import "
            "that was undone."
        )


def _most(counts: Mapping[str, int]) -> str:
    shown = [f"{plain(shorten(name, 60))} {n:,}" for name, n in list(counts.items())[:TOP]]
    more = len(counts) - TOP
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def _first_rows(check: ImportCheck) -> None:
    """As a table, which a visitor can save as CSV: so no cell of it is a formula."""
    st.subheader("The first rows", anchor=False)
    rows = [
        {
            "Row": j.row,
            "Becomes": _LOOKS[j.action].word,
            "Text": safe_cell(shorten(j.excerpt, 300)),
            "Source": shorten(p.source_url, 120) if (p := j.admission.passage) else "",
            "Title": safe_cell(shorten(p.title, 100)) if p else "",
            "Published": p.published_at if p else None,
            "Language": p.language if p else "",
            "Why": shorten(j.reason, 200),
        }
        for j in check.judged[:ROWS_SHOWN]
    ]
    if not rows:
        st.info("No row of this file can be used as a passage.", icon=":material/inbox:")
        return
    config = {"Text": st.column_config.TextColumn(width="large"), "Row": st.column_config.NumberColumn(width="small")}
    st.dataframe(rows, hide_index=True, column_config=config, key="importing_rows")
    if check.passages > ROWS_SHOWN:
        st.caption(f"{ROWS_SHOWN} of {check.passages:,} passages.")


def _problems(name: str, check: ImportCheck) -> None:
    total = len(check.problems) + check.more_problems
    if not total:
        return
    left_out = sum(p.fatal for p in check.problems)
    st.subheader("What is wrong", anchor=False)
    st.markdown(
        f"{count(total, 'note')} about single rows. Rows left out because of them: {left_out:,}. Mend the file and "
        "choose it again, or import the rest: the rows that are fine do not depend on the others."
    )
    st.dataframe(_as_rows(check.problems[:PROBLEMS_SHOWN]), hide_index=True, key="importing_problems")
    if total > PROBLEMS_SHOWN:
        st.caption(f"The first {PROBLEMS_SHOWN} are shown; the file to download has {len(check.problems):,}.")
    st.download_button(
        "Download the list", lambda: problem_file(check.problems), f"problems-{clean(name)[:80]}.csv", "text/csv",
        key="importing_problem_file", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _as_rows(problems: Iterable[RowProblem]) -> list[dict[str, object]]:
    return [
        {
            "Row": p.row,
            "Field": p.field,
            "What is wrong": shorten(p.problem, 300),
            "It says": safe_cell(shorten(p.value, 100)),
            "Row left out": "yes" if p.fatal else "no",
        }
        for p in problems
    ]


def problem_file(problems: Iterable[RowProblem]) -> bytes:
    """All problems as CSV."""
    rows = ((p.row, p.field, p.problem, p.value, "yes" if p.fatal else "no") for p in problems)
    return b"".join(csv_table(("row", "field", "problem", "value", "left out"), rows))


def _options(workbench: "Workbench", job: ImportJob, file: ImportFile) -> None:
    with st.expander("Read it another way", icon=":material/tune:", type="compact"):
        if file.format is FileFormat.CSV:
            _column_form(workbench, job, file)
        else:
            cut = st.toggle("Cut long texts into passages of one to three sentences", job.options.cut,
                            key="importing_cut_lines")  # fmt: skip
            if st.button(
                "Check again", key="importing_again", icon=":material/refresh:", disabled=cut == job.options.cut
            ):
                workbench.imports.again(job.id, ReadOptions(cut=cut))
                st.rerun()


def _column_form(workbench: "Workbench", job: ImportJob, file: ImportFile) -> None:
    with st.form("importing_columns", border=False):
        st.markdown("Which column has what?")
        header = [column for column in file.header if column.strip()]
        chosen: dict[str, str] = {}
        places = st.columns(3)
        for number, field in enumerate(IMPORT_FIELDS):
            now = file.columns.get(field)
            column = places[number % 3].selectbox(
                _LABELS[field], header, index=header.index(now) if now in header else None,
                key=f"importing_column_{field}", placeholder="None", format_func=lambda c: shorten(c, 60),
            )  # fmt: skip
            if column:
                chosen[field] = column
        cut = st.toggle("Cut long texts into passages of one to three sentences", job.options.cut, key="importing_cut")
        sent = st.form_submit_button("Check again", key="importing_check_again", icon=":material/refresh:")
    if sent and not chosen.get("text"):
        st.warning("Choose the column that has the text of the passages.", icon=":material/view_column:")
    elif sent:
        workbench.imports.again(job.id, ReadOptions(chosen, cut))
        st.rerun()
