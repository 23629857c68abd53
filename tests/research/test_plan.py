"""Questions from templates, and which skill a topic gets."""

import re

import pytest

from ghost.types import Category
from ghost.workbench import Workbench


@pytest.mark.parametrize(
    ("topic", "skill", "category", "first"),
    [
        ("Jana Verle", "general", Category.OTHER, "What is known about Jana Verle?"),
        ("Saltgate Bridge", "general", Category.OTHER, "What is known about Saltgate Bridge?"),
        ("vaccines and autism", "health", Category.MEDICAL, "What is known about vaccines and autism?"),
        ("inflation in Germany", "statistics", Category.STATISTICAL, "Which official figures are reported for"),
        ("black holes", "science", Category.SCIENTIFIC, "What is known about black holes?"),
        ("the French Revolution", "general", Category.HISTORICAL, "What is known about the French Revolution?"),
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
    assert f"What do experts or official bodies answer to the question “{asked}”?" in texts
    asked = "How do vaccines work?"
    assert [q.text for q in offline.research.plan(asked).questions][:2] == [
        asked, "What is known about the question “How do vaccines work?”?",
    ]  # fmt: skip


def test_a_claim_is_asked_about_without_taking_a_side(offline: Workbench) -> None:
    texts = [q.text for q in offline.research.plan("Germany has more lakes than Finland.").questions]
    assert texts[0] == "Is it true that Germany has more lakes than Finland?"
    assert "Which studies or measurements bear on whether Germany has more lakes than Finland?" in texts


def test_a_named_skill_is_used_whatever_the_topic(offline: Workbench) -> None:
    plan = offline.research.plan("black holes", skill="breaking-news")
    assert (plan.skill.name, plan.questions[0].text) == ("breaking-news", "What is known about black holes?")


def test_only_the_article_of_a_name_is_small_within_a_question(offline: Workbench) -> None:
    plan = offline.research.plan("The Saltgate Bridge")
    assert plan.topic == "The Saltgate Bridge"
    assert all("the Saltgate Bridge" in q.text for q in plan.questions)
    plan = offline.research.plan("Theresa May")
    assert all("Theresa May" in q.text for q in plan.questions)


def test_templates_fit_any_noun(offline: Workbench) -> None:
    """A verb that follows the topic, or one that stands before it, would have to agree with it in number."""
    templates = [t for skill in offline.research.skills.all() for t in skill.questions]
    templates += [q.text.replace("oaks", "{topic}") for q in offline.research.plan("oaks", skill="general").questions]
    for template in templates:
        assert not re.search(r"\b(is|are|was|were|does|do|did|has|have) \{topic\}", template), template
        assert not re.search(r"\{topic\} (is|are|was|were|has|have)\b", template), template


def test_every_skill_has_four_to_six_questions_that_differ(offline: Workbench) -> None:
    for skill in offline.research.skills.all():
        texts = [q.text for q in offline.research.plan("the oak trees of Velmark", skill=skill.name).questions]
        assert 4 <= len(set(texts)) == len(texts) <= 6
