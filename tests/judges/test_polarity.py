"""The polarity guard: the same words with the other sign, and never a text against itself."""

import pytest

import seed_kb
from ghost.judges.polarity import guarded, opposed
from ghost.testing import REFUTING, SUPPORTING
from ghost.types import Stance

SEEDS = [str(fact["text"]) for fact in seed_kb.SEED_FACTS]


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


def test_the_impossible_side_is_moved_to_the_other() -> None:
    stance = Stance(0.8, 0.1, 0.1, 0.0)
    turned = guarded(stance, "Bats are not blind.", "Bats are blind.")
    assert turned.refutes == pytest.approx(0.82)
    assert guarded(stance, "Bats are blind.", "Bats are blind.") == stance


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("Shops in Orlen are no longer allowed to hand out thin plastic bags.", "Orlen has banned thin plastic bags."),
        ("Orlen has banned thin plastic bags.", "Orlen's shops may not hand out thin plastic bags."),
        ("Not only the north gate of Orlen was closed.", "The north gate of Orlen was closed."),
    ],
)
def test_the_denial_of_something_else_does_not_turn_a_support(passage: str, statement: str) -> None:
    assert guarded(SUPPORTING, passage, statement) == SUPPORTING


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("The bridge at Orlen did not open in 1923 but in 1932.", "The bridge at Orlen opened in 1932."),
        ("The council of Orlen said no to the plan in May.", "The council of Orlen rejected the plan in May."),
    ],
)
def test_where_other_words_stand_beside_the_same_ones_a_plain_support_is_doubted_not_turned(
    passage: str, statement: str
) -> None:
    found = guarded(Stance(0.9, 0.05, 0.05, 0.0), passage, statement)
    assert found.supports > found.refutes


@pytest.mark.parametrize(
    ("passage", "statement", "turned"),
    [
        ("Bats are not blind.", "Bats aren't blind.", True),
        ("No more than 5 people died at Orlen.", "No more than 50 people died at Orlen.", False),
        ("The bank never lent money to the harbour.", "The bank never lent money to the airport.", False),
        ("Whales are mammals rather than fish.", "Whales are mammals rather than fish.", True),
    ],
)
def test_two_denials_agree_only_in_the_very_same_words(passage: str, statement: str, turned: bool) -> None:
    found = guarded(REFUTING, passage, statement)
    assert (found.supports > found.refutes) is turned
    assert found == REFUTING or turned


@pytest.mark.parametrize(
    ("passage", "statement", "refutes"),
    [
        ("Pluto has been a dwarf planet since 2006 and is no longer counted among the eight planets of the Sun.",
         "Pluto isn't officially a planet any more.", False),
        ("Since 2006 the bridge at Orlen, once the longest of the river, is no longer open to lorries and trams.",
         "The bridge at Orlen is not open anymore.", False),
        ("Pluto has been a dwarf planet since 2006 and is counted with Eris, Ceres and others beyond the planets.",
         "Pluto isn't officially a planet any more.", True),
        ("Eris was found in 2005, and since then Neptune is no longer the last thing that anybody looks for out there.",
         "Pluto isn't officially a planet any more.", True),
    ],
)  # fmt: skip
def test_what_is_no_longer_so_does_not_refute_that_it_is_not_so_any_more(
    passage: str, statement: str, refutes: bool
) -> None:
    found = guarded(REFUTING, passage, statement)
    assert (found.refutes > found.supports) is refutes
