"""How a batch moves on: each claim is handed out once, whoever dies in between."""

import os
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, text

from ghost.errors import StoreError
from ghost.records import (
    BATCH_INTERRUPTED,
    Batch,
    BatchItem,
    BatchQueue,
    BatchState,
    BatchStore,
    Database,
    NewBatch,
    NewItem,
    runs,
)
from ghost.types import Label, RunStatus

DEAD = "nowhere/1/then"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Checked:
    """A batch with its store and its queue."""

    def __init__(self, database: Database, *items: NewItem) -> None:
        self.database, self.store, self.queue = database, BatchStore(database), BatchQueue(database)
        self.id = self.store.create(NewBatch("A batch", items or tuple(NewItem(n, f"Claim {n}") for n in (1, 2, 3))))

    def begun(self) -> "Checked":
        self.queue.begin(self.id)
        return self

    def take(self) -> BatchItem:
        item = self.queue.next(self.id)
        assert item
        return item

    def done(self, item: BatchItem | None = None, label: Label = Label.TRUE) -> None:
        self.queue.done(item or self.take(), label, 0.9, 1.0)

    @property
    def kept(self) -> Batch:
        found = self.store.get(self.id)
        assert found
        return found

    @property
    def states(self) -> str:
        return " ".join(item.state.value for item in self.store.items(self.id))

    def left_by(self, owner: str) -> None:
        """Another process checked the batch."""
        with self.database.write() as connection:
            connection.execute(text("UPDATE batches SET owner = :owner"), {"owner": owner})


@pytest.fixture
def work(database: Database) -> Checked:
    return Checked(database)


def test_nothing_is_handed_out_before_somebody_begins(work: Checked) -> None:
    assert work.queue.next(work.id) is None
    assert work.begun().take().position == 1
    with pytest.raises(StoreError, match="no batch"):
        work.queue.begin("nonsense")


def test_each_claim_is_handed_out_once_and_the_last_one_closes_the_batch(work: Checked) -> None:
    items = [work.begun().take(), work.take(), work.take()]
    assert len({item.run_id for item in items}) == 3
    assert work.queue.next(work.id) is None
    for item in items[:2]:
        work.done(item)
    work.queue.failed(items[2], "The disk is full.", items[2].run_id, 0.1)
    assert (work.kept.state, work.states) == (BatchState.DONE, "done done failed")
    assert work.kept.finished_at
    assert work.store.items(work.id)[2].error == "The disk is full."


def test_the_same_claim_is_checked_once_and_answers_for_both(database: Database) -> None:
    twice = NewItem(3, "A", same_as=1), NewItem(4, "B"), NewItem(5, "A", same_as=1)
    work = Checked(database, NewItem(2, "A"), *twice).begun()
    first = work.take()
    work.done(first, Label.FALSE)
    assert work.take().claim == "B"
    found = work.store.items(work.id)
    assert [i.label for i in found] == [Label.FALSE, Label.FALSE, None, Label.FALSE]
    assert {i.run_id for i in found if i.claim == "A"} == {first.run_id}
    assert [i.same_line for i in found] == [None, 2, None, 2]
    assert [i.same_line for i in work.store.all_items(work.id)] == [None, 2, None, 2]


def test_a_paused_batch_finishes_what_is_at_work_and_goes_on_when_resumed(work: Checked) -> None:
    item = work.begun().take()
    work.queue.pause(work.id, "why")
    assert work.queue.next(work.id) is None
    work.done(item)
    assert (work.kept.state, work.kept.note) == (BatchState.PAUSED, "why")
    assert work.begun().take().position == 2


def test_cancelling_gives_up_what_is_left_and_resuming_takes_it_up(work: Checked) -> None:
    work.begun().done()
    item = work.take()
    work.queue.cancel(work.id)
    work.queue.put_back(item)
    assert (work.kept.state, work.states) == (BatchState.CANCELLED, "done cancelled cancelled")
    assert work.begun().states == "done queued queued"
    assert work.take().position == 2


def test_a_claim_that_was_decided_while_somebody_cancelled_keeps_its_verdict(work: Checked) -> None:
    item = work.begun().take()
    work.queue.cancel(work.id)
    work.done(item)
    assert work.states == "done cancelled cancelled"


def test_what_failed_can_be_tried_again_and_what_was_refused_is_done(database: Database) -> None:
    work = Checked(database, NewItem(1, "A"), NewItem(2, "A", same_as=1), NewItem(3, "", refused="Empty.")).begun()
    work.queue.failed(work.take(), "No.", "", 0.1)
    assert work.states == "failed failed refused"
    assert work.queue.retry(work.id) == 2
    work.begun().done()
    assert (work.states, work.store.items(work.id)[0].error) == ("done done refused", "")
    assert Checked(database, NewItem(1, "", refused="Empty.")).begun().kept.state is BatchState.DONE


def run(database: Database, run_id: str, status: RunStatus) -> None:
    """The run of a claim, as a process that is gone has left it."""
    row = dict.fromkeys(("claim", "judge", "settings", "usage"), "{}") | {"evidence": "[]", "error": ""}
    row |= {"id": run_id, "status": status.value, "claim_text": "Claim", "owner": DEAD, "label": ""}
    if status is RunStatus.FINISHED:
        verdict = '{"label": "False", "confidence": 0.8, "probability": 0.9, "explanation": ""}'
        row |= {"label": "False", "verdict": verdict}
    with database.write() as connection:
        connection.execute(insert(runs).values(**row, started_at=NOW, finished_at=NOW.replace(second=3)))


def test_after_a_crash_it_is_paused_and_what_was_at_work_waits_again(work: Checked) -> None:
    item = work.begun().take()
    run(work.database, item.run_id, RunStatus.INTERRUPTED)
    work.left_by(DEAD)
    assert BatchQueue(work.database).recover() == 1
    assert (work.kept.state, work.kept.note) == (BatchState.PAUSED, BATCH_INTERRUPTED)
    assert work.states == "queued queued queued"
    work.done(item)
    assert work.states == "queued queued queued"


def test_a_verdict_that_was_reached_just_before_the_crash_is_not_made_again(database: Database) -> None:
    work = Checked(database, NewItem(1, "A"), NewItem(2, "A", same_as=1), NewItem(3, "B")).begun()
    item = work.take()
    run(database, item.run_id, RunStatus.FINISHED)
    work.left_by(DEAD)
    work.queue.recover()
    assert work.states == "done done queued"
    found = work.store.items(work.id)[0]
    assert (found.run_id, found.label, found.confidence) == (item.run_id, Label.FALSE, 0.8)
    assert found.seconds == pytest.approx(3.0, abs=0.01)


def test_a_batch_of_a_living_process_is_left_alone(work: Checked) -> None:
    work.begun().take()
    assert work.queue.recover() == 0
    # The parent of the tests lives as long as they do; where the system tells no start time, its id is enough.
    host = work.kept.owner.split("/")[0]
    work.left_by(f"{host}/{os.getppid()}/")
    assert work.queue.recover() == 0
    with pytest.raises(StoreError, match="Another Ghost"):
        work.begun()
    assert work.queue.next(work.id) is None
