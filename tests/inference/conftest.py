"""The bundled models, loaded once, and copies of their folders that a test may damage."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference import OnnxCrossEncoder, OnnxEncoder, session
from tests.models_once import open_model

MODELS = PROJECT / "ghost" / "models"


@pytest.fixture(autouse=True)
def _asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the models themselves are tested, so nothing of them is remembered."""
    monkeypatch.setattr(session, "_open", open_model)


@pytest.fixture(scope="session")
def models() -> Path:
    return MODELS


@pytest.fixture(scope="session")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(MODELS / "all-minilm-l6-v2")


@pytest.fixture(scope="session")
def reader() -> OnnxCrossEncoder:
    return OnnxCrossEncoder(MODELS / "evidence-cross-encoder")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """Copy a bundled model by the name of its folder."""
    return lambda name: Path(shutil.copytree(MODELS / name, tmp_path / name))
