"""Kill migrations at their statements, let several run at once, and see whether anything is wrong.

    python -m tests.records.faults migrations

On SQLite and on a PostgreSQL server of its own, from an earlier version and from nothing. It is a program because it
forks, and because all statements take minutes; a test runs it with some of them.
"""

import argparse
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

from sqlalchemy import Engine, event, inspect, text

from config import PROJECT
from ghost.records import Database
from ghost.testing import PostgresServer

OLD = PROJECT / "tests" / "data" / "old_folders" / "0001.sql"
EARLIER = (
    "DROP TABLE api_keys CASCADE", "DROP TABLE web_cache CASCADE", "ALTER TABLE runs DROP COLUMN attempt",
    "UPDATE alembic_version SET version_num = '0016'",
)  # fmt: skip
"""What takes a database on PostgreSQL, which no version before wrote in another way, back to an earlier one."""
NOT_REACHED = 7


def main() -> int:
    """Print what came of it; 0 when nothing is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("fault", choices=("migrations",))
    parser.add_argument("--every", type=int, default=1, help="of the statements of a migration, kill at every so many")
    args = parser.parse_args()
    folder, server = Path(tempfile.mkdtemp(prefix="ghost-faults-")), PostgresServer()
    try:
        wrong = migrations(folder, server, args.every)
    finally:
        server.remove()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(wrong)} wrong")
    for line in wrong:
        print(f"  {line}")
    return 1 if wrong else 0


# Migrations


def migrations(folder: Path, server: PostgresServer, every: int) -> list[str]:
    """What is wrong after migrations that were killed, and after two at once."""
    fresh, old = folder / "fresh.db", folder / "old.db"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(OLD.read_text(encoding="utf-8"))
    empty, earlier = server.create(), server.create()
    Database.open(server.url(earlier)).close()
    server.execute("INSERT INTO meta VALUES ('kept', 'x')", earlier)
    for statement in EARLIER:
        server.execute(statement, earlier)
    Database.open(fresh).close()
    complete = _state(fresh)[0]
    shutil.copyfile(old, folder / "both.db")
    both = server.create(earlier)
    wrong = _at_once(folder / "both.db", complete) + _at_once(server.url(both), None)
    wrong += _killed(old, every, complete) + _killed(folder / "new.db", every, complete)
    of_server = _killed(server.url(empty), every, None)
    return wrong + of_server + _killed(server.url(earlier), every, _state(server.url(empty))[0])


def _killed(place: Path | str, every: int, complete: set[str] | None) -> list[str]:
    """What is wrong when migrations of a database are killed, one after the other, and one is not."""
    wrong, number = [], 1
    before = _state(place)
    while (status := _ended(_fork(partial(_open_until, place, number)))) == -signal.SIGKILL:
        if _state(place) != before:
            wrong.append(f"{place}: killed at statement {number}, something has changed")
        number += every
    wrong += [] if status == NOT_REACHED else [f"{place}: ended with {status}"]
    tables, rows = _state(place)
    wrong += [f"{place}: not complete"] if complete is not None and tables != complete else []
    wrong += [f"{place}: rows are gone"] if {name: rows.get(name) for name in before[1]} != before[1] else []
    print(f"{place if isinstance(place, Path) else 'PostgreSQL'}: killed at {number // every} of {number} statements")
    return wrong


def _at_once(place: Path | str, complete: set[str] | None) -> list[str]:
    """What is wrong when two processes migrate a database, while a third one that reads it has not ended."""
    before = _state(place)[1]
    with closing(sqlite3.connect(place)) if isinstance(place, Path) else nullcontext() as reading:
        if reading:
            reading.execute("PRAGMA journal_mode = WAL")  # as every version of Ghost has set it
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM passages").fetchone()
        children = [_fork(partial(_open_until, place, 1_000_000)) for _ in range(2)]
        ended = [_ended(child) for child in children]
    tables, rows = _state(place)
    wrong = [] if ended == [NOT_REACHED] * 2 else [f"{place}: two at once ended with {ended}"]
    wrong += [f"{place}: not complete"] if complete is not None and tables != complete else []
    return wrong + ([f"{place}: rows are gone"] if {name: rows.get(name) for name in before} != before else [])


def _open_until(place: Path | str, number: int) -> int:
    """Open a database, and die at so many statements; the last is the commit."""
    count = 0

    def one(*_: object) -> None:
        nonlocal count
        count += 1
        if count >= number:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", one)
    event.listen(Engine, "commit", one)
    Database.open(place)
    return NOT_REACHED


def _state(place: Path | str) -> tuple[set[str], dict[str, int]]:
    """The columns of a database, and how many rows each table has that earlier versions had."""
    from sqlalchemy import create_engine

    engine = create_engine(f"sqlite:///{place}" if isinstance(place, Path) else place)
    try:
        with engine.connect() as connection:
            known = inspect(connection)
            names = [name for name in known.get_table_names() if "_fts" not in name]
            columns = {f"{name}.{column['name']}" for name in names for column in known.get_columns(name)}
            indexes = {f"{name}/{index['name']}" for name in names for index in known.get_indexes(name)}
            counted = {n: connection.execute(text(f"SELECT count(*) FROM {n}")).scalar_one() for n in names}
            return columns | indexes, counted
    finally:
        engine.dispose()


# Processes


def _fork(work: Callable[[], int]) -> int:
    """Do something in a process of its own; its id."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
    return child


def _ended(child: int) -> int:
    """How a process ended, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    raise SystemExit(main())
