"""Export a fine-tuned evidence cross-encoder as the bundled one, and measure it.

    python -m training.export_cross_encoder --model DIR --data DIR --out ghost/models/evidence-cross-encoder

Needs requirements-training.txt, and the bundled encoder beside ``--out``, which finds the documents to be ranked.
``--model`` is what training.train_cross_encoder wrote. ``--limit`` measures on a part of the data, for a quick look.
"""

import argparse
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoModelForSequenceClassification

from ghost.inference import MODEL, Manifest, OnnxCrossEncoder
from ghost.types import Stance
from training.card import write_card
from training.folder import export_onnx, replacing, versions, write_manifest, write_tokenizer
from training.measure import measure
from training.pairs import CLASSES, Pair, read_pairs
from training.quantise import quantise

MAX_TOKENS = 192
"""The committed model was trained on 128 tokens; a longer passage is read rather than cut."""

LEAST_AGREEMENT = 0.95
AGREEMENT_PAIRS = 1000

TEMPERATURE = 1.0
"""Not fitted: no pairs were kept apart from training, and fitted on training pairs it makes new text too certain."""


def write_folder(folder: Path, figures: dict[str, Any]) -> Manifest:
    return write_manifest(
        folder,
        name="evidence-cross-encoder",
        kind="cross-encoder",
        upstream="sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), fine-tuned by training/train_cross_encoder.py",
        licence="Apache-2.0",
        max_tokens=MAX_TOKENS,
        classes=CLASSES,
        temperature=TEMPERATURE,
        figures=figures,
    )


def agreement(exact: OnnxCrossEncoder, coded: OnnxCrossEncoder, pairs: list[Pair]) -> dict[str, Any]:
    """How often the int8 model takes the same side as the float model, and how far its probabilities are off."""
    texts = [(pair.evidence, pair.claim) for pair in pairs]
    before, after = exact.read(texts), coded.read(texts)
    alone = [coded.read([text])[0] for text in texts[:100]]
    return {
        "pairs": len(pairs),
        "same_label": round(float(np.mean([a.label == b.label for a, b in zip(before, after, strict=True)])), 4),
        "mean_difference": round(float(np.abs(_array(before) - _array(after)).mean()), 4),
        "largest_change_by_batch": float(np.abs(_array(alone) - _array(after[:100])).max()),
    }


def _array(stances: list[Stance]) -> np.ndarray:
    return np.array([(s.supports, s.refutes, s.neutral, s.off_topic) for s in stances])


def export(source: Path, out: Path, pairs: list[Pair]) -> dict[str, Any]:
    """Write the int8 model of ``source`` to ``out``, and compare it with the float model on ``pairs``."""
    model = AutoModelForSequenceClassification.from_pretrained(source, attn_implementation="eager")
    if tuple(model.config.id2label[i] for i in range(model.config.num_labels)) != CLASSES:
        raise SystemExit(f"{source} does not have the classes {', '.join(CLASSES)} in this order")
    with tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        export_onnx(model, exact / MODEL, {0: "batch"})
        quantise(exact / MODEL, out / MODEL)
        for folder in (exact, out):
            write_tokenizer(source, folder)
            write_folder(folder, {})
        return agreement(OnnxCrossEncoder(exact), OnnxCrossEncoder(out), pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the fine-tuned model folder")
    parser.add_argument("--data", type=Path, required=True, help="folder with train/ and dev/")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    parser.add_argument("--limit", type=int, default=0, help="pairs and claims of each task; 0 takes all")
    args = parser.parse_args()
    rng = random.Random(1)
    pairs = read_pairs(args.data)
    with replacing(args.out) as out:
        agreed = export(args.model, out, rng.sample(pairs, min(args.limit or AGREEMENT_PAIRS, len(pairs))))
        print(agreed, flush=True)
        if agreed["same_label"] < LEAST_AGREEMENT:
            raise SystemExit(f"the int8 model is too far from the float model: same label below {LEAST_AGREEMENT}")
        measured = measure(OnnxCrossEncoder(out), args.data, args.limit)
        print(measured, flush=True)
        figures = {"int8": agreed, **measured, "limit": args.limit, "versions": versions()}
        write_folder(out, figures)
        write_card(out)


if __name__ == "__main__":
    main()
