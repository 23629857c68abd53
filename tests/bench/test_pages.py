"""How quick the pages are: everything for real at a tiny size, and what the table says."""

import json
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from bench import pages as bench_pages
from bench.cli import main
from bench.furnishing import Furnished
from bench.pages import places, processor_seconds
from bench.speed_tables import PAGES, markdown, markers, met, tables, terminal
from ghost.records import RunFilter
from ghost.types import Label
from ghost.ui.trace import PARAMS, filter_of

GOALS = {"open_seconds": 2.0, "rerun_ms": 300.0}
QUICK = {"name": "Verify", "open_seconds": 0.2, "rerun_ms": 80.0, "rerun_cpu_ms": 60.0}
SLOW = {"name": "Trace", "open_seconds": 0.2, "rerun_ms": 1_300.0, "rerun_cpu_ms": None}
BROKEN = {"name": "Cases", "not_measured": "the page broke: no"}
RESULT: dict[str, Any] = {
    "date": "2026-11-22T10:00:00+00:00", "seed": 1, "command": "python -m ghost bench pages",
    "machine": {"cores": 2, "cpu": "Z80", "load_average": 0.1}, "versions": {"python": "3.11"},
    "passages": 50_000, "runs": 1_000, "goals": GOALS, "pages": [QUICK, SLOW, BROKEN],
}  # fmt: skip
THERE = Furnished(9, 9, "r1", "r2", "p", "b", "c", "The Vale has a mill.", "a")


def test_a_page_is_quick_when_it_opens_and_reacts_quickly() -> None:
    assert [met(page, GOALS) for page in RESULT["pages"]] == [True, False, None]
    ((_, *rows),) = tables(RESULT)
    assert [row[-1] for row in rows] == ["met", "MISSED", "unknown"]
    assert rows[0] == ("Verify", "0.20 s", "80 ms", "60 ms", "met")


def test_the_tables_say_on_what_and_what_is_missing() -> None:
    for text in (terminal(RESULT), markdown(RESULT)):
        assert "50,000 active passages and 1,000 runs" in text
        assert "1,300 ms" in text
        assert "the page broke: no" in text
        assert "Z80" in text
    assert "| Trace | 1 | 0.20 s | 1,300 ms | MISSED |" in markdown(RESULT)
    assert "| Cases | 1 | – | – | unknown |" in markdown(RESULT)


def test_a_document_has_each_page_with_its_slowest_view() -> None:
    wide = QUICK | {"name": "Verify: a report", "open_seconds": 0.1, "rerun_ms": 90.0}
    assert "| Verify | 2 | 0.20 s | 90 ms (a report) | met |" in markdown(RESULT | {"pages": [QUICK, wide]})
    assert "| Verify | 2 | 0.20 s | 80 ms | unknown |" in markdown(
        RESULT | {"pages": [QUICK, BROKEN | {"name": "Verify: x"}]}
    )


def test_what_a_place_asks_of_the_trace_page_is_read_there() -> None:
    asked = [dict(parse_qsl(place.query)) for place in places(THERE) if place.page == "trace"]
    assert {name for query in asked for name in query} <= {"run", "with", "tab", *PARAMS}
    narrowed = [query for query in asked if query and "run" not in query]
    assert [filter_of(query, ()) for query in narrowed] == [
        RunFilter("The Vale"), RunFilter(label=Label.FALSE, since=date(2020, 1, 1)),
    ]  # fmt: skip
    assert {query.get("tab") for query in asked} >= {"candidates", "what-if"}


def test_nobody_tells_of_a_process_that_is_not_there() -> None:
    assert processor_seconds(2**30) is None


def test_pages_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of the places; the golden pages open all of them."""
    assert len(places(THERE)) > 25
    monkeypatch.setattr(bench_pages, "places", lambda there: places(there)[1::7])
    page, out = tmp_path / "speed.md", tmp_path / "out.json"
    page.write_text("\n".join(["top", *markers(PAGES), "bottom\n"]), encoding="utf-8")
    asked = ["pages", "--passages", "160", "--runs", "14", "--repeats", "1", "--json", str(out), "--docs", str(page)]
    assert main(asked) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert (result["passages"], result["runs"]) == (160, 14)
    assert [p for p in result["pages"] if "not_measured" in p] == []
    assert len({p["name"] for p in result["pages"]}) == len(result["pages"]) == 5
    assert {p["sent_kb"] > 1 for p in result["pages"]} == {True}
    last = result["pages"][-1]["name"].partition(":")[0]
    assert f"\n| {last} |" in page.read_text(encoding="utf-8")
    assert "run again" in capsys.readouterr().out
