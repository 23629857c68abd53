"""An article while it is read, at the address that it will have, and what is said when it could not be read."""

import time

import streamlit as st

from ghost.errors import ClaimError
from ghost.jobs import ArticleReader, ArticleView, Progress
from ghost.ui.shared import theme
from ghost.ui.shared.sharing import waiting
from ghost.ui.shared.task_progress import cancel_button, progress_line
from ghost.ui.shared.text import plain
from ghost.ui.verify.visit import article_put_in, new_claim_button, open_article

QUICK_SECONDS = 0.5
"""An article that is read within this time shows no progress."""
LOOK_SECONDS, POLL_SECONDS = 0.02, 0.5


def begin(reader: ArticleReader, text: str, url: str, web: bool) -> None:
    """Have an article read, and show it from now on; what cannot be used is said instead."""
    with theme.errors_shown():
        try:
            article_id = reader.start(text, url, web)
        except ClaimError as error:
            _cannot_be_used(str(error))
            return
        article_put_in(article_id)
        open_article(article_id)  # before anything can fail, as it is read all the same
        deadline = time.monotonic() + QUICK_SECONDS
        while (view := reader.snapshot(article_id)) and not view.ended and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
        st.rerun()


def reading_page(reader: ArticleReader, view: ArticleView, shared: bool) -> None:
    """How far the reading is, with a button that stops it; the whole page is drawn again when it has ended."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker("Article")
        new_claim_button("The article is read all the same, and then listed among the recent ones.")
    st.title("Reading the article", anchor=False)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        with theme.store_errors_noted("The progress cannot be read now."):
            now = reader.snapshot(view.article_id)
            if now is None or now.ended:
                st.rerun()
            what = waiting(now.progress.what)
            progress = Progress(what, now.progress.done, now.progress.total)
            progress_line(progress, time.monotonic() - now.started, "Reading the article")
            cancel_button("verify_article_cancel", now.cancelling, lambda: _cancel(reader, now.article_id))

    with st.container(border=True, key="verify_article_progress"):
        watch()
    if shared:
        st.caption("You can leave this page: the article has this address, and is kept once it is read.")


def _cancel(reader: ArticleReader, article_id: str) -> None:
    with theme.errors_shown():
        reader.cancel(article_id)


def why_unread(view: ArticleView) -> None:
    """Why an article was not read; its text is in the form."""
    if view.cancelled:
        st.info("Cancelled. Nothing was saved; the text is still in the form.", icon=":material/stop_circle:")
    elif view.unusable:
        _cannot_be_used(view.error)
    else:
        theme.show_error(f"The article could not be read. {view.error}")


def _cannot_be_used(why: str) -> None:
    st.warning(plain(why), icon=":material/edit_note:")
