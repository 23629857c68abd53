"""Answers without a language model, from a knowledge base alone: quoted, from independent sources, both sides."""

import pytest

from ghost.types import NewPassage, Origin
from ghost.workbench import Workbench
from tests.research.conftest import carried_out

FIRE = "How many people did the fire at the Brackwater mill kill?"


@pytest.fixture(scope="module")
def filled(offline: Workbench) -> Workbench:
    told = [
        ("The fire at the Brackwater mill killed 31 people.", "one"),
        ("The fire at the Brackwater mill killed 12 people.", "two"),
        ("The fire at the Brackwater mill began in a storeroom.", "three"),
        ("The Orlund mine has employed 400 people since 1990.", "four"),
        ("About 400 people work in the mine of Orlund, where work began in 1990.", "five"),
        ("A vaccine protects 95 percent of sheep from Velmark fever.", "six"),
    ]
    added = offline.knowledge.add(
        [NewPassage(text, f"https://{name}.test/page", f"Page {name}", Origin.CURATED) for text, name in told]
    )
    assert added.added == len(told)
    return offline


def test_contradicting_excerpts_of_two_sources_are_both_quoted_and_named(filled: Workbench) -> None:
    _, found = carried_out(filled.research, filled.research.plan("Brackwater mill", questions=[FIRE]))
    (answer,) = found.answers
    (d,) = answer.disagreements
    cited = {c.n: c.quote for c in answer.citations}
    assert {cited[d.one], cited[d.other]} == {
        "The fire at the Brackwater mill killed 31 people.", "The fire at the Brackwater mill killed 12 people.",
    }  # fmt: skip


def test_sources_that_agree_do_not_disagree(filled: Workbench) -> None:
    asked = "How many people work in the mine of Orlund?"
    _, found = carried_out(filled.research, filled.research.plan("Mine of Orlund", questions=[asked]))
    (answer,) = found.answers
    assert len(answer.citations) == 2
    assert not answer.disagreements


@pytest.mark.parametrize(
    "question",
    [
        "What does a ticket to the Brackwater mill cost?",
        "Who owned the Brackwater mill in 1720?",
        "How many moons does Velmark have?",
        "What is the weather in Orlund like in June?",
    ],
)
def test_what_is_only_about_the_subject_is_no_answer(filled: Workbench, question: str) -> None:
    _, found = carried_out(filled.research, filled.research.plan(question, questions=[question]))
    (answer,) = found.answers
    assert not answer.text
    assert answer.gap
    assert not answer.citations
