"""The Quality page: with the results that ship, with none, with broken ones, and with verdicts of the analyst."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bench import stored
from config import Settings
from ghost.errors import ModelError, StoreError
from ghost.types import Label
from ghost.ui.quality import page as quality_page
from tests.bench.results import demo_result, everyday_result, reading_result
from tests.pages.visits import LIVE, Open, Patch, Use, shown
from tests.ui.bench import ScriptedBench


@dataclass(frozen=True)
class Given:
    """A verdict of the analyst beside that of the machine."""

    run_id: str
    machine: Label
    analyst: Label
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)


class Bench(ScriptedBench):
    """With the checksums of the models that the first stored result was measured with."""

    models: dict[str, dict[str, str]] = {  # noqa: RUF012
        role: model.model_dump() for role, model in stored.load().verdicts[0].models.items()
    }
    reviews: Any = None


class Reviews:
    """Verdicts of the analyst, in memory."""

    def __init__(self, *given: Given, fails: bool = False) -> None:
        self._given = given
        self._fails = fails

    def overrides(self) -> tuple[Given, ...]:
        if self._fails:
            raise StoreError("The disk cannot be read. Check it.")
        return self._given


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(Settings(data_dir=tmp_path))


@pytest.fixture
def folder(monkeypatch: Patch, tmp_path: Path) -> Path:
    """An empty folder in the place of the stored results."""
    folder = tmp_path / "results"
    folder.mkdir()
    monkeypatch.setattr(quality_page, "RESULTS", folder)
    monkeypatch.setattr(quality_page, "load", lambda: stored.load(folder))
    return folder


def opened(at: AppTest, view: str = "") -> AppTest:
    at.run()
    at.switch_page("pages/quality.py")
    if view:
        at.query_params["quality_view"] = view
    at.run()
    assert not at.exception
    return at


@pytest.fixture
def page(use: Use, bench: Bench) -> Open:
    """Opens the page over the bench of the test."""
    return lambda *args, **params: opened(use(bench), *args, **params)


def test_verdicts_with_everything_about_one(page: Open) -> None:
    at = page("Verdicts")
    result = stored.load().verdicts[0]
    words = shown(at)
    assert "Measured with the models in use now." in words
    assert result.lead in words
    assert {m.label: m.value for m in at.metric}["Accuracy"] == f"{result.accuracy:.3f}"
    assert len(at.get("plotly_chart")) == 5
    assert result.command in [code.value for code in at.code]
    assert result.models["stance"].sha256[:16] in words
    assert at.dataframe
    at.selectbox(key="quality_result").select(1).run()
    assert not at.exception
    other = stored.load().verdicts[1]
    assert {m.label: m.value for m in at.metric}["Accuracy"] == f"{other.accuracy:.3f}"


@pytest.mark.parametrize(("view", "charts", "says"), [
    ("Stance", 5, "*trap* is a small difference"),
    ("Retrieval", 1, "nDCG@10"),
    ("Speed", 1, "memory of the page's process over 10,000 passages"),
])  # fmt: skip
def test_the_other_views(page: Open, view: str, charts: int, says: str) -> None:
    at = page(view)
    assert len(at.get("plotly_chart")) == charts
    assert says in shown(at)
    assert not any("ndcg" in chart.proto.spec for chart in at.get("plotly_chart"))


def test_other_models_are_a_warning(page: Open, bench: Bench) -> None:
    bench.models = bench.models | {"stance": {"name": "another", "sha256": "0" * 64}}
    at = page("Verdicts")
    assert "measured with other models than the present ones: the stance model" in at.warning[0].value
    bench.models = {}
    assert "Measured with" in shown(page("Verdicts"))


def test_models_that_cannot_be_read_break_nothing(use: Use, tmp_path: Path) -> None:
    class Broken(Bench):
        @property
        def models(self) -> dict[str, dict[str, str]]:  # type: ignore[override]
            raise ModelError("The weights are damaged.")

    assert "The weights are damaged." in shown(opened(use(Broken(Settings(data_dir=tmp_path))), "Verdicts"))


def test_no_results_and_broken_results(page: Open, folder: Path) -> None:
    assert "No results yet." in shown(page())
    assert "No results yet." in shown(page("Verdicts"))
    (folder / "verdicts-x.json").write_text('{"benchmark": "<img src=x onerror=alert(1)>"}', encoding="utf-8")
    at = page()
    assert "A stored result was skipped." in shown(at)
    for element in (*at.markdown, *at.warning):
        assert not LIVE.search(element.value), element.value


def test_everyday_claims_come_first(page: Open, bench: Bench, folder: Path) -> None:
    (folder / "everyday-embedded.json").write_text(json.dumps(everyday_result()), encoding="utf-8")
    at = page()
    words = shown(at)
    assert stored.load(folder).everyday[0].lead in words
    assert {m.label: m.value for m in at.metric} == {
        "Decided": "5 of 8",
        "Right when decided": "80%",
        "Wrong per 100": "12.5",
        "Covered and right": "80%",
        "Seconds per claim": "0.5",
    }
    assert len(at.get("plotly_chart")) == 2
    assert "python -m ghost bench everyday" in [code.value for code in at.code]


def test_live_investigation(page: Open, bench: Bench, folder: Path) -> None:
    at = page("Live investigation")
    assert "No results yet." in shown(at)
    assert "bench demo --json demo.json" in at.code[0].value
    for result in (demo_result(), reading_result()):
        (folder / f"{result['benchmark']}.json").write_text(json.dumps(result), encoding="utf-8")
    at = page("Live investigation")
    told = {m.label: m.value for m in at.metric}
    assert (told["Right verdicts"], told["Wrong verdicts"], told["Quotes the right page"]) == ("50%", "2", "unknown")
    assert list(at.dataframe[0].value["Right"]) == [0, 1, 2]
    words = shown(at)
    assert "**4.20 s**" in words
    assert "**6.25 s**" in words
    assert "python -m ghost bench reading" in [code.value for code in at.code]
    assert "the text of a claim" not in words


def test_your_verdicts(page: Open, bench: Bench) -> None:
    bench.reviews = Reviews()
    assert "You have not given a verdict yet." in shown(page("Your verdicts"))
    bench.reviews = Reviews(Given("a" * 32, Label.TRUE, Label.FALSE), Given("b" * 32, Label.FALSE, Label.FALSE))
    at = page("Your verdicts")
    assert {m.label: m.value for m in at.metric} == {"Your verdicts": "2", "You agree": "50%"}
    assert "2 verdicts say little" in shown(at)
    assert len(at.get("plotly_chart")) == 1
    bench.reviews = Reviews(fails=True)
    assert "The disk cannot be read." in page("Your verdicts").error[0].value.replace("\\", "")
