"""Redirects are followed by us, one at a time, and each is checked like the first address."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ghost.web import Fetched, Fetcher, NotFetched, Problem
from tests.web.sites import ARTICLE, Request, fetcher, named, nothing, outside, page, redirect, site


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_remembered(status: int) -> None:
    with site({"/": redirect("/a", status), "/a": redirect("b?c=d#e", status), "/b?c=d": page()}) as running:
        found = fetcher(running).fetch(running.url, 5, nothing)
    assert isinstance(found, Fetched)
    assert found.body == ARTICLE
    assert found.url == f"{running.url}"
    assert found.final_url == f"{running.url}/b?c=d"
    assert found.redirects == (running.url, f"{running.url}/a")
    assert not found.downgraded
    assert running.pages == ["/", "/a", "/b?c=d"]


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/plain", "/plain"), ("  /spaces  ", "/spaces"), ("/with space", "/with%20space"), ("?q=1", "/?q=1"),
        ("/gr\u00fcn", "/gr%C3%BCn"), ("/gr\u00c3\u00bcn", "/gr%C3%BCn"), ("./x/../y", "/y"), ("//{host}/z", "/z"),
        ("/wait...what/", "/wait...what/"),
        ("HTTP://{host}/caps", "/caps"), ("/a%2Fb", "/a%2Fb"), ("/a%0d%0aX-Evil:%201", "/a%0d%0aX-Evil:%201"),
    ],
)  # fmt: skip
def test_odd_locations_mean_what_browsers_take_them_for(location: str, path: str) -> None:
    def answers(request: Request) -> bytes:
        if request.path == "/robots.txt":
            return page(b"", 404)
        return redirect(location.format(host=request.headers["host"])) if request.path == "/" else page()

    with site(answers) as running:
        found = fetcher(running).fetch(running.url, 5, nothing)
    assert isinstance(found, Fetched), found
    assert running.pages == ["/", path]
    assert "x-evil" not in running.asked[-1].headers


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "data:text/html,hi", "mailto:a@b.org",
        "https:///x", "http://[::1", "http://user:pw@example.org/", "//user@example.org/", "\\\\example.org\\x",
        "http://a b/",
        "http://example.org:99999/", "http://example.org:x/", "http://" + "a" * 3000, "http://%00/",
        "gopher://127.0.0.1:25/",
    ],
)  # fmt: skip
def test_locations_that_lead_out_of_the_web_end_there(location: str) -> None:
    with site({"/": redirect(location)}) as running:
        found = fetcher(running).fetch(running.url, 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.ADDRESS
    assert found.redirects == (running.url,)


@pytest.mark.parametrize("circle", [{"/": "/"}, {"/": "/a", "/a": "/"}, {"/": "/a", "/a": "/b", "/b": "/a#again"}])
def test_a_circle_is_noticed(circle: dict[str, str]) -> None:
    with site({path: redirect(to) for path, to in circle.items()}) as running:
        found = fetcher(running).fetch(running.url + "/", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.REDIRECTS
    assert "circle" in found.why
    assert len(running.pages) == len(circle)


def test_too_many_redirects_are_too_many() -> None:
    def answers(request: Request) -> bytes:
        return page(b"", 404) if request.path == "/robots.txt" else redirect(f"/{int(request.path[1:]) + 1}")

    with site(answers) as running:
        found = fetcher(running, redirects=3).fetch(f"{running.url}/0", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.REDIRECTS
    assert "more than 3 times" in found.why
    assert running.pages == ["/0", "/1", "/2", "/3"]


INSIDE = [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/",
    "http://[::1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "//127.0.0.1:{port}/", "http://0.0.0.0:{port}/",
    "http://inside.example.org:{port}/", "http://opened.test:{port}/", "https://127.0.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/", "http://10.0.0.1/",
    "http://[fd00::1]/",
]  # fmt: skip


@pytest.mark.parametrize("location", INSIDE)
@pytest.mark.parametrize("robots", [False, True], ids=["page", "robots.txt"])
def test_no_page_of_the_outside_leads_in(location: str, robots: bool) -> None:
    """Neither by its own redirect nor by that of its robots.txt; not even to a place that was opened for tests."""
    names = named({"www.example.org": "93.184.216.34", "inside.example.org": "127.0.0.1", "opened.test": "127.0.0.1"})
    with site(page(b"secret")) as secret:
        away = redirect(location.format(port=secret.port))

        def answers(request: Request) -> bytes:
            if request.path == "/robots.txt":
                return away if robots else page(b"", 404)
            return page() if robots else away

        with site(answers) as public, outside(public) as went:
            local = [("127.0.0.1", secret.port), ("opened.test", secret.port)]
            found = Fetcher(resolve=names, local=local).fetch("http://www.example.org/", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.ADDRESS
    assert secret.connections == 0
    assert {address for address, _ in went} == {"93.184.216.34"}


@pytest.mark.parametrize(("target", "works"), [("two.test", True), ("three.test", False)])
def test_a_local_page_leads_only_to_hosts_that_were_opened_on_its_port(target: str, works: bool) -> None:
    def answers(request: Request) -> bytes:
        if request.path == "/robots.txt":
            return page(b"", 404)
        host, _, port = request.headers["host"].partition(":")
        return redirect(f"http://{target}:{port}/") if host == "one.test" else page()

    with site(answers) as running:
        names = named(dict.fromkeys(("one.test", "two.test", "three.test"), "127.0.0.1"))
        fetching = Fetcher(resolve=names, local=[("one.test", running.port), ("two.test", running.port)])
        found = fetching.fetch(f"http://one.test:{running.port}/", 5, nothing)
    assert isinstance(found, Fetched) is works
    assert {r.headers["host"].partition(":")[0] for r in running.asked} == {"one.test"} | ({target} if works else set())


def _in(**time: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(**time), usegmt=True)


@pytest.mark.parametrize(
    ("wish", "least", "most"),
    [
        (lambda: "120", 119, 120),
        (lambda: "999999999999", 599, 600),
        (lambda: _in(minutes=5), 290, 300),
        (lambda: _in(minutes=5).replace("GMT", "-0000"), 290, 300),
        (lambda: _in(days=3000), 599, 600),
    ],
    ids=["seconds", "very many", "a date", "a date without a zone", "a date far away"],
)
@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_asks_for_peace_gets_it_however_it_says_so(
    wish: Callable[[], str], least: float, most: float, status: int
) -> None:
    with site({"/": page(b"later", status, Retry_After=wish()), "/other": page()}) as running:
        asking = fetcher(running)
        asking.fetch(running.url, 5, nothing)
        second = asking.fetch(f"{running.url}/other", 5, nothing)
    assert isinstance(second, NotFetched)
    said = re.search(r"asked to be left alone for (\d+) s", second.why)
    assert said, second.why
    assert least <= int(said[1]) <= most
    assert running.pages == ["/"]


def test_one_local_port_does_not_lead_to_another() -> None:
    with site(page(b"secret")) as other, site({"/": redirect(f"http://127.0.0.1:{other.port}/")}) as running:
        for opened in ([running], [running, other]):
            found = fetcher(*opened).fetch(running.url, 5, nothing)
            assert isinstance(found, NotFetched)
            assert found.kind == Problem.ADDRESS
    assert other.connections == 0


def test_the_way_out_of_a_local_page_is_checked_too() -> None:
    with site({"/": redirect("http://10.0.0.1/"), "/name": redirect("http://rebound.example.org/")}) as running:
        for path in ("/", "/name"):
            fetching = Fetcher(
                resolve=named({"rebound.example.org": "192.168.0.1"}), local=[("127.0.0.1", running.port)]
            )
            found = fetching.fetch(running.url + path, 5, nothing)
            assert isinstance(found, NotFetched)
            assert found.kind == Problem.ADDRESS
