"""``python -m ghost bench pipelines``: all pipelines over the same claims, and how stable their verdicts are."""

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.results import Progress, head, say
from bench.stability import RERUNS, Answer, Answers, StableClaim, asked, figures, goals, read_claims, shown
from config import load_settings
from ghost.errors import ClaimError
from ghost.events import RunEnded, StepFinished, VerdictReached
from ghost.types import Claim, Pipeline, RunStatus, Verdict
from ghost.workbench import Workbench, build

EMBEDDED = "embedded"
LEFT = "The conversation was left."
"""What the trace of a run says that began as a conversation and ended with the seven steps."""


def pipelines(half: str, limit: int, judge: str | None, reruns: int = RERUNS, command: str = "") -> dict[str, Any]:
    """Measure over a fresh knowledge base that holds the starter library, without the web.

    The seven steps with the embedded judge are always measured. Where a language model is set up (``judge`` chooses
    among several), so are the seven steps with it and the single conversation.
    """
    claims = read_claims(half)[: limit or None]
    with TemporaryDirectory(prefix="ghost-bench-") as folder:
        settings = load_settings().model_copy(
            update={"data_dir": Path(folder).resolve(), "database_url": "", "chroma_url": ""}
        )
        with build(settings, judge=judge, web=False) as workbench:
            about = head(
                "pipelines", command, load_settings(), models=workbench.models, half=half or "both", limit=limit,
                reruns=reruns,
            )  # fmt: skip
            columns, rows = [], {}
            for pipeline, who in _ways(workbench, judge):
                name = f"{pipeline}, {who}"
                say(f"{name}: {len(claims)} claims in {len(claims) * (reruns + 5)} runs.")
                found = _measured(workbench, claims, pipeline, who, reruns)
                columns.append({"name": name, "pipeline": pipeline.value, "judge": who, **figures(found)})
                rows[name] = shown(found)
            passages = workbench.knowledge.stats().active
    return about | {
        "n": len(claims), "passages": passages, "pipelines": columns, "goals": goals(columns[0]), "claims": rows,
    }  # fmt: skip


def _ways(workbench: Workbench, judge: str | None) -> list[tuple[Pipeline, str]]:
    """The pipelines that can be measured here, each with the judge that decides."""
    ways = [(Pipeline.SEVEN_STEPS, EMBEDDED)]
    if judge == EMBEDDED:
        return ways
    if any(choice.usable and choice.name is Pipeline.SINGLE_CONVERSATION for choice in workbench.pipelines):
        who = workbench.judge_info.name
        ways += [(Pipeline.SEVEN_STEPS, who), (Pipeline.SINGLE_CONVERSATION, who)]
    return ways


def _measured(
    workbench: Workbench, claims: Sequence[StableClaim], pipeline: Pipeline, judge: str, reruns: int
) -> list[Answers]:
    progress = Progress()
    found = []
    for done, claim in enumerate(claims, start=1):
        found.append(asked(claim, lambda text: _verified(workbench, text, pipeline, judge), reruns))
        progress("Claims", done, len(claims))
    return found


def _verified(workbench: Workbench, text: str, pipeline: Pipeline, judge: str) -> Answer:
    """One run. What a run costs is counted also where it fails."""
    verdict: Verdict | None = None
    ended: RunEnded | None = None
    calls, fell_back = 0, False
    began = time.monotonic()
    try:
        for event in workbench.verify(Claim(text), web=False, judge=judge, pipeline=pipeline):
            match event:
                case StepFinished():
                    calls += sum(bool(call.get("sent")) for call in event.step.outputs.get("calls", ()))
                    fell_back = fell_back or LEFT in f"{event.step.decision} {event.step.reason}"
                case VerdictReached():
                    verdict = event.verdict
                case RunEnded():
                    ended = event
    except ClaimError:
        return Answer("failed", None)
    seconds = time.monotonic() - began
    usage = ended.usage if ended else None
    finished = ended is not None and ended.status is RunStatus.FINISHED
    return Answer(
        verdict.label.value if verdict and finished else "failed",
        _points(verdict) if finished else None,
        calls,
        usage.tokens if usage else 0,
        usage.cost_usd if usage else 0.0,
        seconds,
        fell_back,
    )


def _points(verdict: Verdict | None) -> float | None:
    """How true the claim is said to be, 0..100; else how sure the verdict or what it leans to is."""
    if verdict is None:
        return None
    if verdict.truth_percentage is not None:
        return verdict.truth_percentage
    leaning = verdict.leaning.probability if verdict.leaning else 0.0
    return 100 * (leaning if verdict.probability is None else verdict.probability)
