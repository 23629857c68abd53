"""The same words with the other sign, and never a text against itself."""

import pytest

import seed_kb
from ghost.judges import opposed

SEEDS = [str(fact["text"]) for fact in seed_kb.SEED_FACTS[::5]]


def test_no_text_is_the_opposite_of_itself() -> None:
    assert [text for text in SEEDS if opposed(text, text)] == []


def test_no_text_is_the_opposite_of_a_part_of_itself() -> None:
    parts = [(text, clause) for text in SEEDS for clause in text.split("; ")]
    assert [part for part in parts if opposed(*part) or opposed(*reversed(part))] == []


@pytest.mark.parametrize(
    ("passage", "statement", "opposite"),
    [
        ("Bats are not blind.", "Bats are blind.", True),
        ("Bats are blind.", "Bats are not blind.", True),
        ("Bats are not blind.", "Bats aren't blind.", False),
        ("Bats are blind.", "Bats are blind.", None),
        ("The satellite no longer sends data.", "The satellite has stopped sending data.", False),
        ("The satellite sends data every day.", "The satellite has stopped sending data.", True),
        ("The satellite has not stopped sending data.", "The satellite has stopped sending data.", True),
        ("The satellite has not stopped sending data.", "The satellite sends data.", None),
        ("Masks stop the virus.", "Masks do not stop the virus.", True),
        (
            "Sirius is the brightest star in the sky; the North Star is not the brightest star.",
            "The North Star is not the brightest star in the sky.",
            False,
        ),
        ("Bats are not blind; all bats can see well.", "Bats are blind.", True),
        ("Bats are not blind; all bats can see well.", "All bats can see well.", None),
        ("All bats can see well.", "Bats are not blind; all bats can see well.", None),
        ("All bats can see well.", "Bats never fly; bats cannot see well.", True),
        ("A light-year is a distance, not a time.", "A light-year is a time.", True),
        ("A light-year is a distance, not a time.", "A light-year is a distance.", False),
        ("A light-year is a distance, not a time.", "A light-year is a distance rather than a time.", False),
        ("A light-year is a time.", "A light-year is a distance, not a time.", True),
        ("Whales are mammals rather than fish.", "Whales are mammals rather than fish.", False),
        ("Whales are mammals rather than fish.", "Whales are fish.", True),
        ("Whales breathe air.", "Sharks have no bones.", None),
        ("Bologna is the oldest university.", "No university is older than Bologna.", None),
        ("No spider is more poisonous than the wolf spider.", "The wolf spider is the most poisonous spider.", None),
        ("No tree is older than the oak.", "No tree is older than the oak.", False),
        ("The Orlen Man was a hoax.", "The Orlen Man was a fake.", None),
        ("Women could not vote in Orlen until 1971.", "Women could vote in Orlen in 1971.", None),
        ("Nothing but the church of Orlen survived the fire.", "The church of Orlen survived the fire.", None),
        ("The ban is no longer in force in Orlen.", "The ban was in force in Orlen.", None),
        ("The ban is no longer in force in Orlen.", "The ban is in force in Orlen.", True),
        ("The pool never opened in May, and it was sold in July.", "The pool was sold in July.", None),
        ("Yes.", "No.", None),
    ],
)
def test_signs(passage: str, statement: str, opposite: bool | None) -> None:
    assert opposed(passage, statement) is opposite
