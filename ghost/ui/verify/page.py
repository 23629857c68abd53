"""The Verify page: the run or the article that its address names, or the form beside what was checked before."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import ArticleView, Jobs
from ghost.reports import money
from ghost.ui.settings import stance_warning
from ghost.ui.shared import theme
from ghost.ui.shared.actions import show_notice
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.runs import run_badge, total_spent, verdict_text
from ghost.ui.shared.sharing import records_place, shared_records
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify import earlier, statements, visit
from ghost.ui.verify.article import article_page
from ghost.ui.verify.form import article_form, claim_form
from ghost.ui.verify.live import running_page
from ghost.ui.verify.reading import reading_page
from ghost.ui.verify.report import report_page

RUNS = 8
"""Latest runs that are listed."""
ARTICLES = 4
"""Articles on a page of the list."""
_STEPS = (
    ("manage_search", "Searches your library", "Evidence comes from a knowledge base you control, correct and extend."),
    ("travel_explore", "Then the web", "If you allow it: trusted sources, then fact-checkers, then everyone."),
    ("balance", "Weighs each passage", "Does it support or contradict? Who says so, and who only repeats it?"),
    ("format_quote", "Quotes word for word", "Every sentence links to its source. Without a clear answer, it says so."),
)


def verify_page(workbench: Workbench, jobs: Jobs) -> None:
    """What the address names; says so where it is unknown or cannot be read now."""
    visit.take_link(workbench.settings.max_claim_chars)
    view = visit.current_view()
    if view.run and view.article:
        button("Back to the article", "verify_back", "arrow_back", visit.open_article, view.article, type="tertiary")
    try:
        _draw(workbench, jobs, view)
    except StoreError as error:
        _unreadable("check" if view.run else "article", error)
    show_notice("verify", f"{view.run} {view.article}")


def _draw(workbench: Workbench, jobs: Jobs, view: visit.View) -> None:
    runner = jobs.runner
    if view.run:
        run = runner.snapshot(view.run)
        if run is None:
            _not_here("check", view.run)
            _recent_runs(workbench)
        elif run.ended:
            report_page(workbench, runner, run)
        else:
            running_page(runner, run, shared_records(workbench))
    elif view.article:
        _draw_article(workbench, jobs, view.article)
    else:
        _form_page(workbench, jobs)


def _draw_article(workbench: Workbench, jobs: Jobs, article_id: str) -> None:
    article = workbench.articles.get(article_id)
    reading = None if article else jobs.articles.snapshot(article_id)
    if not article and (reading is None or reading.read):  # it may have been read a moment ago
        article = workbench.articles.get(article_id)
    if article:
        visit.article_read(article_id)
        article_page(workbench, jobs.runner, article)
    elif reading is None or reading.read:
        _not_here("article", article_id)
    elif reading.ended:
        visit.refill(article_id, reading.text, reading.url)
        _form_page(workbench, jobs, reading)
    else:
        reading_page(jobs.articles, reading, bool(shared_records(workbench)))


def _unreadable(what: str, error: StoreError) -> None:
    with st.container(width=720):
        st.title(f":material/error: This {what} cannot be read now", anchor=False)
        theme.show_error(error)
        st.caption("Nothing was changed. This address leads back to it.")
        with st.container(horizontal=True):
            button("Try again", "verify_retry", "refresh", type="primary")
            visit.new_claim_button()


def _not_here(what: str, identity: str) -> None:
    with st.container(width=720):
        theme.not_here(what, identity)
        visit.new_claim_button(label="Check a claim", primary=True)


def _form_page(workbench: Workbench, jobs: Jobs, unread: ArticleView | None = None) -> None:
    visit.prepare()
    stance_warning(workbench)
    if earlier.waiting():
        earlier.panel(workbench, jobs.runner)
        return
    if statements.waiting():
        statements.panel(jobs.runner)
        return
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.title("Check a claim", anchor=False)
        tagline = st.empty()
        st.session_state.setdefault("verify_mode", visit.ONE_CLAIM)
        mode = st.segmented_control(
            "What to check", (visit.ONE_CLAIM, visit.ARTICLE), key="verify_mode", required=True,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if mode == visit.ARTICLE:
            tagline.markdown("Paste an article. See which sentences can be checked, and check what matters.")
            article_form(workbench, jobs.articles, unread)
        else:
            tagline.markdown("Paste a sentence. Get a verdict in which every sentence links to its source.")
            claim_form(workbench, jobs)
    with right, st.container(border=True, key="verify_before"):
        _recent_runs(workbench)
        with theme.store_errors_noted("Articles cannot be read now."):
            _recent_articles(workbench)
    theme.kicker("How a check works")
    for column, (icon, title, words) in zip(st.columns(len(_STEPS)), _STEPS, strict=True):
        with column, st.container(border=True, height="stretch", gap="small"):
            st.markdown(f":blue[:material/{icon}:] **{title}**")
            st.caption(words)


def _recent_runs(workbench: Workbench) -> None:
    """The last few runs with their verdicts."""
    theme.kicker("Recent checks")
    with theme.store_errors_noted("They cannot be read now."):
        runs, used = workbench.runs.list(limit=RUNS), total_spent(workbench)
        if not runs:
            kept = records_place(workbench)
            st.caption(f"Nothing has been checked yet. Your checks will be listed here and stay {kept}.")
        with st.container(gap=None, key="verify_recent"):
            for run in runs:
                label = f"{verdict_text(run)} {plain(shorten(run.claim_text, 80))}"
                _reopen(run.id, label, run_badge(run).icon, theme.moment(run.started_at), visit.open_run)
        if used.tokens:
            st.caption(f"All checks together: {plain(money(used.tokens, used.cost_usd, used.unpriced_tokens))}")


def _recent_articles(workbench: Workbench) -> None:
    """All articles, the newest first and a few at a time; nothing where there is none."""
    part = paging("verify_articles_page", workbench.articles.count(), ARTICLES)
    found = workbench.articles.latest(ARTICLES, part.offset)
    if not found:
        return
    theme.kicker("Recent articles" if part.pages == 1 else "Articles")
    with st.container(gap=None, key="verify_recent_articles"):
        for article in found:
            checked = f":gray[· {count(article.checks, 'check')}]" if article.checks else ""
            label = f"{plain(shorten(article.title or article.url, 80))} {checked}"
            added = theme.moment(article.added_at)
            _reopen(f"article_{article.id}", label, "article", added, visit.open_article, article.id)
    part.numbers()


def _reopen(key: str, label: str, icon: str, note: str, action: Callable[[str], Any], identity: str = "") -> None:
    button(label, f"verify_recent_{key}", icon, action, identity or key, help=note, type="tertiary", wrap=False)
