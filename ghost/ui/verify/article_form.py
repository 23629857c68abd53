"""Where an article is entered, as a text or by its address, and waited for while its sentences are listed."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import Cancelled, GhostError
from ghost.jobs import Task, failure_text
from ghost.records import Article
from ghost.ui.shared import theme
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import plain
from ghost.ui.verify.address import open_article
from ghost.ui.verify.draft import ARTICLE, started

if TYPE_CHECKING:
    from ghost.workbench import Workbench

QUICK_SECONDS = 0.5


def article_form(workbench: "Workbench") -> None:
    """Text or address of an article; leads to its statements."""
    task: Task[Article] | None = st.session_state.get("verify_reading")
    if task and not task.ended:
        with st.container(border=True, key="verify_article_progress"):
            task_progress(task, "verify_article_cancel", "Reading the article")
        return
    with st.container(border=True, key="verify_article_form"):  # no st.form, as for a claim
        text = st.text_area(
            "Text of the article", key="verify_article_text", height=220, persist_state="session",
            placeholder="Paste the whole text. Each sentence that makes a factual claim will be listed.",
        )  # fmt: skip
        url = st.text_input(
            "Address of the article", key="verify_article_url", placeholder="https://…", persist_state="session",
            help="Without a text, the page is fetched from here. With a text, the address only says where it was "
            "found. Either way the page never counts as evidence for itself.",
        )  # fmt: skip
        sent = st.button(
            "List its statements", key="verify_article_list", type="primary", icon=":material/checklist:",
            shortcut="Ctrl+Enter",
        )  # fmt: skip
    st.caption(
        ":material/computer: Sentences are read and rated on this machine. "
        + (
            "Only when you enter an address without a text, the page is fetched from its site."
            if workbench.settings.web
            else "The web is switched off for this workbench (GHOST_WEB), so no page is fetched: paste the text."
        )
    )
    if sent:
        task = Task[Article](lambda task: workbench.list_article(text or "", url or "", task.report))
        task.wait(QUICK_SECONDS)
        st.session_state["verify_reading"] = task
        if not task.ended:
            st.rerun()
    if task:
        _finish(task)


def _finish(task: Task[Article]) -> None:
    error = task.error
    if error is None:
        del st.session_state["verify_reading"]
        started(ARTICLE)
        open_article(task.result().id)
        st.rerun()
    elif isinstance(error, Cancelled):
        st.info("Cancelled. Nothing was saved; the text is still in the form.", icon=":material/stop_circle:")
    elif isinstance(error, GhostError):
        st.warning(plain(str(error)), icon=":material/edit_note:")
    else:
        theme.show_error(f"The article could not be read. {failure_text(error)}")
