"""Who says it, in a sentence that tells what somebody says."""

import pytest

from ghost.judges.teller import teller


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("The senator said that crime had doubled.", {"senator"}),
        ("Posts say that the agency said it.", {"post"}),
        ("According to the agency, masks are harmful.", {"agenc"}),
        ("Reports of it were many.", set()),
        ("The bridge is open.", set()),
        ("He said nothing.", set()),
        ("", set()),
    ],
)
def test_the_words_before_the_first_verb_of_saying(sentence: str, who: set[str]) -> None:
    assert teller(sentence) == who
