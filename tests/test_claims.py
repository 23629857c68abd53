"""What an analyst may hand in, beside the table of ``tests/text/test_cases.py``."""

import pytest

from ghost.errors import ClaimError
from ghost.types import Claim, site_list, tidy_claim


def test_a_huge_claim_is_refused_with_both_numbers() -> None:
    with pytest.raises(ClaimError, match="100,000 characters; at most 5,000"):
        tidy_claim(Claim("a" * 100_000), 5000)
    with pytest.raises(ClaimError, match="context"):
        tidy_claim(Claim("fine", context="a" * 5001), 5000)
    with pytest.raises(ClaimError, match="101 sites"):
        site_list(" ".join(f"s{n}.example" for n in range(101)))
    for statements, words in (
        (map(str, range(9)), "9 statements; at most 8"), (("a", "b" * 601), "Statement 2 has 601 characters"),
    ):  # fmt: skip
        with pytest.raises(ClaimError, match=words):
            tidy_claim(Claim("fine", statements=tuple(statements)), 5000)


def test_found_at_may_be_left_out_and_statements_are_kept_once() -> None:
    assert tidy_claim(Claim("fine", found_at="  "), 5000).found_at is None
    assert tidy_claim(Claim("fine", found_at=" https://a.org/x "), 5000).found_at == "https://a.org/x"
    claim = tidy_claim(Claim("fine", statements=(" The  Moon\x00 is round. ", "", "The Moon is round.", "B")), 5000)
    assert claim.statements == ("The Moon is round.", "B")


def test_a_claim_pasted_from_a_pdf_has_its_words_whole() -> None:
    text = "The coun-\ncil of Ost-\nwick de-\ncided to re-\npair the pier in 2024."
    tidy = tidy_claim(Claim(text, "A long-\nterm plan.", statements=("The coun-\r\ncil met.",)), 200)
    assert tidy.text == "The council of Ostwick decided to repair the pier in 2024."
    assert (tidy.context, tidy.statements) == ("A long-term plan.", ("The council met.",))
