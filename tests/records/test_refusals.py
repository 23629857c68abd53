"""Servers and databases that cannot be used, each named at the start with what to do."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import URL, text

from ghost.errors import StoreError, StoreReadOnlyError
from ghost.records import Database
from ghost.testing import PostgresServer
from tests.records.old_server import OldServer

PASSWORD = "only-for-tests"  # which is the one that PostgresServer takes
ODD = "p@ss:w/o?r#d%4 &=+'\"\\üäß€[]{}$"


@pytest.fixture
def name(postgres_url: str) -> str:
    return postgres_url.rpartition("/")[2]


@pytest.fixture
def member(postgres_server: PostgresServer, name: str) -> Iterator[str]:
    """A user who owns the database and is no administrator."""
    postgres_server.execute(f"CREATE ROLE member LOGIN PASSWORD '{PASSWORD}'")
    postgres_server.execute(f"ALTER DATABASE {name} OWNER TO member")
    postgres_server.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO member", name)
    yield "member"
    postgres_server.execute(f"ALTER DATABASE {name} OWNER TO postgres")
    postgres_server.execute("DROP OWNED BY member", name)
    postgres_server.execute("DROP ROLE member")


def put(database: Database) -> None:
    with database.write() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('key', 'x')"))


def test_a_server_of_an_old_version_is_named_and_asked_for_nothing_more() -> None:
    with closing(OldServer()) as server:
        with pytest.raises(StoreError, match=r"is PostgreSQL 13\. Ghost needs version 14 or newer\. Nothing was cha"):
            Database.open(f"postgresql+psycopg://me:secret@127.0.0.1:{server.port}/records")
        assert not [asked for asked in server.asked if asked.startswith(("CREATE", "ALTER", "INSERT"))]


@pytest.mark.parametrize("of", ["ROLE member", "DATABASE {name}"], ids=["user", "database"])
def test_a_limit_of_connections_is_named(postgres_server: PostgresServer, name: str, member: str, of: str) -> None:
    url = postgres_server.url(name, member)
    with closing(Database.open(url)) as database:
        postgres_server.execute(f"ALTER {of.format(name=name)} CONNECTION LIMIT 1")
        try:
            put(database)  # on the connection that it has
            with pytest.raises(StoreError, match=r"has no connection left .*Raise max_connections.*fewer processes"):
                Database.open(url)
        finally:
            postgres_server.execute(f"ALTER {of.format(name=name)} CONNECTION LIMIT -1")


def test_a_user_who_may_only_read_can_read_and_is_told_what_is_lacking(
    postgres_server: PostgresServer, name: str, member: str
) -> None:
    postgres_server.execute("REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM member", name)
    with closing(Database.open(postgres_server.url(name, member))) as database:
        with database.read() as connection:
            assert connection.execute(text("SELECT count(*) FROM passages")).scalar() == 0
        with pytest.raises(StoreReadOnlyError, match=r"member lacks a right .*ALTER DATABASE"):
            put(database)


def test_a_user_who_may_not_log_in_is_named(postgres_server: PostgresServer, name: str, member: str) -> None:
    postgres_server.execute("ALTER ROLE member NOLOGIN")
    with pytest.raises(StoreError, match=r"refuses the user or the password .*not permitted to log in"):
        Database.open(postgres_server.url(name, member))


def test_a_database_that_is_set_to_read_only_is_named(postgres_server: PostgresServer, name: str) -> None:
    postgres_server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with (
        closing(Database.open(postgres_server.url(name))) as database,
        pytest.raises(StoreReadOnlyError, match=r"cannot be written .*Connect to the primary server"),
    ):
        put(database)
    empty = postgres_server.create()
    postgres_server.execute(f"ALTER DATABASE {empty} SET default_transaction_read_only = on")
    with pytest.raises(StoreReadOnlyError, match="Connect to the primary server"):
        Database.open(postgres_server.url(empty))
    postgres_server.drop(empty)


def test_a_standby_can_be_read_and_is_named_when_it_should_write() -> None:
    settings = {"wal_level": "replica", "hot_standby": "on"}
    server = PostgresServer(settings=settings)
    try:
        Database.open(server.url()).close()
        server.stop()
        (server.cluster / "standby.signal").touch()
        server.start()
        with closing(Database.open(server.url())) as database:
            with database.read() as connection:
                assert connection.execute(text("SELECT count(*) FROM passages")).scalar() == 0
            with database.locked("index"), pytest.raises(StoreReadOnlyError, match="Connect to the primary server"):
                put(database)
    finally:
        server.remove()


def test_an_address_that_wants_encryption_where_there_is_none_is_named(postgres_url: str) -> None:
    with pytest.raises(StoreError, match=r"do not agree on encryption .*switch it on at the server"):
        Database.open(postgres_url + "?sslmode=require")


def test_a_server_that_insists_on_encryption_is_named(postgres_server: PostgresServer, postgres_url: str) -> None:
    rules = postgres_server.cluster / "pg_hba.conf"
    before = rules.read_text(encoding="utf-8")
    name = postgres_url.rpartition("/")[2]
    rules.write_text(f"hostssl {name} all all scram-sha-256\nhost postgres all all scram-sha-256\n", encoding="utf-8")
    try:
        postgres_server.execute("SELECT pg_reload_conf()")
        postgres_server.execute("SELECT pg_sleep(0.1)")
        with pytest.raises(StoreError, match=r"do not agree on encryption .*Add \?sslmode=require"):
            Database.open(postgres_url)
    finally:
        rules.write_text(before, encoding="utf-8")
        postgres_server.execute("SELECT pg_reload_conf()")


def test_a_password_may_have_any_characters(postgres_server: PostgresServer, name: str, member: str) -> None:
    with psycopg.connect(postgres_server.url(name).replace("+psycopg", "")) as connection:
        connection.execute(psycopg.sql.SQL("ALTER ROLE member PASSWORD {}").format(psycopg.sql.Literal(ODD)))
    url = URL.create("postgresql+psycopg", member, ODD, "127.0.0.1", postgres_server.port, name)
    with closing(Database.open(url.render_as_string(hide_password=False))) as database:
        put(database)
        with database.listening("news"), psycopg.connect(database.address):  # as the queue of the workers does
            assert ODD not in database.name
