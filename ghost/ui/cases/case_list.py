"""All cases: finding one, beginning one, and bringing a deleted one back."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError, StoreError
from ghost.records import MAX_CASE_NAME, MAX_CASE_NOTES, Case
from ghost.ui.shared import flash, theme
from ghost.ui.shared.dialogs import close_dialog, closing, is_open, open_dialog
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import coloured, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "cases"
AT_ONCE = 20
DELETED_AT_ONCE = 10


def opened() -> str:
    """The case that is open in this tab, from the address bar or from before another page was visited; else nothing."""
    st.session_state.setdefault("cases_open", "")
    if "case" in st.query_params:
        st.session_state["cases_open"] = st.query_params["case"]
    elif st.session_state["cases_open"]:
        st.query_params["case"] = st.session_state["cases_open"]
    return str(st.session_state["cases_open"])


def open_case(case_id: str) -> None:
    """Show this case from now on; an empty id leads back to the list."""
    st.session_state["cases_open"] = case_id
    if case_id:
        st.query_params["case"] = case_id
    else:
        st.query_params.pop("case", None)


def overview(workbench: "Workbench") -> None:
    """The list with its search; says so when the store cannot be read."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Cases", anchor=False, width="content")
        st.button(
            "New case", key="cases_new", icon=":material/create_new_folder:", type="primary", on_click=open_dialog,
            args=(PAGE, "new"),
        )  # fmt: skip
    if is_open(PAGE, "new"):
        _create(workbench)
    flash.show(PAGE)
    st.markdown("Keep checks that belong together under one name, with your notes, and export them as one file.")
    try:
        gone = workbench.cases.deleted_count()
        _list(workbench, gone)
        if gone:
            _deleted(workbench, gone)
    except StoreError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="cases_retry", icon=":material/refresh:")


def _list(workbench: "Workbench", gone: int) -> None:
    words = ""
    if everything := workbench.cases.count():
        words = st.text_input(
            "Search", key="cases_query", placeholder="In names, notes and claims", icon=":material/search:",
            max_chars=200, persist_state="session",
        ) or ""  # fmt: skip
    total = workbench.cases.count(words) if words.strip() else everything
    if not everything and gone:
        st.caption("No case is in the list. Those that were deleted are below.")
    elif not everything:
        _empty()
    elif not total:
        st.info("No case has these words in its name, its notes or its claims.", icon=":material/search_off:")
    else:
        pages = -(-total // AT_ONCE)
        key = f"cases_page_{words}"
        page = min(int(st.session_state.get(key, 1)), pages)
        st.caption(f"{count(total, 'case')}, the last changed first")
        with st.container(gap="small"):
            for case in workbench.cases.list(words, AT_ONCE, (page - 1) * AT_ONCE):
                _card(case)
        if pages > 1:
            st.pagination(pages, default=page, key=key, persist_state="session")


def _deleted(workbench: "Workbench", gone: int) -> None:
    """The deleted cases, folded, each with the way back."""
    with st.expander(f"Deleted ({gone:,})", key="cases_deleted", icon=":material/delete:", type="compact"):
        part = paging("cases_deleted_page", gone, DELETED_AT_ONCE)
        for case in workbench.cases.deleted(DELETED_AT_ONCE, part.offset):
            with st.container(
                border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute",
                key=f"cases_gone_{case.id}",
            ):  # fmt: skip
                name = plain(shorten(case.name, 60))
                st.markdown(f"**{name}** :gray[:small[{count(case.runs, 'check')}]]", width="content")
                st.button(
                    "Bring back", key=f"cases_back_{case.id}", icon=":material/restore_from_trash:",
                    on_click=flash.attempt,
                    args=(PAGE, partial(workbench.cases.restore, case.id), f"**{name}** is back.",
                          partial(workbench.cases.delete, case.id)),
                )  # fmt: skip
        part.numbers()


def _empty() -> None:
    with st.container(border=True, key="cases_empty"):
        st.header(":material/folder_open: No case yet", anchor=False)
        st.markdown(
            "A case is a folder for checks: all claims of one speech, one article, one rumour that comes back. Begin "
            "one here, or press **Add to a case** in a report."
        )
        st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")


def _card(case: Case) -> None:
    with st.container(border=True, gap="xsmall", key=f"cases_card_{case.id}"):
        st.button(
            f"**{plain(case.name)}**", key=f"cases_open_{case.id}", type="tertiary", icon=":material/folder_open:",
            on_click=open_case, args=(case.id,),
        )  # fmt: skip
        if case.notes:
            st.markdown(coloured("gray", shorten(case.notes, 240)))
        st.caption(f"{count(case.runs, 'check')} · changed {theme.moment(case.changed_at)}")


@st.dialog("New case", icon=":material/create_new_folder:", on_dismiss=closing(PAGE))
def _create(workbench: "Workbench") -> None:
    with st.form("cases_new_form", border=False):
        name = st.text_input(
            "Name", key="cases_new_name", max_chars=MAX_CASE_NAME, placeholder="For example: Mayor's speech"
        )
        notes = st.text_area(
            "Notes", key="cases_new_notes", max_chars=MAX_CASE_NOTES, placeholder="What it is about; may be empty."
        )
        sent = st.form_submit_button("Begin", key="cases_new_keep", type="primary")
    if not sent:
        return
    try:
        made = workbench.cases.create(name or "", notes or "")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    close_dialog(PAGE)
    open_case(made.id)
    st.rerun()
