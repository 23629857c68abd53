"""One quick measurement on real parts: what the JSON says, and what becomes of a part that cannot be measured."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from bench.cli import main
from bench.page_block import BEGIN, END
from bench.results import write_json
from bench.verification import timed
from ghost.errors import GhostError
from ghost.events import ClaimClassified, Event, RunEnded, RunStarted, StepFinished
from ghost.types import Claim, ClaimType, Classification, JudgeInfo, RunStatus, Statement, TraceStep, Usage
from ghost.workbench import Workbench

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUICK = ["--passages", "160", "--claims", "2", "--skip", "cold,page,encoding,reranking"]


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The JSON and the page of one quick run."""
    folder = tmp_path_factory.mktemp("bench")
    page = folder / "speed.md"
    page.write_text(f"top\n{BEGIN}\n{END}\n", encoding="utf-8")
    assert main(["speed", *QUICK, "--json", str(folder / "out.json"), "--docs", str(page)]) == 0
    return json.loads((folder / "out.json").read_text(encoding="utf-8")), page.read_text(encoding="utf-8")


def test_the_json_says_what_was_measured_on_what(quick: tuple[dict[str, Any], str]) -> None:
    result, _ = quick
    assert result["benchmark"] == "speed"
    assert result["command"].split()[-8:] == [*QUICK[:4], "--seed", "1", *QUICK[4:]]
    assert datetime.fromisoformat(result["date"]).tzinfo is not None
    assert result["passages"] == 160
    assert result["seed"] == 1
    assert result["machine"]["cores"] >= 1
    assert result["versions"]["onnxruntime"]
    assert {len(model["sha256"]) for model in result["models"].values()} == {64}
    assert {**result["settings"], "packs_off": None} == {"web": False, "packs_off": None}  # as in all tests


def test_every_claim_is_verified_in_full_and_each_step_has_a_time(quick: tuple[dict[str, Any], str]) -> None:
    warm = quick[0]["verification"]
    assert warm["claims"] == 2
    assert warm["ended_at_step_1"] == 0
    assert 0 < warm["fastest_ms"] <= warm["p50_ms"] <= warm["p95_ms"] <= warm["slowest_ms"]
    assert {"classify", "retrieve", "rerank", "sufficiency", "verdict", "recording"} <= set(warm["steps_p50_ms"])
    assert warm["steps_p50_ms"]["rerank"] > 0


def test_every_goal_is_there_and_what_was_left_out_is_neither_met_nor_missed(
    quick: tuple[dict[str, Any], str],
) -> None:
    goals = {goal["name"]: goal for goal in quick[0]["goals"]}
    assert len(goals) == 6
    assert goals["verification.p50_ms"]["met"] is (quick[0]["verification"]["p50_ms"] < 500)
    others = [goal for name, goal in goals.items() if name != "verification.p50_ms"]
    assert [(goal["met"], goal["note"]) for goal in others] == [(None, "not measured: left out with --skip")] * 5


def test_the_page_gets_the_table(quick: tuple[dict[str, Any], str]) -> None:
    _, page = quick
    assert page.startswith(f"top\n{BEGIN}\n| what |")
    assert quick[0]["command"] in page


def test_an_earlier_result_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old", encoding="utf-8")
    write_json({"a": 1}, target)
    assert json.loads(target.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [target]


class Played:
    """A workbench that plays the events it was made with."""

    def __init__(self, *events: Event) -> None:
        self._events = events

    def verify(self, claim: Claim) -> Iterator[Event]:
        return iter(self._events)


def _events(status: RunStatus, error: str = "") -> list[Event]:
    statement = Statement(1, "It is so.")
    step = TraceStep("rerank", NOW, 0.25, "", "")
    return [
        RunStarted("1", Claim("It is so."), NOW, JudgeInfo("embedded", "m"), {"models": {"encoder": {"name": "e"}}}),
        ClaimClassified(Classification(ClaimType.FACTUAL, 0.9, (statement,), "")),
        StepFinished(3, step),
        StepFinished(3, step),
        RunEnded("1", status, NOW, Usage(), error),
    ]


def test_the_rounds_of_a_step_are_added_up() -> None:
    run = timed(cast(Workbench, Played(*_events(RunStatus.FINISHED))), "It is so.")
    assert run.steps == {"rerank": 0.5}
    assert run.statements == 1
    assert run.models == {"encoder": {"name": "e"}}


def test_a_failed_verification_has_no_time() -> None:
    with pytest.raises(GhostError, match="the disk is full"):
        timed(cast(Workbench, Played(*_events(RunStatus.FAILED, "the disk is full"))), "It is so.")
    with pytest.raises(GhostError, match="without an end"):
        timed(cast(Workbench, Played(*_events(RunStatus.FINISHED)[:-1])), "It is so.")
