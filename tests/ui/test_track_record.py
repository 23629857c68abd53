"""How often verdicts like one were right: only from results that fit the judge, its models and its odds."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from bench import stored
from bench.stored import Everyday, Verdicts
from ghost.judges import shipped
from ghost.types import JudgeInfo
from ghost.ui.verify.track_record import FEWEST, _measured, told, track_record

JUDGE = JudgeInfo("embedded", "stance-x")
MODELS = {"encoder": {"name": "e", "sha256": "1"}, "stance": {"name": "s", "sha256": "2"}}
SETTINGS: dict[str, Any] = {"models": MODELS, "odds": asdict(shipped().odds)}


def result(**changes: Any) -> Verdicts:
    """A stored result as it is read from its file."""
    made = {
        "benchmark": "verdicts", "date": "2026-01-02", "command": "bench verdicts", "seed": 1, "models": MODELS,
        "claims": {"name": "set"}, "judge": {"name": "embedded", "model": "stance-x"}, "n": 200, "accuracy": 0.5,
        "macro_f1": 0.5, "by_class": {}, "confusion": {}, "decided": {"n": 140, "accuracy": 0.9},
        "citations": {"proposed": 0, "accepted": 0, "of_gold_documents": 0, "stance_agrees_with_gold": None},
        "seconds_p50": 0.1, "seconds_p95": 0.2, "cost_usd_per_claim": 0.0, "odds": asdict(shipped().odds),
        "bands": [{"low": 0.6, "n": 40, "right": 30}, {"low": 0.85, "n": 100, "right": 95}],
    }  # fmt: skip
    return Verdicts.model_validate(json.loads(json.dumps(made | changes)))


def measured() -> tuple[Verdicts, JudgeInfo, dict[str, Any]]:
    """A result, and the judge and settings of a run that it fits."""
    return result(), JUDGE, SETTINGS


@pytest.mark.parametrize(
    ("confidence", "right"), [(0.6, 75), (0.8499, 75), (0.85, 95), (1.0, 95)]
)  # fmt: skip
def test_the_band_of_the_confidence_counts(confidence: float, right: int) -> None:
    line = told([result()], confidence, JUDGE, SETTINGS)
    assert line == f"Of 100 verdicts like this one, {right} were right."


def test_data_sets_are_taken_together() -> None:
    other = result(bands=[{"low": 0.85, "n": 300, "right": 225}])
    assert told([result(), other], 0.9, JUDGE, SETTINGS) == "Of 100 verdicts like this one, 80 were right."


@pytest.mark.parametrize(
    "changes",
    [
        {"judge": {"name": "local", "model": "stance-x"}},
        {"judge": {"name": "embedded", "model": "stance-y"}},
        {"models": MODELS | {"stance": {"name": "s", "sha256": "3"}}},
        {"models": MODELS | {"screener": {"name": "c", "sha256": "4"}}},
        {"odds": None},
        {"odds": asdict(replace(shipped().odds, bound=0.7))},
        {"bands": []},
        {"bands": [{"low": 0.85, "n": FEWEST - 1, "right": FEWEST - 1}]},
    ],
    ids=["judge", "model", "stance", "screener", "no odds", "odds", "no bands", "too few"],
)
def test_what_does_not_fit_says_nothing(changes: dict[str, Any]) -> None:
    assert told([result(**changes)], 0.9, JUDGE, SETTINGS) == ""


@pytest.mark.parametrize("settings", [{}, {"models": {}}, {"models": "broken"}, {"models": {"stance": None}}])
def test_a_run_that_did_not_keep_its_models_has_no_line(settings: dict[str, Any]) -> None:
    assert told([result()], 0.9, JUDGE, settings) == ""


def test_the_odds_of_a_run_are_the_same_after_they_were_stored() -> None:
    kept = json.loads(json.dumps(SETTINGS))
    assert told([result()], 0.9, JUDGE, kept) == told([result()], 0.9, JUDGE, SETTINGS) != ""


def test_a_language_model_needs_no_odds() -> None:
    judge = JudgeInfo("cloud", "gpt")
    fits = result(judge={"name": "cloud", "model": "gpt"}, odds=None)
    assert told([fits], 0.7, judge, SETTINGS) == "Of 100 verdicts like this one, 75 were right."


def test_an_abstention_is_like_no_verdict() -> None:
    assert track_record(None, JUDGE, SETTINGS) == ""


def test_verdicts_on_the_library_are_like_everyday_claims_and_others_like_the_public_sets() -> None:
    kept = result().model_dump(mode="json")
    everyday = Everyday.model_validate(
        kept | {"benchmark": "everyday", "passages": 2, "parts": {"all": {"n": 9, "right": 8, "open": 1, "wrong": 0}},
                "bands": [{"low": 0.85, "n": 100, "right": 99}]}
    )  # fmt: skip
    both = [result(), everyday]
    assert told(both, 0.9, JUDGE, SETTINGS, library=True) == "Of 100 verdicts like this one, 99 were right."
    assert told(both, 0.9, JUDGE, SETTINGS) == "Of 100 verdicts like this one, 95 were right."


def test_the_stored_results_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def load() -> stored.Stored:
        reads.append(1)
        return stored.Stored(verdicts=(result(),))

    monkeypatch.setattr(stored, "load", load)
    _measured.cache_clear()
    try:
        lines = [track_record(0.9, JUDGE, SETTINGS) for _ in range(3)]
    finally:
        _measured.cache_clear()
    assert lines == ["Of 100 verdicts like this one, 95 were right."] * 3
    assert len(reads) == 1
