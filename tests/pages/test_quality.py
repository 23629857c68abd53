"""The Quality page: with the results that ship, with none, with broken ones, and with verdicts of the analyst."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import stored
from config import Settings
from ghost.errors import ModelError, StoreError
from ghost.judges import Count, Shares, Step
from ghost.records import OverriddenRun
from ghost.types import Basis, Label
from ghost.ui.quality import page as quality_page
from tests.bench.results import demo_result, everyday_result, near_misses_result, reading_result
from tests.pages.sections import Page, assert_plain, choose, page
from tests.pages.visits import Patch, shown, tables
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT

__all__ = ["page"]


class Bench(ScriptedBench):
    """With the checksums of the models that the first stored result was measured with."""

    models: Any = {role: model.model_dump() for role, model in stored.load().verdicts[0].models.items()}  # noqa: RUF012


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(Settings(data_dir=tmp_path))


def test_what_confidence_was_measured_on_is_shown_step_by_step(page: Page, bench: Bench) -> None:
    bench.shares = (measured_shares(),)
    at = page("quality", quality_view="Confidence")
    words = tables(at)
    assert "Notes in the library only" in shown(at)
    assert "95%" in words
    assert "58 of 60 (89% to 99%)" in words
    assert "9 of 10 (60% to 98%)" in words
    assert "no, too often wrong" in words
    assert "yes, not measured" in words


def test_a_stance_model_that_was_never_measured_says_so(page: Page) -> None:
    assert "never measured" in shown(page("quality", quality_view="Confidence"))


def measured_shares() -> Shares:
    step = Step(low=0.83, n=60, right=58, sealed=Count(n=10, right=9))
    return Shares(
        judge="embedded", model="stance-x", reader="r", bases={Basis.NOTES: (step,)}, pooled=(step,),
        labels={Label.TRUE: Count(n=60, right=58), Label.FALSE: Count(n=30, right=20)},
    )  # fmt: skip


def test_whether_questions_are_told_apart(page: Page) -> None:
    at = page("quality", quality_view="Asked before")
    (match,), (timed,) = stored.load().matching, stored.load().asking
    words = shown(at)
    assert f"{match.false_same.hits:,} of {match.false_same.n:,}" in words
    assert f"{timed.exact_seconds_50:.3f} s" in words
    assert words.count("Met") + words.count("Missed") == 4
    assert match.command in [code.value for code in at.code]


def test_near_misses_by_kind_with_what_was_taken_first(page: Page, folder: Path) -> None:
    at = page("quality", quality_view="Near misses")
    assert "bench near-misses --json near.json" in at.code[0].value
    (folder / "near_misses.json").write_text(json.dumps(near_misses_result()), encoding="utf-8")
    words = shown(at.run())
    assert "Of 5 traps, Ghost took 1. Of 3 twins, it settled 2; the others stayed open or came out wrong." in words
    assert "Missed" in words
    rows = at.table[0].value
    assert list(rows["Kind"]) == [r"Office \<b\>ended", "Cut quote"]
    assert list(rows["Traps taken"]) == ["1 of 3", "0 of 2"]
    assert list(rows["Twins settled"]) == ["no twins", "2 of 3"]
    assert "python -m ghost bench near-misses" in [code.value for code in at.code]
    assert_plain(at)


@pytest.fixture
def folder(monkeypatch: Patch, tmp_path: Path) -> Path:
    """An empty folder in the place of the stored results."""
    folder = tmp_path / "results"
    folder.mkdir()
    monkeypatch.setattr(quality_page, "RESULTS", folder)
    monkeypatch.setattr(quality_page, "load", lambda: stored.load(folder))
    return folder


def test_verdicts_with_everything_about_one(page: Page, bench: Bench, monkeypatch: Patch) -> None:
    at = page("quality", quality_view="Verdicts")
    result = stored.load().verdicts[0]
    words = shown(at)
    older = sum(v.models["stance"] != result.models["stance"] for v in stored.load().verdicts)
    assert (f"{older} results of" if older else "Measured with the models in use now.") in words.replace("*", "")
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
    for view, charts, says in (
        ("Stance", 5, "*trap* is a small difference"), ("Retrieval", 1, "nDCG@10"),
        ("Speed", 1, "memory of the page's process over 10,000 passages"),
    ):  # fmt: skip
        choose(at, "quality_view", view)
        assert len(at.get("plotly_chart")) == charts
        assert says in shown(at)
        assert not any("ndcg" in chart.proto.spec for chart in at.get("plotly_chart"))
    bench.models = bench.models | {"stance": {"name": "another", "sha256": "0" * 64}}
    choose(at, "quality_view", "Verdicts")
    assert "measured with other models than the present ones" in at.warning[0].value
    assert "the stance model" in at.warning[0].value

    def damaged(_: Bench) -> None:
        raise ModelError("The weights are damaged.")

    del bench.models
    monkeypatch.setattr(Bench, "models", property(damaged))
    assert "The weights are damaged." in shown(at.run())


def test_no_results_broken_ones_and_those_of_everyday_claims_and_the_demo_web(page: Page, folder: Path) -> None:
    at = page("quality")
    assert "No results yet." in shown(at)
    assert "No results yet." in shown(choose(at, "quality_view", "Verdicts"))
    choose(at, "quality_view", "Live investigation")
    assert "bench demo --json demo.json" in at.code[0].value
    (folder / "verdicts-x.json").write_text('{"benchmark": "<img src=x onerror=alert(1)>"}', encoding="utf-8")
    assert "A stored result was skipped." in shown(at.run())
    assert_plain(at)
    for result in (everyday_result(), demo_result(), reading_result()):
        (folder / f"{result['benchmark']}.json").write_text(json.dumps(result), encoding="utf-8")
    at.run()
    told = {m.label: m.value for m in at.metric}
    assert (told["Right verdicts"], told["Wrong verdicts"], told["Right page quoted"]) == ("50%", "2", "unknown")
    assert list(at.table[0].value["Right"]) == ["0", "1", "2"]
    words = shown(at)
    assert "**4.20 s**" in words
    assert "**6.25 s**" in words
    assert "python -m ghost bench reading" in [code.value for code in at.code]
    assert "the text of a claim" not in words
    choose(at, "quality_view", "Everyday claims")
    assert stored.load(folder).everyday[0].lead in shown(at)
    assert {m.label: m.value for m in at.metric} == {
        "Decided": "5 of 8",
        "Right when decided": "80%",
        "Wrong per 100": "12.5",
        "Covered and right": "80%",
        "Seconds per claim": "0.5",
    }
    assert len(at.get("plotly_chart")) == 2
    assert "python -m ghost bench everyday" in [code.value for code in at.code]


def test_your_verdicts(page: Page, bench: Bench, monkeypatch: Patch) -> None:
    at = page("quality", quality_view="Your verdicts")
    assert "You have not given a verdict yet." in shown(at)
    given = [
        OverriddenRun("a" * 32, Label.TRUE, Label.FALSE, AT),
        OverriddenRun("b" * 32, Label.FALSE, Label.FALSE, AT),
    ]
    monkeypatch.setattr(bench.reviews, "overrides", lambda: given)
    at.run()
    assert {m.label: m.value for m in at.metric} == {"Your verdicts": "2", "You agree": "50%"}
    assert "2 verdicts say little" in shown(at)
    assert len(at.get("plotly_chart")) == 1

    def fail() -> None:
        raise StoreError("The disk cannot be read. Check it.")

    monkeypatch.setattr(bench.reviews, "overrides", fail)
    assert "The disk cannot be read." in at.run().error[0].value.replace("\\", "")
