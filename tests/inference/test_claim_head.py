"""The weights of the claim classifier as a folder, and what is refused."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from ghost.errors import WeightsDamagedError, WeightsMissingError
from ghost.inference import HEAD, ClaimHead, OnnxEncoder, load_claim_head, load_encoder
from ghost.workbench import MODELS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODELS / "claim-types", tmp_path / "claim-types"))


def test_probabilities_sum_to_one_and_do_not_depend_on_the_batch():
    head = ClaimHead(MODELS / "claim-types")
    chance = np.random.default_rng(3)
    vectors = chance.normal(size=(5, 384)).astype(np.float32)
    style = chance.integers(0, 2, size=(5, len(head.inputs))).astype(np.float32)
    types, worth = head.predict(vectors, style)
    assert types.shape == (5, 4)
    assert worth.shape == (5, 3)
    assert np.allclose(types.sum(axis=1), 1)
    assert np.allclose(worth.sum(axis=1), 1)
    assert np.allclose(types[2:3], head.predict(vectors[2:3], style[2:3])[0], atol=1e-6)


def test_changed_weights_are_refused_at_the_first_use(folder: Path):
    (folder / HEAD).write_bytes((folder / HEAD).read_bytes()[:-1] + b"x")
    head = ClaimHead(folder)
    with pytest.raises(WeightsDamagedError, match="git checkout"):
        head.predict(np.zeros((1, 384), dtype=np.float32), np.zeros((1, len(head.inputs)), dtype=np.float32))


def test_missing_weights_are_refused_at_once(folder: Path):
    (folder / HEAD).unlink()
    with pytest.raises(WeightsMissingError):
        ClaimHead(folder)


def test_another_kind_of_model_is_refused():
    with pytest.raises(WeightsDamagedError, match="encoder"):
        ClaimHead(MODELS / "all-minilm-l6-v2")


def test_the_vectors_must_come_from_the_encoder_that_was_fitted_on():
    class Other:
        name = "other"
        checksum = "0" * 64

    head = ClaimHead(MODELS / "claim-types")
    with pytest.raises(WeightsDamagedError, match="other"):
        head.check_encoder(Other())  # type: ignore[arg-type]


def test_an_encoder_of_the_settings_is_not_used_for_claims():
    bundled = load_encoder("all-MiniLM-L6-v2", MODELS)
    assert load_claim_head(MODELS, bundled)[0] is bundled
    own, _ = load_claim_head(MODELS, load_encoder("some/other-model", MODELS))
    assert isinstance(own, OnnxEncoder)
