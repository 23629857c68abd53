"""Requests that come twice: one is done, the others get its answer."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from config import PROJECT
from ghost.records import Database, Idempotency, Kept

NAME = ("k1", "POST /api/runs", "abc")
BEGIN = "Idempotency(Database.open(Path({path!r}))).begin(*{name!r}, 'd')"


@pytest.fixture
def store(database: Database) -> Idempotency:
    return Idempotency(database)


def test_the_first_request_is_the_callers_and_later_ones_get_its_answer(store: Idempotency) -> None:
    assert store.begin(*NAME, "d") is None
    assert store.begin(*NAME, "other") == Kept("d", "", 0, b"", False)
    store.run_started(*NAME, "r1")
    assert store.begin(*NAME, "d") == Kept("d", "r1", 0, b"", False)
    store.finish(*NAME, 202, b'{"a": 1}')
    done = Kept("d", "r1", 202, b'{"a": 1}', True)
    assert store.begin(*NAME, "d") == done
    store.finish(*NAME, 500, b"")
    store.run_started(*NAME, "r2")
    store.forget(*NAME)
    assert store.begin(*NAME, "d") == done


def test_who_sends_and_where_to_tell_requests_apart(store: Idempotency) -> None:
    for other in (NAME, ("k2", *NAME[1:]), ("k1", "POST /api/verify", "abc"), (*NAME[:2], "abd")):
        assert store.begin(*other, "d") is None
        assert store.begin(*other, "d") is not None


def test_a_forgotten_request_counts_as_never_sent(store: Idempotency) -> None:
    store.begin(*NAME, "d")
    store.forget(*NAME)
    assert store.begin(*NAME, "other") is None


def test_of_many_at_once_one_is_the_first(store: Idempotency) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.begin(*NAME, "d"), range(24)))
    assert found.count(None) == 1


def begin_elsewhere(database: Database, then: str = "") -> None:
    begin = BEGIN.format(path=str(database.path), name=NAME)
    script = (
        f"from pathlib import Path\nfrom ghost.records import Database, Idempotency\nassert {begin} is None\n{then}"
    )
    subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=True, timeout=60)


def test_a_request_whose_process_died_counts_as_never_sent_unless_it_started_a_run(
    store: Idempotency, database: Database
) -> None:
    begin_elsewhere(database)
    assert store.begin(*NAME, "d") is None
    store.forget(*NAME)
    started = f"Idempotency(Database.open(Path({str(database.path)!r}))).run_started(*{NAME!r}, 'r1')"
    begin_elsewhere(database, started)
    assert store.begin(*NAME, "d") == Kept("d", "r1", 0, b"", False)


def test_requests_are_forgotten_after_a_day(store: Idempotency, database: Database) -> None:
    for key in ("old", "late", "new"):
        store.begin("", "r", key, "d")
        store.finish("", "r", key, 200, b"x")
    with database.write() as connection:
        back = "UPDATE idempotency SET begun_at = datetime(begun_at, :by) || '.000000' WHERE key = :key"
        connection.execute(text(back), {"by": "-25 hours", "key": "old"})
        connection.execute(text(back), {"by": "-23 hours", "key": "late"})
    assert store.begin("", "r", "old", "other") is None
    assert store.begin("", "r", "late", "d") is not None
    with database.write() as connection:
        connection.execute(text(back), {"by": "-2 days", "key": "new"})
    assert Idempotency(database).begin("", "r", "next", "d") is None
    with database.read() as connection:
        left = connection.execute(text("SELECT key FROM idempotency ORDER BY key")).scalars().all()
    assert left == ["late", "next", "old"]
