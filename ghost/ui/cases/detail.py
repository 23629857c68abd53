"""One case: its notes, its checks with their verdicts, a search for more, and the export."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError, StoreError
from ghost.records import MAX_CASE_NAME, MAX_CASE_NOTES, Case, RunSummary
from ghost.reports import confidence
from ghost.ui.cases.export import export_section
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
from ghost.ui.shared.runs import run_badge, verdict_text
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "cases"
OFFERED = 8
AT_ONCE = 50
LOOKED_AT = 100
"""Checks that a search for more looks at; those already in the case are left out."""


def open_case(case_id: str) -> None:
    """Show this case; an empty id leads back to the list. For callbacks."""
    st.session_state["cases_open"] = case_id
    if case_id:
        st.query_params["case"] = case_id
    else:
        st.query_params.pop("case", None)


def detail(workbench: "Workbench", case_id: str) -> None:
    """The case, or why it cannot be shown."""
    st.button(
        "All cases", key="cases_back", type="tertiary", icon=":material/arrow_back:", on_click=open_case, args=("",)
    )
    try:
        case = workbench.cases.get(case_id)
        if case is None:
            _unknown(case_id)
        elif case.deleted:
            _deleted(workbench, case)
        else:
            _open(workbench, case, workbench.cases.runs(case.id))
    except StoreError as error:
        theme.show_error(error)
        st.button("Try again", key="cases_retry", icon=":material/refresh:")


def _unknown(case_id: str) -> None:
    st.title(":material/search_off: This case is not here", anchor=False)
    st.markdown(
        f"There is no case **{plain(shorten(case_id, 60))}** on this machine. The link may come from another machine, "
        "or the data folder may have changed. Nothing was lost."
    )


def _deleted(workbench: "Workbench", case: Case) -> None:
    st.title(plain(case.name), anchor=False)
    st.warning("This case was deleted. Its checks are kept.", icon=":material/delete:")
    st.button(
        "Restore", key="cases_restore", icon=":material/restore_from_trash:", type="primary",
        on_click=run_action, args=(PAGE, partial(workbench.cases.restore, case.id), "The case was restored."),
    )  # fmt: skip


def _open(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> None:
    with st.container(gap=None):
        theme.kicker("Case")
        st.title(plain(case.name), anchor=False)
        st.caption(
            f"{count(len(runs), 'check')} · created {theme.moment(case.created_at)} · "
            f"changed {theme.moment(case.changed_at)}"
        )
    show_notice(PAGE, case.id)
    with st.container(horizontal=True, key="cases_actions"):
        st.button(
            "Rename", key="cases_rename", icon=":material/edit:", on_click=open_dialog,
            args=(PAGE, f"rename {case.id}"),
        )  # fmt: skip
        st.button(
            "Delete", key="cases_delete", icon=":material/delete:", on_click=_delete, args=(workbench, case),
            help="The checks stay; you can undo it.",
        )  # fmt: skip
    if is_open(PAGE, f"rename {case.id}"):
        _rename(workbench, case)
    main, side = st.columns([2, 1], gap="large")
    with main:
        _checks(workbench, case, runs)
    with side:
        _notes(workbench, case)
        _more(workbench, case, {run.id for run in runs})
        export_section(workbench, case, runs)


def _delete(workbench: "Workbench", case: Case) -> None:
    def back() -> None:
        workbench.cases.restore(case.id)
        open_case(case.id)

    name = plain(shorten(case.name, 60))
    run_action(PAGE, lambda: workbench.cases.delete(case.id), f"**{name}** was deleted. Its checks are kept.", back)
    open_case("")


@st.dialog("Rename the case", icon=":material/edit:", on_dismiss=closing(PAGE))
def _rename(workbench: "Workbench", case: Case) -> None:
    with st.form("cases_rename_form", border=False):
        name = st.text_input("Name", case.name, key="cases_rename_name", max_chars=MAX_CASE_NAME)
        sent = st.form_submit_button("Rename", key="cases_rename_keep", type="primary")
    if not sent:
        return

    def rename() -> tuple[str, Callable[[], object]]:
        new = workbench.cases.change(case.id, name=name or "").name
        return "The case was renamed.", partial(workbench.cases.put_back, case.id, "name", case.name, new)

    submit(PAGE, rename)


def _notes(workbench: "Workbench", case: Case) -> None:
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
        st.button(
            "Save notes", key="cases_notes_save", icon=":material/save:", on_click=_save,
            args=(workbench, case.id, key, seen),
        )  # fmt: skip


def _save(workbench: "Workbench", case_id: str, key: str, seen: str) -> None:
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


def _checks(workbench: "Workbench", case: Case, runs: list[RunSummary]) -> None:
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


def _check(workbench: "Workbench", case: Case, run: RunSummary) -> None:
    badge = run_badge(run)
    facts = filter(None, (confidence(run.confidence), theme.moment(run.started_at)))
    with st.container(border=True, gap="xsmall", key=f"cases_run_{run.id}"):
        st.markdown(f":{badge.colour}[:material/{badge.icon}:] {verdict_text(run)} :gray[:small[{' · '.join(facts)}]]")
        st.markdown(plain(shorten(run.claim_text, 300)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "pages/verify.py", label="Open the report", query_params={"run": run.id}, icon=":material/fact_check:"
            )
            st.button(
                "Remove", key=f"cases_out_{run.id}", type="tertiary", icon=":material/close:",
                help="Removes the check from this case only.",
                on_click=run_action,
                args=(
                    PAGE, partial(workbench.cases.remove, case.id, [run.id]), "Removed from the case.",
                    partial(workbench.cases.add, case.id, [run.id]),
                ),
            )  # fmt: skip


def _more(workbench: "Workbench", case: Case, held: set[str]) -> None:
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
                st.markdown(
                    f"{verdict_text(run)} {plain(shorten(run.claim_text, 100))}",
                    width="stretch",
                )
                st.button(
                    "Add", key=f"cases_add_{run.id}", type="tertiary", icon=":material/add:",
                    help=f"Add “{plain(shorten(run.claim_text, 60))}”",
                    on_click=run_action,
                    args=(
                        PAGE, partial(workbench.cases.add, case.id, [run.id]), "Added to the case.",
                        partial(workbench.cases.remove, case.id, [run.id]),
                    ),
                )  # fmt: skip
        if len(found) > OFFERED:
            st.caption("There are more. Type words of the claim.")
