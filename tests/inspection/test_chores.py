"""Work in the background: once at a time, told how far it is, stopped, failed."""

import threading
import time
from collections.abc import Callable

import pytest

from ghost.errors import GhostError, StoreError
from ghost.jobs import Chore, Chores, ChoreState, Progress


def wait_for(chores: Chores, name: str, reached: Callable[[Chore], bool]) -> Chore:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        chore = chores.snapshot(name)
        if chore and reached(chore):
            return chore
        time.sleep(0.005)
    raise AssertionError(f"never reached: {chores.snapshot(name)}")


def ended(chore: Chore) -> bool:
    return not chore.running


def test_a_chore_tells_how_far_it_is_and_what_came_of_it() -> None:
    chores, gate = Chores(), threading.Event()

    def work(progress: Progress) -> str:
        progress("Counting", 2, 5)
        gate.wait(10)
        return "Five."

    assert chores.snapshot("count") is None
    assert chores.start("count", work)
    chore = wait_for(chores, "count", lambda c: c.done == 2)
    assert (chore.what, chore.total, chore.running) == ("Counting", 5, True)
    assert not chores.start("count", work)
    gate.set()
    chore = wait_for(chores, "count", ended)
    assert (chore.state, chore.said) == (ChoreState.DONE, "Five.")
    assert chores.start("count", work)
    wait_for(chores, "count", ended)


def test_a_chore_stops_at_its_next_step_whatever_the_wish_was_wrapped_in() -> None:
    chores = Chores()

    def work(progress: Progress) -> str:
        while True:
            try:
                progress("Going", 0, 1)
            except GhostError as error:
                raise StoreError("The index failed.") from error
            time.sleep(0.002)

    chores.start("go", work)
    chores.cancel("go")
    chore = wait_for(chores, "go", ended)
    assert (chore.state, chore.said) == (ChoreState.CANCELLED, "Stopped, as you asked.")
    chores.cancel("nonsense")


@pytest.mark.parametrize(
    ("error", "said"),
    [(StoreError("The disk is full."), "The disk is full."), (KeyError("x"), "Unexpected KeyError: 'x'")],
)
def test_a_failure_is_told_in_words(error: Exception, said: str) -> None:
    def work(_progress: Progress) -> str:
        raise error

    chores = Chores()
    chores.start("fail", work)
    chore = wait_for(chores, "fail", ended)
    assert (chore.state, chore.said) == (ChoreState.FAILED, said)


def test_closing_stops_all() -> None:
    chores = Chores()

    def work(progress: Progress) -> str:
        while True:
            progress("Going", 0, 1)
            time.sleep(0.002)

    chores.start("a", work)
    chores.close()
    assert wait_for(chores, "a", ended).state is ChoreState.CANCELLED
