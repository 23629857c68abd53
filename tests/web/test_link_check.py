"""Addresses asked for on sites of this machine, and sorted by what came of it."""

import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from ghost.web import Fetcher, FetchLimits, LinkState, Memory, NoNetwork, NotFetched, Problem, Seen, check_links
from tests.web.sites import Request, Site, named, no_names, page, site


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


def test_one_host_is_asked_by_two_at_a_time_at_most() -> None:
    busy, most, lock = 0, 0, threading.Lock()

    class Counting:
        """Counts who asks at the same time."""

        def look(self, url: str, seconds: float, check: Callable[[], None]) -> Seen:
            nonlocal busy, most
            with lock:
                busy += 1
                most = max(most, busy)
            threading.Event().wait(0.005)
            with lock:
                busy -= 1
            return Seen(url, url, 200)

    links = check_links([f"https://one.example/{n}" for n in range(60)], Counting())
    assert len(links) == 60
    assert all(link.state is LinkState.FINE for link in links)
    assert most <= 2


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


def test_one_dead_host_is_no_lack_of_a_network() -> None:
    with site(answers) as one:
        finder = Fetcher(Memory(), FetchLimits(gap=0.0), resolve=named({}), local=[(one.host, one.port)])
        links = check_links(["https://nobody.example/", f"{one.url}/a"], finder)
    assert [link.state for link in links] == [LinkState.UNREACHABLE, LinkState.FINE]


def test_what_was_found_before_it_was_stopped_is_kept() -> None:
    done: list[int] = []
    with site(answers) as one:
        links = check_links(
            [f"{one.url}/{n}" for n in range(30)], looker(one), lambda n, _: done.append(n), lambda: len(done) >= 3
        )
    states = [link.state for link in links]
    assert 3 <= states.count(LinkState.FINE) < 30
    assert states.count(LinkState.FINE) + states.count(LinkState.NOT_ASKED) == 30
