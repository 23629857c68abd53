"""Where the data lies, how much there is of it, and whether it is sound."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ghost.jobs import Progress
from ghost.knowledge import Health


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of ours."""

    what: str
    path: Path
    bytes: int | None
    """None when it is not there or cannot be read."""
    note: str


class Checked(Protocol):
    """What a check needs of the knowledge base."""

    def check(self) -> Health:
        """Whether database and index are sound and agree."""
        ...

    def rebuild(self, progress: Callable[[str, int, int], None] | None = None) -> int:
        """Make the vector index anew; returns the number of vectors."""
        ...


def places(database: Path, index: Path, index_url: str) -> tuple[Place, ...]:
    """The stores of this workbench with their sizes; looks at names and sizes only."""
    log = database.with_name(database.name + "-wal")
    found = [
        Place("Database", database, size_of(database), "Passages, history, runs, batches. The truth: back it up."),
        Place("Its write-ahead log", log, size_of(log), "The newest writes, until SQLite moves them over."),
    ]  # fmt: skip
    if not index_url:
        found.append(Place("Vector index", index, size_of(index), "Chroma. It can be built again from the database."))
    return tuple(found)


def size_of(path: Path) -> int | None:
    """Bytes of a file, or of all files below a folder; None when it is not there or cannot be read."""
    try:
        if path.is_file():
            return path.stat().st_size
        if not path.is_dir():
            return None
        return sum((Path(folder) / name).stat().st_size for folder, _, names in os.walk(path) for name in names)
    except OSError:  # it may be written to at this moment
        return None


def room_left(path: Path) -> int | None:
    """Free bytes of the disk that a path is on, or will be; None when nobody can tell."""
    for folder in (path, *path.parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None


def check(knowledge: Checked, progress: Progress) -> str:
    """Read the whole database and compare it with the index; what was found, in words."""
    progress("Reading the whole database", 0, 0)
    health = knowledge.check()
    said = [*health.problems]
    if health.vectors >= 0:
        agree = f"The database has {health.sql_active:,} active passages, the index {health.vectors:,} vectors"
        said.append(f"{agree}, and the last write is in both." if health.in_step else f"{agree}: they are not in step.")
    if not health.in_step:
        said.append("Rebuild the index; the passages themselves are in the database.")
    if not health.problems and health.in_step:
        said.insert(0, "All is well.")
    return " ".join(said)


def rebuild(knowledge: Checked, progress: Progress) -> str:
    """Make the vector index anew; the old one answers until then, and stays when this is stopped."""
    return f"The index was built again with {knowledge.rebuild(progress):,} vectors."


def bytes_in_words(size: int | None) -> str:
    """``3.4 MB``; ``–`` when nobody knows."""
    if size is None:
        return "–"
    value = float(size)
    for unit in ("bytes", "KB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:,.0f} {unit}" if unit in ("bytes", "KB") else f"{value:,.1f} {unit}"
        value /= 1000
    return ""
