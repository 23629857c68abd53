"""Myths and facts in other words than the seed facts, through the whole house on the bundled models.

``tests/data/claims.jsonl`` was written before the judge's thresholds were chosen and is not used to choose them.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from config import Settings
from ghost.steps.gate import quote_stands
from ghost.types import Claim, Label, Run
from ghost.workbench import build

CLAIMS = [json.loads(line) for line in (Path(__file__).parent / "data" / "claims.jsonl").read_text().splitlines()]
ABSTAINING = (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)
FITTING = {Label.TRUE: "SUPPORTS", Label.FALSE: "REFUTES"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Label, Run]]:
    found = []
    with build(Settings(data_dir=tmp_path_factory.mktemp("myths"))) as bench:
        for position, row in enumerate(CLAIMS):
            for _ in bench.verify(Claim(row["claim"]), run_id=f"claim-{position}"):
                pass
            run = bench.runs.get(f"claim-{position}")
            assert run is not None
            assert run.verdict is not None, run.error
            found.append((Label(row["label"]), run))
    return found


def label_of(run: Run) -> Label:
    assert run.verdict is not None
    return run.verdict.label


def right(runs: list[tuple[Label, Run]], *labels: Label) -> list[Run]:
    return [run for expected, run in runs if expected in labels and label_of(run) is expected]


def test_myths_and_facts_in_other_words(runs: list[tuple[Label, Run]]) -> None:
    """Floors a little under what was measured (16 of 38 myths, 20 of 38 facts): the judge is cautious by choice."""
    counts = Counter((str(expected), str(label_of(run))) for expected, run in runs)
    assert len(right(runs, Label.FALSE)) >= 14, counts
    assert len(right(runs, Label.TRUE)) >= 18, counts
    assert len(right(runs, Label.FALSE, Label.TRUE)) >= 34, counts


def test_opinions_and_empty_talk_are_not_verifiable(runs: list[tuple[Label, Run]]) -> None:
    missed = [r.claim.text for e, r in runs if e is Label.NOT_VERIFIABLE and label_of(r) is not e]
    assert missed == []


def test_a_wrong_verdict_stays_within_what_was_measured(runs: list[tuple[Label, Run]]) -> None:
    """Our worst bug. 6 of the 76 myths and facts were measured: 3 facts called false, one half true, 2 myths true."""
    wrong = [f"{r.claim.text}: {label_of(r)}, not {e}" for e, r in runs if label_of(r) not in (*ABSTAINING, e)]
    assert len(wrong) <= 7, wrong


def test_most_claims_the_seeds_know_nothing_about_stay_open(runs: list[tuple[Label, Run]]) -> None:
    expected = [r for e, r in runs if e is Label.NOT_ENOUGH_EVIDENCE]
    unfounded = [f"{r.claim.text}: {label_of(r)}" for r in expected if label_of(r) is not Label.NOT_ENOUGH_EVIDENCE]
    assert len(unfounded) <= 0.1 * len(expected), unfounded
    for run in expected:
        if label_of(run) is Label.NOT_ENOUGH_EVIDENCE:
            assert run.verdict is not None
            assert run.verdict.reasons


def test_every_verdict_rests_on_a_quote_that_really_stands_there(runs: list[tuple[Label, Run]]) -> None:
    for _, run in runs:
        verdict = run.verdict
        assert verdict is not None
        texts = {e.number: e.passage.text for e in run.evidence}
        for citation in verdict.citations:
            assert citation.accepted is False or quote_stands(citation.quote, texts[citation.n])
        if verdict.label in FITTING:
            assert FITTING[verdict.label] in {c.stance for c in verdict.citations if c.accepted}
