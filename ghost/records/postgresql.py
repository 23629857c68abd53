"""A database on a PostgreSQL server: how it is opened, its locks, and what goes wrong with it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from ghost.errors import StoreAwayError, StoreError, StoreFullError, StoreReadOnlyError

if TYPE_CHECKING:
    from ghost.records.server_connection import Transaction

BUSY_SECONDS = 15
"""How long a writer waits for the locks of others before it gives up."""
OLDEST = 14
"""The oldest version of the server that has all that is asked of it."""

_LOCK_SECONDS = 3600
"""How long a process that starts waits for another one that brings the vector index in step, and may have to make it:
of a million passages in half an hour.
"""
_LOCKED = "55P03"
_STUCK_SECONDS = 120
"""A process that stops in the middle of a write, as one that is suspended, loses its turn after this."""
_DRIVERS = ("postgresql+psycopg", "postgresql", "postgres")

_ABOUT = text("SELECT current_setting('server_version_num'), current_setting('server_encoding')")
_BEGIN_WRITE = text(
    "SELECT set_config('lock_timeout', :busy, true), "
    "set_config('idle_in_transaction_session_timeout', :stuck, true), pg_current_xact_id()::text"
)
_ALONE = text("SELECT pg_advisory_xact_lock(hashtextextended('ghost.write.' || current_schema(), 0))")

_KEY = "hashtextextended('ghost.' || :name || '.' || current_schema(), 0)"
_LOCK, _UNLOCK = text(f"SELECT pg_advisory_lock({_KEY})"), text(f"SELECT pg_advisory_unlock({_KEY})")
_WAIT = text("SELECT set_config('lock_timeout', :wait, false)")


class PostgresqlDatabase:
    """One database on a PostgreSQL server, which any number of processes share."""

    dialect = "postgresql"
    reading: Mapping[str, Any] = MappingProxyType({"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
    """Execution options of a transaction that only reads: all of it sees one moment, and it waits for no writer."""
    elsewhere = "Set GHOST_DATABASE_URL to an empty database of its own."
    """What to do with a database that this Ghost cannot use."""

    def __init__(self, url: str) -> None:
        """Raises StoreError where the address is none, or where the driver is not installed."""
        self._url = _parsed(url)
        self.name = shown(self._url)
        if find_spec("psycopg") is None:
            raise StoreError(
                f"{self.name} needs the PostgreSQL driver, which is not installed. Install it with "
                '`pip install "ghost-workbench[team]"`, in a checkout with `pip install -r requirements-team.txt`.'
            )
        from ghost.records.server_connection import OPTIONS

        self._url = self._url.update_query_dict({**OPTIONS, **self._url.query})
        self.engine = _engine(self._url)

    def check(self, connection: Connection) -> None:
        """Raises StoreError for a server that is too old, or a database that cannot keep every text."""
        version, encoding = connection.execute(_ABOUT).one()
        if int(version) < OLDEST * 10_000:
            raise StoreError(
                f"{self.name} is PostgreSQL {int(version) // 10_000}. Ghost needs version {OLDEST} or newer. Nothing "
                "was changed."
            )
        if encoding != "UTF8":
            raise StoreError(
                f"{self.name} keeps text as {encoding}. Ghost needs UTF8. Create the database with "
                "`createdb --encoding=UTF8 --template=template0`. Nothing was changed."
            )

    def settle(self) -> None:
        """Nothing to do: the server keeps its own settings."""

    def begin_write(self, connection: Connection, alone: bool) -> "Transaction":
        """Wait for the turn of this writer: with ``alone``, until no other one that asked to be alone is at work."""
        from ghost.records.server_connection import ServerConnection, Transaction

        values = {"busy": f"{BUSY_SECONDS}s", "stuck": f"{_STUCK_SECONDS}s"}
        xid = connection.execute(_BEGIN_WRITE, values).one()[2]
        if alone:
            connection.execute(_ALONE)
        driver = connection.connection.driver_connection
        assert isinstance(driver, ServerConnection)
        return Transaction(xid, driver.info.backend_pid, driver.epoch)

    def has_kept(self, begun: Any, error: DBAPIError) -> bool:
        """Whether a transaction that has ``begun`` was committed although ``error`` came in place of the answer.

        Raises StoreError when that cannot be found out.
        """
        from ghost.records.server_connection import was_kept

        if not error.connection_invalidated:
            return False
        kept = was_kept(self.address, begun)
        if kept is None:
            raise StoreAwayError(_UNKNOWN.format(name=self.name, said=_first_line(error.orig or error))) from error
        return kept

    def shrink(self) -> bool:
        """False: the server uses the space again by itself."""
        return False

    @contextmanager
    def listening(self, channel: str) -> Iterator[Any]:
        """A connection of the driver that is told what others notify on a channel. Raises the driver's errors."""
        from ghost.records.server_connection import ServerConnection

        with ServerConnection.connect(self.address, autocommit=True) as connection:
            connection.execute(f'LISTEN "{channel}"')
            yield connection

    @property
    def address(self) -> str:
        """The address as the driver takes it, with the password: for connections only, never to be shown."""
        from psycopg.conninfo import make_conninfo

        _, parts = self.engine.dialect.create_connect_args(self._url)
        parts.pop("context", None)  # SQLAlchemy's own
        return make_conninfo(**parts)  # and no URL, in which the driver takes no spaces

    def pool_options(self) -> dict[str, Any]:
        """What a pool of the driver's asynchronous connections needs to know."""
        from ghost.records.server_connection import QueueConnection

        return {"conninfo": self.address, "connection_class": QueueConnection}

    @contextmanager
    def lock(self, name: str, seconds: float | None) -> Iterator[bool]:
        """Hold a lock that ends with its connection, on one of its own, outside of any transaction.

        Yields False where others have it for ``seconds``. Raises the driver's errors, also where it takes too long.
        """
        with self.engine.connect() as plain:
            connection = plain.execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.execute(_WAIT, {"wait": f"{_LOCK_SECONDS if seconds is None else seconds}s"})
                connection.execute(_LOCK, {"name": name})
                connection.execute(_WAIT, {"wait": "0"})
            except BaseException as error:
                connection.invalidate()
                if seconds is None or getattr(getattr(error, "orig", None), "sqlstate", None) != _LOCKED:
                    raise
                yield False
                return
            try:
                yield True
            finally:
                try:
                    connection.execute(_UNLOCK, {"name": name})
                except DBAPIError:  # it is gone, and the lock with it
                    connection.invalidate()

    def back_up(self, version: str) -> None:
        """Nothing: the server's administrator backs it up, as docs/data.md says."""

    def problems(self, _connection: Connection) -> tuple[str, ...]:
        """Nothing: a server has its own checks, which need the rights of an administrator."""
        return ()

    def explain(self, error: BaseException) -> StoreError:
        """Map an error of the driver to one of ours, by its SQLSTATE, or by its words where it never reached one."""
        state, said = getattr(error, "sqlstate", None) or "", _first_line(error)
        # A connection that is refused has no state yet.
        state = state or next((known for words, known in _REFUSED.items() if words in said), "08")
        kind, message = _KINDS.get(state) or _KINDS.get(state[:2]) or (StoreError, _OTHER)
        return kind(message.format(name=self.name, said=said, user=self._url.username or "the user"))


_KEPT = "What was stored before is untouched"
_LOST = (
    "The connection to {name} failed ({said}). " + _KEPT + "; a write that was under way was not kept. Check that the "
    "server runs and can be reached, and try again."
)
_UNKNOWN = (
    "The connection to {name} failed ({said}) while a write was being completed, and whether it was kept could not be "
    "found out. " + _KEPT + ". Check that the server runs and can be reached, and look whether it is there before "
    "you try again."
)
_OTHER = "{name} could not be used: {said}. " + _KEPT + "."
_AGAIN = "{name} could not finish this write beside those of others ({said}). " + _KEPT + "; try again."
_ENCRYPTION = (
    "{name} and GHOST_DATABASE_URL do not agree on encryption ({said}). Add ?sslmode=require to the address where the "
    "server insists on it, and switch it on at the server where the address does."
)
_CONNECTIONS = (
    "{name} has no connection left ({said}). Raise max_connections on the server, or the limit of the user or the "
    "database, or run fewer processes."
)
_DAMAGED = "{name} reports damage ({said}). Nothing was changed. Restore the database from a backup."
_KINDS: dict[str, tuple[type[StoreError], str]] = {
    "28": (StoreError, "{name} refuses the user or the password ({said}). Correct GHOST_DATABASE_URL."),
    "encryption": (StoreError, _ENCRYPTION),
    "3D000": (
        StoreError,
        "{name}: there is no such database. Create it with `createdb`, or correct GHOST_DATABASE_URL.",
    ),
    "42501": (
        StoreReadOnlyError,
        "{name}: {user} lacks a right ({said}). " + _KEPT + ". Make this user the owner of the database: "
        "ALTER DATABASE ... OWNER TO ...; or GRANT CREATE, USAGE ON SCHEMA public.",
    ),
    "25006": (
        StoreReadOnlyError,
        "{name} cannot be written ({said}). " + _KEPT + ". Connect to the primary server, not to a copy of it.",
    ),
    "53100": (StoreFullError, "The disk of {name} is full. " + _KEPT + "; this write was not kept. Free some space."),
    "53300": (StoreError, _CONNECTIONS),
    _LOCKED: (
        StoreAwayError,
        "{name} stayed locked by another program ({said}). " + _KEPT + "; this write was not kept. Try again.",
    ),
    "40": (StoreError, _AGAIN),
    "57": (StoreAwayError, _LOST),
    "08": (StoreAwayError, _LOST),
    "25P03": (StoreAwayError, _LOST),
    "XX": (StoreError, "{name} has failed ({said}). " + _KEPT + "; this write was not kept. See the server's log."),
    "XX001": (StoreError, _DAMAGED),
    "XX002": (StoreError, _DAMAGED),
}
"""By SQLSTATE, its class, or a name of ours: which error of ours it is, and what a person can do."""

_REFUSED = {
    "too many clients": "53300", "too many connections": "53300", "remaining connection slots": "53300",
    "SSL": "encryption", "certificate": "encryption", "no encryption": "encryption",
    "authentication failed": "28", "no pg_hba.conf entry": "28", "no password supplied": "28",
    "is not permitted to log in": "28", "permission denied": "42501", 'role "': "28", 'database "': "3D000",
}  # fmt: skip
"""What a server says, in English, when it refuses a connection."""


def shown(url: URL) -> str:
    """Where the database is, without user and password."""
    host = url.host or url.query.get("host") or "localhost"
    host = host if isinstance(host, str) else host[0]
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{host}{port}/{url.database or ''}"


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        parsed = None
    # With an @ in the password, some of it would be taken for the host or the database, and shown.
    if parsed is None or parsed.drivername not in _DRIVERS or "@" in f"{parsed.host}{parsed.database}":
        raise StoreError(
            "This is no address of a PostgreSQL database. One looks like this: "
            "postgresql+psycopg://USER:PASSWORD@HOST:5432/DATABASE (write @ in a password as %40, / as %2F). Correct "
            "GHOST_DATABASE_URL."
        )
    return parsed.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    from ghost.records.nul_text import keep_nul
    from ghost.records.server_connection import ServerConnection

    # With the ping, a server that was restarted in between is noticed before a write and not in the middle of it.
    engine = create_engine(url, pool_size=5, max_overflow=25, pool_pre_ping=True)

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, args: Any, named: Any) -> ServerConnection:
        return ServerConnection.connect(*args, **named)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        keep_nul(connection)

    return engine


def _first_line(error: BaseException) -> str:
    with suppress(IndexError):
        return str(error).strip().splitlines()[0]
    return type(error).__name__
