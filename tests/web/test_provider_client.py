"""What every search API goes through: how long it may take, how much it may send, and where the key may be."""

import gzip
import logging
import socket
import threading
import time
import traceback
import tracemalloc
from collections.abc import Callable

import pytest

from ghost.errors import (
    ProviderBusyError,
    ProviderError,
    ProviderTimeoutError,
    RateLimitError,
)
from ghost.web import Brave, Hit, SearchProvider, SearXNG, SerpApi
from tests.web.servers import Reply, serving

KEY = "s3cr3t/key+1"
ONE = b'{"results": [{"url": "https://a.org/"}]}'


def ask(reply: Reply, seconds: float = 5) -> list[Hit]:
    with serving(reply) as server:
        return SearXNG(server.url).search("honey", (), 5, seconds)


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (Reply(b"", 400), ProviderError, "HTTP 400"),
        (Reply(b"", 500), ProviderBusyError, "trouble of its own"),
        (Reply(b"", 503, {"Retry-After": "2"}), ProviderBusyError, "HTTP 503"),
        (Reply(b"", 302, {"Location": "http://192.0.2.1/"}), ProviderError, "HTTP 302"),
        (Reply(b'{"results": {}}'), ProviderError, "not what its API promises"),
        (Reply(b'{"results": [1, 2]}'), ProviderError, "not what its API promises"),
        (Reply(b"[]"), ProviderError, "not what its API promises"),
        (Reply(b'{"results": [{"url": "\\ud800"}]}'), ProviderError, "not what its API promises"),
        (Reply(b"[" * 100_000), ProviderError, "not what its API promises"),
        (Reply(b" " * 10_000_000), ProviderError, "longer than"),
        (Reply(b"{}", headers={"Content-Encoding": "gzip"}), ProviderError, "broken"),
        (Reply(b"{}", headers={"Content-Encoding": "br"}), ProviderError, "broken"),
    ],
)
def test_each_failure_has_its_name(reply: Reply, kind: type[ProviderError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        ask(reply)
    assert type(caught.value) is kind
    if isinstance(caught.value, ProviderBusyError):
        assert caught.value.retry_after == (2 if reply.headers else None)


def test_a_small_answer_never_becomes_a_large_one_in_memory() -> None:
    body = gzip.compress(b" " * 60_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ProviderError, match="longer than"):
            ask(Reply(body, headers={"Content-Encoding": "gzip"}))
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("reply", [Reply(ONE, wait=20), Reply(b"{" * 400, drip=0.05)], ids=["silent", "drip"])
def test_the_time_is_for_all_of_it(reply: Reply) -> None:
    started = time.monotonic()
    with pytest.raises(ProviderTimeoutError, match="in time"):
        ask(reply, 0.4)
    assert time.monotonic() - started < 5


def test_a_connection_that_is_cut_may_be_tried_again() -> None:
    def hang_up() -> None:
        connection, _ = server.accept()
        connection.recv(4096)
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        with pytest.raises(ProviderBusyError, match="broke off"):
            SearXNG(f"http://127.0.0.1:{server.getsockname()[1]}/").search("honey", (), 5, 5)
        thread.join(5)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0), (" 0.5 ", 0.5), ("", None), ("-1", None), ("9e99", None), ("9" * 20, None), ("soon", None),
        ("999999999", 31 * 24 * 3600.0), ("x" * 60_000, None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 0.0), ("Wed Oct 21 07:28:00 2015", 0.0),
        ("Wed, 21 Oct 2099 07:28:00 GMT", 31 * 24 * 3600.0), ("Sun, 99 Nov 2026 12:10:00 GMT", None),
        ("Sun, 22 Nov 99999999999 12:10:00 GMT", None),
    ],
)  # fmt: skip
def test_the_time_to_wait_is_a_number_or_a_date_within_bounds(value: str, seconds: float | None) -> None:
    with pytest.raises(RateLimitError) as caught:
        ask(Reply(b"", 429, {"Retry-After": value}))
    assert caught.value.retry_after == seconds


def test_name_and_password_of_a_server_go_into_a_header(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(Reply(ONE)) as server:
        SearXNG(server.url.replace("//", "//me:pw@")).search("honey", (), 5, 5)
        assert server.asked[0].headers["Authorization"] == "Basic bWU6cHc="
    assert "pw@" not in caplog.text


PLACES: dict[str, Callable[[str], SearchProvider]] = {
    "header": lambda url: Brave(KEY, url),
    "address": lambda url: SerpApi(KEY, url),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"{}"),
        Reply(b"", 401),
        Reply(b"", 429),
        Reply(b"", 500),
        Reply(KEY.encode()),
        Reply(b"{}", wait=20),
        Reply(b"{}", headers={"Content-Encoding": "gzip"}),
        None,
    ],
    ids=["fine", "401", "429", "500", "garbage", "slow", "broken", "nobody"],
)
def test_the_key_is_in_no_log_and_no_error(reply: Reply | None, place: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seen = ""
    with serving(reply or Reply()) as server:
        provider = PLACES[place](server.url if reply else "http://127.0.0.1:1/")
        try:
            provider.search("honey", (), 5, 0.5)
        except ProviderError as error:
            causes = [error, error.__cause__, error.__context__]
            seen = "".join(traceback.format_exception(error)) + repr(causes)
            seen += "".join(str(getattr(c, "_request", None) and c.request.url) for c in causes if c)  # type: ignore[attr-defined]
    assert ("HTTP Request: GET" in caplog.text) is (reply is not None and not reply.wait)  # so this would show it
    seen += caplog.text + repr(vars(provider))
    assert KEY not in seen
    assert "s3cr3t" not in seen


def test_an_answer_that_repeats_the_key_is_read_without_it() -> None:
    reply = Reply(b'{"organic_results": [{"link": "https://a.org/?key=' + KEY.encode() + b'"}]}')
    with serving(reply) as server:
        assert SerpApi(KEY, server.url).search("honey", (), 5, 5)[0].url == "https://a.org/?key=(key)"
