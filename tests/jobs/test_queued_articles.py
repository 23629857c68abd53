"""Articles that workers read, over the queue on a real PostgreSQL server."""

import os
import signal
from dataclasses import replace
from typing import Any

import pytest

from ghost.errors import ClaimError
from ghost.jobs import NO_WORKER, ArticleView, Jobs, Queue
from ghost.pipelines import read_article
from ghost.records import Article
from tests.jobs.conftest import wait_for
from tests.jobs.shared import SharedBench
from tests.jobs.shared_pages import Page, ended

URL = "https://gazette.example/bridge"
TEXT = "Bridge shut \N{BRIDGE AT NIGHT}\nIt was built \0 in 1931. The repair will cost 12 million. What now?"


def slow(seconds: float, sentences: int = 1) -> str:
    return " ".join(f"Sentence {n} takes {seconds} seconds." for n in range(sentences))


def stored(bench: SharedBench, article_id: str) -> Article:
    article = bench.articles.get(article_id)
    assert article
    return article


def unread(jobs: Jobs, article_id: str) -> ArticleView:
    """How the reading of one that could not be read ended."""
    view = wait_for(jobs.articles, article_id, ended, seconds=60)
    assert isinstance(view, ArticleView)
    assert not view.read
    return view


def test_a_worker_reads_an_article_as_one_process_does_and_every_page_sees_it(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    article_id = jobs.articles.start(f"{TEXT} {slow(0.3)}", URL)
    for each in (others, jobs):
        view = wait_for(each.articles, article_id, ended)
        assert (view.read, view.text) == (True, "")
    alone = read_article(f"{TEXT} {slow(0.3)}", URL, None, None, 1.0)
    article = stored(bench, article_id)
    assert article == replace(alone, id=article_id, added_at=article.added_at)
    bench.articles.add(replace(alone, id=article_id, title="Another one"))
    assert stored(bench, article_id) == article


def test_every_page_sees_how_far_it_is_and_can_stop_it(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    article_id = jobs.articles.start(slow(0.5, 100), URL)
    view = wait_for(others.articles, article_id, lambda v: v.progress.done)
    assert (view.progress.what, view.progress.total) == ("Reading its sentences", 100)
    assert others.articles.active() == [article_id]
    others.articles.cancel(article_id)
    for each in (jobs, others):
        view = wait_for(each.articles, article_id, ended)
        assert (view.cancelled, view.error, view.text, view.url) == (True, "", slow(0.5, 100), URL)
    assert bench.articles.get(article_id) is None
    assert jobs.articles.log(article_id).since(0)[1]  # type: ignore[union-attr]
    assert jobs.articles.snapshot("unknown") is None


def test_what_cannot_be_read_says_so_everywhere_and_its_text_is_kept(pages: tuple[Page, Page]) -> None:
    (_, jobs), (_, others) = pages
    for text, url, web in (("", "", True), ("Bees dance.", "no address", True), ("", URL, False)):
        with pytest.raises(ClaimError):
            jobs.articles.start(text, url, web)
    article_id = jobs.articles.start("\0", URL)
    for each in (jobs, others):
        view = unread(each, article_id)
        assert (view.unusable, view.text, view.url) == (True, "\0", URL)
        assert "There is no sentence" in view.error
    once, always = (jobs.articles.start(f"This loses the database {how}.", "") for how in ("once", "always"))
    assert wait_for(jobs.articles, once, ended, seconds=20).read
    view = unread(jobs, always)
    assert (view.error, view.unusable) == ("The database does not answer.", False)
    assert view.text == "This loses the database always."


def test_without_a_worker_pages_say_so_and_one_that_is_stopped_ends_at_once(open_page: Any) -> None:
    (bench, jobs), (_, others) = open_page(), open_page()
    article_id = jobs.articles.start(TEXT, URL)
    for each in (jobs, others):
        assert each.articles.snapshot(article_id).progress.what == NO_WORKER
    assert Queue(bench.database).standing().waiting == {"article": 1}
    others.articles.cancel(article_id)
    for each in (others, jobs, open_page()[1]):  # the last one has heard nothing of it before
        view = unread(each, article_id)
        assert (view.cancelled, view.text, view.url) == (True, TEXT, URL)
    assert Queue(bench.database).standing().waiting == {}


def test_an_article_whose_worker_is_killed_or_suspended_is_read_by_another_one_and_kept_once(
    open_page: Any, start_workers: Any
) -> None:
    bench, jobs = open_page()
    kept = jobs.articles.start(TEXT, "")
    bench.articles.add(replace(read_article(TEXT, "", None, None, 1.0), id=kept, title="Kept before its worker died"))
    (first,) = start_workers()
    assert wait_for(jobs.articles, kept, ended).read
    assert stored(bench, kept).title == "Kept before its worker died"
    for how in (signal.SIGSTOP, signal.SIGKILL):
        article_id = jobs.articles.start(slow(1, 3), "")
        wait_for(jobs.articles, article_id, lambda v: v.progress.done)
        os.kill(first.process.pid, how)
        (second,) = start_workers()
        assert wait_for(jobs.articles, article_id, ended, seconds=30).read
        assert len(stored(bench, article_id).sentences) == 3
        if how == signal.SIGSTOP:
            os.kill(first.process.pid, signal.SIGCONT)
        first = second
    assert bench.articles.count() == 3


def test_an_article_that_kills_every_worker_fails_after_three_tries(open_page: Any, start_workers: Any) -> None:
    bench, jobs = open_page()
    workers = start_workers(4)
    article_id = jobs.articles.start("This kills.", URL)
    view = unread(jobs, article_id)
    assert "3 times" in view.error
    assert (view.text, view.url, bench.articles.count()) == ("This kills.", URL, 0)
    assert sum(worker.process.is_alive() for worker in workers) == 1
