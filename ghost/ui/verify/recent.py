"""The latest runs, to reopen one."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records import RunSummary
from ghost.reports import money
from ghost.types import RunStatus, Usage
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify.place import open_article, open_run
from ghost.ui.verify.verdict import verdict_words

if TYPE_CHECKING:
    from ghost.workbench import Workbench

SHOWN = 8
ARTICLES = 4
"""On a page of the list."""


def recent_runs(workbench: "Workbench") -> None:
    """The last few runs as buttons with their verdicts."""
    theme.kicker("Recent checks")
    try:
        runs = workbench.runs.list(limit=SHOWN)
        used = spent(workbench)
    except StoreError as error:
        st.caption(f"They cannot be read now. {plain(str(error))}")
        return
    if not runs:
        st.caption("Nothing has been checked yet. Your checks will be listed here and stay on this machine.")
    with st.container(gap=None, key="verify_recent"):
        for run in runs:
            _recent(run)
    if used.tokens:
        total = money(used.tokens, used.cost_usd, used.unpriced_tokens)
        st.caption(f"All checks together: {plain(total)}")


def spent(workbench: "Workbench") -> Usage:
    """What all runs have spent on language models. Raises StoreError."""
    ended = workbench.runs.count() - workbench.runs.count(status=RunStatus.RUNNING)
    return _spent(workbench, str(workbench.settings.data_dir), ended)


@st.cache_data(max_entries=8, show_spinner=False)
def _spent(_bench: "Workbench", folder: str, ended: int) -> Usage:
    """What all runs have spent: reads every one of them, so only again when one more has ended."""
    del folder, ended  # they only tell one answer from another
    return _bench.runs.spent()


def recent_articles(workbench: "Workbench") -> None:
    """All articles, the newest first and a few at a time; nothing where there is none."""
    try:
        part = paging("verify_articles_page", workbench.articles.count(), ARTICLES)
        found = workbench.articles.latest(ARTICLES, part.offset)
    except StoreError as error:
        st.caption(f"Articles cannot be read now. {plain(str(error))}")
        return
    if not found:
        return
    theme.kicker("Recent articles" if part.pages == 1 else "Articles")
    with st.container(gap=None, key="verify_recent_articles"):
        for article in found:
            checked = f":gray[· {count(article.checks, 'check')}]" if article.checks else ""
            st.button(
                f"{plain(shorten(article.title or article.url, 80))} {checked}",
                key=f"verify_recent_article_{article.id}", help=theme.moment(article.added_at), type="tertiary",
                icon=":material/article:", on_click=open_article, args=(article.id,), wrap=False,
            )  # fmt: skip
    part.numbers()


def _recent(run: RunSummary) -> None:
    look = theme.VERDICTS[run.override or run.label] if run.label else theme.STATUSES[run.status]
    st.button(
        f"{verdict_words(run.status, run.label, run.override)} {plain(shorten(run.claim_text, 80))}",
        key=f"verify_recent_{run.id}",
        help=theme.moment(run.started_at),
        type="tertiary",
        icon=f":material/{look.icon}:",
        on_click=open_run,
        args=(run.id,),
        wrap=False,
    )
