"""The bundled models as they are shown, whole and broken."""

import shutil
from pathlib import Path

import pytest

from ghost.diagnostics import bundled_models, verify_models, versions
from ghost.errors import WeightsDamagedError
from ghost.workbench import MODELS


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Reports to no one."""


def test_the_models_are_described_by_their_manifests() -> None:
    found = bundled_models(MODELS)
    assert {m.name for m in found} >= {"all-MiniLM-L6-v2", "evidence-cross-encoder"}
    assert all(m.role and m.licence and len(m.checksum) == 64 and m.bytes for m in found)
    assert verify_models(MODELS, no_progress) == f"All files of {len(found)} models match their checksums."


def test_a_broken_model_is_listed_with_its_problem(tmp_path: Path) -> None:
    shutil.copytree(MODELS / "claim-types", tmp_path / "claim-types")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{}", encoding="utf-8")
    broken, whole = bundled_models(tmp_path)
    assert "is not a manifest of Ghost" in broken.problem
    assert not whole.problem
    with (tmp_path / "claim-types" / "weights.npz").open("ab") as weights:
        weights.write(b"x")
    shutil.rmtree(tmp_path / "broken")
    with pytest.raises(WeightsDamagedError, match="weights"):
        verify_models(tmp_path, no_progress)


def test_versions_name_the_main_packages() -> None:
    found = versions()
    assert {"ghost", "python", "sqlite", "chromadb", "onnxruntime"} <= set(found)
    assert all(found.values())
