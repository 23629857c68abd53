"""The bundled models, loaded once, and copies of their folders that a test may damage."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference import OnnxCrossEncoder, OnnxEncoder

MODELS = PROJECT / "ghost" / "models"


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
