"""Ordinary pages with what ordinary pages have, each with the words that a reader sees."""

import json
from pathlib import Path

_FILE = Path(__file__).parent / "data" / "ordinary.jsonl"
PAGES: dict[str, tuple[str, str]] = {
    row["name"]: (row["page"], row["seen"]) for row in map(json.loads, _FILE.read_text(encoding="utf-8").splitlines())
}
