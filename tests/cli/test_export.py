"""``ghost export``: a run that was made before, in every form, also while something else has the knowledge base."""

import io
import json
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from config import load_settings
from ghost.cli.main import main
from ghost.knowledge.lock import OwnerLock
from ghost.records import Database, ReviewStore
from ghost.types import Label

CLAIM = "The Great Wall of China is visible from space."
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def run_id(capsys: Captured) -> str:
    main(["verify", CLAIM, "--json"])
    return str(json.loads(capsys.readouterr().out)["run_id"])


@pytest.fixture
def decided(run_id: str) -> str:
    """A run with a verdict that can be published."""
    with closing(Database.open(load_settings().database_path)) as database:
        ReviewStore(database).override(run_id, Label.FALSE, "Confirmed.")
    return run_id


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "# The Great Wall"), ("html", "<!doctype html>"), ("json", "{"), (None, "# The")]
)
def test_a_run_is_printed(run_id: str, form: str | None, begins: str, capsys: Captured) -> None:
    assert main(["export", run_id, *(["--format", form] if form else [])]) == 0
    assert capsys.readouterr().out.startswith(begins)


def test_a_claim_review_needs_a_name_from_the_settings_or_the_command(
    decided: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["export", decided, "--format", "claimreview"]) == 1
    assert "GHOST_PUBLISHER_NAME" in capsys.readouterr().err
    assert (
        main(["export", decided, "--format", "claimreview", "--author-name", "Me", "--page", "https://me.example"]) == 0
    )
    review = json.loads(capsys.readouterr().out)
    assert (review["author"]["name"], review["url"]) == ("Me", "https://me.example")
    monkeypatch.setenv("GHOST_PUBLISHER_NAME", "Example Checks")
    assert main(["export", decided, "--format", "claimreview"]) == 0
    assert json.loads(capsys.readouterr().out)["author"]["name"] == "Example Checks"


def test_a_bundle_is_written_whole_beside_an_open_knowledge_base(
    decided: str, tmp_path: Path, capsys: Captured
) -> None:
    settings, out = load_settings(), tmp_path / "run.zip"
    lock = OwnerLock(settings.database_path.parent, settings.chroma_path)
    try:
        assert main(["export", decided, "--format", "bundle", "--out", str(out), "--author-name", "Me"]) == 0
    finally:
        lock.release()
    assert "bytes written to" in capsys.readouterr().err
    with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as packed:
        assert "claimreview.json" in packed.namelist()
    assert not list(tmp_path.glob("*.part"))


def test_an_unknown_run_and_an_unusable_place_are_explained(run_id: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["export", "nobody"]) == 2
    assert "There is no run 'nobody'" in capsys.readouterr().err
    assert main(["export", run_id, "--out", str(tmp_path / "none" / "x.md")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert main(["export", run_id, "--out", "."]) == 1
    assert ". cannot be written (Is a directory)" in capsys.readouterr().err
    assert main(["export", run_id, "--format", "docx"]) == 2


def test_before_anything_was_checked_nothing_is_made(capsys: Captured, tmp_path: Path) -> None:
    assert main(["export", "r1"]) == 1
    assert "Nothing has been checked yet" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
