"""How a batch moves on: each claim is handed out once, whoever dies in between."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, update

from ghost.errors import StoreError
from ghost.records import (
    ENDED,
    BatchItem,
    BatchQueue,
    BatchState,
    BatchStore,
    Database,
    ItemState,
    NewBatch,
    NewItem,
    runs,
)
from ghost.records.owner import Owner
from ghost.records.tables import batches
from ghost.types import Label, RunStatus

DEAD = "nowhere/1/then"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def store(database: Database) -> BatchStore:
    return BatchStore(database)


@pytest.fixture
def queue(database: Database) -> BatchQueue:
    return BatchQueue(database)


def make(store: BatchStore, *items: NewItem) -> str:
    return store.create(NewBatch("A batch", items or tuple(NewItem(n, f"Claim {n}") for n in (1, 2, 3))))


def take(queue: BatchQueue, batch_id: str) -> BatchItem:
    item = queue.next(batch_id)
    assert item
    return item


def states(store: BatchStore, batch_id: str) -> list[str]:
    return [item.state.value for item in store.items(batch_id)]


def left_behind(database: Database, batch_id: str, owner: str = DEAD) -> None:
    """The process that checked the batch is gone."""
    with database.write() as connection:
        connection.execute(update(batches).where(batches.c.id == batch_id).values(owner=owner))


def run(database: Database, run_id: str, status: RunStatus, owner: str = DEAD) -> None:
    verdict = '{"label": "False", "confidence": 0.8, "explanation": ""}'
    done = status is RunStatus.FINISHED
    with database.write() as connection:
        connection.execute(
            insert(runs).values(
                id=run_id, status=status.value, claim_text="Claim", label="False" if done else "", started_at=NOW,
                finished_at=NOW.replace(second=3), owner=owner, claim="{}", judge="{}", settings="{}", usage="{}",
                evidence="[]", error="", verdict=verdict if done else None,
            )
        )  # fmt: skip


def test_nothing_is_handed_out_before_somebody_begins(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store)
    assert queue.next(batch_id) is None
    queue.begin(batch_id)
    assert take(queue, batch_id).position == 1
    with pytest.raises(StoreError, match="no batch"):
        queue.begin("nonsense")


def test_each_claim_is_handed_out_once_and_the_last_one_closes_the_batch(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    items = [take(queue, batch_id) for _ in range(3)]
    assert len({item.run_id for item in items}) == 3
    assert queue.next(batch_id) is None
    for item in items[:2]:
        queue.done(item, Label.TRUE, 0.9, 1.5)
    queue.failed(items[2], "The disk is full.", items[2].run_id, 0.1)
    kept = store.get(batch_id)
    assert kept
    assert kept.state is BatchState.DONE
    assert kept.finished_at
    assert states(store, batch_id) == ["done", "done", "failed"]
    assert store.items(batch_id)[2].error == "The disk is full."


def test_the_same_claim_is_checked_once_and_answers_for_both(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store, NewItem(1, "A"), NewItem(2, "A", same_as=1), NewItem(3, "B"), NewItem(4, "A", same_as=1))
    queue.begin(batch_id)
    first = take(queue, batch_id)
    queue.done(first, Label.FALSE, 0.8, 1.0)
    assert take(queue, batch_id).claim == "B"
    found = store.items(batch_id)
    assert [i.label for i in found] == [Label.FALSE, Label.FALSE, None, Label.FALSE]
    assert {i.run_id for i in found if i.claim == "A"} == {first.run_id}


def test_a_paused_batch_finishes_what_is_at_work_and_goes_on_when_resumed(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    item = take(queue, batch_id)
    queue.pause(batch_id, "why")
    assert queue.next(batch_id) is None
    queue.done(item, Label.TRUE, 0.9, 1.0)
    kept = store.get(batch_id)
    assert kept
    assert (kept.state, kept.note) == (BatchState.PAUSED, "why")
    queue.begin(batch_id)
    assert take(queue, batch_id).position == 2


def test_resuming_while_a_claim_is_still_at_work_does_not_hand_it_out_again(
    store: BatchStore, queue: BatchQueue
) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    item = take(queue, batch_id)
    queue.pause(batch_id)
    queue.begin(batch_id, at_work=item.run_id)
    assert take(queue, batch_id).position == 2
    assert states(store, batch_id) == ["running", "running", "queued"]


def test_cancelling_gives_up_what_is_left_and_resuming_takes_it_up(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    queue.done(take(queue, batch_id), Label.TRUE, 0.9, 1.0)
    item = take(queue, batch_id)
    queue.cancel(batch_id)
    queue.put_back(item)
    assert states(store, batch_id) == ["done", "cancelled", "cancelled"]
    kept = store.get(batch_id)
    assert kept
    assert kept.state is BatchState.CANCELLED
    queue.begin(batch_id)
    assert states(store, batch_id) == ["done", "queued", "queued"]
    assert take(queue, batch_id).position == 2


def test_a_claim_that_was_decided_while_somebody_cancelled_keeps_its_verdict(
    store: BatchStore, queue: BatchQueue
) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    item = take(queue, batch_id)
    queue.cancel(batch_id)
    queue.done(item, Label.TRUE, 0.9, 1.0)
    assert states(store, batch_id) == ["done", "cancelled", "cancelled"]


def test_what_failed_can_be_tried_again(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store, NewItem(1, "A"), NewItem(2, "A", same_as=1), NewItem(3, "", refused="Empty."))
    queue.begin(batch_id)
    queue.failed(take(queue, batch_id), "No.", "", 0.1)
    assert states(store, batch_id) == ["failed", "failed", "refused"]
    assert queue.retry(batch_id) == 2
    queue.begin(batch_id)
    queue.done(take(queue, batch_id), Label.TRUE, 0.9, 1.0)
    assert states(store, batch_id) == ["done", "done", "refused"]
    assert store.items(batch_id)[0].error == ""


def test_a_batch_of_which_nothing_is_left_is_done_at_once(store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store, NewItem(1, "", refused="Empty."))
    queue.begin(batch_id)
    kept = store.get(batch_id)
    assert kept
    assert kept.state is BatchState.DONE


def test_after_a_crash_it_is_paused_and_what_was_at_work_waits_again(
    database: Database, store: BatchStore, queue: BatchQueue
) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    item = take(queue, batch_id)
    run(database, item.run_id, RunStatus.INTERRUPTED)
    left_behind(database, batch_id)
    assert BatchQueue(database).recover() == 1
    kept = store.get(batch_id)
    assert kept
    assert (kept.state, kept.note) == (BatchState.PAUSED, ENDED)
    assert states(store, batch_id) == ["queued", "queued", "queued"]
    queue.done(item, Label.TRUE, 0.9, 1.0)
    assert states(store, batch_id) == ["queued", "queued", "queued"]


def test_a_verdict_that_was_reached_just_before_the_crash_is_not_made_again(
    database: Database, store: BatchStore, queue: BatchQueue
) -> None:
    batch_id = make(store, NewItem(1, "A"), NewItem(2, "A", same_as=1), NewItem(3, "B"))
    queue.begin(batch_id)
    item = take(queue, batch_id)
    run(database, item.run_id, RunStatus.FINISHED)
    left_behind(database, batch_id)
    queue.recover()
    found = store.items(batch_id)
    assert [i.state for i in found] == [ItemState.DONE, ItemState.DONE, ItemState.QUEUED]
    assert (found[0].run_id, found[0].label, found[0].confidence) == (item.run_id, Label.FALSE, 0.8)
    assert found[0].seconds == pytest.approx(3.0, abs=0.01)


def test_a_crash_while_it_was_being_paused_loses_nothing_either(
    database: Database, store: BatchStore, queue: BatchQueue
) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    take(queue, batch_id)
    queue.pause(batch_id)
    left_behind(database, batch_id)
    assert queue.recover() == 1
    assert states(store, batch_id) == ["queued", "queued", "queued"]


def test_a_batch_of_a_living_process_is_left_alone(database: Database, store: BatchStore, queue: BatchQueue) -> None:
    batch_id = make(store)
    queue.begin(batch_id)
    take(queue, batch_id)
    assert queue.recover() == 0
    other = Owner.current()
    # The parent of the tests lives as long as they do.
    import os

    from ghost.records.owner import _started

    left_behind(database, batch_id, f"{other.host}/{os.getppid()}/{_started(os.getppid())}")
    assert queue.recover() == 0
    with pytest.raises(StoreError, match="Another Ghost"):
        queue.begin(batch_id)
    assert queue.next(batch_id) is None
