"""Pages over real sockets: what is asked, what comes back, and what becomes of everything else."""

import gzip
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

import pytest

from ghost.web import Fetched, Fetcher, FetchLimits, NotFetched, Problem
from tests.web.sites import (
    ARTICLE,
    RESET,
    TLS,
    MemoryCache,
    Part,
    Request,
    deaf,
    fetcher,
    got,
    named,
    nothing,
    outside,
    page,
    redirect,
    refused,
    site,
)


def test_a_page_comes_with_all_that_is_known_of_it() -> None:
    before = datetime.now(UTC)
    with site({"/bees?x=1": page()}) as running:
        found = fetcher(running).fetch(f"{running.url}/bees?x=1#wings", 5, nothing)
    assert isinstance(found, Fetched)
    assert found.url == found.final_url == f"{running.url}/bees?x=1"
    assert (found.status, found.content_type, found.charset, found.body) == (200, "text/html", "utf-8", ARTICLE)
    assert found.redirects == ()
    assert not found.downgraded
    assert not found.from_cache
    assert found.received == len(page()) + len(page(b"", 404))  # with the question about robots.txt
    assert 0 < found.seconds < 5
    assert timedelta(0) <= found.retrieved_at - before < timedelta(seconds=5)


def test_it_says_who_it_is_and_nothing_about_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://user:secret@127.0.0.1:9/")
    with site(page(Set_Cookie="track=1; Path=/")) as running:
        asking = fetcher(running)
        for _ in range(2):
            assert isinstance(asking.fetch(f"{running.url}/a?b=c%20d", 5, nothing), Fetched)
    last = running.asked[-1]
    assert last.path == "/a?b=c%20d"
    assert last.headers["user-agent"].startswith("ghost-workbench/")
    assert last.headers["host"] == f"127.0.0.1:{running.port}"
    assert last.headers["accept-encoding"] == "gzip, deflate"
    assert set(last.headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (204, "gives no page"), (206, "gives no page"), (300, "gives no page"), (301, "gives no page"),
        (304, "gives no page"),
        (400, "gives no page"), (401, "asks for a login"), (402, "payment"), (403, "refuses it"), (404, "no such page"),
        (410, "taken it down"), (429, "refuses more requests"), (451, "legal reasons"), (500, "has trouble"),
        (503, "has trouble"), (599, "has trouble"),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_page_says_why(status: int, words: str) -> None:
    with site(page(ARTICLE if status not in (204, 304) else b"", status)) as running:
        found = refused(running)
    assert (found.kind, found.status) == (Problem.HTTP, status)
    assert words in found.why
    assert str(status) in found.why


UTF16 = b"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00"
TYPES: list[tuple[str, bytes, str]] = [
    ("text/html", ARTICLE, "text/html"), ("TEXT/HTML;Charset='ISO-8859-1'", ARTICLE, "text/html"),
    ("application/xhtml+xml", ARTICLE, "application/xhtml+xml"), ("text/plain", b"Bees make honey.", "text/plain"),
    ("application/pdf", b"%PDF-1.7\n\x00\x01", "application/pdf"), ("", ARTICLE, "text/html"),
    ("", b"Bees make honey.", "text/plain"), ("nonsense", b"%PDF-1.7\n\x00\x01", "application/pdf"),
    ("text/html", b"\n\n%PDF-1.7\n\x00\x01", "application/pdf"), ("", b"<article>Bees", "text/html"),
    ("application/octet-stream", b"%PDF-1.7\n\x00\x01", "application/pdf"), ("", UTF16, "text/html"),
    ("application/xml", b"<?xml version='1.0'?>\n<html xmlns='x'>", "application/xhtml+xml"),
    ("", b"\xef\xbb\xbf\r\n<!-- a -->\n<html lang=en>", "text/html"), ("", b"<paragraph>Hello", "text/plain"),
    ("text/plain", b"The header %PDF-1.4 begins a file.", "text/plain"), ("", b"Caf\xe9", "text/plain"),
    ("text/plain", b"BMW builds cars.", "text/plain"), ("text/plain", b"Caf\xe9\x0c\x1b[1m", "text/plain"),
    ("application/pdf", b"<html>Session over", "text/html"), ("text/html, text/plain", b"<html>", "text/plain"),
    ("image/png", b"\x89PNG\r\n\x1a\n", ""), ("video/mp4", b"\x00\x00\x00\x18ftypmp42", ""),
    ("application/json", b'{"a": 1}', ""), ("text/css", b"p {}", ""),
    ("text/html", b"\x89PNG\r\n\x1a\n" + b"x" * 5000, ""), ("text/html", b"RIFF\x24\x00\x00\x00WAVE", ""),
    ("text/plain", b"\x7fELF\x02\x01" + b"\x00" * 5000, ""), ("application/pdf", b"not one at all", ""),
    ("application/xml", b"<rss></rss>", ""), ("", b"PK\x03\x04" + b"\x00" * 100, ""), ("", b"\x1f\x8b\x08", ""),
    ("text/html", b"", ""), ("text/html", b" \r\n\t", ""),
]  # fmt: skip
"""What the server says, what it sends, and what that is; empty for what is no page."""


def test_pages_are_known_by_their_type_and_by_their_look() -> None:
    answers = {f"/{n}": page(body, content_type=said) for n, (said, body, _) in enumerate(TYPES)}
    with site(answers) as running:
        asking, wrong = fetcher(running, cache=MemoryCache()), []
        for n, (said, body, kind) in enumerate(TYPES):
            found = asking.fetch(f"{running.url}/{n}", 5, nothing)
            is_it = found.content_type if isinstance(found, Fetched) else ""
            no_page = isinstance(found, Fetched) or found.kind == Problem.NOT_A_PAGE
            wrong += [] if is_it == kind and no_page else [(said, body[:40], found)]
    assert not wrong


def raw(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(ARTICLE, mtime=0)),
        ("x-gzip", gzip.compress(ARTICLE, mtime=0)),
        ("GZip", gzip.compress(ARTICLE[:20], mtime=0) + gzip.compress(ARTICLE[20:], mtime=0)),
        ("gzip, UTF-8", gzip.compress(ARTICLE, mtime=0) + b"trailing rubbish"),
        ('none, "gzip"', gzip.compress(ARTICLE, mtime=0)),
        ("deflate", zlib.compress(ARTICLE)),
        ("deflate", raw(ARTICLE)),
        *((name, ARTICLE) for name in ("identity", "", "UTF-8", "none", "binary", "8bit", "text/html", "en", "''")),
    ],
)
def test_compression_is_undone_and_what_is_none_does_nothing(encoding: str, body: bytes) -> None:
    with site(page(body, Content_Encoding=encoding)) as running:
        assert got(running).body == ARTICLE


PACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "deflate": zlib.compress, "Deflate": raw}


@pytest.mark.parametrize("encoding", PACKED)
def test_a_compressed_body_of_any_size_and_in_any_pieces_comes_whole(encoding: str) -> None:
    """Where the last data is read, output may still wait: of raw ones, whose end is short, many were called cut off."""
    piece = 64 * 1024
    sizes = [*range(piece - 3, piece + 300, 9), 2 * piece, 2 * piece + 258]

    def answers(request: Request) -> bytes | Iterable[Part]:
        if request.path == "/drip":
            whole = page(PACKED[encoding](ARTICLE * 20), Content_Encoding=encoding)
            return [part for at in range(len(whole)) for part in (whole[at : at + 1], 0.0)]
        if not request.path[1:].isdigit():
            return page(b"", 404)
        return page(PACKED[encoding](b"a" * int(request.path[1:])), Content_Encoding=encoding)

    with site(answers) as running:
        assert got(running, "/drip").body == ARTICLE * 20
        asking = fetcher(running, cache=MemoryCache())
        for size in sizes:
            found = asking.fetch(f"{running.url}/{size}", 5, nothing)
            assert isinstance(found, Fetched)
            assert found.body == b"a" * size


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", ARTICLE),
        *(("gzip", gzip.compress(ARTICLE, mtime=0)[:end]) for end in (1, 2, 11, 30, -12, -1)),
        *(("deflate", zlib.compress(ARTICLE)[:end]) for end in (1, 2, 11, 30, -10, -1)),
        *(("deflate", raw(ARTICLE)[:end]) for end in (1, 2, 11, 30, -1)),
        ("deflate", b"\xff\xff\xff\xff"),
        ("br", b"\x0b\x02\x80bees\x03"),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\x00"),
        ("gzip, gzip", gzip.compress(gzip.compress(ARTICLE), mtime=0)),
        ("utf-8, br", ARTICLE),
        ("compress", ARTICLE),
        ("aes128gcm", ARTICLE),
    ],
)
def test_compression_that_is_broken_or_was_not_asked_for_is_no_page(encoding: str, body: bytes) -> None:
    with site(page(body, Content_Encoding=encoding)) as running:
        assert refused(running).kind == Problem.BROKEN


START = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\r\n\r\n",
        b"<html>no header at all</html>",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 99 No\r\n\r\n",
        START + b"Content-Length: 100\r\n\r\nshort",
        START + b"Content-Length: -5\r\n\r\nx",
        START + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        START + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        START + b"Transfer-Encoding: chunked\r\n\r\nff\r\nabc",
        START + b"Transfer-Encoding: magic\r\n\r\nabc",
        START + b"Bad Header\x00: x\r\n\r\nabc",
        START + b"No colon\r\n\r\nabc",
        START,
        START + b"X: " + b"x" * 300_000,
    ],
)
def test_an_answer_that_is_cut_off_or_no_http_is_broken(answer: bytes) -> None:
    with site({"/": answer}) as running:
        found = refused(running)
    assert found.kind == Problem.BROKEN
    assert "cut off or no valid HTTP" in found.why


def test_a_connection_that_is_reset_is_broken() -> None:
    with site({"/": [START + b"Content-Length: 999999\r\n\r\n<p>", RESET]}) as running:
        found = refused(running)
    assert found.kind == Problem.BROKEN
    assert "broke off" in found.why


def test_a_body_in_chunks_comes_whole_and_what_precedes_the_answer_is_skipped() -> None:
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(c), c) for c in (ARTICLE[:7], ARTICLE[7:])) + b"0\r\n\r\n"
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    with site({"/": hints + START + b"Transfer-Encoding: chunked\r\n\r\n" + chunks}) as running:
        assert got(running).body == ARTICLE


def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    with site(page()) as running:
        asking = Fetcher(
            resolve=named({"news.test": ["::1", "127.0.0.2", "127.0.0.1"]}), local=[("news.test", running.port)]
        )
        found = asking.fetch(f"http://news.test:{running.port}/", 5, nothing)
    assert isinstance(found, Fetched)
    assert running.asked[-1].headers["host"] == f"news.test:{running.port}"


def test_a_page_is_fetched_over_ipv6() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with site(page(), address="::1") as running:
        found = got(running)
        asking = Fetcher(resolve=named({"news.test": "::1"}), local=[("news.test", running.port)])
        by_name = asking.fetch(f"http://news.test:{running.port}/", 5, nothing)
    assert isinstance(by_name, Fetched)
    assert found.body == by_name.body == ARTICLE
    assert found.final_url == f"http://[::1]:{running.port}/"
    hosts = {f"{host}:{running.port}" for host in ("[::1]", "news.test")}
    assert {r.headers["host"] for r in running.asked} == hosts


def test_a_site_of_the_public_web_is_reached_at_the_address_that_was_checked() -> None:
    with site({"/": page()}) as running, outside(running) as went:
        asking = Fetcher(resolve=named({"www.example.org": "93.184.216.34"}))
        found = asking.fetch("http://www.example.org/", 5, nothing)
    assert isinstance(found, Fetched)
    assert went == [("93.184.216.34", 80)] * 2
    assert {r.headers["host"] for r in running.asked} == {"www.example.org"}


def _trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(TLS / "ca.pem"))


def test_an_encrypted_page_comes_from_a_server_that_proves_the_name() -> None:
    with site(page(), tls=True) as running:
        asking = Fetcher(
            resolve=named({"news.test": "127.0.0.1"}), tls=_trusting(), local=[("news.test", running.port)]
        )
        found = asking.fetch(f"https://news.test:{running.port}/", 5, nothing)
    assert isinstance(found, Fetched)
    assert found.body == ARTICLE
    assert running.asked[-1].headers["host"] == f"news.test:{running.port}"


@pytest.mark.parametrize("trusted", [True, False], ids=["other name", "unknown issuer"])
def test_a_server_that_cannot_prove_its_name_gives_no_page(trusted: bool) -> None:
    name = "other.test" if trusted else "news.test"
    with site(page(), tls=True) as running:
        asking = Fetcher(
            resolve=named({name: "127.0.0.1"}), tls=_trusting() if trusted else None, local=[(name, running.port)]
        )
        found = asking.fetch(f"https://{name}:{running.port}/", 5, nothing)
    assert isinstance(found, NotFetched)
    assert found.kind == Problem.CERTIFICATE
    assert running.asked == []


def test_a_way_from_https_to_http_is_followed_and_noted() -> None:
    with site(page()) as plain, site({"/": redirect("http://www.example.org/now")}, tls=True) as secure:
        names = named({"www.example.org": "93.184.216.34", "news.test": "93.184.216.35"})
        with outside(plain), outside(secure, "93.184.216.35"):
            found = Fetcher(resolve=names, tls=_trusting()).fetch("https://news.test/", 5, nothing)
    assert isinstance(found, Fetched)
    assert found.downgraded
    assert (found.final_url, found.redirects) == ("http://www.example.org/now", ("https://news.test/",))


def test_a_dead_address_costs_a_moment_and_only_once() -> None:
    with site({"/": page(), "/there": page()}) as running, deaf("127.0.0.2", running.port):
        names = named({"news.test": ["127.0.0.2", "127.0.0.1"]})
        asking = Fetcher(MemoryCache(), FetchLimits(gap=0.0), names, local=[("news.test", running.port)])
        started = time.monotonic()
        first = asking.fetch(f"http://news.test:{running.port}/", 10, nothing)
        between = time.monotonic()
        second = asking.fetch(f"http://news.test:{running.port}/there", 10, nothing)
        ended = time.monotonic()
    assert isinstance(first, Fetched)
    assert isinstance(second, Fetched)
    assert 0.9 < between - started < 2.5
    assert ended - between < 0.9
