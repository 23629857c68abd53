"""How often verdicts like one were right when they were measured: a line below the verdict, or nothing."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ghost.reports import HIGH_CONFIDENCE
from ghost.types import BOUND, JudgeInfo

if TYPE_CHECKING:
    from bench.stored import Everyday, Verdicts

    Measured = Everyday | Verdicts

FEWEST = 30
"""Fewer verdicts tell nothing."""
_READERS = ("encoder", "stance", "screener", "relevance")
"""The models on which a verdict depends."""


def track_record(confidence: float | None, judge: JudgeInfo, settings: Mapping[str, Any], library: bool = False) -> str:
    """``Of 100 verdicts like this one, 93 were right.``

    Like this one: in the same band of confidence, from the same judge with the same models, on facts of the starter
    ``library`` as this one or on other texts as this one. Empty for an abstention, and where too few were measured.
    """
    return "" if confidence is None else told(_measured(), confidence, judge, settings, library)


def told(
    results: Sequence["Measured"],
    confidence: float,
    judge: JudgeInfo,
    settings: Mapping[str, Any],
    library: bool = False,
) -> str:
    """The line, from these results."""
    low = HIGH_CONFIDENCE if confidence >= HIGH_CONFIDENCE else BOUND
    alike = [result for result in results if (result.benchmark == "everyday") is library]
    fitting = [result for result in alike if _fits(result, judge, settings)]
    bands = [band for result in fitting for band in result.bands if band.low == low]
    verdicts, right = sum(band.n for band in bands), sum(band.right for band in bands)
    if verdicts < FEWEST:
        return ""
    return f"Of 100 verdicts like this one, {round(100 * right / verdicts)} were right."


@cache
def _measured() -> tuple["Measured", ...]:
    """The stored results, read once: they change with the program, or when somebody measures anew and starts again."""
    from bench.stored import load  # only where there is a verdict to draw: it takes a tenth of a second to import

    results = load()
    return *results.everyday, *results.verdicts


def _fits(result: "Measured", judge: JudgeInfo, settings: Mapping[str, Any]) -> bool:
    """Whether a result was measured with all that a run was made with, as far as verdicts depend on it."""
    if (result.judge.name, result.judge.model) != (judge.name, judge.model):
        return False
    models = settings.get("models")
    if not isinstance(models, Mapping) or "stance" not in models:
        return False
    if any(_checksum(models, role) != _measured_with(result, role) for role in _READERS):
        return False
    return judge.name != "embedded" or _same(result.odds, settings.get("odds"))


def _checksum(models: Mapping[str, Any], role: str) -> str:
    model = models.get(role)
    return str(model.get("sha256") or "") if isinstance(model, Mapping) else ""


def _measured_with(result: "Measured", role: str) -> str:
    return result.models[role].sha256 if role in result.models else ""


def _same(one: object, other: object) -> bool:
    """Whether two values are the same once they were written down and read again."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
