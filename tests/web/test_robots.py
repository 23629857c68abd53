"""robots.txt as RFC 9309 has it."""

import time

import pytest

from ghost.web.fetch.robots import MAX_DELAY, parse_robots

AGENT = "ghost-workbench"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/", True),
        ("User-agent: *\nDisallow: /", "/", False),
        ("User-agent: *\nDisallow:", "/", True),
        ("Disallow: /", "/", True),  # of no group
        ("user-AGENT : *  # all\nDISALLOW:/a # not this", "/ab", False),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a", "/a", False),
        # whom it is for
        ("User-agent: *\nDisallow: /\n\nUser-agent: ghost-workbench\nDisallow: /b", "/a", True),
        ("User-agent: Ghost-Workbench/1.0\nDisallow: /b\nUser-agent: *\nAllow: /", "/b", False),
        ("User-agent: ghost\nDisallow: /", "/", True),
        ("User-agent: ghost-workbench-pro\nDisallow: /", "/", True),
        ("User-agent: other\nUser-agent: ghost-workbench\nDisallow: /x", "/x", False),
        ("User-agent: other\nDisallow: /\nUser-agent: ghost-workbench\nDisallow: /x", "/y", True),
        ("User-agent: ghost-workbench\nDisallow: /a\n\nUser-agent: ghost-workbench\nDisallow: /b", "/a", False),
        ("User-agent: *\nSitemap: https://a.org/s.xml\nDisallow: /a", "/a", False),
        ("User-agent: *\nCrawl-delay: 9\nUser-agent: bad\nDisallow: /", "/a", True),
        ("User-agent: ghost-workbench\nDisallow:\nUser-agent: *\nDisallow: /", "/a", True),
        # which rule counts
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nAllow: /*.php\nDisallow: /cgi", "/cgi.php", True),
        # wildcards
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", False),
        ("User-agent: *\nDisallow: /a*b*c", "/a1c2b3", True),
        ("User-agent: *\nDisallow: *secret", "/my/secret", False),
        ("User-agent: *\nDisallow: /a$", "/a", False),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /*a$", "/a", False),
        ("User-agent: *\nDisallow: /a*a$", "/a", True),
        ("User-agent: *\nDisallow: /*?*print=", "/x?y=1&print=1", False),
        # escapes
        ("User-agent: *\nDisallow: /%7ejoe", "/~joe", False),
        ("User-agent: *\nDisallow: /~joe", "/%7Ejoe", False),
        ("User-agent: *\nDisallow: /grün", "/gr%C3%BCn", False),
        ("User-agent: *\nDisallow: /gr%c3%bcn", "/gr%C3%BCn", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
        ("User-agent: *\nDisallow: a", "/a", True),
        # no robots.txt at all
        ("<html><body>Not found</body></html>", "/", True),
        ("\x00\x01\ufffd:\n:::\nUser-agent\nDisallow", "/", True),
    ],
)  # fmt: skip
def test_who_may_read_what(text: str, path: str, allowed: bool) -> None:
    assert parse_robots((text).encode()).allows(path) is allowed


@pytest.mark.parametrize(
    ("wish", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("99999", MAX_DELAY),
        ("-1", 0.0),
        ("nan", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("inf", MAX_DELAY),
    ],
)
def test_a_wish_for_time_between_requests_is_heard_within_reason(wish: str, seconds: float) -> None:
    assert parse_robots((f"User-agent: *\nCrawl-delay: {wish}\nDisallow: /x").encode()).delay == seconds
    assert parse_robots((f"User-agent: other\nCrawl-delay: {wish}").encode()).delay == 0.0


LARGE = 512_000
SLOW = {
    "names times rules": "useragent:*\n".replace("useragent", "User-agent") * 20_000 + "Disallow:/\n" * 20_000,
    "different names": "".join(f"User-agent: x{i}\n" for i in range(25_000)) + "Disallow: /",
    "wildcards": "User-agent: *\nDisallow: /" + "*a" * 250_000 + "b",
    "many wildcards": "User-agent: *\n" + "Disallow: /*a*a*a*a*a*a*a*a*b\n" * 17_000,
    "dollars": "User-agent: *\n" + "Disallow: /a$$$$*$\n" * 25_000,
    "escapes": "User-agent: *\nDisallow: /" + "%41" * 170_000,
    "colons": "User-agent: *\n" + ":" * 500_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_file_that_is_made_to_be_slow_is_not(name: str) -> None:
    started = time.process_time()
    rules = parse_robots((SLOW[name][:LARGE]).encode())
    rules.allows("/" + "a" * 1900)
    assert time.process_time() - started < 2
