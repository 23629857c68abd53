"""What workers look up of a claim before its check, over the queue on a real PostgreSQL server."""

import threading
import time
from typing import Any

import pytest

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.jobs import NO_WORKER, Queue, Task
from ghost.types import Claim
from tests.jobs.shared_pages import Page
from tests.ui.asking import wall_card


def test_a_worker_finds_an_earlier_answer_and_the_statements(pages: tuple[Page, Page]) -> None:
    (bench, jobs), (_, others) = pages
    assert jobs.lookups.checked_before(wall_card().claim) is None
    card = bench.cards.add(wall_card())
    assert others.lookups.checked_before(card.claim) == bench.cards.get(card.id)
    assert jobs.lookups.checked_before("Another claim") is None
    assert jobs.lookups.extract(Claim("The wall is long"), lambda: False) == bench.extract(
        Claim("The wall is long"), lambda: False
    )
    with pytest.raises(ClaimError):
        jobs.lookups.extract(Claim(" "), lambda: False)
    with pytest.raises(GhostError, match="This claim fails"):
        jobs.lookups.extract(Claim("This fails"), lambda: False)
    stop = threading.Event()
    task = Task[Any](lambda _: jobs.lookups.extract(Claim("This takes 60 seconds"), stop.is_set))
    deadline = time.monotonic() + 20
    while not Queue(bench.database).standing().running["lookup"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    stop.set()
    assert task.wait(5)
    assert isinstance(task.error, Cancelled)
    while Queue(bench.database).standing().running["lookup"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_without_a_worker_nobody_waits(open_page: Any) -> None:
    bench, jobs = open_page()
    bench.cards.add(wall_card())
    assert jobs.lookups.checked_before(wall_card().claim) is None
    with pytest.raises(GhostError, match=NO_WORKER[:20]):
        jobs.lookups.extract(Claim("The wall is long"), lambda: False)
    assert Queue(bench.database).standing().waiting == {}
