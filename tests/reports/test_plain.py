"""What every report says in the same words."""

import pytest

from ghost.reports import HIGH, confidence, leaning
from ghost.types import DECIDED, Label, Leaning


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.6, "Medium confidence (60%)"), (HIGH - 0.01, "Medium confidence (84%)"), (HIGH, "High confidence (85%)"),
        (0.999, "High confidence (99%)"), (1.0, "High confidence (100%)"), (None, ""),
    ],
)  # fmt: skip
def test_confidence_is_said_in_words_with_its_number(probability: float | None, words: str) -> None:
    assert confidence(probability) == words


@pytest.mark.parametrize("label", DECIDED)
def test_a_leaning_names_what_it_leans_to_and_no_number(label: Label) -> None:
    assert leaning(Leaning(label, 0.55)) == f"leans towards {label.lower()}"


def test_without_a_leaning_nothing_is_said() -> None:
    assert leaning(None) == ""
