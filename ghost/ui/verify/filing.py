"""Where a report goes: into cases and into files."""

from functools import partial
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from ghost.errors import ExportError
from ghost.records import MAX_CASE_NAME, Case
from ghost.reports import FILE_TYPES, Format, Publisher, claim_review, export, report_name, unpublishable
from ghost.types import Run
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, open_dialog, run_action, submit
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.text import plain, shorten
from ghost.ui.verify.visit import PAGE

OFFERED = 200
"""Cases to choose from, the last changed first; others are found by typing their name."""
_FILES = (
    (Format.HTML, "HTML", "print", "One file without scripts; print it, or save it as PDF from the browser."),
    (Format.MARKDOWN, "Markdown", "article", "The report as text."),
    (Format.JSON, "JSON", "data_object", "The complete result, for programs."),
    (Format.BUNDLE, "Bundle", "folder_zip", "A zip of all reports, the evidence texts, the trace and checksums."),
)


def cases_of(workbench: Workbench, run_id: str) -> None:
    """The cases that the run is in, each with a button that removes it, and the button to add it to one."""
    with theme.store_errors_noted("They cannot be read now."):
        mine = workbench.cases.holding(run_id)
        if not mine:
            st.caption("In no case yet. A case keeps related checks together, with notes.")
        for case in mine:
            _case(workbench, case, run_id)
        button("Add to a case", "verify_case_add", "create_new_folder", open_dialog, PAGE, f"case {run_id}")
        if is_open(PAGE, f"case {run_id}"):
            _case_dialog(workbench, run_id)


def _case(workbench: Workbench, case: Case, run_id: str) -> None:
    name = plain(shorten(case.name, 60))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.page_link("pages/cases.py", label=name, icon=":material/folder_open:", query_params={"case": case.id})
        button(
            "Remove", f"verify_case_out_{case.id}", "close", run_action, PAGE,
            lambda: workbench.cases.remove(case.id, [run_id]), f"Removed from {name}.",
            lambda: workbench.cases.add(case.id, [run_id]), type="tertiary", help=f"Remove this check from {name}",
        )  # fmt: skip


@st.dialog("Add to a case", icon=":material/create_new_folder:", on_dismiss=closing(PAGE))
def _case_dialog(workbench: Workbench, run_id: str) -> None:
    with theme.errors_shown():
        held = {case.id for case in workbench.cases.holding(run_id)}
        offered = {case.name: case for case in workbench.cases.list(limit=OFFERED) if case.id not in held}
        with st.form("verify_case_form", border=False):
            chosen = st.selectbox(
                "Case", list(offered), index=None, key="verify_case_name", accept_new_options=True,
                placeholder="Choose one, or type the name of a new one",
                help=f"A name has at most {MAX_CASE_NAME} characters.",
            )  # fmt: skip
            sent = st.form_submit_button("Add", key="verify_case_keep", type="primary")
        name = (chosen or "").strip()

        def add() -> Result:
            case = offered.get(name) or _by_name(workbench, name) or workbench.cases.create(name)
            workbench.cases.add(case.id, [run_id])
            return f"Added to {plain(shorten(case.name, 60))}.", lambda: workbench.cases.remove(case.id, [run_id])

        if sent and name:
            submit(PAGE, add)
        elif sent:
            st.warning("Choose a case, or type a name for a new one.", icon=":material/edit_note:")


def _by_name(workbench: Workbench, name: str) -> Case | None:
    """The case of this name where it was not among those offered."""
    wanted = " ".join(name.split()).casefold()
    return next((case for case in workbench.cases.list(name, OFFERED) if case.name.casefold() == wanted), None)


def exports(workbench: Workbench, run: Run) -> None:
    """Downloads, ClaimReview and the address of the report."""
    who = _publisher(workbench)
    with st.container(horizontal=True, gap="small"):
        for form, label, icon, note in _FILES:
            _download(run, form, who, label, icon, note)
        if run.verdict:
            with st.popover("ClaimReview", icon=":material/verified:", key="verify_claimreview_open"):
                _claim_review(workbench, run)
        with st.popover("Link", icon=":material/link:", key="verify_address"):
            parts = urlsplit(st.context.url or "")  # empty when the browser has not named it
            address = urlunsplit((parts.scheme, parts.netloc, parts.path or "/", f"run={run.id}", ""))
            st.markdown("This address opens the report again, on this machine.")
            st.code(address, language=None, wrap_lines=True)
            st.caption("To share the report, send the HTML file or the bundle.")
    st.caption(f"Run {plain(run.id)}")


def _download(run: Run, form: Format, who: Publisher, label: str, icon: str, note: str | None = None) -> None:
    st.download_button(
        label, partial(export, run, form, who), report_name(run, form), FILE_TYPES[form].mime,
        key=f"verify_{form.value}", icon=f":material/{icon}:", help=note, on_click="ignore",
    )  # fmt: skip


def _publisher(workbench: Workbench) -> Publisher:
    """The publisher entered on the page, else the one in the settings.

    To be called while the page is drawn: a download is made in a thread that knows no visitor and so no fields.
    """
    settings, state = workbench.settings, st.session_state
    name = state.get("verify_publisher_name") or settings.publisher_name
    url = state.get("verify_publisher_url") or settings.publisher_url
    return Publisher(name.strip(), url.strip(), state.get("verify_publisher_page", "").strip())


def _claim_review(workbench: Workbench, run: Run) -> None:
    st.markdown(
        "**ClaimReview** is how fact-checkers tell search engines about a check. Put the file on the page where you "
        "publish yours."
    )
    if why := unpublishable(run):
        st.info(plain(why), icon=":material/info:")
        return
    settings = workbench.settings
    for name, label, placeholder, longest in (
        ("name", "Published by", settings.publisher_name or "Name of your organization", 200),
        ("url", "Home page", settings.publisher_url or "https://…", 2000),
        ("page", "Address of this review", "https://…, where you will publish it", 2000),
    ):
        st.text_input(
            label, key=f"verify_publisher_{name}", placeholder=placeholder, max_chars=longest, persist_state="session"
        )
    who = _publisher(workbench)
    try:
        claim_review(run, who)
    except ExportError as error:
        st.caption(plain(str(error)))
        return
    _download(run, Format.CLAIMREVIEW, who, "Download", "download")
