"""Whoever reads that nothing was found reads where."""

import pytest

from ghost.steps import SearchCoverage
from ghost.types import Reason, ReasonCode
from ghost.web import Stage


@pytest.mark.parametrize(
    ("coverage", "words", "silent"),
    [
        (SearchCoverage(), ["the knowledge base", "only"], ["web"]),
        (SearchCoverage((Stage.TRUSTED,)), ["knowledge base", "web", "trusted sources"], ["fact-checkers", "only"]),
        (SearchCoverage(tuple(Stage)), ["trusted sources, fact-checkers and the whole web"], ["only"]),
    ],
)
def test_the_places_are_named(coverage: SearchCoverage, words: list[str], silent: list[str]) -> None:
    for text in (coverage.sentence, coverage.nothing):
        assert all(word in text.lower() for word in words)
        assert not any(word in text.lower() for word in silent)


def test_a_judge_s_reason_is_told_with_the_place() -> None:
    coverage = SearchCoverage((Stage.BROAD,))
    conflict = coverage.about(Reason(ReasonCode.CONFLICT, "They disagree.", "One more."))
    assert conflict == Reason(ReasonCode.CONFLICT, f"They disagree. {coverage.sentence}", "One more.")
    assert coverage.about(Reason(ReasonCode.NO_SOURCES, "Nothing.", "")).text == coverage.nothing
