"""Archived copies, from an archive on this machine that answers as the real one documents."""

import json
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from ghost.errors import Cancelled
from ghost.web import Archive, Copy, NoCopy, NotFetched, Problem, suggested
from tests.web.sites import MemoryCache, Site, fetcher, nothing, page, silent, site

PAGE = "https://www.example.org/bees?x=1"


def answer(url: str = f"http://web.archive.org/web/20240501102030/{PAGE}", **closest: object) -> bytes:
    found = {"available": True, "url": url, "timestamp": "20240501102030", "status": "200"} | closest
    body = {"url": PAGE, "archived_snapshots": {"closest": found}}
    return page(json.dumps(body).encode(), content_type="application/json")


def ask(running: Site, near: date | None = None) -> Copy | NoCopy:
    return Archive(fetcher(running), f"{running.url}/wayback/available").copy_of(PAGE, 5, nothing, near)


def serving(reply: bytes) -> AbstractContextManager[Site]:
    return site(lambda request: page(b"", 404) if request.path == "/robots.txt" else reply)


def test_the_nearest_copy_comes_with_its_time() -> None:
    with serving(answer()) as running:
        found = ask(running, date(2024, 5, 2))
    assert found == Copy(
        f"https://web.archive.org/web/20240501102030/{PAGE}", datetime(2024, 5, 1, 10, 20, 30, tzinfo=UTC)
    )
    asked = urlsplit(running.pages[0])
    assert asked.path == "/wayback/available"
    assert parse_qs(asked.query) == {"url": [PAGE], "timestamp": ["20240502"]}


def test_no_copy_or_one_of_something_else_is_no_copy() -> None:
    for reply in (
        page(b"{}", content_type="application/json"),
        answer(available=False),
        answer(status="404"),
        answer(timestamp="soon"),
        answer(f"https://evil.example.net/web/20240501102030/{PAGE}"),
        answer("https://web.archive.org/web/20240501102030/https://www.example.net/other"),
        answer("javascript:alert(1)//web.archive.org/web/1/" + PAGE),
        answer(""),
    ):
        with serving(reply) as running:
            found = ask(running)
        assert isinstance(found, NoCopy)
        assert found.asked
        assert "has no copy" in found.why


def test_an_archive_that_cannot_be_asked_says_so() -> None:
    for reply, words in (
        (page(b"busy", 503), "HTTP 503"),
        (page(b"<html>hello", content_type="text/html"), "text/html"),
        (page(b"[1, 2]", content_type="application/json"), "could not be read"),
        (page(b'{"archived_snapshots": {"closest": 7}}', content_type="application/json"), "could not be read"),
    ):
        with serving(reply) as running:
            found = ask(running)
        assert isinstance(found, NoCopy)
        assert not found.asked
        assert words in found.why


def test_time_and_the_wish_to_stop_hold_here_too() -> None:
    def check() -> None:
        raise Cancelled("stop")

    with silent() as running:
        archive = Archive(fetcher(running), f"{running.url}/wayback/available")
        found = archive.copy_of(PAGE, 0.3, nothing)
        assert isinstance(found, NoCopy)
        assert "longer than 0.3 s" in found.why
        with pytest.raises(Cancelled):
            archive.copy_of(PAGE, 5, check)


def test_an_answer_about_copies_is_never_taken_for_a_page() -> None:
    with serving(answer()) as running:
        fetching = fetcher(running, cache=MemoryCache())
        api = f"{running.url}/wayback/available"
        assert isinstance(Archive(fetching, api).copy_of(PAGE, 5, nothing), Copy)
        found = fetching.fetch(f"{running.url}{running.pages[0]}", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.NOT_A_PAGE


def test_a_link_can_be_suggested_without_asking_anybody() -> None:
    assert suggested(PAGE, date(2024, 5, 2)) == f"https://web.archive.org/web/20240502/{PAGE}"
    assert suggested(PAGE) == f"https://web.archive.org/web/*/{PAGE}"
    assert suggested("javascript:alert(1)") == ""
