"""A tiny corpus with claims about it, as files."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


DOCUMENTS, CLAIMS, PAIRS = _rows("documents"), _rows("claims"), _rows("pairs")


def write(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Rows as JSON lines."""
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file
