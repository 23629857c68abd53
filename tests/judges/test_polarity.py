"""The same words with the other sign, and never a text against itself."""

import json

import seed_kb
from config import PROJECT
from ghost.judges import opposed

TABLE = PROJECT / "tests" / "data" / "signs.jsonl"
"""Passages and statements: whether they say the opposite (true), the same (false), or neither can be told (null)."""
SEEDS = [str(fact["text"]) for fact in seed_kb.SEED_FACTS[::5]]


def test_no_text_is_the_opposite_of_itself() -> None:
    assert [text for text in SEEDS if opposed(text, text)] == []


def test_no_text_is_the_opposite_of_a_part_of_itself() -> None:
    parts = [(text, clause) for text in SEEDS for clause in text.split("; ")]
    assert [part for part in parts if opposed(*part) or opposed(*reversed(part))] == []


def test_signs() -> None:
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 31
    assert [row for row in rows if opposed(row["passage"], row["statement"]) is not row["opposite"]] == []
