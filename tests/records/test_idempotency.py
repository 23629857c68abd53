"""Requests that come twice: one is done, the others get its answer."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, DateTime, bindparam, text

from ghost.events import RunStarted
from ghost.records import Database, Idempotency, Kept, RunStore
from tests import forks
from tests.ui.samples import false_run

NAME = ("k1", "POST /api/runs", "abc")
BEGIN = "Idempotency(Database.open({place!r})).begin(*{name!r}, 'd')"


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


def begin_elsewhere(place: Path | str, then: str = "") -> None:
    begin = BEGIN.format(place=place, name=NAME)
    script = f"from pathlib import *\nfrom ghost.records import Database, Idempotency\nassert {begin} is None\n{then}"
    assert forks.exit_code(script) == 0


def test_a_request_whose_process_died_counts_as_never_sent_unless_its_run_is_stored(
    store: Idempotency, database: Database, place: Path | str
) -> None:
    begin_elsewhere(place)
    assert store.begin(*NAME, "d") is None
    store.forget(*NAME)
    elsewhere = f"Idempotency(Database.open({place!r}))"
    begin_elsewhere(place, f"{elsewhere}.run_started(*{NAME!r}, 'r1')")
    assert store.begin(*NAME, "d") is None
    store.forget(*NAME)
    begin_elsewhere(place, f"{elsewhere}.run_started(*{NAME!r}, 'r1')\n{elsewhere}.finish(*{NAME!r}, 202, b'r1')")
    assert store.begin(*NAME, "d") is None, "the run waited for its turn, and went with its process"
    store.forget(*NAME)
    run = false_run()
    RunStore(database).apply(RunStarted(run.id, run.claim, run.started_at, run.judge, run.settings))
    begin_elsewhere(place, f"{elsewhere}.run_started(*{NAME!r}, {run.id!r})")
    assert store.begin(*NAME, "d") == Kept("d", run.id, 0, b"", False)


def test_a_run_that_was_started_is_not_forgotten(store: Idempotency) -> None:
    store.begin(*NAME, "d")
    store.run_started(*NAME, "r1")
    store.forget(*NAME)
    assert store.begin(*NAME, "d") == Kept("d", "r1", 0, b"", False)


@pytest.mark.parametrize(("limit", "most"), [("MOST_KEPT", 3), ("MOST_BYTES", 30)])
def test_of_each_owner_the_latest_answers_are_kept(
    store: Idempotency, database: Database, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(f"ghost.records.idempotency.{limit}", most)
    for number in range(5):
        store.begin("k1", "r", f"{number}", "d")
        store.finish("k1", "r", f"{number}", 200, b"x" * 10)
    store.begin("k1", "r", "at work", "d")
    store.begin("k2", "r", "alone", "d")
    store.finish("k2", "r", "alone", 200, b"x" * 10)
    assert Idempotency(database).begin("k3", "r", "next", "d") is None
    with database.read() as connection:
        left = connection.execute(text("SELECT key FROM idempotency ORDER BY begun_at")).scalars().all()
    assert left == ["2", "3", "4", "at work", "alone", "next"]


def begun(connection: Connection, key: str, hours: int) -> None:
    """As if the request had come so many hours ago."""
    at = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=hours)
    moved = text("UPDATE idempotency SET begun_at = :at WHERE key = :key")
    connection.execute(moved.bindparams(bindparam("at", at, DateTime), key=key))


def test_requests_are_forgotten_after_a_day(store: Idempotency, database: Database) -> None:
    for key in ("old", "late", "new"):
        store.begin("", "r", key, "d")
        store.finish("", "r", key, 200, b"x")
    with database.write() as connection:
        begun(connection, "old", hours=25)
        begun(connection, "late", hours=23)
    assert store.begin("", "r", "old", "other") is None
    assert store.begin("", "r", "late", "d") is not None
    with database.write() as connection:
        begun(connection, "new", hours=48)
    assert Idempotency(database).begin("", "r", "next", "d") is None
    with database.read() as connection:
        left = connection.execute(text("SELECT key FROM idempotency ORDER BY key")).scalars().all()
    assert left == ["late", "next", "old"]
