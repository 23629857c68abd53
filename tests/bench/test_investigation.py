"""Live investigation as tables, among the stored results, and in the page of the documentation."""

import json
from pathlib import Path

from bench.arguments import parser
from bench.cli import _command, main
from bench.investigation import by_kind
from bench.page_block import BEGIN, END
from bench.quality import markdown
from bench.stored import load, store
from tests.bench.results import demo_result, reading_result


def test_every_claim_is_counted_once_by_its_kind() -> None:
    kinds = by_kind(demo_result()["confusion"])
    assert kinds == {
        "False": {"n": 1, "right": 0, "open": 1, "wrong": 0},
        "Not Enough Evidence": {"n": 2, "right": 1, "open": 0, "wrong": 1},
        "True": {"n": 3, "right": 2, "open": 0, "wrong": 1},
    }


def test_the_tables() -> None:
    page = markdown([demo_result(), reading_result()])
    assert "## Live investigation: 6 claims over the demo web, embedded judge" in page
    assert "| right verdicts | 0.500 | 0.250 to 0.750 |  |" in page
    assert "| wrong verdicts | 2 |  | none, missed |" in page
    assert "| right ones quoting the right page | unknown |  |  |" in page
    assert "| seconds for 10 pages | p50 4.20, worst 5.10 | under 6, met |" in page
    assert "| longest run when every server hangs, limit 5 s | 6.25 s (model) | under 6 s, missed |" in page
    assert "Measured on 2026-01-02, code c0dec0de. Models: a model" in page
    for block in page.split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1


def test_they_are_stored_without_single_claims_and_put_into_a_page(tmp_path: Path) -> None:
    files = []
    for result in (demo_result(), reading_result()):
        files.append(tmp_path / f"{result['benchmark']}-out.json")
        files[-1].write_text(json.dumps(result), encoding="utf-8")
    made = store(files, tmp_path / "stored")
    assert [file.name for file in made] == ["demo.json", "reading.json"]
    assert "the text of a claim" not in made[0].read_text(encoding="utf-8")
    found = load(tmp_path / "stored")
    assert not found.problems
    (demo,), (reading,) = found.demo, found.reading
    assert (demo.n, demo.wrong, demo.intervals["accuracy"]) == (6, 2, (0.25, 0.75))
    assert (reading.longest, reading.over_goal_met) == (6.25, False)
    assert found.all == (demo, reading)
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
    assert main(["page", *map(str, made), "--docs", str(page)]) == 0
    assert "## Reading: 10 pages" in page.read_text(encoding="utf-8")


def test_the_command_that_is_kept_can_be_typed_again() -> None:
    for words in (["demo", "--limit", "5", "--only", "a", "b", "--seed", "2"], ["reading", "--repeats", "3"]):
        command = _command(parser().parse_args(words))
        assert command == " ".join(["python -m ghost bench", *words])
