"""PostgreSQL: locks, and what goes wrong with a server, in words that say what to do."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, event, select, text

from config import PROJECT, ConfigError, Settings, load_settings
from ghost.errors import StoreError, StoreReadOnlyError
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import Database, RunStore, meta
from ghost.testing import HashingEncoder, PostgresServer
from tests import forks
from tests.records.proxy import Proxy


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    with closing(Database.open(postgres_url)) as database:
        yield database


def put(database: Database, key: str, alone: bool = True) -> None:
    with database.write(alone) as connection:
        connection.execute(text("INSERT INTO meta VALUES (:key, 'x')"), {"key": key})


def keys(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.execute(text("SELECT key FROM meta ORDER BY key")).scalars())


# What cannot be opened


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("only-for-tests", "wrong"), "refuses the user or the password"),
        (("postgres:only", "nobody:only"), "refuses the user or the password"),
        (("/t_", "/none_"), "there is no such database"),
        (("127.0.0.1", "no-such-host.invalid"), "Check that the server runs"),
    ],
    ids=["password", "user", "database", "host"],
)
def test_what_cannot_be_opened_says_why(
    postgres_url: str, change: tuple[str, str], said: str, network_attempts: list[str]
) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        Database.open(postgres_url.replace(*change))
    network_attempts.clear()
    assert "only-for-tests" not in str(caught.value)
    assert "wrong" not in str(caught.value)


def test_nobody_listens(postgres_url: str) -> None:
    with closing(Proxy(1)) as proxy:
        port = proxy.port
    with pytest.raises(StoreError, match=r"failed .*Check that the server runs"):
        Database.open(f"postgresql+psycopg://a:secret@127.0.0.1:{port}/x")


@pytest.mark.parametrize(
    "url", ["mysql://a:secret@h/x", "postgresql+asyncpg://a:secret@h/x", "secret", "postgresql://"]
)
def test_only_postgresql_is_an_address(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GHOST_DATABASE_URL", url)
    with pytest.raises(ConfigError, match="GHOST_DATABASE_URL: must be an address such as") as caught:
        load_settings()
    assert "secret" not in str(caught.value)
    if url.startswith("mysql"):
        with pytest.raises(StoreError, match="no address"):
            Database.open(url)
    assert Settings(data_dir=tmp_path, database_url="").database_place == tmp_path / "data" / "ghost.db"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:SECRET@MORE@host:5432/records", "postgresql://me:SECRET@MORE/AGAIN@host/records",
        "postgresql://me:SECRET@MORE:AGAIN@host/records", "postgresql://me:SECRET@host:port/records",
        "postgresql://me:SECRET@[::1/records",
    ],
)  # fmt: skip
def test_no_part_of_a_password_is_taken_for_something_to_show(url: str) -> None:
    with pytest.raises(StoreError, match="%40") as caught:
        Database.open(url)
    assert not [word for word in ("SECRET", "MORE", "AGAIN") if word in str(caught.value)]


def test_the_driver_is_missing(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.records.postgresql.find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r'pip install "ghost-workbench\[team\]"'):
        Database.open(postgres_url)


def test_a_server_that_is_too_old_is_named(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.records.postgresql.OLDEST", 99)
    with pytest.raises(StoreError, match="Ghost needs version 99 or newer"):
        Database.open(postgres_url)


def test_a_database_that_cannot_keep_every_text_is_named(postgres_server: PostgresServer) -> None:
    postgres_server.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreError, match="keeps text as LATIN1"):
        Database.open(postgres_server.url("latin"))


def test_a_user_with_too_few_rights_is_told_what_is_lacking(postgres_server: PostgresServer, postgres_url: str) -> None:
    empty = postgres_server.create()
    postgres_server.execute("CREATE ROLE reader LOGIN PASSWORD 'secret'")
    with pytest.raises(StoreReadOnlyError, match="reader lacks a right") as caught:
        Database.open(postgres_server.url(empty, "reader", "secret"))
    assert "ALTER DATABASE" in str(caught.value)
    assert postgres_server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", empty) == [(0,)]
    name = postgres_url.rpartition("/")[2]
    with pytest.raises(StoreReadOnlyError, match="reader lacks a right"):
        Database.open(postgres_server.url(name, "reader", "secret"))
    postgres_server.drop(empty)
    postgres_server.execute("DROP ROLE reader")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "newer Ghost .*Upgrade Ghost"),
        ("DROP TABLE alembic_version", "database of another program"),
    ],
    ids=["newer", "other"],
)
def test_a_database_of_others_is_left_as_it_is(
    postgres_server: PostgresServer, postgres_url: str, statement: str, said: str
) -> None:
    name = postgres_url.rpartition("/")[2]
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    postgres_server.execute(statement, name)
    before = postgres_server.execute(tables, name)
    with pytest.raises(StoreError, match=said):
        Database.open(postgres_url)
    assert postgres_server.execute(tables, name) == before


def test_a_migration_that_is_cut_short_leaves_nothing_behind(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()

    def cut_short(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if "INSERT INTO alembic_version" in statement:
            raise KeyboardInterrupt

    event.listen(Engine, "before_cursor_execute", cut_short)
    try:
        with pytest.raises(KeyboardInterrupt):
            Database.open(postgres_server.url(name))
    finally:
        event.remove(Engine, "before_cursor_execute", cut_short)
    assert postgres_server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name) == [(0,)]
    Database.open(postgres_server.url(name)).close()
    postgres_server.drop(name)


def test_several_processes_can_open_a_new_database_at_once(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()
    script = f"from ghost.records import Database; Database.open({postgres_server.url(name)!r}).close()"
    started = [forks.start(script) for _ in range(3)]
    for process in started:
        process.join(120)
    assert [process.exitcode for process in started] == [0, 0, 0]
    postgres_server.drop(name)


def test_records_on_a_server_need_a_chroma_server(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="GHOST_CHROMA_URL"):
        KnowledgeBase.open(postgres_url, tmp_path, "", HashingEncoder(), CredibilityBook({}, []))


def test_the_driver_is_imported_for_postgresql_only(tmp_path: Path) -> None:
    script = (
        f"import sys; from pathlib import *; from ghost.records import Database, RunStore\n"
        f"RunStore(Database.open({tmp_path / 'ghost.db'!r})).list()\n"
        "assert not {m for m in sys.modules if m.startswith(('psycopg', 'sqlalchemy.dialects.postgresql'))}"
    )
    subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=True, timeout=60)


# Locks


def test_a_writer_that_needs_to_be_alone_waits_for_others_of_its_kind_only(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.records.postgresql.BUSY_SECONDS", 1)
    with database.write():
        put(database, "row of its own", alone=False)
        with pytest.raises(StoreError, match="stayed locked by another program"):
            put(database, "must wait")
    put(database, "after")
    assert keys(database) == ["after", "row of its own"]


def test_a_process_that_stops_in_the_middle_of_a_write_loses_its_turn(
    database: Database, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.records.postgresql._STUCK_SECONDS", 1)

    def stuck() -> None:
        with database.write() as connection:
            connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
            with closing(Database.open(postgres_url)) as other:
                put(other, "kept")  # waits until the one above has lost its turn
            connection.execute(text("SELECT 1"))

    with pytest.raises(StoreError, match="connection"):
        stuck()
    assert keys(database) == ["kept"]


def test_a_named_lock_keeps_other_processes_out_and_can_be_taken_twice(database: Database, postgres_url: str) -> None:
    order: list[str] = []
    with closing(Database.open(postgres_url)) as other:

        def wait() -> None:
            with other.locked("index"):
                order.append("second")

        with database.locked("index"), database.locked("index"), other.locked("cards"):
            thread = threading.Thread(target=wait)
            thread.start()
            until = time.monotonic() + 30
            while not waiting(database) and time.monotonic() < until:
                time.sleep(0.01)
            order.append("first")
        thread.join(30)
    assert order == ["first", "second"]


def waiting(database: Database) -> int:
    with database.read() as connection:
        query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        return int(connection.execute(text(query)).scalar_one())


# Servers and connections that go away


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """One that a test may stop."""
    server = PostgresServer()
    yield server
    server.remove()


def test_a_server_that_is_restarted_under_load_loses_nothing_that_was_written(own_server: PostgresServer) -> None:
    written: list[str] = []
    failed: list[str] = []
    stop = threading.Event()
    with closing(Database.open(own_server.url())) as database:

        def work(name: int) -> None:
            number = 0
            while not stop.is_set():
                number += 1
                key = f"{name}.{number}"
                try:
                    put(database, key, alone=bool(name % 2))
                    written.append(key)
                except StoreError as error:
                    failed.append(str(error))
                    stop.wait(0.02)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for mode in ("fast", "immediate"):
            before = len(written)
            _until(lambda: len(written) > before + 20)  # noqa: B023
            own_server.stop(mode)
            own_server.start()
        before = len(written)
        _until(lambda: len(written) > before + 20)
        stop.set()
        for thread in threads:
            thread.join(30)
        there = set(keys(database))
    assert set(written) <= there
    assert all("was not kept" in message or "Check that the server runs" in message for message in failed)


def test_connections_that_are_cut_are_made_again(postgres_server: PostgresServer, postgres_url: str) -> None:
    with closing(Proxy(postgres_server.port)) as proxy:
        through = postgres_url.replace(str(postgres_server.port), str(proxy.port))
        with closing(Database.open(through)) as database:
            put(database, "before")
            proxy.cut()
            assert keys(database) == ["before"]  # an idle connection that was cut costs nothing
            proxy.cut()
            put(database, "after")

            def write() -> None:
                with database.write() as connection:
                    connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
                    proxy.cut()

            with pytest.raises(StoreError, match="was not kept"):
                write()
            put(database, "again")
            assert keys(database) == ["after", "again", "before"]
            assert RunStore(database).list() == []


def test_a_backend_that_is_ended_by_the_administrator_is_named(database: Database, postgres_url: str) -> None:
    def write() -> None:
        with database.write() as connection:
            own = connection.execute(text("SELECT pg_backend_pid()")).scalar()
            with psycopg.connect(postgres_url.replace("+psycopg", "")) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (own,))
            connection.execute(select(meta))

    with pytest.raises(StoreError, match="The connection to"):
        write()
    put(database, "after")


def _until(true: object) -> None:
    until = time.monotonic() + 60
    while not true() and time.monotonic() < until:  # type: ignore[operator]
        time.sleep(0.01)
    assert true()  # type: ignore[operator]
