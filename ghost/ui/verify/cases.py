"""The cases of a report: those it is in, and adding it to another one."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records import MAX_CASE_NAME
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, open_dialog, run_action, submit
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.records import Case
    from ghost.workbench import Workbench

PAGE = "verify"
OFFERED = 200
"""Cases to choose from, the last changed first; others are found by typing their name."""


def cases_of(workbench: "Workbench", run_id: str) -> None:
    """The cases that the run is in, each with a button that removes it, and the button to add it to one."""
    try:
        mine = workbench.cases.holding(run_id)
    except StoreError as error:
        st.caption(f"They cannot be read now. {plain(str(error))}")
        return
    if not mine:
        st.caption("In no case yet. A case keeps related checks together, with notes.")
    for case in mine:
        _row(workbench, case, run_id)
    st.button(
        "Add to a case", key="verify_case_add", icon=":material/create_new_folder:", on_click=open_dialog,
        args=(PAGE, f"case {run_id}"),
    )  # fmt: skip
    if is_open(PAGE, f"case {run_id}"):
        _dialog(workbench, run_id)


def _row(workbench: "Workbench", case: "Case", run_id: str) -> None:
    name = plain(shorten(case.name, 60))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.page_link("pages/cases.py", label=name, icon=":material/folder_open:", query_params={"case": case.id})
        st.button(
            "Remove", key=f"verify_case_out_{case.id}", type="tertiary", icon=":material/close:",
            help=f"Remove this check from {name}", on_click=run_action,
            args=(PAGE, lambda: workbench.cases.remove(case.id, [run_id]), f"Removed from {name}.",
                  lambda: workbench.cases.add(case.id, [run_id])),
        )  # fmt: skip


@st.dialog("Add to a case", icon=":material/create_new_folder:", on_dismiss=closing(PAGE))
def _dialog(workbench: "Workbench", run_id: str) -> None:
    try:
        held = {case.id for case in workbench.cases.holding(run_id)}
        offered = {case.name: case for case in workbench.cases.list(limit=OFFERED) if case.id not in held}
    except StoreError as error:
        theme.show_error(error)
        return
    with st.form("verify_case_form", border=False):
        chosen = st.selectbox(
            "Case", list(offered), index=None, key="verify_case_name", accept_new_options=True,
            placeholder="Choose one, or type the name of a new one",
            help=f"A name has at most {MAX_CASE_NAME} characters.",
        )  # fmt: skip
        sent = st.form_submit_button("Add", key="verify_case_keep", type="primary")
    if sent and not (chosen or "").strip():
        st.warning("Choose a case, or type a name for a new one.", icon=":material/edit_note:")
    elif sent and chosen:

        def add() -> Result:
            case = offered.get(chosen) or _by_name(workbench, chosen) or workbench.cases.create(chosen)
            workbench.cases.add(case.id, [run_id])
            return f"Added to {plain(shorten(case.name, 60))}.", lambda: workbench.cases.remove(case.id, [run_id])

        submit(PAGE, add)


def _by_name(workbench: "Workbench", name: str) -> "Case | None":
    """The case of this name where it was not among those offered."""
    wanted = " ".join(name.split()).casefold()
    return next((case for case in workbench.cases.list(name.strip(), OFFERED) if case.name.casefold() == wanted), None)
