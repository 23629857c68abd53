"""The box into which an analyst puts pages while a run goes on, and the check whether addresses still lead to one."""

import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from ghost.errors import ClaimError
from ghost.web import (
    MAX_LINKS,
    Fetcher,
    FetchLimits,
    Links,
    LinkState,
    Memory,
    NoNetwork,
    NotFetched,
    Problem,
    check_links,
    usable,
)
from tests.web.sites import Request, Site, no_names, page, site


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://Example.org/a#b", "https://example.org/a"),
        ("  example.org/a ", "https://example.org/a"),
        ("http://example.org", "http://example.org"),
    ],
)
def test_an_address_is_taken_as_analysts_type_it(typed: str, url: str) -> None:
    assert usable(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "  ", "honey", "javascript:alert(1)", "file:///etc/passwd", "https://", "ftp://a.example/",
              "a b.example",
              "x" * 3000 + ".example", "https://localhost/a"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_is_refused_with_words(typed: str) -> None:
    with pytest.raises(ClaimError, match=r"address"):
        Links([typed])


def test_what_is_put_in_is_taken_once_and_in_order() -> None:
    box = Links(["a.example/1"])
    assert box.add("a.example/2")
    assert box.add("https://www.a.example/1/"), "the same page is no second one"
    assert box.take() == ("https://a.example/1", "https://a.example/2")
    assert box.take() == ()
    assert box.named == ("https://a.example/1", "https://a.example/2")


def test_an_archived_copy_may_be_named_beside_a_page_that_may_be_gone() -> None:
    box = Links(["a.example/1", "web.archive.org/web/2024/https://a.example/1", "archive.ph/2024/https://a.example/1"])
    assert box.take() == ("https://a.example/1", "https://web.archive.org/web/2024/https://a.example/1")


def test_the_last_look_closes_the_box_only_when_nothing_is_left() -> None:
    box = Links()
    box.add("a.example/1")
    assert box.take(last=True) == ("https://a.example/1",)
    assert box.add("a.example/2")
    assert box.take(last=True) == ("https://a.example/2",)
    assert box.take(last=True) == ()
    assert not box.add("a.example/3")
    assert box.close() == ()


def test_there_is_a_limit_also_among_threads() -> None:
    box, refused = Links(), []

    def put(n: int) -> None:
        try:
            box.add(f"a.example/{n}")
        except ClaimError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=put, args=(n,)) for n in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(box.named) == MAX_LINKS
    assert len(refused) == 20 - MAX_LINKS


def answers(request: Request) -> bytes:
    if request.path == "/robots.txt":
        return page(b"User-agent: *\nDisallow: /private", content_type="text/plain")
    if request.path == "/moved":
        return page(b"", 301, Location="/here")
    if request.path == "/slash":
        return page(b"", 301, Location="/slash/")
    status = {"/gone": 410, "/none": 404, "/login": 403, "/trouble": 500}.get(request.path, 200)
    return page(status=status)


def looker(*sites: Site) -> Fetcher:
    """As the command makes it, without the pauses."""
    local = [(s.host, s.port) for s in sites]
    return Fetcher(Memory(), FetchLimits(gap=0.0), resolve=no_names, local=local)


def test_each_address_is_sorted_by_what_is_there_and_its_text_is_not_kept() -> None:
    with site(answers) as one:
        paths = ("/fine", "/slash", "/moved", "/gone", "/none", "/login", "/private/x", "/trouble")
        seen: list[tuple[int, int]] = []
        links = check_links([f"{one.url}{path}" for path in paths], looker(one), lambda *step: seen.append(step))
    assert [(link.url.removeprefix(one.url), link.state, link.status) for link in links] == [
        ("/fine", LinkState.FINE, 200), ("/slash", LinkState.FINE, 200), ("/moved", LinkState.MOVED, 200),
        ("/gone", LinkState.DEAD, 410), ("/none", LinkState.DEAD, 404), ("/login", LinkState.REFUSED, 403),
        ("/private/x", LinkState.REFUSED, 0), ("/trouble", LinkState.UNREACHABLE, 500),
    ]  # fmt: skip
    assert links[2].final_url == f"{one.url}/here"
    assert all(link.why for link in links if link.state is not LinkState.FINE)
    assert seen[-1] == (len(paths), len(paths))
    assert [r.path for r in one.asked].count("/robots.txt") == 1
    assert "/private/x" not in one.pages


def test_an_address_is_asked_for_once_whatever_its_fragment() -> None:
    with site(answers) as one:
        links = check_links([f"{one.url}/a#x", f"{one.url}/a", f"{one.url}/a#y"], looker(one))
        assert [link.url for link in links] == [f"{one.url}/a"]
        assert one.pages == ["/a"]


def test_the_address_guard_holds_and_a_forbidden_address_is_no_network_trouble() -> None:
    with ExitStack() as stack:
        one, inside = stack.enter_context(site(answers)), stack.enter_context(site(answers))
        links = check_links([f"{one.url}/a", f"{inside.url}/secret"], looker(one))
        assert [link.state for link in links] == [LinkState.FINE, LinkState.UNREACHABLE]
        assert inside.asked == []


def test_without_a_network_nothing_is_said_of_any_address() -> None:
    asked: list[str] = []

    class Nobody:
        """Reaches no host."""

        def look(self, url: str, seconds: float, check: Callable[[], None]) -> NotFetched:
            asked.append(url)
            return NotFetched(url, Problem.HOST, "The name cannot be looked up.", 0.0, 0)

    with pytest.raises(NoNetwork, match="None of 5 hosts could be reached"):
        check_links([f"https://{n}.example/{page}" for n in "abcdefgh" for page in (1, 2)], Nobody())
    assert asked == [f"https://{n}.example/1" for n in "abcde"]


def test_what_was_found_before_it_was_stopped_is_kept() -> None:
    done: list[int] = []
    with site(answers) as one:
        links = check_links(
            [f"{one.url}/{n}" for n in range(30)], looker(one), lambda n, _: done.append(n), lambda: len(done) >= 3
        )
    states = [link.state for link in links]
    assert 3 <= states.count(LinkState.FINE) < 30
    assert states.count(LinkState.FINE) + states.count(LinkState.NOT_ASKED) == 30
