"""Evidence by passage, what was found but not used, and the evidence of two runs side by side."""

from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Any

import pytest

from ghost.reports import (
    NOT_USED,
    compare,
    evidence_cards,
    origins_line,
    result,
    unused_sources,
)
from ghost.types import Run, Stance, TraceStep
from tests.reports.runs import NOON, evidence, finished, html, markdown, passage
from tests.ui import samples

OFF = evidence(
    number=2, group=2, stance=Stance(0.3, 0.2, 0.05, 0.45),
    passage=passage(id="gold", title="Goldfish forget", domain="fish.example", publisher="", source_url="https://fish.example/"),
)  # fmt: skip


def row(passage_id: str, code: str = "relevance", **more: Any) -> dict[str, Any]:
    made = {
        "statement": 1, "passage_id": passage_id, "kept": False, "code": code, "why": "relevance 0.10 is below 0.30",
        "title": f"About {passage_id}", "domain": f"{passage_id}.example", "final": 0.2,
    }  # fmt: skip
    return made | more


def step(**outputs: list[Mapping[str, Any]]) -> TraceStep:
    return TraceStep("rerank", NOON, 0.1, "1 passage", "Read.", {}, outputs)


def older() -> Run:
    """A run of a version that kept what is off topic among the evidence."""
    return finished(evidence=(evidence(), OFF))


def test_dropped_candidates_are_listed_with_source_and_reason_the_weightiest_first() -> None:
    steps = [step(candidates=[row("a"), row("b", "off_topic", final=0.9), row("p1", kept=True, code="")])]
    assert [astuple(u) for u in unused_sources((evidence(),), steps)] == [
        ("b.example", "About b", "It is about something else", 1),
        ("a.example", "About a", "It is too far from the claim", 1),
    ]


def test_what_was_read_as_off_topic_says_so_whatever_it_was_dropped_for() -> None:
    rows = [
        row("a", "places", stance="OFF-TOPIC", final=0.3), row("b", "places", stance="NEUTRAL"),
        row("c", "retracted", stance="OFF-TOPIC", final=0.1),
    ]  # fmt: skip
    assert [u.why for u in unused_sources((), [step(candidates=rows)])] == [
        "It is about something else", "Stronger passages were used", "The page was retracted",
    ]  # fmt: skip


def test_only_the_last_round_counts_and_what_has_no_row_is_known_from_the_list_of_dropped() -> None:
    more = {"statement": 1, "passage_id": "c", "title": "", "why": "2 passages of c.org are already in"}
    steps = [step(candidates=[row("gone")]), step(candidates=[row("a")], dropped=[more, row("a", "")])]
    assert [(u.source, u.why) for u in unused_sources((), steps)] == [
        ("a.example", "It is too far from the claim"), ("An unnamed source", "2 passages of c.org are already in"),
    ]  # fmt: skip


@pytest.mark.parametrize("broken", [None, "rows", [None, "row", 3, {}], [{"passage_id": None, "final": "much"}]])
def test_a_broken_trace_breaks_nothing(broken: Any) -> None:
    assert len(unused_sources((), [TraceStep("rerank", NOON, 0.1, "", "", {}, {"candidates": broken})])) <= 1


def test_what_older_runs_kept_though_off_topic_is_no_evidence_any_more() -> None:
    run = older()
    assert [card.number for card in evidence_cards(run.evidence)] == [1]
    assert origins_line(run.evidence) == "1 link, 1 independent origin"
    [row] = unused_sources(run.evidence, run.steps)
    assert astuple(row) == ("fish.example", "Goldfish forget", "It is about something else", 1)
    assert [h.passage.id for h in compare(run, finished()).evidence] == ["p1"]
    assert result(run)["origins"]["summary"] == "1 link, 1 independent origin"
    assert [group["evidence"] for group in result(run)["origins"]["groups"]] == [[1]]


def test_reports_list_it_apart_from_the_evidence() -> None:
    run = older()
    text = markdown(run)
    places = [text.index(words) for words in ("## Evidence", f"## {NOT_USED}", "fish.example: Goldfish forget (It is")]
    assert places == sorted(places)
    assert "off-topic 0.45" not in text
    page = html(run)
    assert f"<summary><h2>{NOT_USED} (1)</h2></summary>" in page
    assert page.index("<details") < page.index("Goldfish forget")
    assert page.count("Goldfish forget") == 1
    assert "<details open" not in page
    assert 'href="#evidence-2"' not in html(replace(run, verdict=replace(run.verdict, explanation="So [1], and [2].")))  # type: ignore[type-var]


def test_a_long_list_is_cut_and_says_so() -> None:
    run = finished(steps=(step(candidates=[row(f"p{n}x") for n in range(30)]),))
    assert "And 10 more, which are in the trace." in markdown(run)
    assert "And 10 more, which are in the trace." in html(run)


OTHER = samples.passage("p7", "Another text.", domain="other.org")


def test_a_run_beside_itself_differs_in_nothing() -> None:
    run = samples.false_run()
    found = compare(run, run)
    assert found.settings == ()
    assert [h.passage.id for h in found.both] == ["p1", "p3", "p2"]
    assert found.only_one == found.only_other == ()
    assert not any(h.changed for h in found.evidence)
    assert all(s.one == s.other for s in found.steps)


def test_settings_that_differ_are_named_to_the_leaf() -> None:
    one = replace(samples.false_run(), settings={"web": False, "models": {"stance": {"sha256": "a"}}, "k": [1]})
    other = replace(samples.false_run(), settings={"web": True, "models": {"stance": {"sha256": "b"}}})
    assert [(d.name, d.one, d.other) for d in compare(one, other).settings] == [
        ("web", "false", "true"), ("models.stance.sha256", "a", "b"), ("k", "[1]", ""),
    ]  # fmt: skip


def test_evidence_of_both_and_of_either_and_what_was_read_differently() -> None:
    one, base = samples.false_run(), samples.false_run("a" * 32)
    turned = samples.evidence(1, samples.LENGTH, Stance(0.9, 0.02, 0.05, 0.03), 1)
    other = replace(base, evidence=(turned, samples.evidence(2, OTHER, Stance(0.0, 0.9, 0.1, 0.0), 2)))
    found = compare(one, other)
    assert [(h.passage.id, h.changed) for h in found.both] == [("p3", True)]
    assert {h.passage.id for h in found.only_one} == {"p1", samples.ORBIT.id}
    assert [h.passage.id for h in found.only_other] == ["p7"]
