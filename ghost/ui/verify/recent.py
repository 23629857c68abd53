"""The latest runs and articles, to reopen one."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.reports import money
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.runs import run_badge, total_spent, verdict_text
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify.address import open_article, open_run

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
        used = total_spent(workbench)
    except StoreError as error:
        st.caption(f"They cannot be read now. {plain(str(error))}")
        return
    if not runs:
        st.caption("Nothing has been checked yet. Your checks will be listed here and stay on this machine.")
    with st.container(gap=None, key="verify_recent"):
        for run in runs:
            st.button(
                f"{verdict_text(run)} {plain(shorten(run.claim_text, 80))}", key=f"verify_recent_{run.id}",
                help=theme.moment(run.started_at), type="tertiary", icon=f":material/{run_badge(run).icon}:",
                on_click=open_run, args=(run.id,), wrap=False,
            )  # fmt: skip
    if used.tokens:
        st.caption(f"All checks together: {plain(money(used.tokens, used.cost_usd, used.unpriced_tokens))}")


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
