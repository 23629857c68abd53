"""Where an article is entered, as a text or by its address, and waited for while it is taken apart."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import Cancelled, GhostError
from ghost.jobs import Task
from ghost.records import Article
from ghost.text import redacted
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain
from ghost.ui.verify.draft import ARTICLE, started
from ghost.ui.verify.place import open_article

if TYPE_CHECKING:
    from ghost.workbench import Workbench

QUICK_SECONDS = 0.5
POLL_SECONDS = 0.4


@dataclass
class Reading:
    """An article that is taken apart for one visitor."""

    task: Task[Article]


def article_form(workbench: "Workbench") -> None:
    """Text or address of an article; leads to its statements."""
    reading: Reading | None = st.session_state.get("verify_reading")
    if reading and not reading.task.ended:
        _wait(reading)
        return
    with st.container(border=True, key="verify_article_form"):  # no form, as for a claim
        text = st.text_area(
            "Text of the article",
            key="verify_article_text",
            placeholder="Paste the whole text. Each sentence that says something about the world will be listed.",
            height=220,
            persist_state="session",
        )
        url = st.text_input(
            "Address of the article",
            key="verify_article_url",
            placeholder="https://…",
            help="Without a text, the page is fetched from here. With one, the address only says where it was found. "
            "Either way the page never counts as evidence for itself.",
            persist_state="session",
        )
        sent = st.button(
            "List its statements", key="verify_article_list", type="primary", icon=":material/checklist:",
            shortcut="Ctrl+Enter",
        )  # fmt: skip
    web = workbench.settings.web
    st.caption(
        ":material/computer: Sentences are read and rated on this machine. "
        + (
            "Only when you enter an address without a text, the page is fetched from its site."
            if web
            else "The web is switched off for this workbench (GHOST_WEB), so no page is fetched: paste the text."
        )
    )
    if sent:
        task = Task[Article](lambda task: workbench.list_article(text or "", url or "", task.report))
        task.wait(QUICK_SECONDS)
        reading = Reading(task)
        st.session_state["verify_reading"] = reading
        if not task.ended:
            st.rerun()
    if reading:
        _done(reading)


def _wait(reading: Reading) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        if reading.task.ended:
            st.rerun()
        progress = reading.task.progress
        with st.container(border=True, key="verify_article_progress"):
            theme.kicker("The article is taken apart")
            words = f"{progress.done:,} of {progress.total:,} sentences" if progress.total else progress.what
            st.progress(progress.share, text=plain(words or "It begins in a moment"))
            st.button(
                "Stopping …" if reading.task.cancelled() else "Cancel", key="verify_article_cancel",
                icon=":material/stop_circle:", disabled=reading.task.cancelled(), on_click=reading.task.cancel,
            )  # fmt: skip

    watch()


def _done(reading: Reading) -> None:
    error = reading.task.error
    if error is None:
        del st.session_state["verify_reading"]
        started(ARTICLE)
        open_article(reading.task.result().id)
        st.rerun()
    elif isinstance(error, Cancelled):
        st.info("It was stopped. Nothing was kept; the text is still in the form.", icon=":material/stop_circle:")
    elif isinstance(error, GhostError):
        st.warning(plain(str(error)), icon=":material/edit_note:")
    else:
        st.error(
            plain(f"The article could not be taken apart: unexpected {type(error).__name__}: {redacted(str(error))}"),
            icon=":material/error:",
        )
