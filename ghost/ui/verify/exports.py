"""Exports of a report: files, ClaimReview, and its address."""

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from ghost.errors import ExportError
from ghost.reports import FILE_TYPES, Format, Publisher, claim_review, export, report_name, unpublishable
from ghost.types import Run
from ghost.ui.shared.text import plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_SHOWN = (
    (Format.HTML, "HTML", "print", "One file without scripts; print it, or save it as PDF from the browser."),
    (Format.MARKDOWN, "Markdown", "article", "The report as text."),
    (Format.JSON, "JSON", "data_object", "The complete result, for programs."),
    (Format.BUNDLE, "Bundle", "folder_zip", "A zip of all reports, the evidence texts, the trace and checksums."),
)


def exports(workbench: "Workbench", run: Run) -> None:
    """Downloads, ClaimReview and the address of the report."""
    who = _publisher(workbench)
    with st.container(horizontal=True, gap="small"):
        for form, label, icon, note in _SHOWN:
            _download(run, form, who, label, icon, note)
        if run.verdict:
            with st.popover("ClaimReview", icon=":material/verified:", key="verify_claimreview_open"):
                _claim_review(workbench, run)
        with st.popover("Link", icon=":material/link:", key="verify_address"):
            st.markdown("This address opens the report again, on this machine.")
            st.code(_address_of(run.id), language=None, wrap_lines=True)
            st.caption("To share the report, send the HTML file or the bundle.")
    st.caption(f"Run {plain(run.id)}")


def _download(run: Run, form: Format, who: Publisher, label: str, icon: str, note: str = "") -> None:
    st.download_button(
        label, partial(export, run, form, who), report_name(run, form), FILE_TYPES[form].mime,
        key=f"verify_{form.value}",
        icon=f":material/{icon}:", help=note or None, on_click="ignore",
    )  # fmt: skip


def _publisher(workbench: "Workbench") -> Publisher:
    """The publisher entered on the page, else the one in the settings.

    To be called while the page is drawn: a download is made in a thread that knows no visitor and so no fields.
    """
    settings, state = workbench.settings, st.session_state
    name = state.get("verify_publisher_name") or settings.publisher_name
    url = state.get("verify_publisher_url") or settings.publisher_url
    return Publisher(name.strip(), url.strip(), state.get("verify_publisher_page", "").strip())


def _claim_review(workbench: "Workbench", run: Run) -> None:
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


def _address_of(run_id: str) -> str:
    """Where this report can be opened; without its host when the browser has not named it."""
    parts = urlsplit(st.context.url or "")
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", f"run={run_id}", ""))
