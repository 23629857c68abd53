"""What a question means by itself, and where the rules leave it as it was asked."""

import json
from pathlib import Path

import pytest

from ghost.cards import leans_on_others, understand
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


LEANING = [
    "And in Luke?", "What is the evidence?", "Why?", "Which sources say so?", "How do you know?", "Says who?",
    "What about Mark?", "Who says that?", "Is that so?", "Really?", "Are you sure?", "Does it also hold for women?",
    "What does he say?", "Was he born in Hawaii?", "And in Luke", "Is the claim true?", "Did Newton prove it?",
]  # fmt: skip
STANDING = [
    "Is it true that dogs purr?", "Is there evidence that dogs purr?", "Do children inherit the colour of their eyes?",
    "What did Caesar say when he died?", "Bees communicate with their dances.", "Andorra is a country.",
    "Did a global flood cover the entire Earth?", "What evidence is there that smoking causes cancer?",
]  # fmt: skip


def test_a_question_leans_on_others_where_it_says_nothing_without_them() -> None:
    assert [q for q in LEANING if not leans_on_others(q)] == []
    assert [q for q in STANDING if leans_on_others(q)] == []
