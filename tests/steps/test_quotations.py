"""Quotations are found whatever marks they stand in, and apostrophes are none."""

import pytest

from ghost.steps.gate.sentences import quotations, unquoted

WORDS = "the bridge collapsed"


@pytest.mark.parametrize(
    "marks",
    [
        "“”",
        "„“",
        "„”",
        '""',
        '„"',
        "«»",
        "»«",
        "‹›",
        "「」",
        "『』",
        "〝〞",
        "＂＂",
        "``",
        "''",
        "‘’",
        "‚‘",
        "´´",
        "””",
    ],
)
def test_every_kind_of_marks_is_known(marks: str) -> None:
    start, end = marks[0], marks[-1]
    text = f"The agency says {start}{WORDS}{end} in May [1]."
    assert quotations(text) == [WORDS]
    assert WORDS not in unquoted(text)


@pytest.mark.parametrize(
    "text",
    [
        "The city's mayor didn't say that the drivers' union agreed.",
        "It was the '90s, and the '80s had been no better.",
        "Rock 'n' roll, or ‘roll’ alone.",
        'A pipe of 5" beside one of 7" broke.',
        "The owners' and the drivers' unions agreed.",
    ],
)
def test_apostrophes_and_inches_are_no_quotations(text: str) -> None:
    assert quotations(text) == []
    assert unquoted(text) == text


def test_what_stands_inside_belongs_to_the_quotation() -> None:
    assert quotations("He says ‘it isn't so, it's over’ and left.") == ["it isn't so, it's over"]
    assert quotations("She says “he called it ‘a great day’ twice”.") == ["he called it ‘a great day’ twice"]


@pytest.mark.parametrize("text", [f"The agency says “{WORDS}.", f'The agency says "{WORDS}.', f"Sie sagt „{WORDS}."])
def test_what_nobody_closes_goes_on_to_the_end(text: str) -> None:
    assert quotations(text) == [f"{WORDS}."]


def test_a_closed_quotation_leaves_nothing_open() -> None:
    assert quotations("Er sagt „der Turm steht noch“, sie “he does”, and that is all.") == [
        "der Turm steht noch",
        "he does",
    ]
