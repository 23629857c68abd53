"""The database: opening it, transactions, and turning what goes wrong into errors a person can act on."""

import json
import os
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ghost.errors import StoreError, StoreReadOnlyError
from ghost.records.migrations import finish, migrate
from ghost.records.postgresql import PostgresqlDatabase
from ghost.records.sqlite import SqliteFile, copied, folder_error

T = TypeVar("T")
V = TypeVar("V")


class Database:
    """One database, migrated to the schema of this code: a file of SQLite, or one on a PostgreSQL server.

    Safe to use from any thread.
    """

    def __init__(self, place: Path | str, unfinished: bool = False, copy: bool = False) -> None:
        self._kept = _sqlite_file(place) if isinstance(place, Path) else PostgresqlDatabase(place)
        self._engine = self._kept.engine
        self._held = threading.local()
        """Names of the locks that a thread holds."""
        try:
            with self._errors():
                migrate(self._kept, unfinished, copy)
                # Not before: this changes a file, which must not happen to a damaged one or to another program's.
                self._kept.settle()
        except BaseException:
            self._engine.dispose()
            raise

    @classmethod
    def open(cls, place: Path | str) -> Self:
        """Open or create the SQLite file at a path, or open the PostgreSQL database at an address.

        Raises StoreError and its kinds, and never changes a damaged file or a database of another program.
        """
        return cls(place)

    @classmethod
    def open_unfinished(cls, place: Path | str) -> Self:
        """Open a new, empty database, or one that was begun like this, to fill it with a copy of another one.

        Until ``finish`` nobody else can open it. Raises StoreError when it has records already.
        """
        return cls(place, unfinished=True)

    @classmethod
    def open_copy(cls, file: Path) -> Self:
        """``open`` for a file that is a copy itself: no other one is made before an upgrade. Raises StoreError."""
        return cls(file, copy=True)

    def finish(self) -> None:
        """The copy is complete: from now on anybody can open it."""
        with self.write() as connection:
            finish(connection)

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._kept.dialect

    @property
    def name(self) -> str:
        """Where it is, as messages show it: a path, or an address without user and password."""
        return self._kept.name

    def same_place(self, other: "Database") -> bool:
        """Whether both are one file, or one address on a server: two of its schemas have one name."""
        if isinstance(self._kept, SqliteFile) or isinstance(other._kept, SqliteFile):
            return self.name == other.name
        return self.address == other.address

    @property
    def path(self) -> Path:
        """The file of an SQLite database; the others have none."""
        if not isinstance(self._kept, SqliteFile):
            raise TypeError(f"{self.name} is no file")
        return self._kept.path

    @classmethod
    @contextmanager
    def reading(cls, place: Path | str) -> Iterator[Self]:
        """An existing database to read from, also where nothing can be written, as on a backup.

        SQLite needs files beside a database in WAL mode, and an older schema has to be migrated first. Where the
        folder cannot be written, both happen to a copy in a temporary folder. Raises StoreError and its kinds.
        """
        if isinstance(place, Path) and not place.is_file():
            raise StoreError(
                f"Nothing has been checked yet: there is no {place}. Check a claim, or set GHOST_DATA_DIR."
            )
        with ExitStack() as cleanup:
            try:
                database = cls.open(place)
            except StoreReadOnlyError:
                if not isinstance(place, Path):
                    raise
                folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="ghost-")))
                database = cls.open_copy(copied(place, folder))
            cleanup.callback(database.close)
            yield database

    @contextmanager
    def write(self, alone: bool = True) -> Iterator[Connection]:
        """A transaction that writes: committed at the end of the block, undone when the block raises.

        With ``alone`` there is no other such transaction at the time, so that what it reads stays true until it has
        written. Without, on PostgreSQL others write at the same time: only for rows that nobody else changes, and for
        statements that are right whatever others do. On SQLite every writer is alone.

        Raises StoreError when the write was not kept, or when that cannot be found out, which it then says.
        """
        with self._errors(), self._engine.connect() as plain:
            connection = plain.execution_options(ghost_write=True)
            with connection.begin() as transaction:
                begun: Any = self._kept.begin_write(connection, alone)
                yield connection
                try:
                    transaction.commit()
                except DBAPIError as error:
                    if not self._kept.has_kept(begun, error):
                        raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, all of it from one moment; it never waits for a writer."""
        with self._errors(), self._engine.connect() as plain:
            connection = plain.execution_options(**self._kept.reading) if self._kept.reading else plain
            with connection.begin():
                yield connection

    @property
    def address(self) -> str:
        """The address of a PostgreSQL database with its password: for connections only, never to be shown."""
        return self._server.address

    def pool_options(self) -> dict[str, Any]:
        """The arguments of a pool of psycopg's asynchronous connections to a PostgreSQL database."""
        return self._server.pool_options()

    def listening(self, channel: str) -> AbstractContextManager[Any]:
        """A connection of the driver that is told what others notify on a channel of a PostgreSQL database.

        It is outside of all transactions. Raises StoreError and the driver's own errors.
        """
        return self._server.listening(channel)

    @property
    def _server(self) -> PostgresqlDatabase:
        if not isinstance(self._kept, PostgresqlDatabase):
            raise StoreError(f"{self.name} is a file: there is no server that could tell of changes.")
        return self._kept

    @contextmanager
    def locked(self, name: str, seconds: float | None = None) -> Iterator[bool]:
        """Hold a lock of this name against the other processes that use this PostgreSQL database.

        A thread that holds it may take it again. Threads of one process need a lock of their own as well. On SQLite
        nothing is locked: the process that owns the data folder is the only one that would ask. Yields whether it is
        held: not where another process has it for ``seconds``. Without them that raises StoreError in the end.
        """
        held = self._held.__dict__
        if held.get(name) or isinstance(self._kept, SqliteFile):
            yield True
            return
        with self._errors(), self._kept.lock(name, seconds) as taken:
            held[name] = taken
            try:
                yield taken
            finally:
                held[name] = False

    def problems(self) -> tuple[str, ...]:
        """What a check of the whole database finds wrong; empty when all is well. Reads all of an SQLite file."""
        with self.read() as connection:
            return self._kept.problems(connection)

    def shrink(self) -> bool:
        """Give space that nothing uses any more back to the disk; False where that is not possible now."""
        with self._errors():
            return self._kept.shrink()

    def close(self) -> None:
        """Give the file or the connections back."""
        self._engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._kept.explain(error.orig or error) from error
        except sqlite3.Error as error:
            raise self._kept.explain(error) from error
        except PoolTimeoutError as error:
            raise StoreError(
                f"{self.name}: too much is going on at once, and no connection became free. Try again in a moment."
            ) from error


def _sqlite_file(path: Path) -> SqliteFile:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise folder_error(path.parent, error) from error
    return SqliteFile(path)


def batched(items: Iterable[V], size: int) -> Iterator[list[V]]:
    """The items in lists of at most ``size``: a query takes so many values and no more."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def utc_now() -> datetime:
    """The time as the database keeps it: UTC, to the microsecond."""
    return datetime.now(UTC)


def to_column(moment: datetime | None) -> datetime | None:
    """A time for a DateTime column, which knows no zones: UTC without saying so. A naive time is taken as UTC."""
    return moment if moment is None or moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def from_column(moment: Any) -> Any:
    """The way back from a DateTime column: the time in UTC, or None."""
    return None if moment is None else moment.replace(tzinfo=UTC)


def from_row(kind: type[T], row: Any, /, **instead: Any) -> T:
    """A value whose fields are called like the columns of the row, with times in UTC; ``instead`` has the others."""
    columns = row._mapping
    names = [f.name for f in fields(kind) if f.name in columns and f.name not in instead]  # type: ignore[arg-type]
    values = {name: columns[name] for name in names}
    return kind(**instead, **{n: from_column(v) if isinstance(v, datetime) else v for n, v in values.items()})


def to_json(kind: Any, value: Any) -> str:
    """A value of this type for a text column. What JSON does not know, as in the outputs of a step, is kept as text.

    Half a surrogate pair, which no database takes, becomes a question mark.
    """
    try:
        return _adapter(kind).dump_json(value, fallback=str).decode()
    except PydanticSerializationError:
        plain = _adapter(kind).dump_python(value, mode="json", fallback=str)
        return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace").decode()


def from_json(kind: Any, data: str, what: str = "A run") -> Any:
    """The way back from ``to_json``; raises StoreError for what another version has stored in another form."""
    try:
        return _adapter(kind).validate_json(data)
    except ValidationError as error:
        places = {".".join(map(str, fault["loc"])) or fault["type"] for fault in error.errors(include_input=False)}
        # Without the words of the error, nor the error: they quote what was stored, and may get into a log.
        raise StoreError(
            f"{what} was stored in a form that this Ghost cannot read ({', '.join(sorted(places)[:3])}). Use the "
            "version of Ghost that has stored it, or a newer one."
        ) from None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def current_process() -> str:
    """This process, as the owner of a record: host, process id, and when it started (boot and clock tick)."""
    return f"{_host()}/{os.getpid()}/{_started(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that was written down as the owner of a record still runs.

    One on another host cannot be seen from here and counts as gone, as does one with the same id that started later.
    """
    host, _, rest = owner.partition("/")
    pid, _, started = rest.partition("/")
    if host != _host() or not pid.isdecimal():
        return False
    if int(pid) == os.getpid() or started:
        return _started(int(pid)) == started
    import psutil  # not at the top: Linux tells when a process started

    return psutil.pid_exists(int(pid))


def _host() -> str:
    return socket.gethostname().replace("/", "-")[:30]


def _started(pid: int) -> str:
    """Empty where the system does not tell (other than Linux).

    Not the time that psutil tells: that one moves with the system's clock, and a living process would look dead.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return f"{boot}.{stat.rpartition(')')[2].split()[19]}"  # field 22; the name before it may hold anything
