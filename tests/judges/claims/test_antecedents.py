"""What a pronoun at the start stands for."""

import pytest

from ghost.judges.embedded.claims.antecedents import subject_of, with_antecedent


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("The Komodo dragon is venomous", "The Komodo dragon"),
        ("Pluto was discovered in 1930", "Pluto"),
        ("Bats also sleep", "Bats"),
        ("It is old", None),
        ("No dog barks", None),
        ("Oslo, a city, is old", None),
        ("A word", None),
    ],
)
def test_the_subject_of_a_sentence(sentence: str, subject: str | None):
    assert subject_of(sentence) == subject


@pytest.mark.parametrize(
    ("sentence", "antecedent", "expected"),
    [
        ("It lives in Indonesia", "The Komodo dragon", "The Komodo dragon lives in Indonesia"),
        ("They sleep all day", "Bats", "Bats sleep all day"),
        ("It sleeps all day", "Bats", "It sleeps all day"),
        ("Rome is old", "Oslo", "Rome is old"),
        ("It", "Oslo", "It"),
    ],
)
def test_a_pronoun_is_replaced_where_the_number_fits(sentence: str, antecedent: str, expected: str):
    assert with_antecedent(sentence, antecedent) == expected
