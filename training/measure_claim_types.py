"""The claim classifier on public sets, which are never fitted on and never part of Ghost.

python -m training.measure_claim_types --claims DIR
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from ghost.inference import ClaimHead, ModelFolder, OnnxEncoder
from ghost.judges import ClaimReader, classify
from ghost.types import ClaimType
from training.train_claim_types import ENCODER, MODELS, auc, read, write

JUDGING = (ClaimType.OPINION, ClaimType.MIXED)


def measure(claims: Path, model: Path) -> dict[str, Any]:
    """Accuracy on the subjectivity sets through the whole of step 1, AUC of the check-worthiness on debates."""
    reader = ClaimReader(ClaimHead(model, OnnxEncoder(ENCODER)))
    rows = read(claims / "checkworthy.claimbuster.jsonl")
    worth = np.array([r.check_worthiness for r in reader.read([row["text"] for row in rows])])
    positive = np.array([row["label"] == "CHECKWORTHY" for row in rows])
    return {
        "checkthat25": _subjectivity(read(claims / "subjectivity.checkthat25.jsonl"), reader),
        "panglee": _subjectivity(read(claims / "subjectivity.panglee.jsonl"), reader),
        "claimbuster": {"texts": len(rows), "auc": round(auc(positive, worth), 4)},
    }


def _subjectivity(rows: list[dict[str, Any]], reader: ClaimReader) -> dict[str, float]:
    right = np.array([row["label"] == "SUBJ" for row in rows])
    alone = np.array([r.judges > r.factual for r in reader.read([row["text"] for row in rows])])
    said = []
    for row, subjective in zip(rows, alone, strict=True):
        found = classify(row["text"], reader=reader).type
        said.append(bool(subjective) if found is ClaimType.AMBIGUOUS else found in JUDGING)
    hit = np.array(said) == right
    return {
        "texts": len(rows),
        "accuracy": round(float(hit.mean()), 4),
        "macro_f1": round(float(np.mean([_f1(right == side, np.array(said) == side) for side in (True, False)])), 4),
        "classifier_alone": round(float((alone == right).mean()), 4),
        "larger_class": round(float(max(right.mean(), 1 - right.mean())), 4),
    }


def _f1(right: np.ndarray, said: np.ndarray) -> float:
    return float(2 * (right & said).sum() / max(1, right.sum() + said.sum()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=MODELS / "claim-types")
    parser.add_argument("--write", action="store_true", help="put the figures into the manifest and the card")
    options = parser.parse_args()
    found = measure(options.claims, options.model)
    print(json.dumps(found, indent=2))
    if options.write:
        manifest = ModelFolder.open(options.model).manifest
        write(options.model, {**manifest.figures, "public": found}, manifest.temperature, manifest.encoder or "")


if __name__ == "__main__":
    main()
