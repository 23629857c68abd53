"""A number of the world must stand in what a sentence leans on; how many sources there are, the judge may count."""

import pytest

from ghost.steps.gate.numbers import stray_number

PASSAGE = "The bridge was closed in March."


@pytest.mark.parametrize(
    ("own", "stray"),
    [
        ("Nine people died.", "Nine"),
        ("The nine drivers died.", "nine"),
        ("Two of the drivers died.", "Two"),
        ("Half of the people died.", "Half"),
        ("A third of the people died.", "A third"),
        ("Two thirds of the people died.", "Two thirds"),
        ("It was closed twice.", "twice"),
        ("It has been closed for three years.", "three"),
        ("Nine people report that it was closed.", "Nine"),
        ("Two other drivers died.", "Two"),
        ("Both statements name seven bridges.", "seven"),
        ("² people died.", "²"),
        ("⅔ of them were women.", "⅔"),
        ("2½ people died.", "2½"),
        ("Ⅳ people died.", "Ⅳ"),
        ("Forty-one people died.", "Forty-one"),
        ("12 people died.", "12"),
        ("A hundred people died.", "hundred"),
    ],
)
def test_a_number_that_stands_nowhere_is_found(own: str, stray: str) -> None:
    assert stray_number(own, PASSAGE, PASSAGE) == stray


@pytest.mark.parametrize(
    "own",
    [
        "Two sources say that it was closed.",
        "Three independent news reports agree.",
        "Two of the three sources say so, and both of them are old.",
        "Two of them say that it was closed.",
        "The two agree.",
        "The other two do not say.",
        "All three say the same.",
        "One of the bridges was closed.",
        "The claim mixes up two bridges.",
        "The claim is half true.",
        "It was closed in the first half of the year.",
        "A third source says the same.",
        "Half of the sources say so.",
        "The second half of the claim is open.",
        "It covers the whole km² of the bridge.",
    ],
)
def test_what_counts_the_evidence_is_none(own: str) -> None:
    assert stray_number(own, PASSAGE, PASSAGE) == ""


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("Nine people died.", "In all 9 people died."),
        ("9 people died.", "In all nine people died."),
        ("Twelve people died.", "In all 12 people died."),
        ("42 people died.", "Forty-two people died."),
        ("Half of them died.", "50 percent of them died."),
        ("Half of them died.", "½ of them died."),
        ("Two thirds of them died.", "⅔ of them died."),
        ("A quarter of them died.", "1/4 of them died."),
        ("It lasted 2½ years.", "It lasted 2.5 years."),
        ("It was twice as large.", "It was double the size."),
        ("It rose twice.", "It rose a second time."),
        ("It covers 5 km².", "It covers 5 square kilometres."),
    ],
)
def test_a_number_may_be_written_in_another_way(own: str, said: str) -> None:
    assert stray_number(own, said, said) == ""


def test_small_words_may_stand_anywhere_in_what_was_read_and_figures_in_what_is_quoted() -> None:
    rest = "Nine people died. It is 21,196 kilometres long."
    assert stray_number("Nine people died.", PASSAGE, f"{PASSAGE} {rest}") == ""
    assert stray_number("It is 21,196 kilometres long.", PASSAGE, f"{PASSAGE} {rest}") == "21,196"
    assert stray_number("Forty people died.", "Forty-two people died.", "") == "Forty"
