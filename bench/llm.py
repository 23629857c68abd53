"""``python -m ghost bench llm``: what our own code costs around the calls of a language model."""

import json
import random
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import seed_kb
from bench.machine import machine
from bench.terminal import say
from bench.timing import percentile
from config import load_settings
from ghost.errors import GhostError
from ghost.events import RunEnded
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import Claim, Run, RunStatus
from ghost.workbench import Workbench, build

ANSWER_SECONDS = 0.2
GOAL = 0.10
"""Share of a run's time that our code around the calls may take."""
WARM_UP = 2
_STATEMENTS = re.compile(r"<statements>\n(.*?)\n</statements>", re.DOTALL)
_PASSAGE = re.compile(r"^\[(\d+)\] .*?found for statement (\d+).*?\n<passage>(.*?)</passage>", re.MULTILINE)


def llm(number: int, seed: int) -> dict[str, Any]:
    """Verify seed facts with a server that answers after 200 ms, and compare the steps with its own time.

    Facts that the knowledge base has, so that every claim goes all the way to a verdict.
    """
    facts = [str(fact["text"]) for fact in seed_kb.SEED_FACTS]
    asked = random.Random(seed).sample(facts, min(number + WARM_UP, len(facts)))
    with TemporaryDirectory(prefix="ghost-bench-") as folder, ScriptedLLM.serving(_answer) as server:
        local = {"local_base_url": server.url, "judge": "local", "data_dir": Path(folder).resolve(), "chroma_url": ""}
        with build(load_settings().model_copy(update=local), judge="local", web=False) as workbench:
            runs = [_verified(workbench, text) for text in asked][WARM_UP:]
    full = [run for run in runs if len(_calls(run)) >= 3]
    if not full:
        raise GhostError("No claim came as far as a verdict, so there is nothing to measure.")
    shares = [_around(run) / run.usage.seconds for run in full]
    return {
        "benchmark": "llm",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "answer_ms": ANSWER_SECONDS * 1000,
        "claims": len(full),
        "calls_at_most": max(len(_calls(run)) for run in full),
        "run_p50_ms": _ms([run.usage.seconds for run in full]),
        "around_calls_p50_ms": _ms([_around(run) for run in full]),
        "around_calls_share_p50": round(percentile(shares, 50), 4),
        "goal_share": GOAL,
        "goal_met": percentile(shares, 50) < GOAL,
    }


def table(found: dict[str, Any]) -> str:
    """The figures for a person."""
    return (
        f"{found['claims']} claims with a language model that answers in {found['answer_ms']:.0f} ms, "
        f"at most {found['calls_at_most']} calls each\n"
        f"  a run takes                  {found['run_p50_ms']:>8.1f} ms (median)\n"
        f"  our code around the calls    {found['around_calls_p50_ms']:>8.1f} ms, "
        f"{found['around_calls_share_p50']:.1%} of the run (goal: under {found['goal_share']:.0%}, "
        f"{'met' if found['goal_met'] else 'missed'})"
    )


def _verified(workbench: Workbench, text: str) -> Run:
    end = None
    for event in workbench.verify(Claim(text)):
        end = event
    run = workbench.runs.get(end.run_id) if isinstance(end, RunEnded) else None
    if run is None or run.status is not RunStatus.FINISHED or run.judge.name != "local":
        raise GhostError(f"A verification did not finish with the model: {run.judge.route if run else end}")
    say(f"  {run.usage.seconds * 1000:.0f} ms")
    return run


def _calls(run: Run) -> list[dict[str, Any]]:
    return [call for step in run.steps for call in step.outputs.get("calls", [])]


def _around(run: Run) -> float:
    """Seconds of the steps that ask the model, without the time the server takes to answer."""
    asking = [step for step in run.steps if step.outputs.get("calls")]
    return sum(step.seconds - ANSWER_SECONDS * len(step.outputs["calls"]) for step in asking)


def _ms(seconds: Sequence[float]) -> float:
    return round(percentile(seconds, 50) * 1000, 1)


def _answer(asked: Asked) -> Answer:
    return Scripted(json.dumps(_words(asked)), before=ANSWER_SECONDS)


def _words(asked: Asked) -> dict[str, Any]:
    """Answers of the right form that take no side, so that nothing depends on what the claims say."""
    said = asked.words
    if asked.purpose == "classify":
        claim = re.findall(r"<claim>(.*?)</claim>", said)[-1]
        return {"reason": "", "type": "FACTUAL", "confidence": 0.9, "statements": [claim], "rephrase": ""}
    numbers = [int(line.partition(".")[0]) for line in _STATEMENTS.findall(said)[-1].splitlines()]
    passages = _PASSAGE.findall(said)
    if asked.purpose == "sufficiency":
        stances = [{"n": int(n), "stance": "SUPPORTS"} for n, _, _ in passages]
        row = {"enough": True, "reason": "It is.", "missing": "", "queries": [], "stances": stances}
        return {"statements": [{"statement": n, **row} for n in numbers]}
    sentences = [
        {
            "text": f"A source speaks about it [{n}].",
            "citations": [{"n": int(n), "statement": int(on), "quote": text, "stance": "NEUTRAL"}],
        }
        for n, on, text in passages
    ]
    rows = [{"statement": n, "label": "Not Enough Evidence", "confidence": 0.5} for n in numbers]
    return {
        "sentences": sentences, "statements": rows, "label": "Not Enough Evidence", "confidence": 0.5, "missing": "",
    }  # fmt: skip
