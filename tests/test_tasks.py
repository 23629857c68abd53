"""Work beside the page: progress, stopping, and how it ends."""

import threading

import pytest

from ghost.errors import Cancelled, ModelError
from ghost.jobs import Task
from ghost.jobs.tasks import Progress


def test_a_task_ends_with_its_result_and_tells_how_far_it_is() -> None:
    go = threading.Event()

    def work(task: Task[int]) -> int:
        task.tell("Counting", 1, 4)
        go.wait(5)
        return 7

    task = Task(work)
    with pytest.raises(RuntimeError, match="has not ended"):
        task.result()
    go.set()
    assert task.wait(5)
    assert task.result() == 7
    assert task.progress == Progress("Counting", 1, 4)
    assert task.progress.share == 0.25
    assert task.error is None


def test_a_task_that_is_stopped_ends_as_cancelled() -> None:
    begun = threading.Event()

    def work(task: Task[None]) -> None:
        while True:
            begun.set()
            task.tell("Going on")

    task = Task(work)
    begun.wait(5)
    task.cancel()
    assert task.wait(5)
    assert task.cancelled()
    with pytest.raises(Cancelled):
        task.result()


@pytest.mark.parametrize("error", [ModelError("The model is gone."), ZeroDivisionError("by zero")])
def test_what_goes_wrong_is_handed_to_whoever_waits(error: Exception) -> None:
    def work(_: Task[None]) -> None:
        raise error

    task = Task(work)
    assert task.wait(5)
    assert task.error is error
    with pytest.raises(type(error)):
        task.result()


def test_nobody_knows_how_far_it_is_before_it_says_so() -> None:
    assert Progress().share == 0.0
    assert Progress("x", 9, 3).share == 1.0
