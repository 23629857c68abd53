"""Servers that drip, flood and pack: they are left in time, and nothing stays behind."""

import gzip
import itertools
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, JudgeError
from ghost.judges import ChatClient, Endpoint, LocalServer, Question
from ghost.judges.llm import connection as line_module
from tests.judges.raw import STREAM, reading, saying

QUESTION = Question("classify", ({"role": "system", "content": "Say hello."},), {"type": "object"}, 200)
OK = b"HTTP/1.1 200 OK\r\n"
FAILED = b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\n\r\n"


def drops(of: bytes = b"x") -> Iterator[bytes]:
    return itertools.repeat(of)


DRIPPING: dict[str, Iterable[bytes]] = {
    "nothing at all": (b"" for _ in itertools.count()),
    "the status line": itertools.chain([b"HTTP"], drops(b"/")),
    "a header": itertools.chain([OK, b"X-Long: "], drops()),
    "the body": itertools.chain([STREAM], drops()),
    "an error": itertools.chain([FAILED], drops()),
}


@pytest.fixture(scope="module", autouse=True)
def _imported() -> None:
    """Importing the library takes seconds on a slow machine; no test should count them."""
    import openai

    assert openai.OpenAI


def ask(url: str, budget: Budget, timeout: float = 60.0) -> str:
    with closing(ChatClient(Endpoint("cloud", url, "m", "sk-x", timeout=timeout, retries=0))) as client:
        return "".join(client.ask(QUESTION, budget))


def ensure_nothing_left() -> None:
    until = time.monotonic() + 5
    while reading() and time.monotonic() < until:
        time.sleep(0.05)
    assert reading() == []


@pytest.mark.parametrize("what", DRIPPING)
def test_cancel_ends_a_call_to_a_server_that_drips_a_byte_a_second(what: str) -> None:
    stop = threading.Event()
    with saying(DRIPPING[what], between=1.0) as url:
        threading.Timer(0.5, stop.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled):
            ask(url, Budget(Limits(), cancelled=stop.is_set))
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()


def test_the_run_s_time_ends_a_call_to_a_server_that_drips() -> None:
    with saying(itertools.chain([STREAM], drops()), between=1.0) as url:
        started = time.monotonic()
        with pytest.raises(BudgetExceeded):
            ask(url, Budget(Limits(seconds=0.5)))
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()


def test_the_time_for_an_answer_ends_a_call_to_a_server_that_drips() -> None:
    with saying(itertools.chain([STREAM], drops()), between=0.2) as url:
        with pytest.raises(JudgeError, match=r"within 0\.5 s"):
            ask(url, Budget(Limits()), timeout=0.5)
        ensure_nothing_left()


@pytest.mark.parametrize("head", [STREAM, FAILED])
def test_a_flood_is_left(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "MOST_BYTES", 200_000)
    with saying(itertools.chain([head], drops(b"x" * 10_000))) as url:
        with pytest.raises(JudgeError, match="more than an answer"):
            ask(url, Budget(Limits()))
        ensure_nothing_left()


def test_a_packed_answer_is_left() -> None:
    packed = gzip.compress(b"data: " + b" " * 50_000_000)
    head = STREAM.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    with saying([head, packed]) as url, pytest.raises(JudgeError, match="packs it"):
        ask(url, Budget(Limits()))


@pytest.mark.parametrize("key", ["sk-wröng", "sk-wrong\n", "sk-“quoted”"])
def test_a_key_that_cannot_be_sent_is_explained_and_not_shown(key: str) -> None:
    with saying([]) as url, closing(ChatClient(Endpoint("cloud", url, "m", key, retries=0))) as client:
        with pytest.raises(JudgeError, match="OPENAI_API_KEY") as caught:
            list(client.ask(QUESTION, Budget(Limits())))
        assert key.strip() not in str(caught.value)


@pytest.mark.parametrize("what", ["nothing at all", "a header"])
def test_looking_at_a_local_server_that_drips_leaves_nothing_behind(what: str) -> None:
    pieces = itertools.chain([OK, b"X-Long: "], drops()) if what == "a header" else (b"" for _ in itertools.count())
    with saying(pieces, between=0.3) as url:
        started = time.monotonic()
        assert "did not answer" in LocalServer(url).problem()
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()
