from pathlib import Path

import pytest

from ghost.errors import WeightsMissingError
from ghost.inference.cross_encoder import OnnxCrossEncoder
from ghost.inference.encoder import OnnxEncoder
from ghost.inference.external import SentenceTransformerEncoder, SentenceTransformerScorer
from ghost.inference.load import load_encoder, load_relevance_scorer, load_stance_reader


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_bundled_encoder_by_its_names(models: Path, name: str) -> None:
    encoder = load_encoder(name, models)
    assert isinstance(encoder, OnnxEncoder)
    assert encoder.name == "all-MiniLM-L6-v2"


def test_another_encoder_is_left_to_sentence_transformers(models: Path) -> None:
    encoder = load_encoder("intfloat/e5-small-v2", models)
    assert isinstance(encoder, SentenceTransformerEncoder)
    assert encoder.name == "intfloat/e5-small-v2"


def test_the_bundled_scorer_is_the_reader(models: Path) -> None:
    reader = load_stance_reader(models)
    assert isinstance(reader, OnnxCrossEncoder)
    assert load_relevance_scorer("bundled", reader) is reader


def test_another_scorer_is_left_to_sentence_transformers(models: Path) -> None:
    scorer = load_relevance_scorer("cross-encoder/ms-marco-MiniLM-L6-v2", load_stance_reader(models))
    assert isinstance(scorer, SentenceTransformerScorer)


def test_no_models_at_all(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissingError, match="all-minilm-l6-v2"):
        load_encoder("all-MiniLM-L6-v2", tmp_path)
    with pytest.raises(WeightsMissingError, match="evidence-cross-encoder"):
        load_stance_reader(tmp_path)
