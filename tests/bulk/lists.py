"""Reading the results of a list."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet


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
