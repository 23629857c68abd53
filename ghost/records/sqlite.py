"""A database in a file of this machine: how it is opened, and what goes wrong with it."""

import logging
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from ghost.errors import StoreDamagedError, StoreError, StoreFullError, StoreReadOnlyError

log = logging.getLogger(__name__)

BUSY_SECONDS = 15.0
"""How long a transaction waits for another one before it gives up."""

_ROOM = 1_000_000
"""Below so many free bytes an input/output error is a full disk."""


class SqliteFile:
    """One SQLite file in WAL mode. It has a single writer at a time and any number of readers."""

    dialect = "sqlite"
    reading: Mapping[str, Any] = MappingProxyType({})
    """Execution options of a transaction that only reads: every one of SQLite's sees one moment."""
    elsewhere = "Move it away, or set GHOST_DATA_DIR to another folder."
    """What to do with a file that this Ghost cannot use."""

    def __init__(self, path: Path) -> None:
        """The folder of ``path`` must be there."""
        self.path = path
        self.name = str(path)
        self.engine = _engine(path)

    def check(self, connection: Connection) -> None:
        """Nothing to ask: the library that reads the file comes with Python."""

    def settle(self) -> None:
        """Set what is kept in the file itself, once it is known to be sound and ours."""
        with closing(self.engine.raw_connection()) as connection:
            connection.execute("PRAGMA journal_mode = WAL")

    def begin_write(self, connection: Connection, alone: bool) -> None:
        """Nothing to do: the transaction has begun as the only one that writes."""

    def has_kept(self, _begun: Any, _error: DBAPIError) -> bool:
        """No: what could not be committed to a file is not in it."""
        return False

    def back_up(self, version: str) -> None:
        """Copy the file as this version of the tables left it, and read the copy through. Raises StoreError."""
        copy = self.path.with_name(f"{self.path.stem}.schema-{version}{self.path.suffix}")
        unfinished = copy.with_name(f"{copy.name}.part")
        try:
            self._check_room(copy)
            copy.unlink(missing_ok=True)  # of an upgrade that was cut short
            try:
                with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(unfinished)) as target:
                    source.backup(target)
                    sound = [row[0] for row in target.execute("PRAGMA integrity_check(1)")] == ["ok"]
                if not sound:
                    raise StoreError(f"A copy of {self.path} cannot be read back. It was not upgraded. Check the disk.")
                unfinished.replace(copy)
            finally:
                unfinished.unlink(missing_ok=True)
        except OSError as error:
            raise folder_error(self.path.parent, error) from error
        log.warning("Before the upgrade %s was copied to %s. Delete the copy when you do not need it.", self.path, copy)

    def _check_room(self, copy: Path) -> None:
        """Raise StoreFullError where the copy and the upgrade, which may write every row anew, do not fit."""
        size = _bytes(self.path) + _bytes(self.path.with_name(f"{self.path.name}-wal"))
        missing = 2 * size + _ROOM - shutil.disk_usage(self.path.parent).free - _bytes(copy)
        if missing > 0:
            raise StoreFullError(
                f"There is no room for the upgrade of {self.path} and for the copy that is made before it. It was left "
                f"as it is. Free {missing / 1e6:,.0f} MB and start again."
            )

    def problems(self, connection: Connection) -> tuple[str, ...]:
        """What SQLite's own check finds wrong; empty when all is well. Reads the whole file."""
        found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(20)")]
        return () if found == ["ok"] else tuple(found)

    def shrink(self) -> bool:
        """Give the pages that nothing uses back to the disk; False when others use the file, or there is no room."""
        if shutil.disk_usage(self.path.parent).free < self.path.stat().st_size:
            return False  # it is written anew beside itself
        try:
            with closing(self.engine.raw_connection()) as connection:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            if (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return False
            raise
        return True

    def explain(self, error: BaseException) -> StoreError:
        """Map an SQLite error to one of ours, by its result code."""
        path, code = self.path, getattr(error, "sqlite_errorcode", 0) & 0xFF
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
                f"{path} cannot be opened for writing ({error}). What was stored is untouched. Give yourself the right "
                "to write the file and its folder, or set GHOST_DATA_DIR to a folder of yours."
            )
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreError(
                f"{path} stayed locked by another program for {BUSY_SECONDS:g} seconds. What was stored is untouched; "
                "this write was not kept. Close the other program and try again."
            )
        return StoreError(f"{path} could not be used: {error}. What was stored before is untouched.")


def copied(path: Path, folder: Path) -> Path:
    """A copy of the database in ``folder``, with what its write-ahead log holds. Raises StoreError."""
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


def folder_error(folder: Path, error: OSError) -> StoreError:
    """What an operating-system error about a folder of ours means to a person."""
    if error.errno in (ENOSPC, EDQUOT):
        return StoreFullError(f"The disk is full: {folder} cannot be created. Free some space and start again.")
    if error.errno in (EACCES, EPERM, EROFS):
        return StoreReadOnlyError(
            f"{folder} cannot be written ({error.strerror}). Give yourself the right to write there, or set "
            "GHOST_DATA_DIR to a folder of yours."
        )
    return StoreError(f"{folder} cannot be used as a folder ({error.strerror}). Set GHOST_DATA_DIR to another folder.")


def _bytes(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ROOM
    except OSError:
        return False
