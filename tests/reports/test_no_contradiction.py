"""No report contradicts itself: hundreds of drawn runs, in every form that people read."""

import re
from typing import Any

import pytest

from ghost.reports import evidence_cards, result, terminal
from ghost.types import DECIDED, Run, StanceLabel
from tests.reports.contradictions import WORDS, contradictions
from tests.reports.random_runs import random_run
from tests.reports.runs import html, markdown

SEEDS = 120
_CARD = re.compile(r'<article class="card" id="evidence-(\d+)">.*?<b class="\w+">([^<]*)</b>', re.DOTALL)
_SIDE = r"(?:<b[^>]*>)?{}(?:</b>)?: (\d+) passages?"


def counted(text: str) -> dict[StanceLabel, int]:
    found = {stance: re.search(_SIDE.format(word), text) for stance, word in WORDS.items()}
    return {stance: int(match.group(1)) for stance, match in found.items() if match}


def tags_of_html(text: str) -> dict[int, str]:
    return {int(number): words for number, words in _CARD.findall(text)}


def tags_of_markdown(text: str) -> dict[int, str]:
    text, _, _ = text.partition("## Rejected citations")
    head = {int(n): line for n, line in re.findall(r"^\*\*\\\[(\d+)\\\]\*\* (.*)$", text, re.MULTILINE)}
    rows = re.findall(r"^\| (\d+) \|.*?\| ([^|]*); read: supports", text, re.MULTILINE)
    for number in {int(n) for n, _ in rows}:
        words = " ".join(said for n, said in rows if int(n) == number)
        assert number not in head or any(
            word in words for word in re.findall(r"Supports|Contradicts|Related", head[number])
        )
    return head


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_sentence_of_an_export_agrees_with_every_other(seed: int) -> None:
    run = random_run(seed)
    page, plain = html(run), markdown(run)
    assert not list(contradictions(run, page, counted(page), tags_of_html(page)))
    assert not list(contradictions(run, plain, counted(plain), tags_of_markdown(plain)))
    cards = evidence_cards(run.evidence, run.verdict.citations if run.verdict else ())
    sides = {stance: sum(stance in card.stances for card in cards) for stance in WORDS}
    assert not list(contradictions(run, terminal(run), sides, {}))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_json_has_one_number_and_none_for_what_is_open(seed: int) -> None:
    run = random_run(seed)
    found: dict[str, Any] = result(run)["verdict"]
    assert "probability" not in str({key: value for key, value in found.items() if key != "statements"})
    assert (found["confidence"] is None) or found["label"] in DECIDED
    if len(found["statements"]) == 1 and found["label"] in DECIDED:
        assert found["statements"][0]["confidence"] in (None, found["confidence"])


def test_the_drawn_runs_are_of_every_kind() -> None:
    runs = [random_run(seed) for seed in range(SEEDS)]
    assert {run.verdict.label for run in runs if run.verdict} >= {*DECIDED}
    assert any(run.verdict.confidence is None for run in runs if run.verdict and run.verdict.label in DECIDED)
    assert sum(_cited_otherwise(run) for run in runs) > SEEDS / 10


def _cited_otherwise(run: Run) -> bool:
    """Whether a passage is cited otherwise than the stance model reads it."""
    assert run.verdict
    read = {(e.number, e.stance.label) for e in run.evidence}
    return any(c.accepted and (c.n, c.stance) not in read for c in run.verdict.citations)
