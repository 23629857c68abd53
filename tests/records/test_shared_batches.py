"""Batches that workers check together: turns, workers that are gone, and claims that end every worker."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from ghost.errors import StoreError, TakenOverError
from ghost.events import RunEnded, RunStarted, StepFinished, VerdictReached
from ghost.records import (
    OUTAGES,
    OUTAGES_GIVEN_UP,
    BatchState,
    BatchStore,
    Database,
    ItemState,
    NewBatch,
    NewItem,
    Processes,
    RunStore,
    SharedBatchQueue,
    batch_items,
    current_process,
    runs,
)
from ghost.types import Claim, RunStatus, Usage
from tests.ui.samples import JUDGE, false_run

GONE = "elsewhere/1/abc"


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    opened = Database.open(postgres_url)
    yield opened
    opened.close()


@pytest.fixture
def store(database: Database) -> BatchStore:
    return BatchStore(database)


@pytest.fixture
def queue(database: Database) -> SharedBatchQueue:
    return SharedBatchQueue(database)


def batch(name: str, count: int = 3) -> NewBatch:
    return NewBatch(name, tuple(NewItem(n, f"{name} {n}") for n in range(1, count + 1)))


def lose(database: Database) -> None:
    """Let the workers that have claims be gone."""
    with database.write() as connection:
        connection.execute(update(batch_items).values(owner=GONE))
        connection.execute(update(runs).values(owner=GONE))


def taken(queue: SharedBatchQueue, again: bool = False) -> str:
    found = queue.take(lambda *_: None, again)
    assert found
    return found[1].claim


def test_batches_take_turns_claim_by_claim(store: BatchStore, queue: SharedBatchQueue) -> None:
    for name in ("First", "Second"):
        queue.begin(store.create(batch(name)))
    more: list[bool] = []
    claims = []
    while found := queue.take(lambda *_: more.append(True)):
        claims.append(found[1].claim)
    assert claims == ["First 1", "Second 1", "First 2", "Second 2", "First 3", "Second 3"]
    assert len(more) == 5  # not after the last one
    with pytest.raises(StoreError, match="no batch"):
        queue.begin("nonsense")


def test_a_claim_whose_worker_is_gone_waits_again_with_its_run(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id = store.create(batch("A batch", 1))
    queue.begin(batch_id)
    _, first = queue.take(lambda *_: None) or pytest.fail("nothing to take")
    assert queue.recover() == 0  # this process is alive
    lose(database)
    called: list[int] = []
    assert queue.recover(lambda *_: called.append(1)) == 1
    assert called == [1]
    assert queue.take(lambda *_: None) is None
    _, second = queue.take(lambda *_: None, again=True) or pytest.fail("nothing to take")
    assert (second.run_id, second.attempts) == (first.run_id, 2)
    assert queue.wanted(second)
    with pytest.raises(TakenOverError):
        queue.wanted(first)
    verdict = false_run().verdict
    assert verdict
    queue.done(first, verdict.label, 0.9, 1.0)  # comes too late
    assert store.items(batch_id)[0].state is ItemState.RUNNING
    queue.done(second, verdict.label, 0.9, 1.0)
    assert store.items(batch_id)[0].state is ItemState.DONE
    kept = store.get(batch_id)
    assert kept
    assert kept.state is BatchState.DONE


def test_a_claim_that_ends_every_worker_is_given_up_and_the_rest_goes_on(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id = store.create(batch("A batch", 2))
    queue.begin(batch_id)
    for again in (False, True, True):
        assert taken(queue, again) == "A batch 1"
        lose(database)
        queue.recover()
    killer, other = store.items(batch_id)
    assert (killer.state, other.state) == (ItemState.FAILED, ItemState.QUEUED)
    assert "3 times" in killer.error
    assert taken(queue) == "A batch 2"
    assert queue.retry(batch_id) == 1
    assert store.items(batch_id)[0].attempts == 0


def test_of_claims_that_are_checked_again_the_one_that_ended_the_fewest_workers_goes_first(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    queue.begin(store.create(batch("A batch", 3)))
    waiting: list[bool] = []
    assert [taken(queue), taken(queue)] == ["A batch 1", "A batch 2"]
    lose(database)
    assert queue.recover() == 2
    assert taken(queue, again=True) == "A batch 1"
    lose(database)
    queue.recover()
    queue.when_waiting(lambda _, again: waiting.append(again))
    assert waiting == [False, True]
    assert [taken(queue, again=True) for _ in range(2)] == ["A batch 2", "A batch 1"]
    assert taken(queue) == "A batch 3"


def test_a_claim_whose_worker_was_gone_after_its_verdict_is_done(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id, records, script = store.create(batch("A batch", 1)), RunStore(database), false_run()
    queue.begin(batch_id)
    _, item = queue.take(lambda *_: None) or pytest.fail("nothing to take")
    now = datetime.now(UTC)
    records.apply(RunStarted(item.run_id, Claim(item.claim), now, JUDGE, {}))
    assert script.verdict
    records.apply(VerdictReached(script.verdict, JUDGE))
    records.apply(RunEnded(item.run_id, RunStatus.FINISHED, now, Usage()))
    lose(database)
    assert queue.recover() == 1
    kept = store.items(batch_id)[0]
    assert (kept.state, kept.run_id, kept.label) == (ItemState.DONE, item.run_id, script.verdict.label)


def test_a_claim_that_is_handed_back_loses_no_try_and_a_failed_one_does(
    store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id = store.create(batch("A batch", 1))
    queue.begin(batch_id)
    for number, (failed, attempts) in enumerate(((False, 0), (True, 1), (True, 2), (True, 3))):
        _, item = queue.take(lambda *_: None, again=number > 0) or pytest.fail("nothing to take")
        queue.hand_back(item, lambda *_: None, failed)
        assert store.items(batch_id)[0].attempts == attempts
    assert store.items(batch_id)[0].state is ItemState.FAILED


def test_a_claim_that_is_handed_back_twice_stays_with_the_worker_that_has_it_by_now(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id = store.create(batch("A batch", 1))
    queue.begin(batch_id)
    _, item = queue.take(lambda *_: None) or pytest.fail("nothing to take")
    queue.hand_back(item, lambda *_: None)
    assert taken(queue, again=True) == item.claim
    lose(database)  # as if another one had taken it
    queue.hand_back(item, lambda *_: None)
    kept = store.items(batch_id)[0]
    assert (kept.state, kept.attempts) == (ItemState.RUNNING, item.attempts)


def test_a_claim_under_which_the_servers_go_away_each_time_is_given_up_in_the_end(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id, records = store.create(batch("A batch", 2)), RunStore(database)
    queue.begin(batch_id)
    for number in range(OUTAGES):
        _, item = queue.take(lambda *_: None, again=number > 0) or pytest.fail("nothing to take")
        assert (item.claim, item.attempts) == ("A batch 1", 1)
        begun = records.record(iter([RunStarted(item.run_id, Claim(item.claim), datetime.now(UTC), JUDGE, {})]))
        next(begun)
        queue.hand_back(item, lambda *_: None)
    given_up, other = store.items(batch_id)
    assert (given_up.state, given_up.error) == (ItemState.FAILED, OUTAGES_GIVEN_UP)
    run = records.get(given_up.run_id)
    assert run
    assert (run.status, run.error) == (RunStatus.FAILED, OUTAGES_GIVEN_UP)
    assert (other.state, taken(queue)) == (ItemState.QUEUED, "A batch 2")


def test_the_run_of_a_claim_that_was_handed_back_ends_with_its_batch(
    database: Database, store: BatchStore, queue: SharedBatchQueue
) -> None:
    batch_id, records = store.create(batch("A batch", 2)), RunStore(database)
    queue.begin(batch_id)
    items = [(queue.take(lambda *_: None) or pytest.fail("nothing to take"))[1] for _ in range(2)]
    for item in items:
        records.apply(RunStarted(item.run_id, Claim(item.claim), datetime.now(UTC), JUDGE, {}))
    queue.hand_back(items[0], lambda *_: None)
    queue.cancel(batch_id)
    ended, going = (records.get(item.run_id) or pytest.fail("there is no run") for item in items)
    assert (ended.status, ended.error) == (RunStatus.CANCELLED, "The run was cancelled.")
    assert going.status is RunStatus.RUNNING, "its worker says how it ends"


def test_a_batch_pauses_after_failures_in_a_row(store: BatchStore, queue: SharedBatchQueue) -> None:
    batch_id = store.create(batch("A batch", 8))
    queue.begin(batch_id)
    for _ in range(5):
        _, item = queue.take(lambda *_: None) or pytest.fail("nothing to take")
        queue.failed(item, "No network.", item.run_id, 0.1)
    assert queue.take(lambda *_: None) is None
    kept = store.get(batch_id)
    assert kept
    assert (kept.state, "5 failures in a row" in kept.note) == (BatchState.PAUSED, True)


def test_a_run_that_is_taken_up_again_replaces_what_the_first_attempt_stored(database: Database) -> None:
    records, script = RunStore(database), false_run()
    now = datetime.now(UTC)
    start = RunStarted("r1", Claim("A claim"), now, JUDGE, {})
    step = StepFinished(2, script.steps[1])
    first = records.record(iter([start, step, step, RunEnded("r1", RunStatus.FINISHED, now, Usage())]))
    assert [next(first), next(first)] == [start, step]
    second = records.record(iter([start, step, RunEnded("r1", RunStatus.FINISHED, now, Usage())]))
    next(second)
    with pytest.raises(TakenOverError):
        next(first)
    list(second)
    run = records.get("r1")
    assert run
    assert (run.status, run.steps) == (RunStatus.FINISHED, (script.steps[1],))
    with pytest.raises(TakenOverError, match="ended already"):
        next(records.record(iter([start])))


def test_a_process_is_alive_as_long_as_it_says_so(database: Database) -> None:
    processes = Processes(database)
    processes.beat("worker", 3)
    assert [(p.owner, p.slots) for p in processes.living("worker")] == [(current_process(), 3)]
    assert processes.living("page") == []
    processes.beat("worker", 3, seconds=-1.0)
    assert processes.living() == []
    processes.beat("worker", 3)
    processes.leave()
    assert processes.living() == []
