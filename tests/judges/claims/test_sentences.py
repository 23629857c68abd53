"""Trimming and sentences."""

import pytest

from ghost.judges.embedded.claims.sentences import sentences, trim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elvis is alive!!! 😱 #elvis https://x.org/a", "Elvis is alive"),
        ("@bob: the Earth is hollow", "the Earth is hollow"),
        ("#5G causes cancer", "5G causes cancer"),
        ("“The Earth is round”", "The Earth is round"),
        ("The price rose by 5%.", "The price rose by 5%."),
        ("C++ and C# are languages", "C++ and C# are languages"),
        ("-273 degrees is absolute zero", "-273 degrees is absolute zero"),
    ],
)
def test_trim(text: str, expected: str):
    assert trim(text) == expected


def test_sentences_do_not_end_at_abbreviations_and_decimals():
    text = "Dr. Smith weighs 80.5 kg. The U.S. has 50 states. J. R. R. Tolkien wrote it!"
    assert sentences(text) == ["Dr. Smith weighs 80.5 kg.", "The U.S. has 50 states.", "J. R. R. Tolkien wrote it!"]


def test_list_marks_are_taken_off_and_lists_cut():
    assert sentences(trim("- Gold does not rust - Silver is softer than iron")) == [
        "Gold does not rust",
        "Silver is softer than iron",
    ]
    assert trim("2) Bulls hate red") == "Bulls hate red"
    assert sentences("The score was 3 - 2 after extra time") == ["The score was 3 - 2 after extra time"]
