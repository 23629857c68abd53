"""Models named in the settings, with tiny ones made here: nothing is downloaded."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from ghost.errors import ModelError
from ghost.inference import (
    HubModels,
    NliCrossEncoder,
    SentenceTransformerEncoder,
    SentenceTransformerScorer,
    open_folder,
)
from tests.inference.hub_server import only_hub

pytestmark = pytest.mark.models
pytest.importorskip("sentence_transformers")

WORDS = "the a is not of capital canberra australia bats are mammals birds boil water at".split()
WEIRD = ["", "\x00", "a \ud800 b", "🙂" * 300, "x" * 1_000_000, "word " * 200_000]


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)


def _tiny(folder: Path, labels: int | None) -> Path:
    """A BERT of two layers with random weights, with a classifier of so many outputs or without one."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels or 1,
    )
    torch.manual_seed(3)
    model = BertForSequenceClassification(config) if labels else BertModel(config)
    model.save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    _tiny(folder / "encoder", None)
    _tiny(folder / "scorer", 1)
    _tiny(folder / "nli", 3)
    return folder


def test_encoder_gives_unit_vectors_in_order(tiny: Path) -> None:
    encoder = SentenceTransformerEncoder(str(tiny / "encoder"))
    texts = ["canberra is the capital of australia", "bats are mammals", "water"]
    vectors = encoder.encode(texts)
    assert vectors.shape == (3, encoder.dimensions) == (3, 16)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert np.allclose(encoder.encode(texts[::-1]), vectors[::-1], atol=1e-5)


def test_checksum_follows_the_weights(tiny: Path, tmp_path: Path) -> None:
    import torch
    from transformers import BertModel

    encoder = SentenceTransformerEncoder(str(tiny / "encoder"))
    assert len(encoder.checksum) == 64
    assert encoder.checksum == SentenceTransformerEncoder(str(tiny / "encoder")).checksum
    other = _tiny(tmp_path / "other", None)
    model = BertModel.from_pretrained(other)
    with torch.no_grad():
        model.embeddings.LayerNorm.bias[0] += 0.5
    model.save_pretrained(other)
    assert SentenceTransformerEncoder(str(other)).checksum != encoder.checksum


def test_scorer_is_a_sigmoid_of_the_logit(tiny: Path) -> None:
    from sentence_transformers import CrossEncoder
    from torch.nn import Identity

    scorer = SentenceTransformerScorer(str(tiny / "scorer"))
    pairs = [("bats are mammals", "bats are birds"), ("water boil", "canberra is the capital")]
    logits = CrossEncoder(str(tiny / "scorer")).predict([(b, a) for a, b in pairs], activation_fn=Identity())
    assert scorer.score(pairs) == pytest.approx((1 / (1 + np.exp(-logits))).tolist(), abs=1e-5)
    assert scorer.score([]) == []
    assert all(0 <= value <= 1 for value in scorer.score([(text, text) for text in WEIRD]))


def test_a_model_with_several_outputs_cannot_rank(tiny: Path) -> None:
    scorer = SentenceTransformerScorer(str(tiny / "nli"))
    with pytest.raises(ModelError, match=r"GHOST_RERANKER_MODEL.*3 outputs"):
        scorer.score([("a", "b")])


def test_unknown_names_say_which_setting_to_change(tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=r"GHOST_EMBEDDING_MODEL names .*nowhere.*bundled model"):
        SentenceTransformerEncoder(missing).encode(["text"])
    with pytest.raises(ModelError, match=r"GHOST_RERANKER_MODEL names .*nowhere.*bundled model"):
        SentenceTransformerScorer(missing).score([("a", "b")])


def test_a_name_that_is_not_on_this_machine() -> None:
    with pytest.raises(ModelError, match=r"GHOST_EMBEDDING_MODEL.*online"):
        SentenceTransformerEncoder("no-such-maker/no-such-model").encode(["text"])


def _named(folder: Path, labels: tuple[str, ...] = ("contradiction", "entailment", "neutral")) -> Path:
    """The tiny classifier with names for its classes and a tokeniser in one file, as published models have them."""
    from transformers import BertTokenizerFast

    _tiny(folder, len(labels))
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_an_nli_model_without_onnx_is_read_on_torch(tmp_path: Path) -> None:
    import torch
    from transformers import BertForSequenceClassification, BertTokenizerFast

    folder = _named(tmp_path / "nli")
    opened = open_folder(folder)
    assert not opened.on_onnx
    reader = NliCrossEncoder(opened)
    pairs = [("bats are mammals", "bats are birds"), ("water", "canberra is the capital"), ("a " * 30, "the " * 30)]
    together = reader.read(pairs)
    tokenizer, model = BertTokenizerFast.from_pretrained(folder), BertForSequenceClassification.from_pretrained(folder)
    for pair, stance in zip(pairs, together, strict=True):
        with torch.no_grad():
            row = model(**tokenizer(*pair, truncation=True, return_tensors="pt")).logits.softmax(-1)[0].tolist()
        assert (stance.refutes, stance.supports, stance.neutral) == pytest.approx(row, abs=1e-5)
        assert stance.off_topic == 0.0
        assert reader.read([pair]) == [stance]
    assert reader.read([]) == []
    assert len(reader.read([(text, text) for text in WEIRD])) == len(WEIRD)
    assert reader.checksum == sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_pickled_weights_and_foreign_code_are_left_alone(tmp_path: Path) -> None:
    import torch

    folder = _named(tmp_path / "nli")
    (folder / "model.safetensors").rename(tmp_path / "apart")
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="pickled weights only"):
        open_folder(folder)
    (tmp_path / "apart").rename(folder / "model.safetensors")
    mark = tmp_path / "was_run"
    (folder / "modeling_own.py").write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\nclass Own: pass\n")
    config = json.loads((folder / "config.json").read_text())
    auto = {"AutoModelForSequenceClassification": "modeling_own.Own", "AutoConfig": "modeling_own.Own"}
    (folder / "config.json").write_text(json.dumps(config | {"auto_map": auto, "model_type": "own"}))
    with pytest.raises(ModelError, match="GHOST_STANCE_MODEL names nli, which could not be loaded"):
        NliCrossEncoder(open_folder(folder)).read([("bats", "birds")])
    assert not mark.exists()


def test_damaged_weights_are_an_error(tmp_path: Path) -> None:
    import torch
    from transformers import BertForSequenceClassification

    folder = _named(tmp_path / "nli")
    model = BertForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.bias[0] = float("nan")
    model.save_pretrained(folder)
    with pytest.raises(ModelError, match="not finite"):
        NliCrossEncoder(open_folder(folder)).read([("bats", "birds")])
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelError, match="GHOST_STANCE_MODEL names nli, which could not be loaded"):
        NliCrossEncoder(open_folder(folder)).read([("bats", "birds")])


def test_a_model_without_onnx_is_fetched_with_all_that_torch_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _named(tmp_path / "nli")
    (folder / "pytorch_model.bin").write_bytes(b"never asked for")
    with only_hub(tmp_path / "home", monkeypatch) as hub:
        hub.add("maker/torch", folder)
        found = HubModels(tmp_path / "models.json").fetch("maker/torch", lambda *_: None)
        assert not hub.bodies("pytorch_model.bin")
        hub.asked.clear()
        stances = NliCrossEncoder(found.open()).read([("bats are mammals", "bats are birds")])
        assert stances == NliCrossEncoder(open_folder(folder)).read([("bats are mammals", "bats are birds")])
        assert not hub.asked
