"""Writing a list, and reading its results."""

import csv
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

SECONDS = 240.0


def rows(out: Path) -> list[dict[str, Any]]:
    """All results in the order of the list, without what differs from time to time."""
    found: list[dict[str, Any]] = []
    for file in (out / "results").glob("*.parquet"):
        found += parquet.read_table(file).to_pylist()
    for row in found:
        del row["checked_at"], row["run_id"]
        whole = json.loads(row.pop("result") or "{}")
        row["label"] = (whole.get("verdict") or {}).get("label", "repeat")
    return sorted(found, key=lambda row: row["line"])


def written(file: Path, lines: Sequence[str]) -> Path:
    """The claims as a CSV; their ids are ``c0``, ``c1`` and so on."""
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "claim"), *((f"c{n}", line) for n, line in enumerate(lines))])
    return file


def wait(reached: Callable[[], bool]) -> None:
    """Until it is."""
    deadline = time.monotonic() + SECONDS
    while not reached():
        assert time.monotonic() < deadline, "never reached"
        time.sleep(0.02)
