"""Export a fine-tuned evidence cross-encoder as the bundled one, and measure it.

    python -m training.export_cross_encoder --model DIR --data DIR --out ghost/models/evidence-cross-encoder

Needs requirements-training.txt, and the bundled encoder beside ``--out``, which finds the documents to be ranked.
``--model`` is what training.train_cross_encoder wrote. ``--limit`` measures on a part of the data, for a quick look.
"""

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np
from transformers import AutoModelForSequenceClassification

from ghost.inference.cross_encoder import OnnxCrossEncoder
from ghost.inference.load import load_encoder
from ghost.inference.weights import MODEL, Manifest
from ghost.types import Stance
from training.card import cross_encoder_card
from training.folder import export_onnx, versions, write_manifest, write_tokenizer
from training.measure import measure
from training.pairs import CLASSES, Pair, read_pairs
from training.quantise import quantise

MAX_TOKENS = 192
"""Trained on 128 tokens; a longer passage is read rather than cut."""

LEAST_AGREEMENT = 0.95
AGREEMENT_PAIRS = 1000
TEMPERATURE_PAIRS = 2000
TEMPERATURE_SOURCES = ("fm2", "feverous")
TEMPERATURES = np.round(np.geomspace(0.5, 3.0, 101), 3)


def write_folder(folder: Path, temperature: float, figures: dict) -> Manifest:
    return write_manifest(
        folder,
        name="evidence-cross-encoder",
        kind="cross-encoder",
        upstream="sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), fine-tuned by training/train_cross_encoder.py",
        licence="Apache-2.0",
        max_tokens=MAX_TOKENS,
        classes=CLASSES,
        temperature=temperature,
        figures=figures,
    )


def agreement(exact: OnnxCrossEncoder, coded: OnnxCrossEncoder, pairs: list[Pair]) -> dict:
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


def temperature_pairs(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """Training pairs of TEMPERATURE_SOURCES, and a third as many of them with the evidence of another claim."""
    own = [pair for pair in pairs if pair.source.startswith(TEMPERATURE_SOURCES)]
    chosen = rng.sample(own, min(TEMPERATURE_PAIRS, len(own)))
    foreign = [
        Pair(other.evidence, pair.claim, "OFF-TOPIC", "random")
        for pair, other in zip(chosen, chosen[1:] + chosen[:1], strict=True)
    ]
    return chosen + foreign[: len(chosen) // 3]


def fit_temperature(stances: list[Stance], pairs: list[Pair]) -> float:
    """The temperature with the smallest negative log likelihood, for stances read at temperature 1."""
    logits = np.log(np.maximum(_array(stances), 1e-12))
    gold = [CLASSES.index(pair.label) for pair in pairs]

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        log_sum = np.log(np.exp(scaled - scaled.max(axis=1, keepdims=True)).sum(axis=1)) + scaled.max(axis=1)
        return float((log_sum - scaled[np.arange(len(gold)), gold]).mean())

    return float(min(TEMPERATURES, key=loss))


def _array(stances: list[Stance]) -> np.ndarray:
    return np.array([(s.supports, s.refutes, s.neutral, s.off_topic) for s in stances])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the fine-tuned model folder")
    parser.add_argument("--data", type=Path, required=True, help="folder with train/ and dev/")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    parser.add_argument("--limit", type=int, default=0, help="pairs and claims of each task; 0 takes all")
    args = parser.parse_args()
    rng = random.Random(1)
    pairs = read_pairs(args.data)
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        model = AutoModelForSequenceClassification.from_pretrained(args.model, attn_implementation="eager")
        if tuple(model.config.id2label[i] for i in range(model.config.num_labels)) != CLASSES:
            raise SystemExit(f"{args.model} does not have the classes {', '.join(CLASSES)} in this order")
        export_onnx(model, exact / MODEL, {0: "batch"})
        quantise(exact / MODEL, args.out / MODEL)
        for folder in (exact, args.out):
            write_tokenizer(args.model, folder)
            write_folder(folder, 1.0, {})
        sample = rng.sample(pairs, min(args.limit or AGREEMENT_PAIRS, len(pairs)))
        agreed = agreement(OnnxCrossEncoder(exact), OnnxCrossEncoder(args.out), sample)
    print(agreed, flush=True)
    if agreed["same_label"] < LEAST_AGREEMENT:
        raise SystemExit(f"the int8 model is too far from the float model: same label below {LEAST_AGREEMENT}")
    sample = temperature_pairs(pairs, rng)
    temperature = fit_temperature(OnnxCrossEncoder(args.out).read([(p.evidence, p.claim) for p in sample]), sample)
    print({"temperature": temperature}, flush=True)
    write_folder(args.out, temperature, {})  # from here on the folder can be used
    reader, encoder = OnnxCrossEncoder(args.out), load_encoder("all-MiniLM-L6-v2", args.out.parent)
    measured = measure(reader, encoder, args.data, args.limit)
    print(measured, flush=True)
    figures = {"int8": agreed, **measured, "limit": args.limit, "versions": versions()}
    manifest = write_folder(args.out, temperature, figures)
    card = cross_encoder_card(manifest, (args.out / MODEL).stat().st_size)
    (args.out / "CARD.md").write_text(card, encoding="utf-8")


if __name__ == "__main__":
    main()
