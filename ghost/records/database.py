"""``ghost.db``: opening it, transactions, and turning what goes wrong into errors a person can act on."""

import errno
import os
import shutil
import socket
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from ghost.errors import StoreDamagedError, StoreError, StoreFullError, StoreReadOnlyError
from ghost.records.migrations import migrate

BUSY_SECONDS = 15.0
"""How long a transaction waits for another one before it gives up."""

T = TypeVar("T")
V = TypeVar("V")

_ROOM = 1_000_000
"""Below so many free bytes an input/output error is a full disk."""


class Database:
    """One SQLite file in WAL mode, migrated to the schema of this code. Safe to use from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise folder_error(path.parent, error) from error
        self._engine = _engine(path)
        with self._errors():
            migrate(self._engine, path)
            # Not before: this changes the file, which must not happen to a damaged one or to another program's.
            with closing(self._engine.raw_connection()) as connection:
                connection.execute("PRAGMA journal_mode = WAL")

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or create the database; raises StoreError and its kinds, and never changes a damaged file."""
        return cls(path)

    @classmethod
    @contextmanager
    def reading(cls, path: Path) -> Iterator[Self]:
        """An existing database to read from, also where nothing can be written, as on a backup.

        SQLite needs files beside a database in WAL mode, and an older schema has to be migrated first. Where the
        folder cannot be written, both happen to a copy in a temporary folder. Raises StoreError and its kinds.
        """
        if not path.is_file():
            raise StoreError(f"Nothing has been checked yet: there is no {path}. Check a claim, or set GHOST_DATA_DIR.")
        with ExitStack() as cleanup:
            try:
                database = cls.open(path)
            except StoreReadOnlyError:
                folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="ghost-")))
                database = cls.open(_copied(path, folder))
            cleanup.callback(database.close)
            yield database

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes: committed at the end of the block, undone when the block raises."""
        with self._errors(), self._engine.connect() as plain:
            connection = plain.execution_options(ghost_write=True)
            with connection.begin():
                yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, all of it from one moment; it never waits for a writer."""
        with self._errors(), self._engine.connect() as connection, connection.begin():
            yield connection

    def problems(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong; empty when all is well. Reads the whole file."""
        with self.read() as connection:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(20)")]
        return () if found == ["ok"] else tuple(found)

    def close(self) -> None:
        """Give the file back."""
        self._engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise _explain(error.orig or error, self.path) from error
        except sqlite3.Error as error:
            raise _explain(error, self.path) from error


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


def from_row(kind: type[T], row: Any, **instead: Any) -> T:
    """A value whose fields are called like the columns of the row, with times in UTC; ``instead`` has the others."""
    columns = row._mapping
    names = [f.name for f in fields(kind) if f.name in columns and f.name not in instead]  # type: ignore[arg-type]
    values = {name: columns[name] for name in names}
    return kind(**instead, **{n: from_column(v) if isinstance(v, datetime) else v for n, v in values.items()})


def to_json(kind: Any, value: Any) -> str:
    """A value of this type for a text column. What JSON does not know, as in the outputs of a step, is kept as text."""
    return _adapter(kind).dump_json(value, fallback=str).decode()


def from_json(kind: Any, data: str, what: str = "A run") -> Any:
    """The way back from ``to_json``; raises StoreError for what another version has stored in another form."""
    try:
        return _adapter(kind).validate_json(data)
    except ValueError as error:
        raise StoreError(f"{what} was stored in a form that this Ghost cannot read: {error}") from error


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _copied(path: Path, folder: Path) -> Path:
    """A copy of the database with what its write-ahead log holds."""
    try:
        for name in (path.name, f"{path.name}-wal"):
            if (file := path.with_name(name)).exists():
                shutil.copyfile(file, folder / name)
    except OSError as error:
        raise StoreError(
            f"{path} is in a folder that cannot be written, and no copy of it could be made to read from "
            f"({error.strerror}). Check that you may read it, and that there is space in {folder.parent}."
        ) from error
    return folder / path.name


def folder_error(folder: Path, error: OSError) -> StoreError:
    """What an operating-system error about a folder of ours means to a person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFullError(f"The disk is full: {folder} cannot be created. Free some space and start again.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnlyError(
            f"{folder} cannot be written ({error.strerror}). Give yourself the right to write there, or set "
            "GHOST_DATA_DIR to a folder of yours."
        )
    return StoreError(f"{folder} cannot be used as a folder ({error.strerror}). Set GHOST_DATA_DIR to another folder.")


def _engine(path: Path) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        pool_size=16,
        max_overflow=-1,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's own transaction handling would begin writes late, as readers that then upgrade: two of those
        # deadlock at once instead of waiting. So it is off, and `begin` below says what each transaction is.
        connection.isolation_level = None
        connection.create_function("lower", 1, _lower, deterministic=True)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -16000")  # KiB; the default of 2 MB makes searches read the file again

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("ghost_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _lower(value: Any) -> Any:
    """SQLite's own knows the capitals of English letters only, and every search compares through it."""
    return value.lower() if isinstance(value, str) else value


def _explain(error: BaseException, path: Path) -> StoreError:
    """Map an SQLite error to one of ours, by its result code."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamagedError(
            path,
            str(error),
            "It was left untouched. Move it away and put a copy back in its place, or start anew without it.",
        )
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path)):
        return StoreFullError(
            f"The disk with {path} is full. What was stored before is untouched; this write was not kept. "
            "Free some space and try again."
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return StoreReadOnlyError(
            f"{path} cannot be opened for writing ({error}). What was stored is untouched. Give yourself the right to "
            "write the file and its folder, or set GHOST_DATA_DIR to a folder of yours."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            f"{path} stayed locked by another program for {BUSY_SECONDS:g} seconds. What was stored is untouched; "
            "this write was not kept. Close the other program and try again."
        )
    return StoreError(f"{path} could not be used: {error}. What was stored before is untouched.")


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ROOM
    except OSError:
        return False


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
    if os.name != "posix":
        return _runs_on_windows(int(pid))  # there, os.kill ends a process
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _runs_on_windows(pid: int) -> bool:
    import ctypes

    kernel, code = ctypes.windll.kernel32, ctypes.c_ulong()  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return bool(kernel.GetLastError() == 5)  # ERROR_ACCESS_DENIED: it is there, and somebody else's
    try:
        return bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == 259  # STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)


def _host() -> str:
    return socket.gethostname().replace("/", "-")[:30]


def _started(pid: int) -> str:
    """Empty where the system does not tell (other than Linux)."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return f"{boot}.{stat.rpartition(')')[2].split()[19]}"  # field 22; the name before it may hold anything
