"""Asking a JSON API: what its status means, how long it may take, how much it may send, and where the key may be."""

import gzip
import logging
import socket
import threading
import time
import traceback
import tracemalloc
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import BaseModel

from ghost.errors import (
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
)
from ghost.web import Maybe, ProviderClient, Rows, Text
from tests.web.servers import Reply, serving

KEY = "s3cr3t/key+1"


class Row(BaseModel):
    url: str
    title: Text = ""


class Found(BaseModel):
    rows: Rows[Row] = []
    more: Maybe[Row] = None


def ask(reply: Reply, seconds: float = 5, **settings: str) -> Found:
    with serving(reply) as server:
        return ProviderClient("Scripted", server.url, **settings).get(Found, {"q": "honey"}, seconds)  # type: ignore[arg-type]


def test_a_broken_row_costs_only_itself() -> None:
    found = ask(Reply(b'{"rows": [{"url": "https://a.org", "title": 7}, {"title": "no url"}, 3, null, {"url": "b"}]}'))
    assert [(r.url, r.title) for r in found.rows] == [("https://a.org", ""), ("b", "")]


def test_a_broken_part_is_missing() -> None:
    assert ask(Reply(b'{"more": "text"}')).more is None
    assert ask(Reply(b'{"more": {"url": "a"}}')).more == Row(url="a")


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (Reply(b"", 400), ProviderError, "HTTP 400"),
        (Reply(b"", 401), ProviderRefusedError, r"refused the key \(HTTP 401\). Check GHOST_X_KEY."),
        (Reply(b"", 403), ProviderRefusedError, "HTTP 403"),
        (Reply(b"", 429), RateLimitError, "refuses more searches for now. Try again later"),
        (Reply(b"", 500), ProviderBusyError, "trouble of its own"),
        (Reply(b"", 503, {"Retry-After": "2"}), ProviderBusyError, "HTTP 503"),
        (Reply(b"", 302, {"Location": "http://192.0.2.1/"}), ProviderError, "HTTP 302"),
        (Reply(b'{"rows": {}}'), ProviderError, "not what its API promises"),
        (Reply(b'{"rows": [1, 2]}'), ProviderError, "not what its API promises"),
        (Reply(b"<html>Sign in</html>"), ProviderError, "not what its API promises"),
        (Reply(b"[]"), ProviderError, "not what its API promises"),
        (Reply(b'{"rows": [{"url": "\\ud800"}]}'), ProviderError, "not what its API promises"),
        (Reply(b"[" * 100_000), ProviderError, "not what its API promises"),
        (Reply(b" " * 10_000_000), ProviderError, "longer than"),
        (Reply(b"{}", headers={"Content-Encoding": "gzip"}), ProviderError, "broken"),
    ],
)
def test_each_failure_has_its_name(reply: Reply, kind: type[ProviderError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        ask(reply, key="k", key_setting="GHOST_X_KEY", key_header="X-Key")
    assert type(caught.value) is kind


def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(b'{"rows": [{"url": "b"}]}')
    assert [r.url for r in ask(Reply(body, headers={"Content-Encoding": "gzip"})).rows] == ["b"]


def test_a_small_answer_never_becomes_a_large_one_in_memory() -> None:
    body = gzip.compress(b" " * 60_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ProviderError, match="longer than"):
            ask(Reply(body, headers={"Content-Encoding": "gzip"}))
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


def test_what_is_asked_without_a_key_is_refused_as_a_search() -> None:
    with pytest.raises(ProviderRefusedError, match=r"refused the search \(HTTP 401\)\.$"):
        ask(Reply(b"", 401))


@pytest.mark.parametrize("reply", [Reply(b"{}", wait=20), Reply(b"{" * 400, drip=0.05)], ids=["silent", "drip"])
def test_the_time_is_for_all_of_it(reply: Reply) -> None:
    started = time.monotonic()
    with pytest.raises(ProviderTimeoutError, match="in time"):
        ask(reply, 0.4)
    assert time.monotonic() - started < 5


def test_nobody_there_and_no_address_are_no_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", "http://[::1", "ftp://127.0.0.1/"):
        with pytest.raises(ProviderUnreachableError, match="Is there a network"):
            ProviderClient("Scripted", url).get(Found, {}, 5)


def test_a_connection_that_is_cut_may_be_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        server.settimeout(5)

        def hang_up() -> None:
            connection, _ = server.accept()
            connection.recv(4096)
            connection.close()

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        with pytest.raises(ProviderBusyError, match="broke off"):
            ProviderClient("Scripted", url).get(Found, {}, 5)
        thread.join(5)


def _in_seconds(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0), (" 0.5 ", 0.5), ("", None), ("-1", None), ("9e99", None), ("9" * 20, None), ("soon", None),
        ("999999999", 31 * 24 * 3600.0), ("x" * 60_000, None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 0.0), ("Wed Oct 21 07:28:00 2015", 0.0),
        ("Wed, 21 Oct 2099 07:28:00 GMT", 31 * 24 * 3600.0), ("Sun, 99 Nov 2026 12:10:00 GMT", None),
        ("Sun, 22 Nov 99999999999 12:10:00 GMT", None), (_in_seconds(86_400), pytest.approx(86_400, abs=300)),
    ],
)  # fmt: skip
def test_the_time_to_wait_is_a_number_or_a_date_within_bounds(value: str, seconds: float | None) -> None:
    with pytest.raises(RateLimitError) as caught:
        ask(Reply(b"", 429, {"Retry-After": value}))
    assert caught.value.retry_after == seconds


def test_name_and_password_of_a_server_go_into_a_header(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(Reply(b"{}")) as server:
        ProviderClient("Scripted", server.url.replace("//", "//me:pw@")).get(Found, {}, 5)
        assert server.asked[0].headers["Authorization"] == "Basic bWU6cHc="
    assert "pw@" not in caplog.text


PLACES = {
    "header": {"key_header": "Authorization", "key_format": "Bearer {}"},
    "address": {"key_parameter": "api_key"},
}


@pytest.mark.parametrize("place", PLACES)
def test_the_key_arrives(place: str) -> None:
    with serving(Reply(b"{}")) as server:
        ProviderClient("Scripted", server.url, KEY, **PLACES[place]).get(Found, {"q": "a b"}, 5)  # type: ignore[arg-type]
        asked = server.asked[0]
    assert asked.words["q"] == "a b"
    assert KEY in (asked.headers["Authorization"] if place == "header" else asked.words["api_key"])


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
    told = ""
    with serving(reply or Reply()) as server:
        url = server.url if reply else "http://127.0.0.1:1/"
        api = ProviderClient("Scripted", url, KEY, "GHOST_X_KEY", **PLACES[place])  # type: ignore[arg-type]
        try:
            api.get(Found, {"q": "honey"}, 0.5)
        except ProviderError as error:
            causes = [error, error.__cause__, error.__context__]
            told = "".join(traceback.format_exception(error)) + repr(causes)
            told += "".join(str(getattr(c, "_request", None) and c.request.url) for c in causes if c)  # type: ignore[attr-defined]
    assert ("HTTP Request: GET" in caplog.text) is (reply is not None and not reply.wait)  # so this would show it
    seen = caplog.text + told + repr(api)
    assert KEY not in seen
    assert "s3cr3t" not in seen


def test_an_answer_that_repeats_the_key_is_read_without_it() -> None:
    found = ask(Reply(b'{"rows": [{"url": "https://a.org/?key=' + KEY.encode() + b'"}]}'), key=KEY, key_header="X-Key")
    assert found.rows[0].url == "https://a.org/?key=(key)"
