"""A cross-encoder of the bundled one's size with random weights, as a folder that sentence-transformers can open."""

import json
import shutil
from pathlib import Path

import numpy as np

LAYERS = 6
WIDTH = 384
INNER = 1536
WORDS = 30_522
POSITIONS = 512


def write_cross_encoder(folder: Path, tokenizer: Path, seed: int) -> None:
    """Write MiniLM-L6 (6 layers, 384 wide, 12 heads) with one output and this ``tokenizer.json`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    _save(_tensors(np.random.default_rng(seed)), folder / "model.safetensors")
    config = {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "vocab_size": WORDS,
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 12,
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "id2label": {"0": "relevance"},
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    reader = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": POSITIONS, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(reader), encoding="utf-8")
    shutil.copy(tokenizer, folder / "tokenizer.json")


def _tensors(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """All parameters by the names that transformers gives them."""
    tables = {"word_embeddings": WORDS, "position_embeddings": POSITIONS, "token_type_embeddings": 2}
    dense = {"bert.pooler.dense": (WIDTH, WIDTH), "classifier": (1, WIDTH)}
    norms = ["bert.embeddings.LayerNorm"]
    for layer in (f"bert.encoder.layer.{n}" for n in range(LAYERS)):
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            dense[f"{layer}.{name}"] = (WIDTH, WIDTH)
        dense[f"{layer}.intermediate.dense"] = (INNER, WIDTH)
        dense[f"{layer}.output.dense"] = (WIDTH, INNER)
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    tensors = {f"bert.embeddings.{name}.weight": _random(rng, (rows, WIDTH)) for name, rows in tables.items()}
    for name, shape in dense.items():
        tensors[f"{name}.weight"] = _random(rng, shape)
        tensors[f"{name}.bias"] = np.zeros(shape[0], dtype=np.float32)
    for name in norms:
        tensors[f"{name}.weight"] = np.ones(WIDTH, dtype=np.float32)
        tensors[f"{name}.bias"] = np.zeros(WIDTH, dtype=np.float32)
    return tensors


def _random(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.standard_normal(shape, dtype=np.float32) * np.float32(0.02)


def _save(tensors: dict[str, np.ndarray], target: Path) -> None:
    """The safetensors format: length of the header, the header as JSON, the numbers one after the other."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    start = 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [start, start + values.nbytes]}
        start += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with target.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for values in tensors.values():
            file.write(values.astype("<f4").tobytes())
