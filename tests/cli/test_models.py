"""``ghost models list`` and ``fetch``."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.cli.main import main
from tests.cli.conftest import Captured
from tests.inference.hub_server import Hub, only_hub
from tests.inference.tiny import tiny_model

NAME = "maker/tiny-nli"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path / "house"))
    with only_hub(tmp_path / "home", monkeypatch) as hub:
        hub.add(NAME, tiny_model(tmp_path / "published"))
        yield hub


def test_a_model_is_fetched_and_listed(hub: Hub, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["models", "fetch", NAME]) == 0
    out = capsys.readouterr().out
    assert f"To use it: GHOST_STANCE_MODEL={NAME}" in out
    assert main(["models", "fetch", NAME, "--json"]) == 0
    fetched = json.loads(capsys.readouterr().out)
    monkeypatch.setenv("GHOST_STANCE_MODEL", NAME)
    assert main(["models", "list", "--json"]) == 0
    listed = {model["name"]: model for model in json.loads(capsys.readouterr().out)["models"]}
    assert listed[NAME]["checksum"] == fetched["sha256"]
    assert listed[NAME] | {"kind": "fetched", "wanted": True, "licence": "mit"} == listed[NAME]
    assert not listed[NAME]["calibrated"]
    assert not listed["stance-mpnet"]["wanted"]
    assert main(["models", "list"]) == 0
    shown = capsys.readouterr().out
    assert "not measured here; not calibrated" in shown
    assert "macro-F1" in shown


def test_what_cannot_be_used_is_one_line(
    hub: Hub, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["models", "fetch", "maker/none"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("ghost: 127.0.0.1 has no model maker/none")
    assert captured.out == ""
    monkeypatch.setenv("GHOST_STANCE_MODEL", str(tiny_model(tmp_path / "two", ("entailment", "not_entailment"))))
    assert main(["models", "list"]) == 0
    assert "cannot be used: two has two classes" in capsys.readouterr().out
