"""Pages that were fetched before: taken from the cache, or asked after."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.web.sites import ARTICLE, FullDisk, MemoryCache, Request, got, page, redirect, site


def test_a_fresh_page_is_not_asked_for_again() -> None:
    cache = MemoryCache()
    with site({"/": redirect("/bees"), "/bees": page()}) as running:
        first = got(running, cache=cache)
        again = got(running, cache=cache)
    assert running.pages == ["/", "/bees"]
    assert again.from_cache
    assert again.received == 0
    assert (again.body, again.final_url, again.redirects) == (first.body, first.final_url, first.redirects)
    assert (again.status, again.content_type, again.charset) == (200, "text/html", "utf-8")
    assert abs(again.retrieved_at - first.retrieved_at) < timedelta(seconds=2)


def _conditional(request: Request) -> bytes:
    if request.path == "/robots.txt":
        return page(b"", 404)
    if request.path == "/moved":
        return redirect("/bees")
    if request.headers.get("if-none-match") == '"v1"':
        return page(b"", 304, content_type="")
    return page(ETag='"v1"', Last_Modified="Wed, 21 Oct 2026 07:28:00 GMT")


@pytest.mark.parametrize("path", ["/bees", "/moved"])
def test_an_old_page_is_asked_after(path: str) -> None:
    cache = MemoryCache()
    with site(_conditional) as running:
        got(running, path, cache=cache)
        cache.age()
        before = datetime.now(UTC)
        again = got(running, path, cache=cache)
        third = got(running, path, cache=cache)
    asked = [r for r in running.asked if r.path == "/bees"]
    assert "if-none-match" not in asked[0].headers
    assert asked[1].headers["if-none-match"] == '"v1"'
    assert asked[1].headers["if-modified-since"] == "Wed, 21 Oct 2026 07:28:00 GMT"
    assert again.body == ARTICLE
    assert again.from_cache
    assert again.retrieved_at >= before
    assert 0 < again.received < 1000
    assert third.from_cache
    assert len(asked) == 2  # fresh again
    assert all("if-none-match" not in r.headers for r in running.asked if r.path != "/bees")


def test_an_old_page_that_changed_is_the_new_one() -> None:
    cache = MemoryCache()
    answers = {"/": page(ETag='"v1"')}
    with site(answers) as running:
        got(running, cache=cache)
        cache.age()
        answers["/"] = page(b"<p>Wasps.</p>", ETag='"v2"')
        again = got(running, cache=cache)
        cache.age()
        got(running, cache=cache)
    assert again.body == b"<p>Wasps.</p>"
    assert not again.from_cache
    assert running.asked[-1].headers["if-none-match"] == '"v2"'


def test_validators_do_not_go_where_a_redirect_leads_now() -> None:
    cache = MemoryCache()
    answers = {"/": redirect("/a"), "/a": page(ETag='"a"'), "/b": page(ETag='"b"')}
    with site(answers) as running:
        got(running, cache=cache)
        cache.age()
        answers["/"] = redirect("/b")
        found = got(running, cache=cache)
    assert found.final_url.endswith("/b")
    assert "if-none-match" not in running.asked[-1].headers


@pytest.mark.parametrize(
    ("control", "confirmed", "seconds"),
    [
        ("", None, 3600), ('public, max-age="99999"', None, 3600), ("s-maxage=9", None, 3600), ("no-store", None, None),
        ("No-Cache", None, 0), ("max-age=60", None, 60), ("no-cache", "max-age=30", 30), ("max-age=60", "no-cache", 0),
    ],
)  # fmt: skip
def test_a_server_may_want_it_kept_for_less_and_a_confirmation_leaves_its_wish_as_it_was(
    control: str, confirmed: str | None, seconds: float | None
) -> None:
    cache = MemoryCache()
    answers = {"/": page(ETag='"v1"', Cache_Control=control)}
    with site(answers) as running:
        got(running, cache=cache)
        answers["/"] = page(b"", 304, content_type="", **({"Cache_Control": confirmed} if confirmed else {}))
        for _ in range(2 if seconds is not None else 0):  # what was said first is known the second time too
            cache.age()
            assert got(running, cache=cache).from_cache
    found = cache.kept.get(("page", f"{running.url}/"))
    assert (found and (found.expires_at - found.stored_at).total_seconds()) == seconds


@pytest.mark.parametrize("damage", ["final_url", "status", "redirects", "content_type"])
def test_what_was_kept_in_part_is_fetched_anew(damage: str) -> None:
    cache = MemoryCache()
    with site(page()) as running:
        got(running, cache=cache)
        cache.kept["page", f"{running.url}/"].head[damage] = "{"
        del cache.kept["robots", running.url]
        assert not got(running, cache=cache).from_cache
        del cache.kept["page", f"{running.url}/"].head[damage]
        assert not got(running, cache=cache).from_cache


def test_a_cache_that_fails_costs_requests_and_no_page() -> None:
    with site(page()) as running:
        assert got(running, cache=FullDisk()).body == ARTICLE
