"""Batches in the database: what is kept, listed, counted and filtered."""

from datetime import UTC, datetime

import pytest

from ghost.errors import StoreError
from ghost.events import RunStarted, VerdictReached
from ghost.records import (
    BatchQueue,
    BatchState,
    BatchStore,
    Database,
    ItemFilter,
    ItemOrder,
    ItemState,
    NewBatch,
    NewItem,
    ReviewStore,
    RunStore,
)
from ghost.types import Claim, JudgeInfo, Label, Verdict


def batch(*claims: str, **changes: object) -> NewBatch:
    items = tuple(NewItem(n, text, cells=(text, str(n))) for n, text in enumerate(claims, start=1))
    return NewBatch("March", items, "march.csv", ("claim", "id"), **changes)  # type: ignore[arg-type]


def test_a_batch_is_kept_as_it_was_given_and_waits(database: Database) -> None:
    store = BatchStore(database)
    items = (NewItem(2, "A claim", "context", "https://x.test/", ("A claim", "=1+1")), NewItem(3, "", refused="Empty."))
    new = NewBatch("März", items, "list.csv", ("claim", "note"), ("1 blank line was left out: 4.",), web=False)
    batch_id = store.create(new)
    kept = store.get(batch_id)
    assert kept
    assert (kept.name, kept.source, kept.columns, kept.remarks) == (new.name, new.source, new.columns, new.remarks)
    assert (kept.state, kept.web, kept.removed, kept.finished_at) == (BatchState.PAUSED, False, False, None)
    first, second = store.items(batch_id)
    assert (first.claim, first.context, first.found_at) == ("A claim", "context", "https://x.test/")
    assert first.cells == ("A claim", "=1+1")
    assert (second.state, second.error) == (ItemState.REFUSED, "Empty.")
    assert store.tally(batch_id).states == {ItemState.QUEUED: 1, ItemState.REFUSED: 1}


def test_items_are_filtered_sorted_and_paged(database: Database) -> None:
    store, queue = BatchStore(database), BatchQueue(database)
    batch_id = store.create(batch("Bees dance", "Wasps sting", "100% of_bees", "Ants march"))
    queue.begin(batch_id)
    for label, sure, took in ((Label.FALSE, 0.9, 1.0), (Label.TRUE, 0.5, 3.0), (Label.FALSE, 0.7, 2.0)):
        item = queue.next(batch_id)
        assert item
        queue.done(item, label, sure, took)

    def positions(narrow: ItemFilter = ItemFilter(), order: ItemOrder = ItemOrder.FILE, **page: int) -> list[int]:  # noqa: B008
        return [item.position for item in store.items(batch_id, narrow, order, **page)]

    assert positions(ItemFilter("bees")) == [1, 3]
    assert positions(ItemFilter("0% of_")) == [3]
    assert positions(ItemFilter("%")) == [3]
    assert positions(ItemFilter(labels=(Label.FALSE,))) == [1, 3]
    assert positions(ItemFilter(states=(ItemState.QUEUED,), labels=(Label.TRUE,))) == [2, 4]
    assert positions(order=ItemOrder.VERDICT) == [2, 1, 3, 4]
    assert positions(order=ItemOrder.LEAST_SURE) == [2, 3, 1, 4]
    assert positions(order=ItemOrder.MOST_SURE) == [1, 3, 2, 4]
    assert positions(order=ItemOrder.SLOWEST) == [2, 3, 1, 4]
    assert positions(limit=2, offset=1) == [2, 3]
    assert store.count(batch_id, ItemFilter(labels=(Label.FALSE,))) == 2
    assert store.tally(batch_id).labels == {Label.TRUE: 1, Label.FALSE: 2}
    assert (store.tally(batch_id).left, store.tally(batch_id).ended) == (1, 3)


def test_verdicts_are_counted_found_and_sorted_as_they_are_shown_the_analysts_before_ghosts(database: Database) -> None:
    store, queue, said = BatchStore(database), BatchQueue(database), ReviewStore(database)
    batch_id = store.create(batch("Bees dance", "Wasps sting", "Ants march"))
    queue.begin(batch_id)
    runs = RunStore(database)
    for label in (Label.FALSE, Label.TRUE, Label.FALSE):
        item = queue.next(batch_id)
        assert item
        runs.apply(
            RunStarted(item.run_id, Claim(item.claim), datetime(2026, 3, 1, tzinfo=UTC), JudgeInfo("e", "m"), {})
        )
        runs.apply(VerdictReached(Verdict(label, 0.9, ""), JudgeInfo("e", "m")))
        queue.done(item, label, 0.9, 1.0)
    first, _, third = store.items(batch_id)
    said.override(first.run_id, Label.FALSE)
    own = said.override(third.run_id, Label.MISLEADING, "Half of it.")

    def positions(*labels: Label, order: ItemOrder = ItemOrder.FILE) -> list[int]:
        narrow = ItemFilter(labels=labels)
        found = [item.position for item in store.items(batch_id, narrow, order)]
        assert store.count(batch_id, narrow) == len(found)
        return found

    assert {k: n for k, n in store.tally(batch_id).labels.items() if n} == dict.fromkeys(
        (Label.FALSE, Label.TRUE, Label.MISLEADING), 1
    )
    assert (positions(Label.FALSE), positions(Label.MISLEADING)) == ([1], [3])
    assert positions(order=ItemOrder.VERDICT) == [2, 1, 3]
    said.withdraw(own.id)
    assert {k: n for k, n in store.tally(batch_id).labels.items() if n} == {Label.FALSE: 2, Label.TRUE: 1}
    assert positions(Label.FALSE) == [1, 3]


def test_long_batches_are_read_page_by_page(database: Database) -> None:
    store = BatchStore(database)
    batch_id = store.create(batch(*(f"Claim {n}" for n in range(1_007))))
    assert [item.position for item in store.all_items(batch_id)] == list(range(1, 1_008))
    assert len(list(store.outcomes(batch_id))) == 1_007


def test_removing_hides_a_batch_until_it_is_restored(database: Database) -> None:
    store, queue = BatchStore(database), BatchQueue(database)
    batch_id = store.create(batch("A claim"))
    queue.begin(batch_id)
    with pytest.raises(StoreError, match="being checked"):
        store.remove(batch_id)
    queue.pause(batch_id)
    store.remove(batch_id)
    assert store.list() == []
    assert [b.id for b in store.removed()] == [batch_id]
    assert (store.totals(), store.removed(offset=1)) == ((0, 1), [])
    assert store.get(batch_id)
    store.restore(batch_id)
    assert [b.id for b in store.list()] == [batch_id]
