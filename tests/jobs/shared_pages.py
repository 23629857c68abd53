"""What a page or an API works with over a shared PostgreSQL database, and what tests of workers ask of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from ghost.jobs import Jobs, open_jobs
from ghost.records import runs
from ghost.types import Claim
from tests.jobs.shared import SharedBench
from tests.ui.samples import false_run

Page = tuple[SharedBench, Jobs]
SCRIPT = false_run()
CLAIM = Claim("The Great Wall of China is visible from the Moon")


@contextmanager
def page(url: str) -> Iterator[Page]:
    """What a page or an API works with."""
    bench = SharedBench(url)
    jobs = open_jobs(bench)  # type: ignore[arg-type]
    try:
        yield bench, jobs
    finally:
        jobs.close()
        bench.close()


def ended(view: Any) -> bool:
    return bool(view.ended)


def wait_until(reached: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def attempts(bench: SharedBench) -> list[int]:
    """At which attempt each run is."""
    with bench.database.read() as connection:
        return list(connection.execute(select(runs.c.attempt)).scalars())
