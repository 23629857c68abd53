"""Taking a report away: files, its address, and what left the machine."""

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from ghost.errors import ExportError, StoreError
from ghost.jobs import RunView
from ghost.reports import (
    FILE_TYPES,
    Format,
    Publisher,
    claim_review,
    export,
    left_the_machine,
    report_name,
    unpublishable,
)
from ghost.types import Run
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain
from ghost.ui.verify import add_link

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_SHOWN = (
    (Format.HTML, "HTML to print", "print", "One file without scripts; print it, or save it as PDF from the browser."),
    (Format.MARKDOWN, "Markdown", "article", "The report as text."),
    (Format.JSON, "JSON", "data_object", "Everything that is known of this check, for programs."),
    (Format.BUNDLE, "Bundle", "folder_zip", "A zip of all reports, the evidence texts, the trace and checksums."),
)


def keep_section(workbench: "Workbench", view: RunView) -> None:
    """Downloads, the address of the report, what left the machine, and the run's id."""
    try:
        run = workbench.runs.get(view.run_id)
    except StoreError as error:
        st.caption(f"The stored run cannot be read now. {plain(str(error))}")
        return
    if run is None:
        return
    who = publisher(workbench)
    with st.container(border=True):
        theme.kicker("Keep it")
        with st.container(horizontal=True, gap="small"):
            for form, label, icon, note in _SHOWN:
                st.download_button(
                    label, partial(export, run, form, who), report_name(run, form), FILE_TYPES[form].mime,
                    key=f"verify_{form.value}", icon=f":material/{icon}:", help=note, on_click="ignore",
                )  # fmt: skip
            if run.verdict:
                with st.popover("ClaimReview", icon=":material/verified:", key="verify_claimreview_open"):
                    _claim_review(workbench, run)
            with st.popover("Link", icon=":material/link:", key="verify_address"):
                _link(run.id)
        st.caption(f"What left this machine: {plain(' '.join(left_the_machine(run)))}")
        st.caption(f"Run {plain(run.id)}")
        add_link.follows(run.settings)


def publisher(workbench: "Workbench") -> Publisher:
    """Who publishes: what was entered on the page, else what the settings say.

    To be asked while the page is drawn: a download is made outside of it, where nothing that was entered is known.
    """
    settings = workbench.settings
    name = st.session_state.get("verify_publisher_name") or settings.publisher_name
    url = st.session_state.get("verify_publisher_url") or settings.publisher_url
    return Publisher(name.strip(), url.strip(), st.session_state.get("verify_publisher_page", "").strip())


def _claim_review(workbench: "Workbench", run: Run) -> None:
    st.markdown(
        "**ClaimReview** is how fact-checkers tell search engines about a check. Put the file on the page where you "
        "publish yours."
    )
    if why := unpublishable(run):
        st.info(plain(why), icon=":material/info:")
        return
    settings = workbench.settings
    st.text_input(
        "Published by", key="verify_publisher_name", placeholder=settings.publisher_name or "Name of your organization",
        max_chars=200, persist_state="session",
    )  # fmt: skip
    st.text_input(
        "Their home page", key="verify_publisher_url", placeholder=settings.publisher_url or "https://…",
        max_chars=2000, persist_state="session",
    )  # fmt: skip
    st.text_input(
        "Address of this review", key="verify_publisher_page", placeholder="https://…, where you will publish it",
        max_chars=2000, persist_state="session",
    )  # fmt: skip
    who = publisher(workbench)
    try:
        claim_review(run, who)
    except ExportError as error:
        st.caption(plain(str(error)))
        return
    form = Format.CLAIMREVIEW
    st.download_button(
        "Download", partial(export, run, form, who), report_name(run, form), FILE_TYPES[form].mime,
        key="verify_claimreview", icon=":material/download:", on_click="ignore", type="primary",
    )  # fmt: skip


def _link(run_id: str) -> None:
    st.markdown("This address opens the report again, on this machine.")
    st.code(address_of(run_id), language=None, wrap_lines=True)
    st.caption("To hand the report to somebody else, send the HTML file or the bundle.")


def address_of(run_id: str) -> str:
    """Where this report can be opened; without its host when the browser has not told it."""
    parts = urlsplit(st.context.url or "")
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", f"run={run_id}", ""))
