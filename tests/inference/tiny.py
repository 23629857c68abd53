"""Stance models of a few words, made on the spot: what each text says is in a table of words and classes."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

LABELS = ("entailment", "neutral", "contradiction")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = ("yes", "open", "no", "bats", "birds", "moon")
"""The first three speak for entailment, neutral and contradiction; the others say nothing."""
VOCABULARY = {word: i for i, word in enumerate((*SPECIAL, *WORDS))}
MEANING = {"yes": "entail", "open": "neutral", "no": "contra"}
OTHER_WORDS = {"support": "entail", "refute": "contra", "not enough": "neutral"}
STRENGTH = 4.0


def tiny_model(
    folder: Path,
    labels: Sequence[str] = LABELS,
    *,
    file: str = "model.onnx",
    kind: str = "BertForSequenceClassification",
    tokenizer: bool = True,
    outputs: int = 0,
    damage: float = 0.0,
    companions: bool = False,
    extra_input: str = "",
    size: int = 0,
) -> Path:
    """A folder as such models are published, whose words in the second text decide; in the first they do nothing.

    ``outputs`` makes another number of them than there are labels, ``damage`` is added to each, and with ``companions``
    what comes out for a text depends on the batch, as with most quantised models. ``size`` makes the file so large.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(
        json.dumps({"architectures": [kind], "id2label": dict(enumerate(labels)), "max_position_embeddings": 64})
    )
    if tokenizer:
        _tokenizer().save(str(folder / "tokenizer.json"))
        (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 1e30}))
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    model = _graph(_table(labels, outputs or len(labels)), damage, companions, extra_input)
    model.doc_string = "x" * size
    onnx.save(model, str(path))
    return folder


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def _table(labels: Sequence[str], outputs: int) -> np.ndarray:
    table = np.zeros((len(VOCABULARY), outputs), dtype=np.float32)
    for word, stem in MEANING.items():
        for column, label in enumerate(labels[:outputs]):
            said = label.lower().replace("_", " ")
            if stem in said or any(stem == means and name in said for name, means in OTHER_WORDS.items()):
                table[VOCABULARY[word], column] = STRENGTH
    return table


def _graph(table: np.ndarray, damage: float, companions: bool, extra_input: str) -> onnx.ModelProto:
    names = ["input_ids", "attention_mask", "token_type_ids", *([extra_input] if extra_input else [])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([damage], dtype=np.float32), "damage"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "tokens"),
        numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["said"]),
        helper.make_node("Mul", ["attention_mask", "token_type_ids"], ["counted"]),
        helper.make_node("Cast", ["counted"], ["share"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["share", "last"], ["column"]),
        helper.make_node("Mul", ["said", "column"], ["heard"]),
        helper.make_node("ReduceSum", ["heard", "tokens"], ["sums"], keepdims=0),
        helper.make_node("ReduceMax", ["sums"], ["largest"], keepdims=0),
        helper.make_node(
            "Div" if companions else "Identity", ["sums", "largest"] if companions else ["sums"], ["even"]
        ),
        helper.make_node("Add", ["even", "damage"], ["logits"]),
    ]
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", table.shape[1]])
    graph = helper.make_graph(nodes, "tiny", inputs, [out], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
