"""Jobs of workers that are gone: others get them, and a try is counted only where nothing else was at fault."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from ghost.records import CALM_SECONDS, RETURN_SECONDS, Database, free_abandoned_jobs

SILENT = 16.0


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    opened = Database.open(postgres_url)
    yield opened
    opened.close()


def put(database: Database, status: str, began: str, args: str = '{"id": "a"}') -> None:
    """A job whose worker is gone, begun at a time of the server."""
    with database.write() as connection:
        row = text(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status) "
            "VALUES ('single', 'claim', CAST(:args AS jsonb), CAST(:status AS procrastinate_job_status)) RETURNING id"
        )
        number = connection.execute(row, {"args": args, "status": status}).scalar_one()
        event = text(f"INSERT INTO procrastinate_events (job_id, type, at) VALUES (:number, 'started', {began})")
        connection.execute(event, {"number": number})


def jobs(database: Database) -> list[tuple[Any, ...]]:
    columns = "queue_name, status, attempts, args - 'id', priority"
    with database.read() as connection:
        return [tuple(row) for row in connection.execute(text(f"SELECT {columns} FROM procrastinate_jobs ORDER BY id"))]


def free(database: Database, heard: float | None = None) -> None:
    free_abandoned_jobs(database, SILENT, CALM_SECONDS, (), (), (), time.monotonic() if heard is None else heard)


def until_freed(database: Database) -> None:
    """The server may have been started a moment ago: then all get the time to come back."""
    until = time.monotonic() + RETURN_SECONDS + 10
    while any(status == "doing" for _, status, *_ in jobs(database)):
        assert time.monotonic() < until
        free(database)
        time.sleep(0.05)


def test_what_a_worker_has_left_is_a_try_of_it(database: Database) -> None:
    put(database, "doing", "now()")
    until_freed(database)
    assert jobs(database) == [("again", "todo", 1, {}, -1)]


def test_what_a_start_of_the_server_has_interrupted_is_none(database: Database) -> None:
    put(database, "doing", "pg_postmaster_start_time() - interval '1 second'", '{"id": "a", "outages": 2}')
    until_freed(database)
    assert jobs(database) == [("again", "todo", 0, {"outages": 3}, -1)]


def test_a_worker_that_was_cut_off_itself_takes_nobody_for_gone(database: Database) -> None:
    put(database, "doing", "now()")
    free(database, heard=time.monotonic() - SILENT - 1)
    assert [status for _, status, *_ in jobs(database)] == ["doing"]
    until_freed(database)


def test_what_its_worker_has_put_back_is_there_once(database: Database) -> None:
    put(database, "doing", "now()")
    put(database, "todo", "now()")
    until_freed(database)
    assert jobs(database) == [("single", "todo", 0, {}, 0)]
