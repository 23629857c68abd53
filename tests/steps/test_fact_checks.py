"""Which published fact-checks are about a statement, and which may count."""

from datetime import UTC, datetime

import pytest

from ghost.knowledge import CredibilityBook
from ghost.steps.investigate.fact_checks import match_reviews, reviews_as_evidence
from ghost.steps.investigate.report import review_row
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, HashingEncoder, ScriptedReader
from ghost.types import Origin, StanceLabel, Statement
from ghost.web import ClaimReview

BOOK = CredibilityBook({"snopes.com": 0.95}, ("snopes.com",))
SAID = [Statement(1, "Honey spoils after ten years."), Statement(2, "Bees sleep in winter.")]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def review(claim: str = "Honey spoils after ten years", rating: str = "False", url: str = "https://snopes.com/h"):
    return ClaimReview(claim, rating, "Snopes", url)


def matched(one: ClaimReview, reader: ScriptedReader | None = None):
    return match_reviews([one], SAID, HashingEncoder(), reader or ScriptedReader(lambda text, statement: ON_TOPIC))


def test_a_fact_check_of_the_statement_is_evidence_in_its_own_words() -> None:
    found = reviews_as_evidence(matched(review()), BOOK, NOW)
    assert [f.statement for f, _ in found] == [1]
    assert found[0][1].text == "Snopes rated the claim “Honey spoils after ten years” as False."
    assert found[0][1].origin is Origin.FACT_CHECK
    assert found[0][0].passage.credibility == 0.95


def test_a_fact_check_of_something_else_is_none() -> None:
    assert matched(review("Comets are made of cheese and rope")) == []


def test_what_the_stance_model_reads_as_the_opposite_is_none() -> None:
    assert matched(review(), ScriptedReader(lambda text, statement: REFUTING)) == []


@pytest.mark.parametrize(
    "one",
    [review(url="https://anybody.example/h"), review(url=""), review(rating="See the article")],
    ids=["no fact-checker", "no address", "own words"],
)
def test_only_known_fact_checkers_and_usual_ratings_count(one: ClaimReview) -> None:
    assert matched(one)
    assert reviews_as_evidence(matched(one), BOOK, NOW) == []


def test_a_check_of_another_claim_on_the_event_is_evidence_but_not_shown_as_a_check_of_this_one() -> None:
    other = review("Honey spoils after two years")
    found = matched(other, ScriptedReader(lambda text, statement: SUPPORTING))
    assert [m.same for m in found] == [False]
    assert review_row(other, found, BOOK)["statement"] == 0
    assert len(reviews_as_evidence(found, BOOK, NOW)) == 1
    open_ = matched(other)
    assert [f.stance.label for f, _ in reviews_as_evidence(open_, BOOK, NOW)] == [StanceLabel.NEUTRAL]


def test_a_check_of_this_claim_is_shown_as_one() -> None:
    assert review_row(review(), matched(review()), BOOK)["statement"] == 1


def test_half_true_is_evidence_without_a_side() -> None:
    ((found, _),) = reviews_as_evidence(matched(review(rating="Half true")), BOOK, NOW)
    assert found.stance.label is StanceLabel.NEUTRAL
