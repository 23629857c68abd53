"""Framing that asserts nothing."""

import pytest

from ghost.judges.embedded.claims.framing import unframe, without_exhortation


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


def test_a_hyphen_after_a_label_word_makes_another_word():
    assert unframe("Fact-checkers found 40 errors in the speech") == "Fact-checkers found 40 errors in the speech"
    assert unframe("Fact: honey never spoils") == "Honey never spoils"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Someone on Facebook claims the coins are made of steel", "The coins are made of steel"),
        ("A friend of mine told me that sharks never sleep", "Sharks never sleep"),
        ("People keep saying that Sweden never locked down", "Sweden never locked down"),
        ("Study: Coffee drinkers live longer", "Coffee drinkers live longer"),
        ("Report cards are sent in June", "Report cards are sent in June"),
        ("The minister said that taxes would fall", "The minister said that taxes would fall"),
    ],
)
def test_hearsay_goes_and_a_source_that_can_be_asked_stays(text: str, expected: str):
    assert unframe(text) == expected


def test_a_call_at_the_end_goes():
    assert without_exhortation("The Earth is hollow, wake up people!") == "The Earth is hollow"
    assert without_exhortation("Wake up people") == "Wake up people"
