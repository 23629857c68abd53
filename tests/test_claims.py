"""What an analyst may hand in."""

import pytest

from ghost.claims import tidy_claim, tidy_text
from ghost.errors import ClaimError
from ghost.types import Claim


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x01", "\u200b\u200b", "\ufeff"])
def test_a_claim_without_text_is_refused(text: str) -> None:
    with pytest.raises(ClaimError, match="no claim"):
        tidy_claim(Claim(text), 5000)


def test_a_huge_claim_is_refused_with_both_numbers() -> None:
    with pytest.raises(ClaimError, match="100,000 characters; at most 5,000"):
        tidy_claim(Claim("a" * 100_000), 5000)
    with pytest.raises(ClaimError, match="context"):
        tidy_claim(Claim("fine", context="a" * 5001), 5000)


def test_control_and_invisible_characters_go_and_the_rest_stays() -> None:
    assert tidy_text("The\x00 Moon\u200b  is\n\tround\ud800.") == "The Moon is round."
    assert tidy_text("<b>Bold</b> *claim* & more 🧪") == "<b>Bold</b> *claim* & more 🧪"
    assert tidy_text("Die Erde ist größer als der Mond") == "Die Erde ist größer als der Mond"
    assert tidy_text("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "ftp://a.org", "example.org", "http://", "https://[", "http://" + "a" * 3000]
)
def test_found_at_must_be_a_web_address(url: str) -> None:
    with pytest.raises(ClaimError, match="http"):
        tidy_claim(Claim("fine", found_at=url), 5000)


def test_found_at_may_be_left_out() -> None:
    assert tidy_claim(Claim("fine", found_at="  "), 5000).found_at is None
    assert tidy_claim(Claim("fine", found_at=" https://a.org/x "), 5000).found_at == "https://a.org/x"
