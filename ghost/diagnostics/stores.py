"""Where the data is stored, how large it is, and whether it is intact."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ghost.jobs import Report
from ghost.knowledge import Health


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of the workbench."""

    what: str
    path: Path
    bytes: int | None
    """None when it is missing or cannot be read."""
    note: str


class CheckedKnowledge(Protocol):
    """The part of the knowledge base that a check uses."""

    def check(self) -> Health:
        """Whether database and index are intact and agree."""
        ...

    def rebuild(self, progress: Callable[[str, int, int], None] | None = None) -> int:
        """Rebuild the vector index; returns the number of vectors."""
        ...


def places(database: Path, index: Path, index_url: str) -> tuple[Place, ...]:
    """The stores of this workbench with their sizes; reads no contents."""
    log = database.with_name(database.name + "-wal")
    found = [
        Place("Database", database, size_of(database), "Passages, history, runs and batches. Back up this one."),
        Place("Write-ahead log", log, size_of(log), "The latest writes, until SQLite merges them."),
    ]  # fmt: skip
    if not index_url:
        found.append(Place("Vector index", index, size_of(index), "Chroma. It can be rebuilt from the database."))
    return tuple(found)


def size_of(path: Path) -> int | None:
    """Bytes of a file or of all files in a folder; None when it is missing or cannot be read."""
    try:
        if path.is_file():
            return path.stat().st_size
        if not path.is_dir():
            return None
        return sum((Path(folder) / name).stat().st_size for folder, _, names in os.walk(path) for name in names)
    except OSError:  # it may be changing right now
        return None


def free_bytes(path: Path) -> int | None:
    """Free bytes on the disk of a path, which need not exist yet; None when unknown."""
    for folder in (path, *path.parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None


def check_stores(knowledge: CheckedKnowledge, report: Report) -> str:
    """Read the whole database, compare it with the index, and describe the result."""
    report("Reading the whole database", 0, 0)
    health = knowledge.check()
    lines = [*health.problems]
    if health.vectors >= 0:
        counts = f"The database has {health.sql_active:,} active passages, the index {health.vectors:,} vectors"
        lines.append(f"{counts}, and both have the last write." if health.in_step else f"{counts}: they differ.")
    if not health.in_step:
        lines.append("Rebuild the index; the passages themselves are in the database.")
    if not health.problems and health.in_step:
        lines.insert(0, "All is well.")
    return " ".join(lines)


def rebuild_index(knowledge: CheckedKnowledge, report: Report) -> str:
    """Rebuild the vector index. The old one answers until then, and stays when this is stopped."""
    return f"The index was rebuilt with {knowledge.rebuild(report):,} vectors."


def size_words(size: int | None) -> str:
    """``3.4 MB``; ``–`` when it is unknown."""
    if size is None:
        return "–"
    value = float(size)
    for unit in ("bytes", "KB", "MB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit in ("bytes", "KB") else f"{value:,.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} GB"
