"""How often verdicts like one were right: only from results that fit the judge, its models and its odds."""

import json
from dataclasses import asdict, replace
from typing import Any

from bench.result_types import Everyday, Verdicts
from ghost.judges import shipped
from ghost.types import JudgeInfo
from ghost.ui.verify import track_record

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


def line(*results: Verdicts | Everyday, confidence: float | None = 0.9, judge: JudgeInfo = JUDGE,
         settings: dict[str, Any] = SETTINGS, library: bool = False) -> str:  # fmt: skip
    return track_record(results, confidence, judge, settings, library)


def of_100(right: int) -> str:
    return f"Of 100 verdicts like this one, {right} were right."


def test_the_band_of_the_confidence_counts_over_all_data_sets() -> None:
    for confidence, right in ((0.6, 75), (0.8499, 75), (0.85, 95), (1.0, 95)):
        assert line(result(), confidence=confidence) == of_100(right)
    assert line(result(), result(bands=[{"low": 0.85, "n": 300, "right": 225}])) == of_100(80)


def test_what_does_not_fit_or_is_not_known_says_nothing() -> None:
    changes: tuple[dict[str, Any], ...] = (
        {"judge": {"name": "local", "model": "stance-x"}},
        {"judge": {"name": "embedded", "model": "stance-y"}},
        {"models": MODELS | {"stance": {"name": "s", "sha256": "3"}}},
        {"models": MODELS | {"screener": {"name": "c", "sha256": "4"}}},
        {"odds": None},
        {"odds": asdict(replace(shipped().odds, bound=0.7))},
        {"bands": []},
        {"bands": [{"low": 0.85, "n": 29, "right": 29}]},
    )
    for change in changes:
        assert line(result(**change)) == ""
    incomplete: tuple[dict[str, Any], ...] = ({}, {"models": {}}, {"models": {"stance": None}})
    for settings in incomplete:
        assert line(result(), settings=settings) == ""
    assert line(result(), confidence=None) == ""


def test_the_odds_are_the_same_after_they_were_stored_and_a_language_model_needs_none() -> None:
    assert line(result(), settings=json.loads(json.dumps(SETTINGS))) == line(result()) != ""
    fits = result(judge={"name": "cloud", "model": "gpt"}, odds=None)
    assert line(fits, confidence=0.7, judge=JudgeInfo("cloud", "gpt")) == of_100(75)


def test_verdicts_on_the_library_are_like_everyday_claims_and_others_like_the_public_sets() -> None:
    kept = result().model_dump(mode="json")
    parts = {"all": {"n": 9, "right": 8, "open": 1, "wrong": 0}}
    bands = [{"low": 0.85, "n": 100, "right": 99}]
    everyday = Everyday.model_validate(kept | {"benchmark": "everyday", "passages": 2, "parts": parts, "bands": bands})
    assert line(result(), everyday, library=True) == of_100(99)
    assert line(result(), everyday) == of_100(95)
