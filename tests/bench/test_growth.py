"""Growth at tiny sizes: what is filled, what is measured, and how it is told."""

import json
from pathlib import Path

from bench.cli import main
from bench.growth import table
from bench.speed_tables import GROWTH, markers


def test_a_knowledge_base_grows_and_everything_is_measured(tmp_path: Path) -> None:
    out, page = tmp_path / "out.json", tmp_path / "page.md"
    page.write_text("\n".join(["top", *markers(GROWTH), "bottom\n"]), encoding="utf-8")
    words = ["400", "--claims", "1", "--runs", "2", "--skip", "pages", "--json", str(out), "--docs", str(page)]
    assert main(["growth", *words]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["command"] == "python -m ghost bench growth 400 --claims 1 --runs 2 --seed 1 --skip pages"
    assert "stand-in" in result["encoder"]
    (row,) = result["growth"]
    assert row["passages"] >= 395, "a few of the made-up ones may be in quarantine, or merged"
    assert row["opening"]["repaired"] == "", "all of it was in the index"
    assert row["opening"]["seconds"] > 0
    assert row["retrieval"]["searches"] == 1
    assert row["verification"]["p50_ms"] > 0
    assert min(row["database_mb"], row["vectors_mb"], row["backup"]["mb"]) > 0.1
    named = {line[0] for line in table(result["growth"])}
    assert {"cold start", "one verification, median", "backup", "restore", "index made anew"} <= named
    assert not {"first page after a start", "slowest page, opened later"} & named
    text = page.read_text(encoding="utf-8")
    assert "| cold start |" in text
    assert "stand-in encoder" in text
    assert main(["growth", "400", "--skip", "nothing"]) == 2
