"""What every measurement needs: progress, percentiles, and a result that says on what it was measured."""

import hashlib
import importlib.util
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from config import ADDRESSES, PROJECT, Settings
from ghost.text import server_of

T = TypeVar("T")
A = TypeVar("A")
PACKAGES = "chromadb numpy onnxruntime SQLAlchemy streamlit tokenizers torch sentence-transformers transformers".split()


class NotMeasured(Exception):
    """Something cannot be measured here; the message says why and what it needs."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to measure quality."""

    limit: int = 0
    """So many claims or pairs, drawn by the seed; 0 takes all."""
    seed: int = 1
    """Draws the sample and the resamples of the intervals."""
    workers: int = 1
    """Claims at a time."""
    judge: str | None = None
    """None: as the settings say."""
    command: str = ""
    """What was typed, without folders."""


def head(benchmark: str, command: str, settings: Settings | None = None, **more: Any) -> dict[str, Any]:
    """How each result begins: when, how and on what it was measured; nothing that names a folder of this machine."""
    return {
        "benchmark": benchmark,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "machine": machine(),
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}},
        "settings": changed_settings(settings) if settings else {},
        "code": code(),
        **more,
    }


def write_json(result: dict[str, Any], target: Path) -> None:
    """Write the result beside the target first, so that an earlier one is kept until this one is whole."""
    beside = target.with_name(target.name + ".part")
    beside.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(target)


def machine() -> dict[str, Any]:
    """Processor, cores that we may use, system, and how busy it is before anything is measured."""
    return {
        "cpu": _processor(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_average": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that are not as they come; no secrets, and nothing that names this machine."""
    kept = {"openai_api_key", "data_dir", "database_url", "chroma_url", "host", "port", "judge"}
    now = settings.model_dump(mode="json", exclude=kept)
    plain = {name: field.get_default() for name, field in Settings.model_fields.items()}
    changed = {name: value for name, value in now.items() if value != _json(plain[name])}
    return {name: server_of(value) if name in ADDRESSES else value for name, value in changed.items()}


def code() -> str:
    """Checksum of the program itself: other code may give other answers."""
    digest = hashlib.sha256()
    for path in sorted((PROJECT / "ghost").rglob("*.py")):
        digest.update(path.relative_to(PROJECT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def installed(module: str) -> bool:
    """Whether a package can be imported, without importing it."""
    return importlib.util.find_spec(module) is not None


def percentile(values: Sequence[float], q: float) -> float:
    """The ``q``-th percentile (0..100), between two values by linear interpolation."""
    return float(np.percentile(values, q))


def side_by_side(work: Callable[[T], A], rows: Sequence[T], workers: int, what: str) -> list[A]:
    """What came of each row, in their order, so many at a time; an exception of ``work`` ends everything."""
    found: list[A] = []
    progress, pool = Progress(), ThreadPoolExecutor(workers, thread_name_prefix="bench")
    try:
        for one in pool.map(work, rows):
            found.append(one)
            progress(what, len(found), len(rows))
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def say(text: str) -> None:
    """A line for the person, beside the output."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Progress:
    """``progress(what, done, total)`` for long work: one line that writes over itself, or a line now and then."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._terminal = sys.stderr.isatty()
        self._every = 0.1 if self._terminal else 5.0  # seconds between two reports

    def __call__(self, what: str, done: int, total: int) -> None:
        now, last = time.monotonic(), done >= total
        if not last and now - self._shown < self._every:
            return
        self._shown = now
        if self._terminal:
            end = "\n" if last else ""
            print(f"\r\x1b[Kbench: {what} {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)
        else:
            say(f"{what} {done:,} of {total:,}")


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or "unknown"
