"""A provider that keeps failing is left alone, tried once, and then trusted or left alone for longer."""

import pytest

from ghost.errors import (
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
)
from ghost.web import Breaker, pause_before_retry

BROKEN = ProviderError("Scripted is broken.")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def broken(clock: Clock, times: int = 3) -> Breaker:
    breaker = Breaker(clock=clock)
    for _ in range(times):
        assert breaker.refusal("x") == ""
        breaker.failed("x", BROKEN)
    return breaker


def test_it_takes_failures_in_a_row() -> None:
    breaker = broken(Clock(), 2)
    breaker.answered("x")
    breaker.failed("x", BROKEN)
    breaker.failed("x", BROKEN)
    assert breaker.refusal("x") == ""
    breaker.failed("x", BROKEN)
    assert breaker.refusal("x") == "it is left alone for another 60 s after it failed: Scripted is broken."
    assert breaker.refusal("y") == ""


def test_after_the_rest_one_search_is_the_trial() -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.now += 60 - 1
    assert "another 1 s" in breaker.refusal("x")
    clock.now += 1
    assert breaker.refusal("x") == ""
    assert "another run tries" in breaker.refusal("x")
    breaker.answered("x")
    assert breaker.refusal("x") == ""
    assert breaker.refusal("x") == ""


def test_a_failed_trial_makes_the_rest_twice_as_long_up_to_a_limit() -> None:
    clock = Clock()
    breaker, rests = broken(clock), []
    for _ in range(12):
        rest = 0.0
        while breaker.refusal("x"):
            clock.now += 30
            rest += 30
        rests.append(rest)
        breaker.failed("x", BROKEN)
    assert rests[:4] == [60, 120, 240, 480]
    assert rests[-1] == 3600


@pytest.mark.parametrize("end", ["left", "forgotten"])
def test_a_trial_that_nobody_finished_can_be_made_again(end: str) -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.now += 60
    assert breaker.refusal("x") == ""
    if end == "left":
        breaker.left("x")
    else:
        clock.now += 60
    assert breaker.refusal("x") == ""


def test_a_refused_key_and_a_named_rest_count_at_once() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    breaker.failed("key", ProviderRefusedError("The key was refused."))
    breaker.failed("limit", RateLimitError("Later.", 500))
    breaker.failed("vague", RateLimitError("Later."))
    assert "another 60 s" in breaker.refusal("key")
    assert "another 500 s" in breaker.refusal("limit")
    assert breaker.refusal("vague") == ""


def test_who_is_busy_and_says_for_how_long_is_left_alone_until_then() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    breaker.failed("busy", ProviderBusyError("Busy.", 600))
    breaker.failed("for ever", ProviderBusyError("Busy.", 10.0**9))
    breaker.failed("vague", ProviderBusyError("Busy."))
    breaker.failed("over", ProviderBusyError("Busy.", 0))
    assert "another 600 s" in breaker.refusal("busy")
    assert "another 3600 s" in breaker.refusal("for ever")
    assert breaker.refusal("vague") == breaker.refusal("over") == ""
    clock.now += 600
    assert breaker.refusal("busy") == ""


def test_who_is_busy_again_and_again_is_not_believed_to_be_back_in_a_second() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    for _ in range(3):
        assert breaker.refusal("x") == ""
        breaker.failed("x", ProviderBusyError("Busy.", 1))
        clock.now += 1
    assert "it is left alone" in breaker.refusal("x")


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (ProviderBusyError("x"), 0.3),
        (ProviderBusyError("x", 2), 2),
        (ProviderBusyError("x", 60), None),
        (RateLimitError("x", 1), 1),
        (RateLimitError("x", 0), 0.3),
        (RateLimitError("x", 4.5), None),
        (RateLimitError("x"), None),
        (ProviderTimeoutError("x"), None),
        (ProviderUnreachableError("x"), None),
        (ProviderRefusedError("x"), None),
        (ProviderError("x"), None),
    ],
)
def test_only_what_may_pass_within_the_time_is_tried_again(error: ProviderError, pause: float | None) -> None:
    assert pause_before_retry(error, 1, 5.0) == pause
    assert pause_before_retry(error, 2, 5.0) is None
    assert pause_before_retry(error, 1, 1.0) is None
