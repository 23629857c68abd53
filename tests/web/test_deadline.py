"""Waiting for something that may never come."""

import threading
import time

import pytest

from ghost.errors import Cancelled, ProviderTimeoutError, RateLimitError
from ghost.web import in_time


def nothing() -> None:
    pass


def test_the_value_comes_back() -> None:
    assert in_time(lambda: 7, 1, nothing, "it") == 7


def test_what_is_raised_is_raised_here() -> None:
    def work() -> int:
        raise RateLimitError("later", 3)

    with pytest.raises(RateLimitError) as caught:
        in_time(work, 1, nothing, "it")
    assert caught.value.retry_after == 3


def test_it_gives_up_in_time() -> None:
    free, started = threading.Event(), time.monotonic()
    with pytest.raises(ProviderTimeoutError, match=r"Scripted did not answer within 0\.2 s"):
        in_time(lambda: free.wait(30), 0.2, nothing, "Scripted")
    assert time.monotonic() - started < 1.5
    free.set()


def test_a_wish_to_stop_is_heard_while_it_hangs() -> None:
    free, started = threading.Event(), time.monotonic()

    def check() -> None:
        if time.monotonic() - started > 0.2:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        in_time(lambda: free.wait(30), 30, check, "it")
    assert time.monotonic() - started < 1
    free.set()
