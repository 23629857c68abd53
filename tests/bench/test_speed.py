"""Speed on real parts at tiny sizes: what the JSON says, and the tables of what was met, missed and not measured."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from bench.cli import main
from bench.results import write_json
from bench.speed import imported, megabytes, timed
from bench.speed_tables import FIGURES, GROWTH, Goal, goals, markdown, markers, terminal
from ghost.errors import GhostError
from ghost.events import ClaimClassified, Event, RunEnded, RunStarted, StepFinished
from ghost.types import Claim, ClaimType, Classification, JudgeInfo, RunStatus, Statement, TraceStep, Usage
from ghost.workbench import Workbench
from tests.bench.results import result as speed_result

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The JSON and the page of one quick run over two sizes."""
    folder = tmp_path_factory.mktemp("bench")
    page, out = folder / "speed.md", folder / "out.json"
    page.write_text("\n".join(["top", *markers(FIGURES), *markers(GROWTH), "bottom\n"]), encoding="utf-8")
    words = ["--growth", "220,160,220", "--claims", "2", "--skip", "cold,page"]
    assert main(["speed", *words, "--json", str(out), "--docs", str(page)]) == 0
    return json.loads(out.read_text(encoding="utf-8")), page.read_text(encoding="utf-8")


def test_the_json_says_what_was_measured_on_what(quick: tuple[dict[str, Any], str]) -> None:
    result, _ = quick
    assert result["benchmark"] == "speed"
    assert result["command"] == "python -m ghost bench speed --growth 160,220 --claims 2 --seed 1 --skip cold,page"
    assert datetime.fromisoformat(result["date"]).tzinfo is not None
    assert result["machine"]["cores"] >= 1
    assert result["versions"]["onnxruntime"]
    assert {**result["settings"], "packs_off": None} == {"web": False, "packs_off": None}  # as in all tests
    small, large = result["growth"]
    assert (small["passages"], large["passages"]) == (160, 220)
    assert large["adding"]["passages"] == 60  # the first 160 were kept
    assert {len(model["sha256"]) for model in small["models"].values()} == {64}


def test_every_claim_is_verified_in_full_and_each_step_has_a_time(quick: tuple[dict[str, Any], str]) -> None:
    for size in quick[0]["growth"]:
        warm = size["verification"]
        assert (warm["claims"], warm["ended_at_step_1"]) == (2, 0)
        assert 0 < warm["fastest_ms"] <= warm["p50_ms"] <= warm["p95_ms"] <= warm["slowest_ms"]
        assert {"classify", "retrieve", "rerank", "sufficiency", "verdict", "recording"} <= set(warm["steps_p50_ms"])
        assert warm["pairs_p50"]["evidence-cross-encoder"] == 20, "every candidate"
        assert 1 <= warm["pairs_p50"]["stance-mpnet"] <= 24, "eight of them, and what sentences matter"
        assert 0 < min(warm["reading_p50_ms"].values()) <= warm["slowest_ms"]
        assert size["database_mb"] > 0.1
        assert size["vectors_mb"] > 0.1
        assert size["cold"] == size["page"] == {"not_measured": "left out with --skip"}


def test_the_page_gets_the_table_in_a_place_of_its_own(quick: tuple[dict[str, Any], str]) -> None:
    result, page = quick
    begin, end = markers(GROWTH)
    assert page.startswith("top\n" + "\n".join(markers(FIGURES)) + f"\n{begin}\n| passages in the knowledge base |")
    assert page.endswith(f"{end}\nbottom\n")
    assert result["command"] in page
    for text in (page, terminal(result)):
        assert "step rerank, median" in text
        assert "memory of the page's process" not in text, "a figure that no size has is left out"
        assert "Not measured at 220: page (left out with --skip)." in text


def test_goals_are_met_missed_or_unknown() -> None:
    assert [Goal("a", "a", 4, "s", figure).met for figure in (4.0, 3.99, None)] == [False, True, None]
    found = {goal.name: goal for goal in goals(speed_result())}
    assert [goal.met for goal in found.values()] == [True, False, True, None]
    assert found["page.rss_mb"].as_json()["note"] == "not measured: no /proc"
    lines = terminal(speed_result()).splitlines()
    assert any("MISSED" in line and "python -m ghost verify" in line for line in lines)
    assert any("unknown" in line and "not measured: no /proc" in line for line in lines)
    assert any("recording" in line and "9.0 ms" in line for line in lines)
    rows = [line for line in markdown(speed_result()).splitlines() if line.startswith("|")]
    assert sum("MISSED" in row for row in rows) == sum("not measured" in row for row in rows) == 1
    assert len({row.count("|") for row in rows[:6]}) == 1


def test_a_busy_machine_is_mentioned() -> None:
    assert "was busy" not in terminal(speed_result())
    busy = speed_result()
    busy["machine"]["load_average"] = 2.0
    assert "was busy" in terminal(busy)
    assert "was busy" in markdown(busy)


def test_an_earlier_result_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old", encoding="utf-8")
    write_json({"a": 1}, target)
    assert json.loads(target.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [target]


def test_modules_and_files_are_counted(tmp_path: Path) -> None:
    report = "hi\nimport time: self [us] | cumulative | imported package\nimport time:  10 |  20 |   torch.nn\n| a | b"
    assert imported(report) == {"imported package", "torch.nn"}
    (tmp_path / "in").mkdir()
    (tmp_path / "a").write_bytes(bytes(1_500_000))
    (tmp_path / "in" / "b").write_bytes(bytes(500_000))
    assert megabytes(tmp_path.rglob("*")) == 2.0


class Played:
    """A workbench that plays the events it was made with."""

    def __init__(self, *events: Event) -> None:
        self._events = events

    def verify(self, claim: Claim) -> Iterator[Event]:
        return iter(self._events)


def _events(status: RunStatus, error: str = "") -> list[Event]:
    step = TraceStep("rerank", NOW, 0.25, "", "")
    return [
        RunStarted("1", Claim("It is so."), NOW, JudgeInfo("embedded", "m"), {"models": {"encoder": {"name": "e"}}}),
        ClaimClassified(Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "It is so."),), "")),
        StepFinished(3, step),
        StepFinished(3, step),
        RunEnded("1", status, NOW, Usage(), error),
    ]


def test_the_rounds_of_a_step_are_added_up_and_a_failed_verification_has_no_time() -> None:
    run = timed(cast(Workbench, Played(*_events(RunStatus.FINISHED))), "It is so.")
    assert (run.steps, run.statements, run.models) == ({"rerank": 0.5}, 1, {"encoder": {"name": "e"}})
    with pytest.raises(GhostError, match="the disk is full"):
        timed(cast(Workbench, Played(*_events(RunStatus.FAILED, "the disk is full"))), "It is so.")
    with pytest.raises(GhostError, match="without an end"):
        timed(cast(Workbench, Played(*_events(RunStatus.FINISHED)[:-1])), "It is so.")
