"""A conversation as Markdown: what it says, and that nothing from outside is markup in it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from ghost.reports import Exchange, conversation_markdown
from ghost.types import (
    CardCitation,
    CardOrigin,
    Category,
    ClaimCard,
    Intake,
    Kind,
    Label,
    RouteMode,
    RouterDecision,
    StanceLabel,
)
from tests.ui.samples import HOSTILE

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


def exchange(question: str, mode: RouteMode, answer: str = "", claim: str = "The wall is visible.") -> Exchange:
    cited = CardCitation(1, "p", answer, StanceLabel.REFUTES, "https://nasa.gov/wall", "Wall")
    card = ClaimCard(
        "c1", claim, Category.SCIENTIFIC, Label.FALSE, answer, 0.9, CardOrigin.FACT_CHECK, NOW, (cited,),
        publisher=claim,
    )  # fmt: skip
    decision = RouterDecision("d", question, question, "t", mode, ("c1",), (), "So.", 0.1, NOW, answer=answer)
    return Exchange(decision, (card,) if mode is not RouteMode.NOVEL else ())


def test_it_says_what_was_asked_and_where_the_answer_is_from() -> None:
    text = conversation_markdown([
        exchange("Is the wall visible?", RouteMode.EXACT, "It is not [1]."),
        exchange("Why?", RouteMode.CONTEXTUAL, "Because it is narrow [1]."),
        exchange("Is it old?", RouteMode.NOVEL),
    ])  # fmt: skip
    for words in (
        "# Is the wall visible?", "3 questions", "**False** · answered before", "not audited as a whole",
        "newly checked", "Claim: The wall is visible. **False**", "<https://nasa.gov/wall>",
    ):  # fmt: skip
        assert words in text


@pytest.mark.parametrize(
    ("differing", "line"),
    [
        ({"kind": Kind.NOTE}, "- It is not. A note in the library (check it at nasa.gov: Wall)"),
        ({"intake": Intake.ENTERED}, "- “It is not.” A passage entered by hand from nasa.gov"),
        ({}, "- “It is not.” Wall"),
    ],
)
def test_what_was_not_read_is_named_as_that(differing: dict[str, Any], line: str) -> None:
    e = exchange("Is the wall visible?", RouteMode.EXACT, "It is not.")
    (card,) = e.cards
    card = replace(card, citations=tuple(replace(c, **differing) for c in card.citations))
    assert line in conversation_markdown([replace(e, cards=(card,))])


def test_nothing_from_outside_is_markup() -> None:
    text = conversation_markdown([exchange(HOSTILE, RouteMode.EXACT, HOSTILE, HOSTILE)])
    for mark in ("<script", "<img", "](http", "![", "`"):
        assert mark not in text.replace("\\<", "").replace("\\`", "").replace("\\[", "").replace("\\]", "")
