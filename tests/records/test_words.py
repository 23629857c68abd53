"""Finding rows by their words: both databases take texts apart alike, and rank them alike."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, text, update

from ghost.records import Database, passages, utc_now, word_index

TEXTS = (
    "Bees are dancing, and a dancing bee tells other bees where flowers are.",
    "The dance of honey bees.",
    "Élan vital: a naïve idea of the café.",
    "Москва и Санкт-Петербург, ΣΟΦΟΣ, İstanbul, 東京 and हिन्दी.",
    "In 2024 about 5,183 foo_bar of COVID-19 at e.g. U.S. 3.5%.",
    "",
    "Nothing of this kind: it's neither here nor there.",
    "bees " * 200,
)


def fill(database: Database) -> None:
    empty: dict[str, Any] = dict.fromkeys(("source_url", "domain", "publisher", "topic", "language", "source_type"), "")
    empty |= {"origin": "import", "status": "active", "embedding_model": "", "embedding": b"", "changed": 0}
    empty |= {"title": "", "indexed_at": utc_now().replace(tzinfo=None)}
    rows = [
        {**empty, "id": f"p_{n}", "merge_key": f"{n}", "text": said, "text_length": len(said)}
        for n, said in enumerate(TEXTS)
    ]
    with database.write() as connection:
        connection.execute(insert(passages), rows)


@pytest.fixture
def filled(database: Database) -> Database:
    fill(database)
    return database


def best(database: Database, *words: str, which: Any = (), n: int = 5) -> list[tuple[str, float]]:
    with database.read() as connection:
        return word_index(connection, passages).best(connection, words, which, n)


def having(database: Database, *words: str) -> list[str]:
    with database.read() as connection:
        query = passages.select().where(word_index(connection, passages).having(words)).order_by(passages.c.seq)
        return [row.id for row in connection.execute(query)]


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("dance", "10"), ("dancing", "10"), ("elan", "2"), ("naive", "2"), ("cafe", "2"), ("москва", "3"),
        ("東京", "3"), ("2024", "4"), ("5", "4"), ("foo", "4"), ("covid", "4"), ("nothing", "6"), ("kind", "6"),
        ("absent", ""),
    ],
)  # fmt: skip
def test_a_word_is_found_in_all_its_forms(filled: Database, word: str, ids: str) -> None:
    assert sorted(i for i, _ in best(filled, word)) == sorted(f"p_{i}" for i in ids)


def test_the_rarer_the_word_and_the_shorter_the_text_the_better(filled: Database) -> None:
    assert [i for i, _ in best(filled, "bee")] == ["p_7", "p_0", "p_1"]
    assert best(filled, "bee", "honey")[0][0] == "p_1"
    assert [i for i, _ in best(filled, "bee", which=[passages.c.seq < 3])] == ["p_0", "p_1"]
    assert best(filled) == best(filled, "absent") == []


def test_all_words_are_wanted_and_the_last_may_be_unfinished(filled: Database) -> None:
    assert having(filled, "honey", "be") == ["p_1"]
    assert having(filled, "dan") == ["p_0", "p_1"]
    assert having(filled, "be", "honey") == []
    assert having(filled) == []


def test_the_index_follows_the_table(filled: Database) -> None:
    def say(number: int, said: str) -> None:
        with filled.write() as connection:
            connection.execute(update(passages).where(passages.c.id == f"p_{number}").values(text=said))

    say(1, "Wasps sting")
    assert [i for i, _ in best(filled, "wasp")] == ["p_1"]
    assert best(filled, "honey") == []
    with filled.write() as connection:
        connection.execute(update(passages).values(access_count=7))
        connection.execute(update(passages).where(passages.c.id == "p_2").values(title="Wasps"))
        connection.execute(delete(passages).where(passages.c.id == "p_1"))
    assert [i for i, _ in best(filled, "wasp")] == ["p_2"]
    if filled.dialect == "postgresql":
        counted = "SELECT (SELECT count(*) FROM passages_words), (SELECT sum(length) FROM passages_words)"
        kept = "SELECT rows, length FROM word_totals WHERE name = 'passages'"
        with filled.read() as connection:
            assert tuple(connection.execute(text(kept)).one()) == tuple(connection.execute(text(counted)).one())


@pytest.fixture
def both(sqlite_path: Path, postgres_url: str) -> Iterator[list[Database]]:
    with closing(Database.open(sqlite_path)) as one, closing(Database.open(postgres_url)) as other:
        for database in (one, other):
            fill(database)
        yield [one, other]


@pytest.mark.parametrize("words", [("bee",), ("dance", "bee", "honey"), ("nothing", "about", "elan"), ("5", "183")])
def test_both_databases_give_the_same_figures(both: list[Database], words: tuple[str, ...]) -> None:
    one, other = (dict(best(database, *words)) for database in both)
    assert one
    assert other == pytest.approx(one, rel=1e-5)


def test_of_too_many_rows_only_those_with_a_rarer_word_are_ranked(
    filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    if filled.dialect == "postgresql":  # which knows how common a word is once it has looked at the table
        with filled.write() as connection:
            connection.execute(text("ANALYZE passages_words"))
    whole = dict(best(filled, "bee", "honey"))
    assert set(whole) == {"p_0", "p_1", "p_7"}
    monkeypatch.setattr("ghost.records.rare_words.RANKED", 2)
    (only,) = best(filled, "bee", "honey", which=[passages.c.seq < 3])[:1]
    assert only == ("p_1", pytest.approx(whole["p_1"], rel=0.2))
    assert set(dict(best(filled, "bee", "honey"))) == set(whole), "fewer are ranked only where that is enough"
    assert [i for i, _ in best(filled, "bee", "honey", which=[passages.c.id == "p_7"])] == ["p_7"]
    (fewer,) = best(filled, "bee", "honey", n=1)
    assert fewer == ("p_1", pytest.approx(whole["p_1"], rel=0.2))
