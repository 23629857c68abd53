"""The folder of a long list: what is to be checked, what has been, and what failed. Every file is whole or not there.

DIR/manifest.json      the list, the settings and the models, and how many lines there are
DIR/claims/            the claims in parts, as they are checked
DIR/repeats/           for each part the lines that say what an earlier line says, and which
DIR/results/           the verdicts: one Parquet file for each part, and one for the lines in it that repeat others
DIR/failures/, DIR/failures.jsonl   lines without a verdict, each with the reason
"""

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ghost.errors import GhostError, StoreFullError
from ghost.text import write_whole

MANIFEST = "manifest.json"
PLAN = "plan.sqlite"
FAILURES = "failures.jsonl"
_LOCK = {"ghost.lock", "ghost.owner"}
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


class BulkFolder:
    """The files of one list. Parts have numbers from 0."""

    def __init__(self, path: Path) -> None:
        """Nothing is made yet."""
        self.path = path

    def make(self) -> None:
        """Make the folder, which must be empty or hold a list of ours. Raises GhostError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            there = {file.name for file in self.path.iterdir()} - _LOCK
        except OSError as error:
            raise self._explain(error, self.path) from error
        if there and not there & {MANIFEST, PLAN}:
            raise GhostError(f"{self.path} holds other files. Name an empty folder, or one that is not there yet.")

    @property
    def manifest(self) -> dict[str, Any] | None:
        """What the list was begun with; None when its plan is not complete."""
        try:
            found: dict[str, Any] = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
            return found
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise GhostError(f"{self.path / MANIFEST} cannot be read: {error}") from error

    def write_manifest(self, values: dict[str, Any]) -> None:
        """Keep it; from then on the list is planned."""
        self.write(MANIFEST, [json.dumps(values, indent=2, ensure_ascii=False).encode()])

    def claims(self, part: int) -> Path:
        """Where the claims of a part are."""
        return self.path / "claims" / f"part-{part:06}.parquet"

    def repeats(self, part: int) -> Path:
        """Where it says which lines of a part repeat earlier ones."""
        return self.path / "repeats" / f"part-{part:06}.json"

    def results(self, part: int, kind: str = "part") -> Path:
        """Where the verdicts of a part are; ``kind`` is ``part``, or ``repeats`` for the lines that repeat others."""
        return self.path / "results" / f"{kind}-{part:06}.parquet"

    def refused(self, part: int) -> Path:
        """Where the lines of a part are that cannot be checked."""
        return self.path / "failures" / f"refused-{part:06}.jsonl"

    def failures(self, part: int, kind: str = "part") -> Path:
        """Where the lines of a part are that were checked and have no verdict; ``kind`` as for ``results``."""
        return self.path / "failures" / f"{kind}-{part:06}.jsonl"

    def write(self, place: Path | str, pieces: Iterable[bytes]) -> None:
        """Write a file whole, or not at all. Raises GhostError, StoreFullError when the disk is full."""
        file = self.path / place
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, pieces)
        except OSError as error:
            raise self._explain(error, file) from error

    def begin_anew(self) -> None:
        """Remove what a plan that was cut off has left."""
        for kind in ("claims/part", "repeats/part", "failures/refused"):
            for file in self.path.glob(f"{kind}-*"):
                file.unlink()
        for end in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                (self.path / f"{PLAN}{end}").unlink()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Within this, what goes wrong with a file of the folder is a GhostError that says what to do."""
        try:
            yield
        except sqlite3.Error as error:
            full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
            number = errno.ENOSPC if full else None
            raise self._explain(OSError(number, str(error)), self.path / PLAN) from error
        except OSError as error:
            raise self._explain(error, Path(error.filename or self.path)) from error

    def all_failures(self, parts: int) -> Iterator[bytes]:
        """What has no verdict, part by part."""
        for part in range(parts):
            for file in (self.refused(part), self.failures(part), self.failures(part, "repeats")):
                with suppress(FileNotFoundError):
                    yield file.read_bytes()

    def _explain(self, error: OSError, file: Path) -> GhostError:
        if error.errno in _FULL:
            return StoreFullError(
                f"The disk with {file} is full. What was checked is kept: free some space and start the same command "
                "again."
            )
        return GhostError(
            f"{file} cannot be used ({error.strerror or error}). Give yourself the right to write there, or name "
            "another folder."
        )
