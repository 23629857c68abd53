"""How much the vector index finds, over a handful of passages: there it finds all."""

import json
import sys
from pathlib import Path

import pytest

from bench.nearest import main


def test_a_small_index_finds_all_that_is_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passages, claims = tmp_path / "passages.txt", tmp_path / "claims.txt"
    towns = ["Lund", "Turku", "Bergen", "Odense", "Reykjavik", "Tartu"]
    passages.write_text("\n\n".join(f"The bridge of {town} opened in {1900 + n}." for n, town in enumerate(towns)))
    claims.write_text("The bridge of Turku is from 1901.\nBergen has no bridge.\n")
    command = ["nearest", "--passages", str(passages), "--claims", str(claims), "--sizes", "6,2"]
    monkeypatch.setattr(sys, "argv", command)
    assert main() == 0
    small, large = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (small["passages"], large["passages"], large["claims"]) == (2, 6, 2)
    assert {large[name] for name in large if "nearest" in name} == {1.0}


def test_a_file_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "none.txt")
    monkeypatch.setattr(sys, "argv", ["nearest", "--passages", nowhere, "--claims", nowhere])
    assert main() == 1
    assert "none.txt" in capsys.readouterr().err
