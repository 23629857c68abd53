"""Questions from templates, and which skill a topic gets."""

import pytest

from ghost.types import Category
from ghost.workbench import Workbench


@pytest.mark.parametrize(
    ("topic", "skill", "category", "first"),
    [
        ("Jana Verle", "general", Category.OTHER, "Who or what is Jana Verle?"),
        ("Saltgate Bridge", "general", Category.OTHER, "Who or what is Saltgate Bridge?"),
        ("vaccines and autism", "health", Category.MEDICAL, "What is vaccines and autism?"),
        ("inflation in Germany", "statistics", Category.STATISTICAL, "What are the latest official figures for"),
        ("black holes", "science", Category.SCIENTIFIC, "What is black holes?"),
        ("the French Revolution", "general", Category.HISTORICAL, "What was the French Revolution?"),
    ],
)
def test_a_topic_gets_a_skill_and_questions_that_fit(
    offline: Workbench, topic: str, skill: str, category: Category, first: str
) -> None:
    plan = offline.research.plan(topic)
    assert (plan.skill.name, plan.category) == (skill, category)
    assert plan.questions[0].text.startswith(first)
    assert 4 <= len(plan.questions) <= 6
    assert len({q.text for q in plan.questions}) == len(plan.questions)
    assert all(topic in q.text for q in plan.questions)
    assert [r.id for r in plan.recalled if r.collection == "procedural" and r.used] == [skill]
    assert [s.name for s in plan.steps] == ["context", "policy", "plan", "gate"]


def test_a_question_is_the_first_of_its_plan(offline: Workbench) -> None:
    asked = "Does coffee cause heart disease?"
    texts = [q.text for q in offline.research.plan(asked).questions]
    assert texts[0] == asked
    assert f"What evidence says no to the question “{asked}”?" in texts
    asked = "How do vaccines work?"
    assert [q.text for q in offline.research.plan(asked).questions][:2] == [
        asked, "What is known about the question “How do vaccines work?”?",
    ]  # fmt: skip


def test_a_claim_is_asked_about_from_both_sides(offline: Workbench) -> None:
    texts = [q.text for q in offline.research.plan("Germany has more lakes than Finland.").questions]
    assert texts[0] == "Is it true that Germany has more lakes than Finland?"
    assert "What evidence is there that Germany has more lakes than Finland?" in texts


def test_a_named_skill_is_used_whatever_the_topic(offline: Workbench) -> None:
    plan = offline.research.plan("black holes", skill="breaking-news")
    assert (plan.skill.name, plan.questions[0].text) == ("breaking-news", "What is known about black holes?")
