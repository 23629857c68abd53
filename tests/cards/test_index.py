"""Finding cards, and a vector index that can be deleted, damaged or cut off at any time."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from ghost.errors import StoreError
from ghost.knowledge import VectorIndex
from ghost.records import CardFilter, claim_cards
from ghost.testing import HashingEncoder
from ghost.types import CardOrigin, Category, Claim, ClaimCard, Label, NewPassage, Origin
from tests import forks
from tests.cards.bench import AT, CLAIM, DENIAL, IN_A_FOLDER, Bench, opened


def plain(claim: str, **changes: Any) -> ClaimCard:
    return replace(ClaimCard("", claim, Category.OTHER, Label.FALSE, "No.", 0.9, CardOrigin.RUN, AT), **changes)


def test_cards_are_found_by_words_and_vectors_and_never_when_retired(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    kept = cards.store.add_many(
        [(plain(claim), ()) for claim in ("The Moon is made of cheese", "Bats are blind", "Bulls hate red", CLAIM)]
    )
    found = cards.search("Is the Moon made of cheese?", limit=2)
    assert found[0].card.id == kept[0].id
    assert len(found) == 2
    assert found[0].cosine > found[1].cosine
    assert cards.search("Bats are blind", 1)[0].card.claim == "Bats are blind"
    cards.retire(kept[0].id)
    assert kept[0].id not in {f.card.id for f in cards.search("Is the Moon made of cheese?", 10)}
    cards.restore(kept[0].id)
    assert cards.search("Is the Moon made of cheese?", 1)[0].card.id == kept[0].id
    edited = cards.edit(kept[1].id, claim="Moles are blind")
    assert cards.search("moles", 1)[0].card == edited
    assert cards.search(" ", 5) == cards.search("x", 0) == []
    assert cards.search('" OR NEAR( *', 5) is not None
    assert cards.search("\ud800 lone", 5) is not None


def test_of_two_cards_as_near_the_one_that_may_answer_comes_first(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    theirs = cards.store.add(plain(CLAIM, origin=CardOrigin.FACT_CHECK, publisher="Checkers"))
    ours = cards.store.add(plain(CLAIM))
    assert [f.card.id for f in cards.search(CLAIM)] == [ours.id, theirs.id]
    cards.expire(ours.id)
    assert [f.card.id for f in cards.search(CLAIM)] == [theirs.id, ours.id]


@IN_A_FOLDER
def test_the_index_is_made_again_when_it_is_gone(open_cards: Callable[..., Bench], tmp_path: Path) -> None:
    bench = open_cards()
    bench.cards.store.add(plain(CLAIM))
    assert bench.cards.search(CLAIM)
    bench.knowledge.close()
    shutil.rmtree(tmp_path / "chroma_db")
    bench = open_cards()
    assert [f.card.claim for f in bench.cards.search(CLAIM)] == [CLAIM]
    assert bench.cards.search(CLAIM)[0].cosine > 0.99
    bench.knowledge.close()
    bench = open_cards()  # nothing to do the second time
    assert bench.knowledge.repaired == ""


@IN_A_FOLDER
def test_an_index_that_loses_a_card_or_comes_from_another_time_is_put_right(
    open_cards: Callable[..., Bench], tmp_path: Path
) -> None:
    bench = open_cards()
    card = bench.cards.store.add(plain(CLAIM))
    assert bench.cards.search(CLAIM)
    collection = bench.knowledge.beside("claim_cards")
    collection.delete([card.id])
    bench.knowledge.close()
    bench = open_cards()
    assert bench.knowledge.beside("claim_cards").count() == 1
    shutil.copytree(tmp_path / "chroma_db", tmp_path / "earlier")
    bench.cards.store.add(plain("Bats are blind"))
    assert bench.cards.search("bats")
    bench.knowledge.close()
    shutil.rmtree(tmp_path / "chroma_db")
    (tmp_path / "earlier").rename(tmp_path / "chroma_db")
    bench = open_cards()
    assert bench.knowledge.beside("claim_cards").count() == 2


@IN_A_FOLDER
def test_an_index_that_has_lost_its_vectors_is_made_again(open_cards: Callable[..., Bench], tmp_path: Path) -> None:
    bench = open_cards()
    bench.cards.store.add(plain(CLAIM))
    assert bench.cards.search(CLAIM)
    bench.knowledge.close()
    for segment in (tmp_path / "chroma_db").iterdir():
        if segment.is_dir():
            shutil.rmtree(segment)
    with closing(sqlite3.connect(tmp_path / "chroma_db" / "chroma.sqlite3")) as connection, connection:
        connection.execute("DELETE FROM embeddings_queue")
    bench = open_cards()
    assert bench.cards.search(CLAIM)[0].cosine > 0.99
    assert bench.knowledge.beside("claim_cards").query(HashingEncoder().encode([CLAIM]), 1)[0]


def test_an_index_that_fails_stops_neither_the_start_nor_a_change(
    cards_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = cards_bench
    card = bench.cards.from_run(bench.run())
    assert card is not None

    def fail(*_: object) -> None:
        raise StoreError("The vector index failed.")

    for name in ("query", "count", "rebuild", "upsert", "set_watermark"):
        monkeypatch.setattr(VectorIndex, name, fail)
    bench.cards.start()
    assert bench.cards.retire(card.id).retired
    assert bench.cards.restore(card.id) == card
    with pytest.raises(StoreError):
        bench.cards.search(CLAIM)


def test_repairing_passages_does_not_take_the_cards_along(cards_bench: Bench) -> None:
    """Both share a connection; closing it for one lets the other open it again."""
    bench = cards_bench
    bench.add()
    bench.cards.store.add(plain(CLAIM))
    assert bench.cards.search(CLAIM)
    bench.knowledge.rebuild()
    bench.knowledge._vectors.close()
    assert bench.cards.search(CLAIM)
    bench.knowledge._vectors.close()
    assert bench.knowledge.search("autism", 3)
    assert bench.knowledge.check().in_step


def test_our_own_answers_never_come_back_as_evidence(cards_bench: Bench) -> None:
    """Cards are no passages: no search of the knowledge base finds them, nor can their text come in as one."""
    bench = cards_bench
    run = bench.run(explanation=f"[1] The NHS says “{DENIAL.rstrip('.')}”, which contradicts the claim.")
    card = bench.cards.from_run(run)
    assert card is not None
    before = bench.knowledge.count()
    assert [f.card.id for f in bench.cards.search(CLAIM)] == [card.id]
    assert {c.passage.text for c in bench.knowledge.search(CLAIM, 50)} == {DENIAL}
    assert {c.passage.text for c in bench.knowledge.search(card.answer, 50)} == {DENIAL}
    assert bench.knowledge.count() == before
    ids = {i for i, _ in bench.knowledge.rankings([card.claim], 50)[0].dense}
    assert card.id not in ids
    report = bench.knowledge.add([NewPassage(card.answer, "https://blog.example/copied", origin=Origin.WEB)])
    assert (report.added, report.quarantined) == (0, 0)


def test_after_a_large_import_the_vectors_follow_with_the_next_searches(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    cards.store.add_many([(plain(f"Claim number {n} of many"), ()) for n in range(600)])
    vectors = cards_bench.knowledge.beside("claim_cards")
    (found,) = cards.search("Claim number 599 of many", 1)
    assert (found.card.claim, vectors.count()) == ("Claim number 599 of many", 256)  # found by its words
    cards.search("claim")
    cards.search("claim")
    assert vectors.count() == 600
    assert cards.search("Claim number 599 of many", 1)[0].cosine > 0.99


KILLED = """
import os, sys
from pathlib import Path
from tests.cards.bench import opened
from tests.cards.test_index import plain
from ghost.types import CardSource
bench = opened(Path(sys.argv[1]), [])
made = [(plain(f"Claim number {n} of many"), (CardSource(f"p_{n}", "k", "", 0.5),)) for n in range(40)]
if sys.argv[2] == "writing":
    from sqlalchemy import event
    def cut(connection, cursor, statement, *rest):
        if "INSERT INTO card_history" in statement:
            os.kill(os.getpid(), 9)
    event.listen(bench.knowledge.database._engine, "before_cursor_execute", cut)
bench.cards.store.add_many(made)
if sys.argv[2] == "encoding":
    bench.cards._index._encode_missing = lambda *_: os.kill(os.getpid(), 9)
if sys.argv[2] == "sending":
    bench.cards._index._vectors.set_watermark = lambda *_: os.kill(os.getpid(), 9)
bench.cards.search("claim")
"""


def test_a_process_killed_at_any_point_leaves_no_half_card(tmp_path: Path, empty_cards: Path) -> None:
    for point, there in (("writing", 0), ("encoding", 40), ("sending", 40)):
        home = tmp_path / point
        shutil.copytree(empty_cards, home)
        assert forks.exit_code(KILLED, home, point) == -9
        bench = opened(home, [])
        with bench.knowledge.database.read() as connection:
            cards = connection.execute(select(claim_cards)).all()
            counts = [
                connection.execute(text(f"SELECT count(*) FROM {table}")).scalar()
                for table in ("card_history", "card_sources", "claim_cards_fts")
            ]
        assert (len(cards), counts) == (there, [there] * 3)
        assert all(card.embedding and card.embedding_model for card in cards)
        assert bench.knowledge.beside("claim_cards").count() == there
        assert bench.cards.count(CardFilter(text="number 7 of")) == min(1, there)
        assert len(bench.cards.search("Claim number 7 of many")) == min(5, there)
        assert bench.cards.from_run(bench.run(Claim(CLAIM))) is not None
        bench.knowledge.close()
