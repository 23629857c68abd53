"""A server or a network that falls silent, loses answers or goes away: nobody waits for ever, and nobody is misled."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import text

from config import PROJECT
from ghost.errors import StoreError
from ghost.records import Database
from ghost.testing import PostgresServer
from tests.records.faults import EARLIER
from tests.records.proxy import Proxy

SILENT = "ghost.records.server_connection.SILENT_SECONDS"


@pytest.fixture
def proxy(postgres_server: PostgresServer) -> Iterator[Proxy]:
    with closing(Proxy(postgres_server.port)) as proxy:
        yield proxy


@pytest.fixture
def through(postgres_url: str, postgres_server: PostgresServer, proxy: Proxy) -> Iterator[Database]:
    """A database behind the proxy."""
    with closing(Database.open(postgres_url.replace(str(postgres_server.port), str(proxy.port)))) as database:
        yield database


def put(database: Database, key: str, alone: bool = True) -> None:
    with database.write(alone) as connection:
        connection.execute(text("INSERT INTO meta VALUES (:key, 'x')"), {"key": key})


def keys(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.execute(text("SELECT key FROM meta ORDER BY key")).scalars())


# Commits whose answer is lost


@pytest.mark.parametrize("cuts", [True, False], ids=["cut", "silent"])
def test_a_write_whose_answer_was_lost_is_kept_and_not_reported_as_lost(
    through: Database, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, cuts: bool
) -> None:
    monkeypatch.setattr(SILENT, 0.3)
    put(through, "before")
    proxy.lose, proxy.cuts = b"COMMIT", cuts
    with through.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('kept', 'x')"))
    proxy.lose = b""
    assert keys(through) == ["before", "kept"]


def test_a_write_whose_end_never_arrived_is_undone_at_once(through: Database, proxy: Proxy, postgres_url: str) -> None:
    put(through, "before")
    proxy.swallow = b"COMMIT"
    with pytest.raises(StoreError, match="was not kept"), through.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
    proxy.swallow = b""
    # The server has not heard that the connection is gone: its locks would stay for two minutes.
    with closing(Database.open(postgres_url)) as other:
        put(other, "next")
    assert keys(through) == ["before", "next"]


def test_where_nobody_can_tell_whether_a_write_was_kept_the_error_says_so(
    through: Database, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.records.server_connection.SETTLE_SECONDS", 0.3)
    put(through, "before")
    proxy.lose = b"COMMIT"

    def write() -> None:
        with through.write() as connection:
            connection.execute(text("INSERT INTO meta VALUES ('unknown', 'x')"))
            proxy.refuse()

    with pytest.raises(StoreError, match=r"whether it was kept could not be found out.* look whether it is there"):
        write()


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """One that a test may stop."""
    server = PostgresServer()
    yield server
    server.remove()


def test_a_crash_that_loses_a_write_is_not_taken_for_its_commit(
    own_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.records.postgresql._STUCK_SECONDS", 60)
    with closing(Database.open(own_server.url())) as database, closing(Proxy(own_server.port)) as proxy:
        put(database, "before")
        with closing(Database.open(own_server.url(port=proxy.port))) as through:
            put(through, "first")
            proxy.swallow = b"COMMIT"

            def write() -> None:
                with through.write() as connection:
                    connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
                    own_server.stop("immediate")
                    own_server.start()
                    for number in range(3):  # one of these gets the number of the transaction that was lost
                        put(database, f"after {number}")

            with pytest.raises(StoreError, match="kept"):
                write()
        assert keys(database) == ["after 0", "after 1", "after 2", "before", "first"]


# Silence


def test_a_connection_that_no_longer_answers_is_made_again(
    through: Database, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(through, "before")
    monkeypatch.setattr(SILENT, 0.3)
    proxy.silence()
    put(through, "after")
    assert keys(through) == ["after", "before"]


def test_a_writer_that_falls_silent_gives_its_turn_away(
    through: Database, proxy: Proxy, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SILENT, 0.3)

    def write() -> None:
        with through.write() as connection:
            connection.execute(text("INSERT INTO meta VALUES ('lost', 'x')"))
            proxy.silence()
            connection.execute(text("SELECT 1"))

    with pytest.raises(StoreError, match=r"no answer for 0.3 seconds.*was not kept.*Check that the server runs"):
        write()
    with closing(Database.open(postgres_url)) as other:
        began = time.monotonic()
        put(other, "next")
        assert time.monotonic() - began < 5
        assert keys(other) == ["next"]


def test_a_statement_may_take_longer_than_silence_may(through: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SILENT, 0.5)
    with through.read() as connection:
        assert connection.execute(text("SELECT pg_sleep(1), 5")).one()[1] == 5


def test_a_lock_may_be_waited_for_longer_than_silence_may(
    through: Database, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    with closing(Database.open(postgres_url)) as other, other.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('first', 'x')"))
        monkeypatch.setattr(SILENT, 0.5)
        thread = threading.Thread(target=lambda: (put(through, "second"), order.append("second")))
        thread.start()
        thread.join(1)
        order.append("first")
    thread.join(30)
    assert order == ["first", "second"]


def test_a_network_through_which_nothing_goes_is_named_and_waited_for_in_vain_by_nobody(
    postgres_server: PostgresServer, postgres_url: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SILENT, 0.3)
    monkeypatch.setattr("ghost.records.server_connection._ASK_SECONDS", 2)
    url = postgres_url.replace(str(postgres_server.port), str(proxy.port)) + "?connect_timeout=2"  # the least
    with closing(Database.open(url)) as database:
        put(database, "before")
        proxy.stall()
        with pytest.raises(StoreError, match=r"connection timeout expired.*Check that the server runs"):
            put(database, "lost")
        proxy.resume()
        put(database, "after")
        assert keys(database) == ["after", "before"]


def test_everything_works_over_a_slow_network(through: Database, proxy: Proxy) -> None:
    proxy.delay = 0.02
    for number in range(3):
        put(through, f"{number}", alone=bool(number % 2))
    assert keys(through) == ["0", "1", "2"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the options of a socket are read as Linux has them")
def test_connections_of_every_kind_notice_a_machine_that_is_gone(through: Database) -> None:
    def option(connection: psycopg.Connection[object], level: int, name: int) -> int:
        with socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as sock:
            return sock.getsockopt(level, name)

    with (
        through.read() as connection,
        through.listening("news") as listening,
        psycopg.connect(through.address) as of_queue,  # as the queue of the workers does
    ):
        mine = connection.connection.driver_connection
        assert mine is not None
        for each in (mine, listening, of_queue):
            assert option(each, socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            assert option(each, socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 20
            assert option(each, socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000
        assert connection.execute(text("SHOW tcp_keepalives_idle")).scalar() == "20"
        assert connection.execute(text("SHOW jit")).scalar() == "off"


# Migrations


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
def test_a_migration_that_is_killed_is_completed_at_the_next_start() -> None:
    command = [sys.executable, "-m", "tests.records.faults", "migrations", "--every", "200"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 wrong" in done.stdout


def test_a_migration_waits_for_those_who_read_and_gives_up_in_time(
    postgres_server: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ghost.records.postgresql.BUSY_SECONDS", 1)
    name = postgres_url.rpartition("/")[2]
    for statement in EARLIER:
        postgres_server.execute(statement, name)
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as reader:
        assert reader.execute("SELECT count(*) FROM runs").fetchone() == (0,)
        with pytest.raises(StoreError, match=r"stayed locked by another program .*Try again"):
            Database.open(postgres_url)
        assert postgres_server.execute("SELECT version_num FROM alembic_version", name) == [("0016",)]
    Database.open(postgres_url).close()
