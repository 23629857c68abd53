"""How often verdicts like one were right in the benchmark: a line below the verdict, or nothing."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ghost.reports import HIGH_CONFIDENCE
from ghost.types import BOUND, JudgeInfo

if TYPE_CHECKING:
    from bench.stored import Everyday, Verdicts

    Result = Everyday | Verdicts

FEWEST = 30
"""With fewer verdicts the share means nothing."""
_READERS = ("encoder", "stance", "screener", "relevance")
"""The models on which a verdict depends."""


def track_record(
    results: Sequence["Result"], confidence: float | None, judge: JudgeInfo, settings: Mapping[str, Any], library: bool
) -> str:
    """``Of 100 verdicts like this one, 93 were right.``

    Like this one: in the same band of confidence, from the same judge with the same models, on facts of the starter
    ``library`` as this one or on other texts as this one. Empty for an abstention, and where too few were measured.
    """
    if confidence is None:
        return ""
    low = HIGH_CONFIDENCE if confidence >= HIGH_CONFIDENCE else BOUND
    fitting = [r for r in results if (r.benchmark == "everyday") is library and _fits(r, judge, settings)]
    bands = [band for result in fitting for band in result.bands if band.low == low]
    verdicts, right = sum(band.n for band in bands), sum(band.right for band in bands)
    return f"Of 100 verdicts like this one, {round(100 * right / verdicts)} were right." if verdicts >= FEWEST else ""


@cache
def stored_results() -> tuple["Result", ...]:
    """The stored results, read once: they change with the program, or with a new measurement and a restart."""
    from bench.stored import load  # only where there is a verdict to draw: it takes a tenth of a second to import

    results = load()
    return *results.everyday, *results.verdicts


def _fits(result: "Result", judge: JudgeInfo, settings: Mapping[str, Any]) -> bool:
    """Whether a result was measured with everything a run was made with, as far as verdicts depend on it."""
    kept = settings.get("models")
    models = {role: str((model or {}).get("sha256") or "") for role, model in kept.items()} if kept else {}
    measured = {role: model.sha256 for role, model in result.models.items()}
    same_models = "stance" in models and all(models.get(r, "") == measured.get(r, "") for r in _READERS)
    same_judge = (result.judge.name, result.judge.model) == (judge.name, judge.model)
    # Compared as they are after they were stored and read again.
    odds, run_odds = (json.dumps(value, sort_keys=True) for value in (result.odds, settings.get("odds")))
    return same_judge and same_models and (judge.name != "embedded" or odds == run_odds)
