"""Answers of the web outlive the process, replace one another, grow stale, and stay within their size."""

from pathlib import Path

import pytest

from ghost.records import Database, DatabaseCache


@pytest.fixture
def database(tmp_path: Path):
    database = Database.open(tmp_path / "ghost.db")
    yield database
    database.close()


def test_an_answer_comes_back_as_it_was_put(database: Database) -> None:
    cache = DatabaseCache(database)
    cache.put("page", "https://example.org/ä", {"etag": '"x"'}, b"\x00body", 60)
    kept = DatabaseCache(database).get("page", "https://example.org/ä")
    assert kept
    assert kept.fresh
    assert kept.body == b"\x00body"
    assert kept.head == {"etag": '"x"'}
    assert cache.get("search", "https://example.org/ä") is None  # kinds do not see one another


def test_a_newer_answer_replaces_the_older_and_an_old_one_is_stale(database: Database) -> None:
    cache = DatabaseCache(database)
    cache.put("search", "q", {}, b"old", 60)
    cache.put("search", "q", {}, b"new", -1)
    kept = cache.get("search", "q")
    assert kept
    assert kept.body == b"new"
    assert not kept.fresh


def test_the_oldest_go_when_there_is_too_much(database: Database) -> None:
    cache = DatabaseCache(database, max_bytes=250)
    for name in "abc":
        cache.put("page", name, {}, b"x" * 100, 60)
    assert cache.get("page", "a") is None
    assert cache.get("page", "b")
    assert cache.get("page", "c")
    assert cache.clear() == 2
    assert cache.get("page", "c") is None
