"""Which published fact-checks are about a statement, and which may count."""

from datetime import UTC, datetime

import pytest

from ghost.knowledge.credibility import CredibilityBook
from ghost.steps.fact_checks import as_evidence, matching
from ghost.testing import ON_TOPIC, REFUTING, HashingEncoder, ScriptedReader
from ghost.types import Origin, Statement
from ghost.web.claim_review import ClaimReview

BOOK = CredibilityBook({"snopes.com": 0.95}, ("snopes.com",))
SAID = [Statement(1, "Honey spoils after ten years."), Statement(2, "Bees sleep in winter.")]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def review(claim: str = "Honey spoils after ten years", rating: str = "False", url: str = "https://snopes.com/h"):
    return ClaimReview(claim, rating, "Snopes", url)


def matched(one: ClaimReview, reader: ScriptedReader | None = None):
    return matching([one], SAID, HashingEncoder(), reader or ScriptedReader(lambda text, statement: ON_TOPIC))


def test_a_fact_check_of_the_statement_is_evidence_in_its_own_words() -> None:
    found = as_evidence(matched(review()), BOOK, NOW)
    assert [f.statement for f, _ in found] == [1]
    assert found[0][1].text == "Snopes rated the claim “Honey spoils after ten years” as False."
    assert found[0][1].origin is Origin.FACT_CHECK
    assert found[0][0].passage.credibility == 0.95


@pytest.mark.parametrize("claim", ["Comets are made of cheese and rope", "Honey does not spoil after ten years"])
def test_a_fact_check_of_something_else_or_of_the_opposite_is_none(claim: str) -> None:
    assert matched(review(claim)) == []


def test_what_the_stance_model_reads_as_the_opposite_is_none() -> None:
    assert matched(review(), ScriptedReader(lambda text, statement: REFUTING)) == []


@pytest.mark.parametrize(
    "one",
    [review(url="https://anybody.example/h"), review(url=""), review(rating="Four Pinocchios")],
    ids=["no fact-checker", "no address", "own words"],
)
def test_only_known_fact_checkers_and_usual_ratings_count(one: ClaimReview) -> None:
    assert matched(one)
    assert as_evidence(matched(one), BOOK, NOW) == []
