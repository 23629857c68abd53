"""What research remembers, and that it goes with the passage it rests on."""

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import delete, insert, update

from ghost.records import (
    Database,
    MemoryStore,
    NewCoverage,
    NewEpisode,
    NewFact,
    Remembered,
    passages,
    text_key,
    utc_now,
)
from ghost.types import Coverage, Fact

TOPIC, QUESTION = "Saltgate Bridge", "How long is the Saltgate Bridge?"
URL = "https://press.test/bridge"


@pytest.fixture
def store(database: Database) -> MemoryStore:
    put(database, "p1")
    put(database, "p2")
    return MemoryStore(database)


def put(database: Database, passage_id: str, status: str = "active") -> None:
    """A passage as the knowledge base has it, with what matters here."""
    values = {"id": passage_id, "merge_key": f"key-{passage_id}", "status": status, "text": f"Text of {passage_id}."}
    empty = dict.fromkeys(("source_url", "title", "domain", "publisher", "topic", "language", "embedding_model"), "")
    rest = {"origin": "web", "source_type": "unknown", "indexed_at": utc_now(), "text_length": 9, "changed": 1}
    with database.write() as connection:
        connection.execute(insert(passages).values(**values, **empty, **rest, embedding=b""))


def remember(store: MemoryStore, *ids: str, research: str = "r1", topic: str = TOPIC, question: str = QUESTION,
             **more: object) -> Coverage | None:  # fmt: skip
    facts = tuple(NewFact(f"Text of {i}.", i, URL, "Bridge") for i in ids)
    episodes = (NewEpisode(URL, "Bridge", "d" * 64, len(ids), b""),)
    kept = NewCoverage(topic, question, text_key(topic), text_key(question), research, facts, episodes, 3, 4, b"", "m")
    return store.remember(kept)


def test_facts_coverage_and_pages_are_kept_together(store: MemoryStore) -> None:
    covered = remember(store, "p1", "p2")
    assert covered
    assert (covered.version, covered.searches, covered.fetches, len(covered.facts)) == (1, 3, 4, 2)
    assert [f.passage_id for f in store.facts_with(covered.facts)] == ["p1", "p2"]
    assert store.asked([text_key(QUESTION)]) == [covered]
    (episode,) = store.episodes("bridge")
    assert (episode.version, episode.facts, episode.research_id) == (1, 2, "r1")
    assert (store.count_facts("saltgate"), store.count_facts("elsewhere"), store.count_episodes()) == (2, 0, 1)
    assert (store.mark(Remembered.COVERAGE), store.mark(Remembered.EPISODES)) == ((1, 1), (1, 1))


def test_nothing_is_kept_twice_and_versions_count_what_was_new(store: MemoryStore) -> None:
    first, again = remember(store, "p1"), remember(store, "p1", research="r2")
    assert first
    assert again
    assert (again.id, again.facts, again.version) == (first.id, first.facts, 2)
    later = remember(store, "p2", research="r3")
    assert later
    (fact,) = store.facts_with(later.facts)
    assert fact.version == 2, "another excerpt of the same page for the same question"
    assert [e.version for e in store.episodes()] == [3, 2, 1]
    assert store.count_facts() == 2


def test_a_question_without_facts_is_not_covered_but_its_pages_were_read(store: MemoryStore) -> None:
    assert remember(store) is None
    assert (store.asked([text_key(QUESTION)]), store.count_episodes()) == ([], 1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (update(passages).values(status="retired"), "retired"),
        (update(passages).values(status="quarantined"), "quarantine"),
        (update(passages).values(merge_key="another text"), "edited"),
        (delete(passages), "not in the knowledge base"),
    ],
)
def test_a_fact_goes_with_its_passage_whoever_changes_that(
    store: MemoryStore, database: Database, change: object, why: str
) -> None:
    covered = remember(store, "p1", "p2")
    assert covered
    with database.write() as connection:
        connection.execute(change.where(passages.c.id == "p1"))  # type: ignore[attr-defined]
    gone, stays = store.facts_with(covered.facts)
    assert why in gone.retired
    assert not stays.retired
    assert [f.id for f in store.facts(active=True)] == [stays.id]
    assert [f.id for f in store.facts(active=False)] == [gone.id]


def test_what_is_undone_counts_again(store: MemoryStore, database: Database) -> None:
    remember(store, "p1")
    for status, active in (("retired", 0), ("active", 1)):
        with database.write() as connection:
            connection.execute(update(passages).values(status=status))
        assert store.count_facts(active=True) == active


def test_a_passage_that_does_not_count_becomes_no_fact(store: MemoryStore, database: Database) -> None:
    put(database, "bad", "quarantined")
    assert remember(store, "bad", "missing") is None
    assert store.count_facts() == 0


def test_two_researches_at_once_keep_each_fact_once(store: MemoryStore) -> None:
    failed: list[BaseException] = []

    def work(research: str) -> None:
        try:
            for _ in range(10):
                remember(store, "p1", "p2", research=research)
        except BaseException as error:
            failed.append(error)

    both = [threading.Thread(target=work, args=(name,)) for name in ("r1", "r2")]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert not failed
    assert (store.count_facts(), len(store.asked([text_key(QUESTION)])), store.count_episodes()) == (2, 1, 2)


def test_vectors_of_another_model_are_asked_for(store: MemoryStore) -> None:
    remember(store, "p1")
    wanted: Callable[[], dict[int, str]] = lambda: store.without_vectors(Remembered.COVERAGE, "new", 10)  # noqa: E731
    assert list(wanted().values()) == [QUESTION]
    store.set_vectors(Remembered.COVERAGE, "new", {1: b"xy"})
    assert not wanted()
    assert [v.embedding for v in store.vectors(Remembered.COVERAGE, "new")] == [b"xy"]


def test_words_that_are_no_pattern_find_themselves_only(store: MemoryStore) -> None:
    remember(store, "p1", topic="100% of _it_", question="Is it 100%?")
    assert [f.topic for f in store.facts("100%")] == ["100% of _it_"]
    assert store.facts("%") == store.facts("100%")
    facts: list[Fact] = store.facts("'; DROP TABLE research_facts; --")
    assert not facts
