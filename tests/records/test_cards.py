"""Claim cards as they are kept: filters, pages, changes and their undoing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from ghost.errors import ClaimError, StoreError
from ghost.records import CardFilter, CardOrder, CardStore, Database, card_key, claim_cards
from ghost.types import CardCitation, CardOrigin, CardState, Category, ClaimCard, Label, StanceLabel
from tests.records.kept import keep

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
CITED = CardCitation(1, "", "No, it is not.", StanceLabel.REFUTES, "https://a.example/", "A", date(2020, 1, 2))


def card(claim: str = "The Moon is made of cheese.", **changes: Any) -> ClaimCard:
    made = ClaimCard("", claim, Category.SCIENTIFIC, Label.FALSE, "No [1].", 0.9, CardOrigin.RUN, AT, (CITED,))
    return replace(made, **changes)


@pytest.fixture
def store(database: Database) -> CardStore:
    return CardStore(database)


def test_a_card_is_kept_with_all_that_it_has(store: CardStore) -> None:
    full = card(
        run_id="r", publisher="P", url="https://p.example/", limitations="Some.", would_change="News.",
        as_of=date(2024, 5, 31), expires_at=AT + timedelta(days=30), approved_at=AT, margin=0.1,
    )  # fmt: skip
    kept = store.add(full)
    assert replace(kept, id="") == full
    assert store.get(kept.id) == kept
    assert store.many([kept.id, "c_x", kept.id]) == [kept, kept]
    assert store.get("c_x") is None
    assert store.of_run("r") == kept
    assert store.of_run("") is None


def test_what_makes_two_cards_one() -> None:
    def key(
        claim: str = "A claim.", day: date | None = None, origin: CardOrigin = CardOrigin.RUN, who: str = ""
    ) -> str:
        return card_key(claim, day, origin, who)

    assert key() == key("  a  CLAIM ") == key("A claim?") == key("A\u200b claim") == key(who="anybody")
    different = [
        key(), key("A claim, no"), key(day=date(2024, 1, 1)), key(origin=CardOrigin.LIBRARY),
        key(origin=CardOrigin.FACT_CHECK, who="A"), key(origin=CardOrigin.FACT_CHECK, who="B"),
    ]  # fmt: skip
    assert len(set(different)) == len(different)


def test_cards_are_filtered_ordered_and_paged(store: CardStore) -> None:
    soon = datetime.now(UTC) + timedelta(days=1)
    a, b, c, d = store.add_many(
        [
            (card("Apples are blue", checked_at=AT, expires_at=soon + timedelta(days=9)), ()),
            (card("élan is a noun", checked_at=AT + timedelta(hours=1), category=Category.LINGUISTIC), ()),
            (card("Cats fly", checked_at=AT, label=Label.TRUE, expires_at=AT, answer="Yes, 100% do."), ()),
            (card("Dogs bark", checked_at=AT, origin=CardOrigin.LIBRARY, expires_at=soon), ()),
        ]
    )
    store.retire(a.id)
    assert [x.id for x in store.browse()] == [b.id, d.id, c.id, a.id]
    assert [x.id for x in store.browse(order=CardOrder.CLAIM)] == [a.id, c.id, d.id, b.id]
    assert [x.id for x in store.browse(order=CardOrder.EXPIRING)] == [c.id, d.id, a.id, b.id]
    assert [x.id for x in store.browse(limit=2, offset=1)] == [d.id, c.id]
    filters = {
        CardFilter(text="CATS"): [c], CardFilter(text="100%"): [c], CardFilter(text="%"): [c],
        CardFilter(text="ÉLAN"): [b],
        CardFilter(text=d.id): [d], CardFilter(category=Category.LINGUISTIC): [b], CardFilter(label=Label.TRUE): [c],
        CardFilter(origin=CardOrigin.LIBRARY): [d], CardFilter(state=CardState.RETIRED): [a],
        CardFilter(state=CardState.EXPIRED): [c], CardFilter(state=CardState.ACTIVE, text="a"): [b, d],
        CardFilter(state=CardState.STALE): [],
    }  # fmt: skip
    for which, expected in filters.items():
        assert [x.id for x in store.browse(which)] == [x.id for x in expected], which
        assert store.count(which) == len(expected)
    assert store.states() == {
        CardState.ACTIVE: 2, CardState.STALE: 0, CardState.EXPIRED: 1, CardState.RETIRED: 1,
    }  # fmt: skip


CHANGES: dict[str, Callable[[CardStore, str], ClaimCard]] = {
    "edited": lambda store, i: store.edit(i, answer="Not at all [1].", category="other", note="clearer"),
    "approved": lambda store, i: store.approve(i),
    "expiry": lambda store, i: store.set_expiry(i, AT),
    "margin": lambda store, i: store.set_margin(i, 0.2),
    "retired": lambda store, i: store.retire(i),
    "replaced": lambda store, _: store.add(card(label=Label.TRUE, answer="Yes.", citations=())),
}


@pytest.mark.parametrize("action", CHANGES)
def test_every_change_is_noted_and_can_be_undone_and_done_again(action: str, store: CardStore) -> None:
    first = store.add(card(), who="somebody", note="for the first time")
    changed = CHANGES[action](store, first.id)
    assert changed != first
    change, made = store.history(first.id)
    assert (change.action, made.action, made.who, made.note) == (action, "made", "somebody", "for the first time")
    assert change.before.keys() == change.after.keys()
    assert store.undo(change.id) == first
    undone, change, _ = store.history(first.id)
    assert (undone.action, change.undone_by, undone.note) == ("undone", undone.id, f"took back: {action}")
    assert store.undo(undone.id) == changed
    assert store.history(first.id)[2].undone_by == ""


def test_a_new_card_is_undone_by_retiring_it(store: CardStore) -> None:
    first = store.add(card())
    store.edit(first.id, answer="Never.")
    assert store.undo(store.history(first.id)[-1].id).retired
    with pytest.raises(StoreError, match="taken back already"):
        store.undo(store.history(first.id)[-1].id)


def test_a_change_that_was_changed_again_is_undone_in_turn(store: CardStore) -> None:
    first = store.add(card())
    store.edit(first.id, answer="One.")
    store.edit(first.id, answer="Two.")
    later, earlier, _ = store.history(first.id)
    with pytest.raises(StoreError, match="changed again since"):
        store.undo(earlier.id)
    store.undo(later.id)
    # Both note when the analyst stood behind the card; the earlier one can be taken back now.
    assert store.undo(earlier.id) == first


def test_a_confidence_that_an_upgrade_took_away_hinders_no_undoing_and_stays_away(
    store: CardStore, database: Database
) -> None:
    first = store.add(card(confidence=0.9))
    store.add(card(confidence=0.8, answer="Still not [1]."))
    with database.write() as connection:
        connection.execute(update(claim_cards).values(confidence=None))
    assert store.undo(store.history(first.id)[0].id) == replace(first, confidence=None)


def test_what_changes_nothing_leaves_no_line(store: CardStore) -> None:
    first = store.add(card())
    for again in (lambda: store.add(card()), lambda: store.restore(first.id), lambda: store.set_margin(first.id, 0)):
        assert again() == first
    assert len(store.history(first.id)) == 1


def test_the_margin_stays_when_a_card_is_replaced(store: CardStore) -> None:
    first = store.add(card())
    store.set_margin(first.id, 0.15)
    assert store.add(card(answer="Still not [1].")).margin == 0.15


def test_a_claim_that_another_card_has_cannot_be_taken(store: CardStore) -> None:
    first, second = store.add(card()), store.add(card("Something else"))
    with pytest.raises(StoreError, match="another card of this claim"):
        store.edit(second.id, claim="the moon is made of CHEESE")
    assert store.get(second.id) == second
    renamed = store.edit(first.id, claim="The Moon is made of rock")
    anew = store.add(card())  # the words are free again
    assert (anew.id != renamed.id, store.count()) == (True, 3)
    assert store.get(first.id) == renamed


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"label": "True"}, "label cannot be edited"),
        ({"claim": " \u200b"}, "needs claim"),
        ({"answer": ""}, "needs answer"),
        ({"retired": True, "margin": 1}, "margin, retired cannot"),
    ],
)
def test_what_cannot_be_edited_says_so(values: dict[str, Any], why: str, store: CardStore) -> None:
    first = store.add(card())
    with pytest.raises(ClaimError, match=why):
        store.edit(first.id, **values)
    assert store.get(first.id) == first


def test_unknown_cards_changes_and_impossible_margins_are_refused(store: CardStore) -> None:
    for call in (lambda: store.retire("c_x"), lambda: store.edit("c_x", answer="x"), lambda: store.approve("c_x")):
        with pytest.raises(StoreError, match="no card c_x"):
            call()
    with pytest.raises(StoreError, match="no such change"):
        store.undo("x")
    with pytest.raises(ClaimError, match="0 to 1"):
        store.set_margin("c_x", 1.5)
    assert store.history("c_x") == []


def test_a_verdict_that_is_overridden_makes_its_card_stale(store: CardStore, database: Database) -> None:
    from ghost.records import ReviewStore

    keep(database, "r1")
    first = store.add(card(run_id="r1"))
    assert first.stale == ""
    said = ReviewStore(database).override("r1", Label.TRUE, "I know.")
    assert store.add(card("Another", run_id="r1")).stale
    assert [x.id for x in store.browse(CardFilter(state=CardState.STALE, text="moon"))] == [first.id]
    ReviewStore(database).withdraw(said.id)
    assert store.get(first.id) == first
