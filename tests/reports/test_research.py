"""The report of a research: everything from outside is only text, whatever it is written as."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ghost.reports import research_html, research_markdown, research_text, research_value, spent_text
from ghost.types import (
    Category,
    Citation,
    Disagreement,
    Estimate,
    GateDecision,
    GateState,
    Intake,
    Kind,
    MemoryMatch,
    Policy,
    Research,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    Skill,
    StanceLabel,
    SubQuestion,
    Usage,
)

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1)) **b** \x1b[31m \u202e"
ONE = Citation(
    1, "p1", "It is closed.", StanceLabel.NEUTRAL, True, "", 1, "https://a.test/x", "a.test", "A", date(2024, 3, 14)
)
TWO = replace(ONE, n=2, passage_id="p2", quote="It is open.", url="https://b.test/x", domain="b.test", title="B")
PLAN = ResearchPlan(
    "Bridges", Category.OTHER, Skill("general", "General", "Any.", Policy()),
    (SubQuestion(1, "Is it closed?"), SubQuestion(2, "Who built it?"), SubQuestion(3, "Why?")), (),
    (
        GateDecision(1, GateState.SATISFIED, "Known.", MemoryMatch.MATCH, "c", "Is it shut?", ("f",)),
        GateDecision(2, GateState.NEEDS_WEB, "New."), GateDecision(3, GateState.NEEDS_WEB, "New."),
    ),
    Estimate(1, 2, 1, 1, 0, 0.0, 1.0),
)  # fmt: skip
FOUND = Research(
    "r1", "Bridges", RunStatus.FINISHED, AT, PLAN,
    (
        ResearchAnswer(1, "a.test: “It is closed.” [1] b.test: “It is open.” [2]", (ONE, TWO), True,
                       (Disagreement(1, 1, 2, "One says yes, the other no."),)),
        ResearchAnswer(2, "", gap="Nothing answers it."),
    ),
    savings=Savings(1, 3, 4), usage=Usage(5, 6, 700, 0.0, 8.0, 700), finished_at=AT,
)  # fmt: skip


def test_every_form_has_sources_disagreements_gaps_and_what_was_saved() -> None:
    for text in (research_markdown(FOUND), research_html(FOUND), research_text(FOUND, 100)):
        plain = " ".join(re.sub(r"</?[a-z][^>:]*>|\\", "", text).split())
        for words in ("Is it closed?", "It is open.", "Sources disagree:", "Nothing answers it.", "5 searches, 6 pages",
                      "700 tokens, price not known", "Memory answered 1 question and saved 3 searches and 4 pages",
                      "https://b.test/x", "2024-03-14", "from memory", "ended before"):  # fmt: skip
            assert words in plain, (words, plain)
    assert "Answered before as “Is it shut?”" in research_markdown(FOUND)


def test_a_note_is_no_quotation_and_its_page_is_no_speaker() -> None:
    note = replace(ONE, kind=Kind.NOTE, intake=Intake.ENTERED, publisher="Bridge Office")
    answer = replace(FOUND.answers[0], citations=(note, TWO))
    found = replace(FOUND, answers=(answer, *FOUND.answers[1:]))
    named = "[1] A note in the library (check it at Bridge Office: A)"
    assert f"<h3>{named}</h3>\n<p>It is closed.</p>" in research_html(found)
    assert "<h3>[2] B, b.test</h3>\n<blockquote>It is open.</blockquote>" in research_html(found)
    listed = research_markdown(found).replace("\\", "").partition("## Sources")[2]
    assert "A note in the library (check it at Bridge Office: A)" in listed
    assert "> It is closed." not in listed
    assert "> It is open." in listed
    assert named in research_text(found, 100)
    source = research_value(found)["sources"][0]
    assert (source["kind"], source["cited_as"]) == ("note", named.removeprefix("[1] "))


def test_the_values_are_json() -> None:
    value = json.loads(json.dumps(research_value(FOUND)))
    assert [s["n"] for s in value["sources"]] == [1, 2]
    assert value["saved"] == {"questions": 1, "searches": 3, "fetches": 4}
    assert value["gaps"] == [{"question": 2, "why": "Nothing answers it."}]
    assert value["plan"]["decisions"][0]["earlier_question"] == "Is it shut?"
    assert value["answers"][0]["citations"][0]["published_at"] == "2024-03-14"


def test_outside_text_is_never_markup() -> None:
    cited = replace(ONE, quote=HOSTILE, title=HOSTILE, url="javascript:alert(1)")
    plan = replace(PLAN, topic=HOSTILE, questions=(SubQuestion(1, HOSTILE),), decisions=PLAN.decisions[:1])
    answer = ResearchAnswer(1, HOSTILE, (cited,), gap=HOSTILE)
    found = replace(FOUND, topic=HOSTILE, plan=plan, answers=(answer,), error=HOSTILE, status=RunStatus.FAILED)
    page, markdown, text = research_html(found), research_markdown(found), research_text(found)
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert not re.search(r"(?<!\\)\[x\]|(?<!\\)<script|(?<!\\)\*\*b", markdown)
    assert not any("\x1b" in form or "\u202e" in form for form in (page, markdown, text))


@pytest.mark.parametrize("status", list(RunStatus))
def test_one_without_a_plan_can_be_shown(status: RunStatus) -> None:
    bare = Research("r", "Bridges", status, AT, error="It broke.")
    for text in (research_markdown(bare), research_html(bare), research_text(bare)):
        assert "Bridges" in text
    assert research_value(bare)["plan"] is None
    assert spent_text(bare) == "Spent: 0 searches, 0 pages, 0.0 seconds."
