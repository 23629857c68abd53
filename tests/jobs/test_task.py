"""Long work beside the page: progress, stopping, and how it ends."""

import threading
import time
from collections.abc import Callable

import pytest

from ghost.errors import Cancelled, GhostError, ModelError, StoreError
from ghost.jobs import Progress, Task, Tasks, failure_text


def endless(task: Task[str]) -> str:
    while True:
        task.report("Going", 0, 1)
        time.sleep(0.002)


def wrapping(task: Task[str]) -> str:
    """Wraps the request to stop in an error of its own, as the stores do."""
    try:
        return endless(task)
    except GhostError as error:
        raise StoreError("The index failed.") from error


def test_a_task_reports_its_progress_and_ends_with_its_result() -> None:
    go, reported = threading.Event(), threading.Event()

    def work(task: Task[int]) -> int:
        task.report("Counting", 1, 4)
        reported.set()
        go.wait(5)
        return 7

    task = Task(work)
    assert reported.wait(5)
    assert (task.progress, task.progress.share, task.ended) == (Progress("Counting", 1, 4), 0.25, False)
    with pytest.raises(RuntimeError, match="has not ended"):
        task.result()
    go.set()
    assert task.wait(5)
    assert (task.result(), task.error, task.ended) == (7, None, True)
    assert task.seconds == task.seconds > 0
    assert (Progress().share, Progress("x", 9, 3).share) == (0.0, 1.0)


@pytest.mark.parametrize("work", [endless, wrapping])
def test_a_stopped_task_ends_as_cancelled_within_a_second(work: Callable[[Task[str]], str]) -> None:
    task = Task(work)
    task.cancel()
    assert task.wait(1)
    assert task.cancelled()
    with pytest.raises(Cancelled, match="Stopped, as you asked"):
        task.result()


@pytest.mark.parametrize(("error", "words"), [
    (ModelError("The model is missing."), "The model is missing."),
    (KeyError("x"), "Unexpected KeyError: 'x'"),
    (ValueError("http://me:hunter2@a.example/x failed"), "Unexpected ValueError: http://a.example/x failed"),
])  # fmt: skip
def test_a_failure_is_kept_and_explained_without_secrets(error: Exception, words: str) -> None:
    def work(_: Task[None]) -> None:
        raise error

    task = Task(work)
    assert task.wait(5)
    assert task.error is error
    assert failure_text(error) == words
    with pytest.raises(type(error)):
        task.result()


def test_a_name_runs_once_at_a_time_and_closing_stops_all() -> None:
    tasks = Tasks()
    assert tasks.get("go") is None
    assert tasks.start("go", endless)
    assert not tasks.start("go", endless)
    first = tasks.get("go")
    tasks.close()
    assert first
    assert first.wait(1)
    assert isinstance(first.error, Cancelled)
    assert tasks.start("go", lambda _: "Done.")
    last = tasks.get("go")
    assert last
    assert last.wait(5)
    assert last.result() == "Done."
