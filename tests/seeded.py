"""What is made once for a whole run of the tests: new databases and knowledge bases begin as copies of it."""

import hashlib
import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from config import PROJECT, Settings

if TYPE_CHECKING:
    from ghost.inference import Encoder

EMPTY = ("hashing", 384)
"""Name and dimensions of the encoder that needs no weights."""
RECORDS = "ghost.db"
BASICS = "basics"
"""The pack that the knowledge bases of the tests have: reading all of them would take each new one ten seconds."""
PACKS_OFF = ",".join(sorted(p.stem for p in (PROJECT / "packs").glob("*.jsonl") if p.stem != BASICS))


class Seeded:
    """One folder without a passage, and one for each choice of packs, in a place that the processes of a run share.

    The place is new for each run, so what other code or other packs have made is never found there.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._making = False

    def begin(self, folder: Path, encoder: "Encoder") -> None:
        """Make of a new data folder what a knowledge base with this encoder begins as.

        With an encoder that only some tests have, it is left to be made.
        """
        if self._making:
            return  # what all begin as copies of
        if encoder.name == "all-MiniLM-L6-v2":
            self.copy(folder)
        elif (encoder.name, encoder.dimensions) == EMPTY:
            _copy(self._made("empty", _make_empty), folder)

    def copy(self, target: Path, packs_off: str = PACKS_OFF) -> None:
        """Put a seeded knowledge base into a data folder that has none."""
        name = f"seeded-{hashlib.sha256(packs_off.encode()).hexdigest()[:12]}"
        _copy(self._made(name, lambda folder: _seed(folder, packs_off)), target)

    def begin_records(self, file: Path) -> None:
        """Put a database with all its tables and no record in a new file; where it cannot be, it is left to be made."""
        if self._making:
            return
        made, part = self._made("records", _make_records) / RECORDS, file.with_name(f"{file.name}.{uuid.uuid4().hex}")
        with suppress(OSError):
            try:
                shutil.copy(made, part)
                os.link(part, file)  # unless another process has made it meanwhile
            finally:
                part.unlink(missing_ok=True)

    def _made(self, name: str, make: Callable[[Path], None]) -> Path:
        made = self._place / name
        with FileLock(f"{made}.lock"):
            if not made.exists():
                part = made.with_suffix(".part")
                shutil.rmtree(part, ignore_errors=True)  # of a process that was stopped
                self._making = True
                try:
                    make(part)
                finally:
                    self._making = False
                part.rename(made)
        return made


def _copy(made: Path, target: Path) -> None:
    shutil.copytree(made, target, ignore=shutil.ignore_patterns("*.lock*"), dirs_exist_ok=True)


def _seed(folder: Path, packs_off: str) -> None:
    from ghost.workbench import build

    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GHOST_")]:
            patch.delenv(name)
        settings = Settings(data_dir=folder, packs_off=packs_off, web=False, _env_file=None)
        with build(settings, judge="embedded"):
            pass


def _make_records(folder: Path) -> None:
    from ghost.records import Database

    folder.mkdir(parents=True)
    Database.open(folder / RECORDS).close()


def _make_empty(folder: Path) -> None:
    from ghost.knowledge import CredibilityBook, KnowledgeBase
    from ghost.testing import HashingEncoder

    book = CredibilityBook({}, ())
    KnowledgeBase.open(folder / "data" / "ghost.db", folder / "chroma_db", "", HashingEncoder(), book).close()
