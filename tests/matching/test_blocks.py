"""Which claims of a long list are held against each other."""

import pytest

from ghost.matching import block_keys

CLAIM = "The river bridge in Corbaford was closed for repairs in 1998."


@pytest.mark.parametrize(
    ("other", "together"),
    [
        ("In 1998 the Corbaford river bridge was closed for repairs.", True),  # other order, other small words
        ("Is it true that the river bridge in Corbaford was closed for repairs in 1998?", True),
        ("The river bridge in Corbaford was shut for repairs in 1998.", True),  # one word is another
        ("The river bridge in Corbaford was closed in 1998.", True),  # one word less
        ("The river bridge in Corbaford was closed for repairs in 1999.", False),  # never the figure
        ("The old river bridge was shut for repairs in 1998.", False),  # two words
        ("", False),
    ],
)
def test_claims_that_may_say_the_same_share_a_key(other: str, together: bool) -> None:
    assert bool(set(block_keys(CLAIM)) & set(block_keys(other))) is together


def test_short_claims_share_a_key_only_with_the_same_words() -> None:
    assert len(block_keys("Bats are blind.")) == 1
    assert set(block_keys("Blind are bats.")) == set(block_keys("Bats are blind."))
