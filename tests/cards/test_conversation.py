"""What a question means by itself, and where the rules leave it as it was asked."""

import json
from pathlib import Path

import pytest

from ghost.cards import understand
from ghost.types import Turn

FOLLOW_UPS = Path(__file__).parent.parent / "data" / "follow_ups.jsonl"


def test_follow_ups_are_mended_only_where_that_is_plain() -> None:
    wrong = []
    for row in map(json.loads, FOLLOW_UPS.read_text(encoding="utf-8").splitlines()):
        found = understand(row["question"], [Turn(row["last"], "")] if row["last"] else [])
        got = (found.text, found.kind.value, found.context == row["last"] if row.get("leans") else not found.context)
        if got != (row["text"], row["kind"], True):
            wrong.append((row["question"], row["last"], found))
    assert not wrong


@pytest.mark.parametrize("question", ["", "?", "And", "and " + "x " * 5000, "And \x00?", "🦆", "And (((((((((((?"])
def test_anything_can_be_asked(question: str) -> None:
    assert understand(question, [Turn("Is the Earth flat in Germany?", "")]).text == question
