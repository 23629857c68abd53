from pathlib import Path

import pytest

from ghost.errors import ModelError, WeightsMissingError
from ghost.inference import (
    HubModels,
    NliReader,
    OnnxCrossEncoder,
    OnnxEncoder,
    SentenceTransformerScorer,
    StanceChoice,
    choose_stance_reader,
    load_encoder,
    load_relevance_scorer,
    load_stance_reader,
)
from tests.inference.tiny import LABELS, tiny_model


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_bundled_encoder_by_its_names(models: Path, name: str) -> None:
    encoder = load_encoder(name, models)
    assert isinstance(encoder, OnnxEncoder)
    assert encoder.name == "all-MiniLM-L6-v2"


def test_another_scorer_is_left_to_sentence_transformers(models: Path) -> None:
    scorer = load_relevance_scorer("cross-encoder/ms-marco-MiniLM-L6-v2", load_stance_reader(models))
    assert isinstance(scorer, SentenceTransformerScorer)


def test_no_models_at_all(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissingError, match="all-minilm-l6-v2"):
        load_encoder("all-MiniLM-L6-v2", tmp_path)
    with pytest.raises(WeightsMissingError, match="stance-mpnet"):
        load_stance_reader(tmp_path)


def _chosen(name: str, models: Path, tmp_path: Path) -> StanceChoice:
    return choose_stance_reader(name, load_stance_reader(models), HubModels(tmp_path / "models.json"))


def test_a_folder_is_read_by_what_is_in_it(models: Path, tmp_path: Path) -> None:
    named = _chosen(str(tiny_model(tmp_path / "nli")), models, tmp_path)
    assert isinstance(named.reader, NliReader)
    assert not named.missing
    own = _chosen(str(models / "stance-mpnet"), models, tmp_path)
    assert isinstance(own.reader, OnnxCrossEncoder)
    assert _chosen("bundled", models, tmp_path).reader.checksum == own.reader.checksum


def test_a_model_that_is_not_here_is_not_fetched_and_the_bundled_one_reads(models: Path, tmp_path: Path) -> None:
    chosen = _chosen("no-such-maker/no-such-model", models, tmp_path)
    assert isinstance(chosen.reader, OnnxCrossEncoder)
    assert "no-such-maker/no-such-model is not on this machine, so the bundled one reads" in chosen.missing
    assert "python -m ghost models fetch no-such-maker/no-such-model" in chosen.missing


def test_what_cannot_be_used_stops_the_start(models: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"names the folder .*nowhere, which is not there"):
        _chosen(str(tmp_path / "nowhere"), models, tmp_path)
    with pytest.raises(ModelError, match="two classes"):
        _chosen(str(tiny_model(tmp_path / "two", LABELS[:2])), models, tmp_path)
