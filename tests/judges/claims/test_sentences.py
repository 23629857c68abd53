"""Trimming, framing, sentences and clauses."""

import pytest

from ghost.judges.claims.clauses import clauses
from ghost.judges.claims.sentences import sentences, trim, unframe


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Did you know that bananas are berries?", "Bananas are berries"),
        ("Breaking: volcano erupts in Iceland", "Volcano erupts in Iceland"),
        ("According to experts, the ice is melting", "The ice is melting"),
        ("According to NASA, the ice is melting", "According to NASA, the ice is melting"),
        ("It is not true that the Earth is flat", "It is not true that the Earth is flat"),
        ("Most scientists say that the Earth is warming", "Most scientists say that the Earth is warming"),
        ("People believe in ghosts", "People believe in ghosts"),
        ("So far 12 people have walked on the Moon", "So far 12 people have walked on the Moon"),
        ("I think iPhones are made in China, don't you know", "iPhones are made in China, don't you know"),
    ],
)
def test_framing_that_asserts_nothing_goes_and_the_rest_stays(text: str, expected: str):
    assert unframe(text) == expected


def test_sentences_do_not_end_at_abbreviations_and_decimals():
    text = "Dr. Smith weighs 80.5 kg. The U.S. has 50 states. J. R. R. Tolkien wrote it!"
    assert sentences(text) == ["Dr. Smith weighs 80.5 kg.", "The U.S. has 50 states.", "J. R. R. Tolkien wrote it!"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Napoleon was short and died on Saint Helena", ["Napoleon was short", "Napoleon died on Saint Helena"]),
        ("In 2019, Oslo was rich and Rome was poor", ["In 2019, Oslo was rich", "In 2019, Rome was poor"]),
        ("The whale is a mammal and it has lungs", ["The whale is a mammal", "The whale has lungs"]),
        ("Anna met Mary and she was happy", ["Anna met Mary and she was happy"]),
        ("Marie Curie was famous and won two of them", ["Marie Curie was famous and won two of them"]),
        ("The whale is a mammal and the largest animal known ever to have lived",
         ["The whale is a mammal and the largest animal known ever to have lived"]),
    ],
)  # fmt: skip
def test_clauses(text: str, parts: list[str]):
    assert clauses(text) == parts
