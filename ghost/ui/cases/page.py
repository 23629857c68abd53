"""The Cases page: one case, or the list of cases with a search, a dialog for a new one, and the deleted ones."""

from functools import partial

import streamlit as st

from ghost.errors import GhostError
from ghost.records import MAX_CASE_NAME, MAX_CASE_NOTES, Case
from ghost.ui.cases.detail import PAGE, detail
from ghost.ui.shared import theme
from ghost.ui.shared.actions import close_dialog, closing, is_open, open_dialog, run_action, show_notice
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, open_item, opened, retry_on_error
from ghost.ui.shared.text import coloured, count, plain, shorten

AT_ONCE = 20
DELETED_AT_ONCE = 10


def cases_page(workbench: Workbench) -> None:
    """What the address asks for."""
    if case_id := opened(PAGE, "case"):
        detail(workbench, case_id)
    else:
        _overview(workbench)


def _overview(workbench: Workbench) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Cases", anchor=False, width="content")
        button("New case", "cases_new", "create_new_folder", open_dialog, PAGE, "new", type="primary")
    if is_open(PAGE, "new"):
        _create(workbench)
    show_notice(PAGE)
    st.markdown("Group related checks, add notes, and export them as one file.")
    with retry_on_error("cases_retry"):
        gone = workbench.cases.deleted_count()
        _list(workbench, gone)
        if gone:
            _deleted(workbench, gone)


def _list(workbench: Workbench, gone: int) -> None:
    words = ""
    if everything := workbench.cases.count():
        words = st.text_input(
            "Search", key="cases_query", placeholder="Names, notes and claims", icon=":material/search:",
            max_chars=200, persist_state="session",
        ) or ""  # fmt: skip
    total = workbench.cases.count(words) if words.strip() else everything
    if not everything and gone:
        st.caption("There are no cases. Deleted ones are below.")
    elif not everything:
        _empty()
    elif not total:
        st.info("No case has these words in its name, notes or claims.", icon=":material/search_off:")
    else:
        part = paging(f"cases_page_{words}", total, AT_ONCE)
        st.caption(f"{count(total, 'case')}, last changed first")
        with st.container(gap="small"):
            for case in workbench.cases.list(words, AT_ONCE, part.offset):
                _card(case)
        part.numbers()


def _deleted(workbench: Workbench, gone: int) -> None:
    """The deleted cases, folded, each with a button that restores it."""
    with st.expander(f"Deleted ({gone:,})", key="cases_deleted", icon=":material/delete:", type="compact"):
        part = paging("cases_deleted_page", gone, DELETED_AT_ONCE)
        for case in workbench.cases.deleted(DELETED_AT_ONCE, part.offset):
            with st.container(
                border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute",
                key=f"cases_gone_{case.id}",
            ):  # fmt: skip
                name = plain(shorten(case.name, 60))
                st.markdown(f"**{name}** :gray[:small[{count(case.runs, 'check')}]]", width="content")
                button(
                    "Restore", f"cases_back_{case.id}", "restore_from_trash", run_action, PAGE,
                    partial(workbench.cases.restore, case.id), f"**{name}** was restored.",
                    partial(workbench.cases.delete, case.id),
                )  # fmt: skip
        part.numbers()


def _empty() -> None:
    with st.container(border=True, key="cases_empty"):
        st.header(":material/folder_open: No cases yet", anchor=False)
        st.markdown(
            "A case is a folder for checks, for example all claims of one speech or article. Create one here, or click "
            "**Add to a case** in a report."
        )
        st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")


def _card(case: Case) -> None:
    with st.container(border=True, gap="xsmall", key=f"cases_card_{case.id}"):
        button(f"**{plain(case.name)}**", f"cases_open_{case.id}", "folder_open", open_item, PAGE, "case", case.id,
               type="tertiary")  # fmt: skip
        if case.notes:
            st.markdown(coloured("gray", shorten(case.notes, 240)))
        st.caption(f"{count(case.runs, 'check')} · changed {theme.moment(case.changed_at)}")


@st.dialog("New case", icon=":material/create_new_folder:", on_dismiss=closing(PAGE))
def _create(workbench: Workbench) -> None:
    with st.form("cases_new_form", border=False):
        name = st.text_input(
            "Name", key="cases_new_name", max_chars=MAX_CASE_NAME, placeholder="For example: Mayor's speech"
        )
        notes = st.text_area("Notes", key="cases_new_notes", max_chars=MAX_CASE_NOTES, placeholder="Optional")
        sent = st.form_submit_button("Create case", key="cases_new_keep", type="primary")
    if not sent:
        return
    try:
        made = workbench.cases.create(name or "", notes or "")
    except GhostError as error:
        theme.show_error(error)
        return
    close_dialog(PAGE)
    open_item(PAGE, "case", made.id)
    st.rerun()
