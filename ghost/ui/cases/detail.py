"""One case: its notes, its checks with their verdicts, a search for more, and the export."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ghost.errors import GhostError, StoreError
from ghost.records import MAX_CASE_NAME, MAX_CASE_NOTES, Case, RunSummary
from ghost.reports import CaseExport, Publisher, case_file_name
from ghost.ui.shared import theme
from ghost.ui.shared.actions import (
    closing,
    is_open,
    notify,
    notify_error,
    open_dialog,
    run_action,
    show_notice,
    submit,
)
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download, open_item, retry_on_error
from ghost.ui.shared.runs import run_badge, run_confidence, verdict_text
from ghost.ui.shared.text import count, plain, shorten

PAGE = "cases"
OFFERED = 8
AT_ONCE = 50
LOOKED_AT = 100
"""Checks that a search for more looks at; those already in the case are left out."""
_MADE = "cases_made"
"""Session key of the finished archive: what it was made of, and its bytes."""


def detail(workbench: Workbench, case_id: str) -> None:
    """The case, or why it cannot be shown."""
    button("All cases", "cases_back", "arrow_back", open_item, PAGE, "case", "", type="tertiary")
    with retry_on_error("cases_retry"):
        case = workbench.cases.get(case_id)
        if case is None:
            theme.not_here("case", case_id)
        elif case.deleted:
            st.title(plain(case.name), anchor=False)
            st.warning("This case was deleted. Its checks are kept.", icon=":material/delete:")
            button("Restore", "cases_restore", "restore_from_trash", run_action, PAGE,
                   partial(workbench.cases.restore, case.id), "The case was restored.", type="primary")  # fmt: skip
        else:
            _open(workbench, case, workbench.cases.runs(case.id))


def _open(workbench: Workbench, case: Case, runs: list[RunSummary]) -> None:
    with st.container(gap=None):
        theme.kicker("Case")
        st.title(plain(case.name), anchor=False)
        st.caption(
            f"{count(len(runs), 'check')} · created {theme.moment(case.created_at)} · "
            f"changed {theme.moment(case.changed_at)}"
        )
    show_notice(PAGE, case.id)
    with st.container(horizontal=True, key="cases_actions"):
        button("Rename", "cases_rename", "edit", open_dialog, PAGE, f"rename {case.id}")
        button("Delete", "cases_delete", "delete", _delete, workbench, case, help="The checks stay; you can undo it.")
    if is_open(PAGE, f"rename {case.id}"):
        _rename(workbench, case)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _checks(workbench, case, runs)
    with side:
        _notes(workbench, case)
        _more(workbench, case, {run.id for run in runs})
        _export(workbench, case, runs)


def _delete(workbench: Workbench, case: Case) -> None:
    def back() -> None:
        workbench.cases.restore(case.id)
        open_item(PAGE, "case", case.id)

    name = plain(shorten(case.name, 60))
    run_action(PAGE, lambda: workbench.cases.delete(case.id), f"**{name}** was deleted. Its checks are kept.", back)
    open_item(PAGE, "case", "")


@st.dialog("Rename the case", icon=":material/edit:", on_dismiss=closing(PAGE))
def _rename(workbench: Workbench, case: Case) -> None:
    with st.form("cases_rename_form", border=False):
        name = st.text_input("Name", case.name, key="cases_rename_name", max_chars=MAX_CASE_NAME)
        sent = st.form_submit_button("Rename", key="cases_rename_keep", type="primary")
    if not sent:
        return

    def rename() -> tuple[str, Callable[[], object]]:
        new = workbench.cases.change(case.id, name=name or "").name
        return "The case was renamed.", partial(workbench.cases.put_back, case.id, "name", case.name, new)

    submit(PAGE, rename)


def _notes(workbench: Workbench, case: Case) -> None:
    key, seen = f"cases_notes_{case.id}", f"cases_notes_seen_{case.id}"
    state = st.session_state
    # Unsaved text stays; a field without edits follows the stored notes.
    if key not in state or seen not in state or (state[key] or "").strip() == state[seen]:
        state[key] = state[seen] = case.notes
    with st.container(border=True, key="cases_notes_box"):
        theme.kicker("Notes")
        st.text_area(
            "Notes", key=key, max_chars=MAX_CASE_NOTES, height=160, label_visibility="collapsed",
            placeholder="Background, open questions, contacts", persist_state="session",
        )  # fmt: skip
        if state[seen] != case.notes:
            st.caption(
                ":orange[:material/edit_note:] The notes were changed in another tab. Saving keeps both versions."
            )
        button("Save notes", "cases_notes_save", "save", _save, workbench, case.id, key, seen)


def _save(workbench: Workbench, case_id: str, key: str, seen: str) -> None:
    state = st.session_state
    text = str(state[key] or "")
    try:
        before, after = workbench.cases.keep_notes(case_id, text, state[seen])
    except GhostError as error:
        notify_error(PAGE, error)
        return
    state[key] = state[seen] = after
    both = "The notes had changed in another tab. Both versions are kept, yours below."
    back = partial(workbench.cases.put_back, case_id, "notes", before, after)
    notify(PAGE, "Notes saved." if after == text.strip() else both, back)


def _checks(workbench: Workbench, case: Case, runs: list[RunSummary]) -> None:
    st.header("Checks", anchor=False)
    if not runs:
        st.info(
            "No checks yet. Add some here, or click “Add to a case” in a report.",
            icon=":material/inbox:",
        )
        return
    part = paging(f"cases_checks_{case.id}", len(runs), AT_ONCE)
    for run in runs[part.offset : part.offset + AT_ONCE]:
        _check(workbench, case, run)
    part.numbers()


def _check(workbench: Workbench, case: Case, run: RunSummary) -> None:
    badge = run_badge(run)
    facts = filter(None, (run_confidence(run), theme.moment(run.started_at)))
    with st.container(border=True, gap="xsmall", key=f"cases_run_{run.id}"):
        st.markdown(f":{badge.colour}[:material/{badge.icon}:] {verdict_text(run)} :gray[:small[{' · '.join(facts)}]]")
        st.markdown(plain(shorten(run.claim_text, 300)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "pages/verify.py", label="Open the report", query_params={"run": run.id}, icon=":material/fact_check:"
            )
            button(
                "Remove", f"cases_out_{run.id}", "close", run_action, PAGE,
                partial(workbench.cases.remove, case.id, [run.id]), "Removed from the case.",
                partial(workbench.cases.add, case.id, [run.id]), type="tertiary",
                help="Removes the check from this case only.",
            )  # fmt: skip


def _more(workbench: Workbench, case: Case, held: set[str]) -> None:
    with st.container(border=True, key="cases_more"):
        theme.kicker("Add checks")
        words = st.text_input(
            "Find a check", key=f"cases_find_{case.id}", icon=":material/search:", max_chars=200,
            placeholder="Words of the claim", persist_state="session",
        )  # fmt: skip
        found = [run for run in workbench.runs.list(LOOKED_AT, text=words or "") if run.id not in held]
        if not found:
            st.caption("No other check has these words." if words else "All checks are in this case.")
        for run in found[:OFFERED]:
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                st.markdown(f"{verdict_text(run)} {plain(shorten(run.claim_text, 100))}", width="stretch")
                button(
                    "Add", f"cases_add_{run.id}", "add", run_action, PAGE,
                    partial(workbench.cases.add, case.id, [run.id]), "Added to the case.",
                    partial(workbench.cases.remove, case.id, [run.id]), type="tertiary",
                    help=f"Add “{plain(shorten(run.claim_text, 60))}”",
                )  # fmt: skip
        if len(found) > OFFERED:
            st.caption("There are more. Type words of the claim.")


def _export(workbench: Workbench, case: Case, runs: list[RunSummary]) -> None:
    """The button that makes the archive, then the one that downloads it."""
    stamp = (case.id, case.name, case.notes, tuple(runs), workbench.reviews.watermark())
    with st.container(border=True, key="cases_export"):
        theme.kicker("Export case")
        st.caption("A zip with a summary, a spreadsheet table, and the full bundle of each check.")
        made = st.session_state.get(_MADE)
        if made and made[0] == stamp:
            download(f"Download ({len(made[1]) / 1e6:.1f} MB)", made[1], case_file_name(case), "application/zip",
                     "cases_download", type="primary")  # fmt: skip
            return
        st.session_state.pop(_MADE, None)  # of another case, or of an older state of this one
        if button("Prepare export", "cases_prepare", "folder_zip"):
            try:
                st.session_state[_MADE] = (stamp, _archive(workbench, case, runs))
            except StoreError as error:
                theme.show_error(f"{error} Nothing was written.")
            else:
                st.rerun()


def _archive(workbench: Workbench, case: Case, runs: list[RunSummary]) -> bytes:
    """Write the runs one by one; a click on Stop ends the script and this loop with it."""
    settings = workbench.settings
    export = CaseExport(case, Publisher(settings.publisher_name, settings.publisher_url))
    bar = st.progress(0.0, "Writing the checks …")
    if runs:
        button("Stop", "cases_stop", "stop_circle")
    for number, summary in enumerate(runs, start=1):
        if run := workbench.runs.get(summary.id):
            export.add(run)
        bar.progress(number / len(runs), f"{number} of {count(len(runs), 'check')}")
    return export.finish()
