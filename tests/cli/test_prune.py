"""``ghost prune``: looks, exports, asks and removes, in this order, and brings back."""

import gzip
from pathlib import Path

import pytest

from config import load_settings
from ghost.cli.main import main
from ghost.records import Database, RunStore
from tests.cli.conftest import Captured, Run
from tests.records.kept import keep


@pytest.fixture
def runs(tmp_path: Path) -> RunStore:
    database = Database.open(load_settings().database_path)
    assert database.path.is_relative_to(tmp_path)
    for number in range(3):
        keep(database, f"r{number}", minutes=number)
    keep(database, "new", minutes=60 * 24 * 365 * 10)
    return RunStore(database)


def test_a_look_changes_nothing_and_says_what_would_go(run: Run, runs: RunStore) -> None:
    found = run("prune", "--older-than", "1d", "--dry-run")
    assert (found["stored"], found["can_be_removed"], found["removed"], found["stay"]) == (4, 3, 0, {})
    assert runs.count() == 4


@pytest.mark.parametrize("name", ["runs.jsonl", "runs.jsonl.gz"])
def test_runs_are_exported_removed_and_brought_back(run: Run, runs: RunStore, tmp_path: Path, name: str) -> None:
    file, before = tmp_path / name, runs.get("r1")
    assert run("prune", "--older-than", "1d", "--export", str(file), "--yes")["removed"] == 3
    assert (runs.count(), runs.get("r1")) == (1, None)
    lines = (gzip.decompress(file.read_bytes()) if name.endswith(".gz") else file.read_bytes()).splitlines()
    assert len(lines) == 4
    assert run("prune", "--bring-back", str(file)) == {"came": 3, "were_there": 0}
    assert runs.get("r1") == before


def test_nothing_goes_unless_somebody_says_so(runs: RunStore, capsys: Captured, tmp_path: Path) -> None:
    assert main(["prune", "--older-than", "1d"]) == 2
    assert "--yes" in capsys.readouterr().err
    assert main(["prune", "--larger-than", "0MB", "--yes", "--export", str(tmp_path)]) == 1
    assert "Nothing was removed" in capsys.readouterr().err
    assert runs.count() == 4
    assert main(["prune"]) == 2
    assert main(["prune", "--older-than", "soon"]) == 2
    assert main(["prune", "--larger-than", "2"]) == 2
    assert main(["prune", "--bring-back", str(tmp_path / "missing")]) == 1
    assert main(["prune", "--older-than", "9999y"]) == 2
    assert "200 years" in capsys.readouterr().err
    assert main(["prune", "--older-than", "99y"]) == 0
    assert "There is nothing to remove." in capsys.readouterr().out


def test_a_file_that_is_there_is_never_overwritten(runs: RunStore, capsys: Captured, tmp_path: Path) -> None:
    """It may be the only place where runs are that were removed before, or the database itself."""
    earlier, database = tmp_path / "runs.jsonl", load_settings().database_path
    earlier.write_bytes(b"earlier runs")
    for file in (earlier, database):
        assert main(["prune", "--older-than", "1d", "--yes", "--export", str(file)]) == 2
        assert "there already" in capsys.readouterr().err
    assert main(["prune", "--older-than", "1d", "--yes", "--export", str(tmp_path / ("n" * 300))]) == 1
    assert (earlier.read_bytes(), runs.count()) == (b"earlier runs", 4)


def test_a_packed_file_that_is_damaged_is_refused(runs: RunStore, capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl.gz"
    assert main(["prune", "--older-than", "1d", "--yes", "--export", str(file)]) == 0
    whole = file.read_bytes()
    for spoilt in (whole[:-30], whole[:40] + b"\xff" * 40 + whole[80:], b"plain", b""):
        file.write_bytes(spoilt)
        assert main(["prune", "--bring-back", str(file)]) == 1
        assert "Unexpected" not in capsys.readouterr().err
    assert runs.count() == 1
