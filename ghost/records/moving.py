"""Moving all records to another database, and keeping them in a file from which they can be put back."""

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from ghost.errors import ClaimError, StoreDamagedError, StoreError, StoreFullError
from ghost.records.copying import (
    Copied,
    Told,
    clear,
    copy_moment,
    copy_records,
    digest_of,
    forget_id,
    is_empty,
    keep_others_out,
)
from ghost.records.database import Database, current_process, is_alive
from ghost.records.migrations import HEAD, UNFINISHED
from ghost.records.sqlite import folder_error

_FULL = "The disk with {} is full. Nothing was changed. Free some space."
_PAGES = 2_000
"""Pages of an SQLite file that are copied at a time."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a backup has brought."""

    rows: int
    kept: Path | None
    """The file with what was there before; None when nothing was."""


def move(source: Database, to: Path | str, told: Told = lambda *_: None) -> Copied:
    """Copy all records to another place, the file of an SQLite database or the address of one on PostgreSQL.

    Nothing is deleted in ``source``. The other database cannot be opened before it is complete; when this is cut short,
    the next call goes on with it. Raises StoreError when there is another database, with records, in that place.
    """
    with closing(Database.open_unfinished(to)) as target:
        if source.same_place(target):
            target.finish()
            raise ClaimError("Nothing was moved: the records are there already.")
        found = copy_records(source, target.write, told)
        target.finish()
        return found


def back_up(source: Database, file: Path, told: Told = lambda *_: None) -> Copied:
    """Write all records, as they are at one moment, to a new SQLite file; others may write meanwhile.

    The file gets its name when it is complete and was read back. Raises ClaimError when there is a file of this name.
    """
    try:
        there = file.exists()
    except OSError as error:  # a name that cannot be
        raise ClaimError(f"Nothing was written: {file} cannot be a file ({error.strerror}).") from error
    if there:
        raise ClaimError(f"Nothing was written: {file} is there already. Choose another name.")
    _sweep(file)
    # Two may write one backup at the same time.
    part = file.with_name(f"{file.name}.{current_process().replace('/', '~')}.part")
    with _removed_on_failure(part):
        if source.dialect == "sqlite":
            _copy_file(source.path, part, told)
            with closing(Database.open(part)) as written:
                if problems := written.problems():
                    raise StoreError(f"The backup is damaged and was deleted: {problems[0]}. Check the disk.")
                found = digest_of(written, told)
        else:
            with closing(Database.open_unfinished(part)) as target:
                found = copy_moment(source, target, told)
                target.finish()
        _as_one_file(part)
        part.rename(file)
    return found


def restore(file: Path, place: Path | str, replace: bool = False, told: Told = lambda *_: None) -> Restored:
    """Put the records of a backup in a place, which no other program may be using.

    What is there is replaced only with ``replace``, and only once the backup was read to its end: a file is kept under
    another name, and a PostgreSQL database, which changes all at once or not at all, as a backup beside this one.
    Raises ClaimError and StoreError.
    """
    if not os.path.isfile(file):  # noqa: PTH113 - unlike the method, it takes every name
        raise ClaimError(f"Nothing was restored: there is no file {file}.")
    return _to_file(file, place, replace, told) if isinstance(place, Path) else _to_server(file, place, replace, told)


def _to_file(file: Path, place: Path, replace: bool, told: Told) -> Restored:
    if place.exists() and not replace:
        raise ClaimError(f"Nothing was restored: {place} is there already. Add --replace to put the backup there.")
    part = place.with_name(f"{place.name}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise folder_error(place.parent, error) from error
    with _removed_on_failure(part):
        rows = _checked_copy(file, part, told)
        with closing(Database.open_copy(part)) as copy, copy.write() as connection:
            forget_id(connection)
        _as_one_file(part)
        kept = _set_aside(place) if place.exists() else None
        part.replace(place)
    return Restored(rows, kept)


def _set_aside(place: Path) -> Path:
    """Give a database a second name, under which it stays when another one takes its first."""
    kept = _before(place)
    with suppress(StoreDamagedError):  # which is why it is replaced
        _as_one_file(place)
    try:
        try:
            os.link(place, kept)
        except OSError:  # a file system without such names
            shutil.copyfile(place, kept)
        # After the database: cut off between the two, all that was stored is still under one of its names.
        for log in ("-wal", "-shm"):  # left beside another database they would be taken for its own
            if (file := place.with_name(place.name + log)).exists():
                file.rename(kept.with_name(kept.name + log))
    except OSError as error:
        raise folder_error(place.parent, error) from error
    return kept


def _before(place: Path) -> Path:
    """The file for what was there before."""
    return place.with_name(f"{place.name}.before-{datetime.now().strftime('%Y%m%d-%H%M%S-%f')}")


def _to_server(file: Path, place: str, replace: bool, told: Told) -> Restored:
    with tempfile.TemporaryDirectory(prefix="ghost-") as folder, closing(Database.open(place)) as target:
        copy = Path(folder) / "ghost.db"
        _checked_copy(file, copy, told)
        with closing(Database.open_copy(copy)) as source, target.write() as connection:
            kept = None if is_empty(connection) else _before(file)
            if kept:
                if not replace:
                    raise ClaimError(
                        f"Nothing was restored: {target.name} has records. Add --replace to put the backup in their "
                        "place."
                    )
                keep_others_out(connection)  # or what they store meanwhile would be in neither

                def still_here(what: str, done: int, total: int) -> None:
                    connection.execute(select(1))  # the server ends a transaction in which nothing happens
                    told(what, done, total)

                back_up(target, kept, still_here)
            clear(connection)

            @contextmanager
            def one() -> Iterator[Connection]:
                yield connection

            return Restored(copy_records(source, one, told).rows, kept)


def _checked_copy(file: Path, copy: Path, told: Told) -> int:
    """A copy of a backup with the tables of this code, read to its end; the backup itself stays as it is."""
    _copy_file(file, copy, told)
    if why := _no_backup(copy):
        raise StoreError(f"Nothing was restored: {file} {why}")
    try:
        with closing(Database.open_copy(copy)) as database:
            if problems := database.problems():
                raise StoreError(f"Nothing was restored: {file} is damaged ({problems[0]}).")
            return digest_of(database, told).rows
    except StoreFullError:
        raise
    except StoreError as error:  # about the copy, which nobody has heard of
        raise StoreError(str(error).replace(str(copy), str(file))) from error


def _no_backup(copy: Path) -> str:
    """Why a file of SQLite is no backup that can be restored; empty when it is one."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(copy)) as connection:
        version = str((connection.execute("SELECT version_num FROM alembic_version").fetchone() or [""])[0])
        if version == UNFINISHED:
            return "holds the beginning of a copy only. Make the backup again."
        if version > HEAD:
            return f"was written by a newer Ghost (schema {version}; this one knows {HEAD}). Upgrade Ghost."
        if version:
            return ""
    return "is no backup of Ghost's: it is empty, or of another program."


def _copy_file(source: Path, target: Path, told: Told) -> None:
    """Copy an SQLite database as it is at one moment, with what its write-ahead log holds."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
    except OSError as error:
        raise folder_error(target.parent, error) from error
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(target)) as writing,
        ):
            # Within a transaction, or it would begin anew with every write of somebody else.
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
            reading.backup(
                writing, pages=_PAGES, progress=lambda _, left, total: told("Copying pages", total - left, total)
            )
    except (sqlite3.Error, UnicodeDecodeError) as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise StoreFullError(_FULL.format(target)) from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise StoreDamagedError(source, str(error), "Nothing was changed. Use another copy of it.") from error
        raise StoreError(f"{source} could not be copied to {target}: {error}. Nothing was changed.") from error


def _as_one_file(path: Path) -> None:
    """Put what the write-ahead log of a closed database holds into the file itself, and delete the log."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreError(f"{path} is in use by another program. Nothing was changed. End it first.") from error
        if code == sqlite3.SQLITE_FULL:
            raise StoreFullError(_FULL.format(path)) from error
        raise StoreDamagedError(path, str(error), "Nothing was changed.") from error


def _sweep(file: Path) -> None:
    """Remove what backups of this machine have left in the folder of this one that were killed."""
    host = current_process().partition("/")[0]
    own = re.compile(rf"(?:.+\.{re.escape(host)}~|{re.escape(file.name)}\.)(\d+)(?:~([^~]*))?\.part(?:-\w+)?")
    for left in file.parent.glob("*.part*"):
        if (found := own.fullmatch(left.name)) and not is_alive(f"{host}/{found[1]}/{found[2] or ''}"):
            with suppress(OSError):
                left.unlink()


@contextmanager
def _removed_on_failure(part: Path) -> Iterator[None]:
    try:
        yield
    finally:
        for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
            if (left := part.with_name(name)).exists():
                left.unlink()
