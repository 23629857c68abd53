"""Verdicts of the real pipeline over a tiny corpus, and their figures by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.cli import main
from bench.rows import ClaimRow, Labels
from bench.verdicts import FAILED, Answer, figures
from tests.bench.corpora import CLAIMS, DOCUMENTS, write


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One measurement on two threads."""
    folder = tmp_path_factory.mktemp("verdicts")
    claims = write(folder / "tiny.claims.jsonl", CLAIMS)
    corpus = write(folder / "tiny.corpus.jsonl", DOCUMENTS)
    out = folder / "out.json"
    words = ["verdicts", "--claims", str(claims), "--corpus", str(corpus), "--judge", "embedded"]
    assert main([*words, "--workers", "2", "--json", str(out)]) == 0
    return dict(json.loads(out.read_text(encoding="utf-8")))


def test_all_figures_are_there(measured: dict[str, Any]) -> None:
    result = measured
    assert {
        "n", "accuracy", "macro_f1", "ece", "ece_if_perfect", "brier", "coverage_accuracy", "evidence_recall",
        "citations", "seconds_p50", "seconds_p95", "cost_usd_per_claim", "confusion", "intervals",
    } <= set(result)  # fmt: skip
    assert result["n"] == 4
    assert result["failed"] == []
    assert sum(sum(row.values()) for row in result["confusion"].values()) == 4
    assert result["evidence_recall"] == 1.0
    assert 0 < result["citations"]["accepted"] <= result["citations"]["proposed"]
    assert 0 < result["seconds_p50"] <= result["seconds_p95"]
    assert result["cost_usd_per_claim"] == 0
    assert result["judge"]["name"] == "embedded"
    assert len(result["coverage_accuracy"]) == 10
    assert set(result["intervals"]) == {"accuracy", "macro_f1", "ece", "brier", "evidence_recall"}


def test_without_a_corpus_the_seed_facts_are_the_evidence(tmp_path: Path) -> None:
    claims = write(
        tmp_path / "claims.jsonl",
        [
            {"claim": "Mount Everest is in Peru.", "label": "False"},
            {"claim": "Chocolate tastes better than vanilla.", "label": "Not Verifiable"},
        ],
    )
    out = tmp_path / "out.json"
    assert main(["verdicts", "--claims", str(claims), "--judge", "embedded", "--json", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["accuracy"] == 1.0
    assert result["confusion"] == {"False": {"False": 1}, "Not Verifiable": {"Not Verifiable": 1}}
    assert result["evidence_recall"] is None
    assert result["corpus"] == {"passages": result["corpus"]["passages"]}


def _answer(label: str | None, confidence: float | None, **more: Any) -> Answer:
    plain: Answer = {
        "label": label, "confidence": confidence, "error": "" if label else "the disk is full",
        "seconds": 1.0, "cost_usd": 0.0, "evidence": [], "citations": [],
    }  # fmt: skip
    return plain | more


def _cited(document: str, stance: str, accepted: bool = True) -> dict[str, Any]:
    return {"documents": [document], "stance": stance, "accepted": accepted}


def test_the_figures_by_hand() -> None:
    rows = [ClaimRow(**claim) for claim in CLAIMS]
    answers = [
        _answer("True", 0.9, evidence=["bridge", "tea"], citations=[_cited("bridge", "SUPPORTS")], seconds=3.0),
        _answer("Not Enough Evidence", None, citations=[_cited("salt", "NEUTRAL")], cost_usd=0.02),
        _answer("Not Verifiable", None, citations=[_cited("tea", "SUPPORTS", accepted=False)]),
        _answer("False", 0.7, evidence=["tea"], citations=[_cited("tea", "REFUTES"), _cited("salt", "SUPPORTS")]),
    ]
    found = figures(rows, answers, Labels(own=False), seed=1)
    assert found["accuracy"] == 0.5
    # SUPPORTS: one of two, none wrongly. REFUTES: none of one. NEI: one of one, found twice.
    assert found["macro_f1"] == round((2 / 3 + 0 + 2 / 3) / 3, 4)
    assert found["confusion"]["REFUTES"] == {"NEI": 1}
    assert found["decided"] == {"n": 2, "share": 0.5, "accuracy": 0.5}
    assert found["evidence_recall"] == round((1 + 0 + 1) / 3, 4)
    assert found["claims_with_gold_evidence"] == 3
    assert found["citations"] == {
        "proposed": 5,
        "accepted": 4,
        "of_gold_documents": 2,
        "stance_agrees_with_gold": 0.5,
    }
    # An abstention has no confidence, so these are of the two claims that were decided.
    assert found["brier"] == round((0.01 + 0.49) / 2, 4)
    assert found["ece"] == pytest.approx((0.1 + 0.7) / 2)
    assert found["coverage_accuracy"][4]["accuracy"] == 1.0
    assert found["cost_usd_per_claim"] == 0.005
    assert found["seconds_p50"] == 1.0


def test_a_run_that_failed_is_wrong_and_no_verdict() -> None:
    rows = [ClaimRow(**claim) for claim in CLAIMS[:2]]
    found = figures(rows, [_answer("True", 0.8), _answer(None, None)], Labels(own=False), seed=1)
    assert found["accuracy"] == 0.5
    assert found["failed"] == [{"id": "2", "error": "the disk is full"}]
    assert found["confusion"]["REFUTES"] == {FAILED: 1}
    assert found["brier"] == 0.04
    everything_failed = figures(rows, [_answer(None, None)] * 2, Labels(own=False), seed=1)
    assert everything_failed["accuracy"] == 0
    assert everything_failed["ece"] is None
    assert everything_failed["coverage_accuracy"] == []
