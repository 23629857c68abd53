"""Whoever reads that nothing was found reads where."""

import pytest

from ghost.steps import HOME_ONLY, Looked
from ghost.types import Reason, ReasonCode
from ghost.web import Stage


@pytest.mark.parametrize(
    ("looked", "words", "silent"),
    [
        (HOME_ONLY, ["the knowledge base", "only"], ["web"]),
        (Looked((Stage.TRUSTED,)), ["knowledge base", "web", "trusted sources"], ["fact-checkers", "only"]),
        (Looked(tuple(Stage)), ["trusted sources, fact-checkers and the whole web"], ["only"]),
    ],
)
def test_the_places_are_named(looked: Looked, words: list[str], silent: list[str]) -> None:
    for text in (looked.sentence, looked.nothing):
        assert all(word in text.lower() for word in words)
        assert not any(word in text.lower() for word in silent)


def test_a_judge_s_reason_is_told_with_the_place() -> None:
    looked = Looked((Stage.BROAD,))
    conflict = looked.about(Reason(ReasonCode.CONFLICT, "They disagree.", "One more."))
    assert conflict == Reason(ReasonCode.CONFLICT, f"They disagree. {looked.sentence}", "One more.")
    assert looked.about(Reason(ReasonCode.NO_SOURCES, "Nothing.", "")).text == looked.nothing
