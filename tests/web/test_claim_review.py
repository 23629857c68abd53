"""Who published a fact-check, as a reader is told."""

import pytest

from ghost.web import reviewer_named, reviewer_of
from ghost.web.claim_review import MOST


@pytest.mark.parametrize(
    ("reviewer", "url", "known", "named"),
    [
        ("Snopes", "https://www.snopes.com/a", True, "Snopes"),
        ("", "https://www.snopes.com/a", True, "www.snopes.com"),
        ("Reuters", "https://evil.test/x", False, "evil.test (calls itself Reuters; not a known fact-checker)"),
        ("", "https://evil.test/x", False, "evil.test (not a known fact-checker)"),
        ("Reuters", "https://evil.test/x", None, "evil.test (calls itself Reuters)"),
        ("", "https://evil.test/x", None, "evil.test"),
        ("Snopes", "", False, "Snopes"),
        ("", "", None, "Somebody"),
    ],
)
def test_a_page_that_is_no_known_fact_checker_is_named_by_its_host(
    reviewer: str, url: str, known: bool | None, named: str
) -> None:
    assert reviewer_named(reviewer, url, known) == named
    assert reviewer_of({"reviewer": reviewer, "url": url, "known": known}) == named


def test_a_row_of_another_version_breaks_nothing() -> None:
    assert reviewer_of({}) == "Somebody"
    assert reviewer_of({"reviewer": ["x"], "url": 7, "known": "yes"}) == "['x']"


def test_a_name_that_is_none_pushes_nothing_away() -> None:
    assert reviewer_named("R" * 999, "https://evil.test/x", False) == (
        f"evil.test (calls itself {'R' * MOST}; not a known fact-checker)"
    )
