"""Results that ship with Ghost: stored small, read with care, and compared with the models that run."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from bench.cli import main, parser
from bench.result_types import Model, Result, Verdicts, by_kind
from bench.rows import DataError
from bench.stored import RESULTS, load, place, store, strangers
from config import PROJECT
from tests.bench.results import demo_result, everyday_result
from tests.bench.test_quality import _retrieval, _stance, _verdicts


def _written(folder: Path, name: str, result: dict[str, Any]) -> Path:
    whole: dict[str, Any] = {"machine": {"cores": 2}, "versions": {"python": "3.11", "torch": None}, **result}
    file = folder / name
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file


def test_the_results_that_ship_can_be_read() -> None:
    found = load()
    assert not found.problems
    assert found.verdicts
    assert found.stance
    assert found.retrieval
    for result in found.all:
        assert f"{result.command} ".startswith(f"python -m ghost bench {result.benchmark.replace('_', '-')} ")
        assert parser().parse_args(shlex.split(result.command)[4:]), "what a page shows can be typed"
        assert result.models
        assert (RESULTS / f"{place(result)}.json").is_file()
    assert sum(file.stat().st_size for file in RESULTS.glob("*.json")) < 200_000
    for file in RESULTS.glob("verdicts-*.json"):
        assert isinstance(json.loads(file.read_text(encoding="utf-8"))["failed"], int)


def test_readme_and_quality_page_lead_with_the_same_sentence() -> None:
    """``python -m ghost bench store`` brings new figures: put them into README.md and docs/quality.md too."""
    (result,) = load().everyday
    for page in (PROJECT / "README.md", PROJECT / "docs" / "quality.md"):
        assert result.lead in " ".join(page.read_text(encoding="utf-8").split()), page.name


def test_storing_and_reading(tmp_path: Path) -> None:
    failed = [{"id": "c1", "error": "the text of a claim"}]
    files = [
        _written(tmp_path, "v.json", _verdicts("My Set/2") | {"failed": failed}),
        _written(tmp_path, "s.json", _stance()),
        _written(tmp_path, "r.json", _retrieval()),
        _written(tmp_path, "e.json", everyday_result()),
    ]
    folder = tmp_path / "stored"
    made = store(files, folder)
    assert [file.name for file in made] == [
        "verdicts-my_set_2-embedded.json",
        "stance-tiny.json",
        "retrieval-tiny.json",
        "everyday-embedded.json",
    ]
    assert "the text of a claim" not in made[3].read_text(encoding="utf-8")
    assert "the text of a claim" not in made[0].read_text(encoding="utf-8")
    found = load(folder)
    assert found.verdicts[0].failures == 1
    assert found.verdicts[0].claims.name == "My Set/2"
    assert found.stance[0].n == 4
    assert found.retrieval[0].fused["mrr"] == 0.5
    store([_written(tmp_path, "v.json", _verdicts("My Set/2"))], folder)
    assert load(folder).verdicts[0].failures == 0


def test_a_part_of_the_everyday_claims_is_not_stored(tmp_path: Path) -> None:
    for part in ({"half": "open"}, {"limit": 5}):
        with pytest.raises(DataError, match="measure all of them"):
            store([_written(tmp_path, "e.json", everyday_result() | part)], tmp_path / "stored")
    whole = everyday_result()
    del whole["parts"]["all"]
    with pytest.raises(DataError, match="counts of all claims"):
        store([_written(tmp_path, "e.json", whole)], tmp_path / "stored")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"benchmark": "verdicts"}', '{"benchmark": "other"}', "\x00\xff"])
def test_a_file_that_is_no_result_is_named_and_nothing_is_stored(tmp_path: Path, text: str) -> None:
    good, bad = _written(tmp_path, "good.json", _stance()), tmp_path / "bad.json"
    bad.write_text(text, encoding="latin-1")
    with pytest.raises(DataError, match=r"bad\.json"):
        store([good, bad], tmp_path / "stored")
    assert not (tmp_path / "stored").exists()
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "bad.json").write_text(text, encoding="latin-1")
    (tmp_path / "mixed" / "good.json").write_bytes(good.read_bytes())
    found = load(tmp_path / "mixed")
    assert len(found.stance) == 1
    assert "bad.json" in found.problems[0]


def test_a_missing_file_is_told_at_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["store", str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read" in capsys.readouterr().err


def test_other_models_are_noticed() -> None:
    result = Verdicts.model_validate({"machine": {}, "versions": {}, **_verdicts()})
    same = {"stance": Model(name="a model", sha256="5ha" * 20), "encoder": Model(name="x", sha256="1")}
    assert strangers(result, same) == []
    assert strangers(result, {"stance": Model(name="a model", sha256="else")}) == ["stance"]


def test_pairs_and_queries_know_no_claim_classifier() -> None:
    models = {role: {"name": role, "sha256": "1"} for role in ("stance", "claim_types")}
    now = {role: Model(name=role, sha256="2") for role in models}
    found = {
        name: strangers(Result(benchmark=name, date="", command="", seed=1, models=models), now)
        for name in ("verdicts", "stance", "retrieval")
    }
    assert found == {"verdicts": ["stance", "claim_types"], "stance": ["stance"], "retrieval": ["stance"]}


def test_claims_are_counted_by_their_verdict() -> None:
    assert by_kind(demo_result()["confusion"])["True"] == {"n": 3, "right": 2, "open": 0, "wrong": 1}
    assert by_kind(demo_result()["confusion"])["False"] == {"n": 1, "right": 0, "open": 1, "wrong": 0}
