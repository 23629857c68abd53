"""Measure an exported evidence cross-encoder on data it was not trained on.

    python -m training.measure --data DIR --model ghost/models/evidence-cross-encoder

Needs the light requirements only. ``--limit`` takes a part of everything, for a quick look; its figures cannot be
compared with those of a whole run.
"""

import argparse
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.metrics import accuracy, ece, macro_f1, mean
from ghost.inference import OnnxCrossEncoder, StanceReader
from ghost.types import Stance, StanceLabel

DECIDED = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)

Figures = dict[str, float | int]
Sides = dict[str, float]
"""Probability of each label."""


def measure(reader: StanceReader, data: Path, limit: int = 0) -> dict[str, Figures]:
    """All figures by task; ``limit`` 0 takes everything."""
    dev = data / "dev"
    return {
        "fever_symmetric": symmetric(reader, _rows(dev / "stance.fever_symmetric.jsonl", limit)),
        "xnli_en": three_way(reader, _rows(dev / "stance.xnli_en.jsonl", limit)),
    }


def symmetric(reader: StanceReader, rows: list[dict[str, Any]]) -> Figures:
    """Supported or refuted, with the true evidence, with none and with that of another claim (chance is 0.5)."""
    gold = [row["label"] for row in rows]
    claims = [row["claim"] for row in rows]
    evidence = [row["evidence"] for row in rows]
    shift = len(rows) // 2
    read = {
        "true": evidence,
        "empty": [""] * len(rows),
        "foreign": evidence[shift:] + evidence[:shift],
    }
    stances = {name: reader.read(list(zip(texts, claims, strict=True))) for name, texts in read.items()}
    sides = {name: [_two_way(stance) for stance in values] for name, values in stances.items()}
    found = {name: list(map(likeliest, values)) for name, values in sides.items()}
    foreign = [stance.label for stance in stances["foreign"]]
    return {
        "pairs": len(rows),
        "macro_f1": macro_f1(gold, found["true"]),
        "accuracy": accuracy(gold, found["true"]),
        "calibration_error": calibration_error(gold, sides["true"]),
        "accuracy_empty_evidence": accuracy(gold, found["empty"]),
        "accuracy_foreign_evidence": accuracy(gold, found["foreign"]),
        "foreign_called_off_topic": mean([float(label is StanceLabel.OFF_TOPIC) for label in foreign]),
        "foreign_called_decided": mean([float(label in DECIDED) for label in foreign]),
    }


def three_way(reader: StanceReader, rows: list[dict[str, Any]]) -> Figures:
    """Supported, refuted or neither, where neither is neutral and off topic together."""
    gold = [row["label"] for row in rows]
    sides = [_three_way(stance) for stance in reader.read([(row["evidence"], row["claim"]) for row in rows])]
    found = list(map(likeliest, sides))
    return {
        "pairs": len(rows),
        "macro_f1": macro_f1(gold, found),
        "accuracy": accuracy(gold, found),
        "calibration_error": calibration_error(gold, sides),
    }


def _two_way(stance: Stance) -> Sides:
    both = max(stance.supports + stance.refutes, 1e-12)
    return {"SUPPORTS": stance.supports / both, "REFUTES": stance.refutes / both}


def _three_way(stance: Stance) -> Sides:
    return {"SUPPORTS": stance.supports, "REFUTES": stance.refutes, "NEI": stance.neutral + stance.off_topic}


def likeliest(sides: Sides) -> str:
    """The label with the largest probability."""
    return max(sides, key=sides.__getitem__)


def calibration_error(gold: Sequence[str], sides: Sequence[Sides]) -> float:
    """Expected calibration error of the likeliest label."""
    right = [likeliest(values) == label for values, label in zip(sides, gold, strict=True)]
    return ece([max(values.values()) for values in sides], right)


def _rows(file: Path, limit: int) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return random.Random(1).sample(rows, limit) if 0 < limit < len(rows) else rows


def main(show: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/")
    parser.add_argument("--model", type=Path, required=True, help="the folder of the cross-encoder")
    parser.add_argument("--limit", type=int, default=0, help="pairs and claims of each task; 0 takes all")
    args = parser.parse_args()
    show(json.dumps(measure(OnnxCrossEncoder(args.model), args.data, args.limit), indent=2))


if __name__ == "__main__":
    main()
