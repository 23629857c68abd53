"""Export a trained stance model as the bundled one, and measure what the 8-bit weights cost.

    python -m training.export_stance --model STAGE/model --data DIR --out ghost/models/stance-mpnet

Needs requirements-training.txt. ``--limit`` measures on a part of the data, for a quick look.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from bench.metrics import macro_f1
from ghost.inference import MODEL, TOKENIZER, Manifest, OnnxCrossEncoder
from ghost.types import Stance
from training.contrast_sets import held_contrast_sets
from training.folder import export_onnx, replacing, versions, write_manifest, write_tokenizer
from training.pairs import CLASSES
from training.quantise import quantise
from training.rounding import moments
from training.stance_card import write_card

TABLE = "words.bin"
MAX_TOKENS = 192
SETS = ("stance.written", "stance.contrasts", "library", "stance.xnli_en", "stance.fever_symmetric")
"""``dev/NAME.jsonl``: what is measured; nothing is fitted on them."""
SURE = 0.85
"""The figures say how many of the readings above this probability are wrong."""
WRONG = 0.03
"""And how much of what settles is read at the bound above which this part of the readings is wrong."""
LEAST_AGREEMENT = 0.95
COMPARED = 500
"""Pairs that the int8 model and the float model both read."""
SEEN = 12
"""One held-back contrast pair in so many says how the inputs of products occur together, when weights are rounded."""


def write_folder(folder: Path, figures: dict[str, Any], names: Sequence[str]) -> Manifest:
    return write_manifest(
        folder,
        names,
        name="stance-mpnet",
        kind="cross-encoder",
        upstream="sentence-transformers/all-mpnet-base-v2 (Apache-2.0), fine-tuned by training/train_stance.py",
        licence="Apache-2.0",
        max_tokens=MAX_TOKENS,
        classes=CLASSES,
        figures=figures,
    )


def measure(reader: OnnxCrossEncoder, data: Path, limit: int) -> dict[str, Any]:
    """Macro-F1 on each of SETS, and of the pairs that settle nothing the part that is taken for a side."""
    figures: dict[str, Any] = {}
    for file in SETS:
        name = file.removeprefix("stance.")
        rows = [json.loads(line) for line in (data / "dev" / f"{file}.jsonl").read_text().splitlines()]
        rows = random.Random(1).sample(rows, min(limit or len(rows), len(rows)))
        stances = reader.read([(row["evidence"], row["claim"]) for row in rows])
        gold = [row["label"] for row in rows]
        two_way = "NEI" not in gold
        found = [_label(s.supports, s.refutes, 0.0 if two_way else s.neutral + s.off_topic) for s in stances]
        open_pairs = [f for f, g in zip(found, gold, strict=True) if g == "NEI"]
        figures[name] = {"pairs": len(rows), "macro_f1": round(macro_f1(gold, found), 4)}
        if open_pairs:
            figures[name]["open_misread"] = round(sum(f != "NEI" for f in open_pairs) / len(open_pairs), 4)
            figures[name] |= sides(
                [(max(s.supports, s.refutes), _side(s), g) for s, g in zip(stances, gold, strict=True)]
            )
        print(name, figures[name], flush=True)
    return figures


def sides(read: Sequence[tuple[float, str, str]]) -> dict[str, float]:
    """How far readings of a side can be relied on; of each pair the probability of its likelier side, that side, and
    the label.
    """
    sure = [side == label for probability, side, label in read if probability >= SURE]
    settle = sum(label != "NEI" for _, _, label in read)
    right = best = 0
    for taken, (_, side, label) in enumerate(sorted(read, reverse=True), start=1):
        right += side == label
        best = right if taken - right <= WRONG * taken else best
    return {"sure_wrong": round(1 - sum(sure) / max(1, len(sure)), 4), "settled_at_bound": round(best / settle, 4)}


def _side(stance: Stance) -> str:
    return "SUPPORTS" if stance.supports >= stance.refutes else "REFUTES"


def _label(supports: float, refutes: float, open_: float) -> str:
    return max((supports, "SUPPORTS"), (refutes, "REFUTES"), (open_, "NEI"))[1]


def encoded(source: Path, texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, np.ndarray]]:
    """The pairs as the model takes them, sixteen at a time."""
    tokenizer = AutoTokenizer.from_pretrained(source)
    for start in range(0, len(texts), 16):
        first, second = zip(*texts[start : start + 16], strict=True)
        given = tokenizer(list(first), list(second), truncation=True, max_length=MAX_TOKENS, padding=True)
        yield {name: np.array(values, dtype=np.int64) for name, values in given.items()}


def agreement(exact: OnnxCrossEncoder, coded: OnnxCrossEncoder, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """How often the int8 model takes the same side as the float model."""
    before, after = exact.read(texts), coded.read(texts)
    same = sum(a.label == b.label for a, b in zip(before, after, strict=True))
    return {"pairs": len(texts), "same_label": round(same / len(texts), 4)}


def export(source: Path, out: Path, limit: int) -> dict[str, Any]:
    """Write the int8 model of ``source`` to ``out``; how far it agrees with the float model."""
    model = AutoModelForSequenceClassification.from_pretrained(source, attn_implementation="eager")
    held = [(p.evidence, p.claim) for p in held_contrast_sets()]
    with tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        export_onnx(model, exact / MODEL, {0: "batch"})
        seen = moments(exact / MODEL, encoded(source, held[::SEEN]))
        quantise(exact / MODEL, out / MODEL, TABLE, seen)
        for folder, names in ((exact, (MODEL, TOKENIZER)), (out, (MODEL, TABLE, TOKENIZER))):
            write_tokenizer(source, folder)
            write_folder(folder, {}, names)
        texts = [pair for n, pair in enumerate(held) if n % SEEN]
        return agreement(
            OnnxCrossEncoder(exact), OnnxCrossEncoder(out), random.Random(1).sample(texts, limit or COMPARED)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the fine-tuned model folder")
    parser.add_argument("--data", type=Path, required=True, help="folder with train/ and dev/")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    parser.add_argument("--limit", type=int, default=0, help="pairs of each set; 0 takes all")
    args = parser.parse_args()
    with replacing(args.out) as out:
        agreed = export(args.model, out, args.limit)
        print(agreed, flush=True)
        if agreed["same_label"] < LEAST_AGREEMENT:
            raise SystemExit(f"the int8 model is too far from the float model: same label below {LEAST_AGREEMENT}")
        figures = {"int8": agreed, **measure(OnnxCrossEncoder(out), args.data, args.limit), "versions": versions()}
        write_folder(out, figures, (MODEL, TABLE, TOKENIZER))
        write_card(out)


if __name__ == "__main__":
    main()
