"""The decision gate with the real claim match: the same only when surely the same, and only while it holds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from ghost.knowledge import Revision
from ghost.types import GateState, MemoryMatch
from ghost.workbench import Workbench
from tests.records.kept import keep_run
from tests.research.conftest import Fill, decided
from tests.ui.samples import false_run

SATISFIED, NEEDS_WEB = GateState.SATISFIED, GateState.NEEDS_WEB


def test_the_very_question_of_the_topic_is_exact(offline: Workbench, fill: Fill) -> None:
    covered = fill("Lyme disease", "How is Lyme disease passed on?")
    (d,) = decided(offline.research, " lyme   disease", "how is lyme disease passed on")
    assert (d.state, d.found, d.coverage_id, d.evidence) == (SATISFIED, MemoryMatch.EXACT, covered.id, covered.facts)
    assert "still valid" in d.reason


def test_a_question_that_surely_asks_the_same_is_a_match(offline: Workbench, fill: Fill) -> None:
    covered = fill("Coffee", "Does coffee raise blood pressure?")
    (d,) = decided(offline.research, "Coffee", "Is blood pressure raised by coffee?")
    assert (d.state, d.found, d.evidence) == (SATISFIED, MemoryMatch.MATCH, covered.facts)
    assert d.earlier_question == "Does coffee raise blood pressure?"
    assert d.earlier_question in d.reason


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Does green tea prevent cancer?", "Does green tea not prevent cancer?"),
        ("Does green tea prevent cancer?", "Does green tea cause cancer?"),
        ("Which teas are safe for children?", "Which teas are not safe for children?"),
        ("What was tea consumption in Kenya in 2021?", "What was tea consumption in Kenya in 2022?"),
        ("What was tea consumption in Kenya in 2021?", "What was tea consumption in Ghana in 2021?"),
        ("How many people drink tea?", "How many women drink tea?"),
        ("What are the benefits of tea?", "What are the risks of tea?"),
        ("Who supports the tea tax?", "Who opposes the tea tax?"),
        ("Why was the tea tax passed?", "When was the tea tax passed?"),
        ("Does black tea stain teeth?", "Does green tea stain teeth?"),
        ("Is tea safe during pregnancy?", "Is tea safe after pregnancy?"),
        ("How much tea is drunk in Georgia?", "How much tea is drunk in the country of Georgia?"),
        ("Is more than 40 percent of tea grown in China?", "Is more than 60 percent of tea grown in China?"),
    ],
)
def test_what_differs_in_what_matters_is_never_the_same(
    offline: Workbench, fill: Fill, stored: str, asked: str
) -> None:
    fill("Tea", stored)
    (d,) = decided(offline.research, "Tea", asked)
    assert (d.state, d.evidence) == (NEEDS_WEB, ())


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("Mercury (planet)", "Mercury (metal)", "How hot is Mercury?"),
        ("Jaguar cars", "jaguars", "How fast is a jaguar?"),
        ("Jaguar", "jaguars", "How fast is a jaguar?"),
        ("Jaguar", "jaguar", "How fast is a jaguar?"),
        ("Springfield, Illinois", "Springfield, Massachusetts", "How many people live in Springfield?"),
        ("Law in the US", "Law in the UK", "How are judges chosen by law?"),
        ("C++", "C#", "Who designed the language?"),
        ("WHO funding", "who funding", "Who pays for it?"),
        ("Vaccines", "Vaccines for cats", "Are vaccines safe?"),
    ],
)
def test_topics_that_share_words_do_not_bleed_into_each_other(
    offline: Workbench, fill: Fill, one: str, other: str, question: str
) -> None:
    fill(one, question)
    assert decided(offline.research, one, question)[0].state is SATISFIED
    assert decided(offline.research, other, question)[0].state is NEEDS_WEB
    plan = offline.research.plan(other, questions=[question])
    mine = [r for r in plan.recalled if r.collection == "semantic" and r.text == question]
    assert all(not r.used and one in r.why for r in mine), "it is shown as of another topic"


def test_a_question_that_names_both_topics_is_shared(offline: Workbench, fill: Fill) -> None:
    fill("Cocoa and heart disease", "Does cocoa prevent heart disease?")
    assert (
        decided(offline.research, "Heart disease and cocoa", "Does cocoa prevent heart disease?")[0].state is NEEDS_WEB
    )
    fill("Cocoa and bone disease", "Does Cocoa prevent bone disease?")
    (d,) = decided(offline.research, "bone disease", "Does Cocoa prevent bone disease?")
    assert d.state is SATISFIED


def test_old_evidence_needs_the_web_by_the_policy_of_the_skill(offline: Workbench, fill: Fill) -> None:
    topic, question = "Old bridges", "How old is the bridge of Arta?"
    fill(topic, question)
    past = datetime.now(UTC) - timedelta(days=100)
    with offline.knowledge.database.write() as connection:
        connection.execute(text("UPDATE research_facts SET found_at = :at WHERE topic = :t"), {"at": past, "t": topic})
    (d,) = decided(offline.research, topic, question)
    assert d.state is SATISFIED, "180 days are usual"
    (d,) = decided(offline.research, topic, question, skill="breaking-news")
    assert (d.state, d.evidence) == (NEEDS_WEB, ())
    assert "100 days ago" in d.reason


def test_coverage_goes_with_its_passage_and_comes_back_with_it(offline: Workbench, fill: Fill) -> None:
    topic, question = "Beavers", "What do beavers eat in winter?"
    covered = fill(topic, question)
    (fact_id,) = covered.facts
    research = offline.research
    assert research.retire_fact(fact_id)
    assert not research.retire_fact(fact_id)
    (d,) = decided(research, topic, question)
    assert (d.state, d.found) == (NEEDS_WEB, MemoryMatch.EXACT)
    assert "was retired" in d.reason
    assert research.restore_fact(fact_id)
    assert decided(research, topic, question)[0].state is SATISFIED
    (passage,) = (f.passage_id for f in research.facts(question))
    revised = Revision.of(offline.knowledge.get([passage])[0])
    offline.knowledge.curation.revise(passage, replace(revised, text="Beavers eat bark in winter, all winter long."))
    assert "was edited" in decided(research, topic, question)[0].reason


def test_a_source_that_the_skill_does_not_trust_does_not_answer(offline: Workbench, fill: Fill) -> None:
    topic, question = "Herbal cures", "Which herbs lower fever?"
    fill(topic, question, url="https://nobody-knows.test/herbs")
    assert decided(offline.research, topic, question)[0].state is SATISFIED
    policies = "min_credibility: 0.9", "denied_sites: [nobody-knows.test]", "allowed_sites: [nasa.gov]"
    for policy, why in zip(policies, ("credibility", "leaves out", "not among"), strict=True):
        skill = f"skills: [{{name: strict, title: Strict, description: Strict., policy: {{{policy}}}}}]"
        offline.research.skills.path.write_text(skill, encoding="utf-8")
        (d,) = decided(offline.research, topic, question, skill="strict")
        assert d.state is NEEDS_WEB
        assert why in d.reason
    offline.research.skills.path.unlink()


def test_a_source_that_is_marked_as_bad_does_not_answer_until_that_is_undone(offline: Workbench, fill: Fill) -> None:
    topic, question = "Marsh orchids", "Where do marsh orchids grow?"
    fill(topic, question, url="https://orchid-hoax.test/where")
    assert decided(offline.research, topic, question)[0].state is SATISFIED
    run = false_run()
    keep_run(offline.knowledge.database, run)
    made = offline.marks.domain(run.id, "orchid-hoax.test", "made up")
    (d,) = decided(offline.research, topic, question)
    assert (d.state, d.evidence) == (NEEDS_WEB, ())
    assert "marked as bad" in d.reason
    offline.marks.undo(made)
    assert decided(offline.research, topic, question)[0].state is SATISFIED
