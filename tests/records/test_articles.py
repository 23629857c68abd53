"""Articles on record, and how the checks of their sentences stand."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import text, update

from ghost.errors import StoreError
from ghost.records import Article, ArticleCheck, ArticleStore, Database, Sentence
from ghost.records.tables import articles
from ghost.types import JudgeInfo

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ARTICLE = Article(
    "a1", "Bridge <b>shut</b>", "https://a.example/x", NOON,
    (Sentence(1, "The bridge is shut.", "The bridge is shut.", 0.8), Sentence(2, "Sad!", why="An opinion.")),
    "The Gazette", "Jane", date(2026, 2, 28), ("It was cut.",),
)  # fmt: skip
JUDGE = JudgeInfo("embedded", "m")


def test_an_article_is_kept_as_it_was(database: Database) -> None:
    store = ArticleStore(database)
    store.add(ARTICLE)
    assert store.get("a1") == ARTICLE
    assert [s.position for s in ARTICLE.checkable] == [1]
    assert store.get("nonsense") is None


def test_the_latest_come_first_with_how_many_sentences_were_checked(database: Database) -> None:
    store = ArticleStore(database)
    store.add(ARTICLE)
    store.add(replace(ARTICLE, id="a2", title="Newer", added_at=NOON.replace(hour=13)))
    store.checked("a1", [(1, "r1", "The bridge is shut."), (2, "r2", "Sad.")])
    store.checked("a1", [(1, "r3", "The bridge was shut.")])
    assert [(a.id, a.title, a.checks) for a in store.latest(5)] == [("a2", "Newer", 0), ("a1", "Bridge <b>shut</b>", 2)]
    assert [a.id for a in store.latest(1)] == ["a2"]
    assert [a.id for a in store.latest(1, 1)] == ["a1"]
    assert store.count() == 2


def test_the_newest_check_of_a_sentence_counts(database: Database) -> None:
    store = ArticleStore(database)
    store.add(ARTICLE)
    store.checked("a1", [(1, "old", "Old words."), (2, "other", "Sad.")])
    store.checked("a1", [(1, "new", "New words.")])
    assert store.checks("a1") == {1: ArticleCheck(1, "new", "New words."), 2: ArticleCheck(2, "other", "Sad.")}
    assert store.checks("a2") == {}
    store.checked("a1", [])


def test_an_article_of_another_version_is_an_error_that_says_so(database: Database) -> None:
    store = ArticleStore(database)
    store.add(ARTICLE)
    with database.write() as connection:
        connection.execute(update(articles).values(article="{}"))
    with pytest.raises(StoreError, match="this Ghost cannot read"):
        store.get("a1")
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM articles")).scalar() == 1
