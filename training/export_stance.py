"""Export a trained stance model as the bundled one, and measure what the 8-bit weights cost.

    python -m training.export_stance --model STAGE/model --data DIR --out ghost/models/stance-mpnet

Needs requirements-training.txt. ``--limit`` measures on a part of the data, for a quick look.
"""

import argparse
import gzip
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import AutoModelForSequenceClassification

from bench.metrics import macro_f1
from ghost.inference import MODEL, TOKENIZER, Manifest, OnnxCrossEncoder
from training.folder import export_onnx, replacing, versions, write_manifest, write_tokenizer
from training.pairs import CLASSES
from training.quantise import quantise
from training.stance_card import write_card

TABLE = "words.bin"
MAX_TOKENS = 192
SETS = ("written", "xnli_en", "fever_symmetric")
"""``dev/stance.NAME.jsonl``: what is measured; nothing is fitted on them."""
LEAST_AGREEMENT = 0.95


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
    for name in SETS:
        rows = [json.loads(line) for line in (data / "dev" / f"stance.{name}.jsonl").read_text().splitlines()]
        rows = random.Random(1).sample(rows, min(limit or len(rows), len(rows)))
        stances = reader.read([(row["evidence"], row["claim"]) for row in rows])
        gold = [row["label"] for row in rows]
        two_way = "NEI" not in gold
        found = [_label(s.supports, s.refutes, 0.0 if two_way else s.neutral + s.off_topic) for s in stances]
        open_pairs = [f for f, g in zip(found, gold, strict=True) if g == "NEI"]
        figures[name] = {"pairs": len(rows), "macro_f1": round(macro_f1(gold, found), 4)}
        if open_pairs:
            figures[name]["open_misread"] = round(sum(f != "NEI" for f in open_pairs) / len(open_pairs), 4)
        print(name, figures[name], flush=True)
    return figures


def _label(supports: float, refutes: float, open_: float) -> str:
    return max((supports, "SUPPORTS"), (refutes, "REFUTES"), (open_, "NEI"))[1]


def agreement(exact: OnnxCrossEncoder, coded: OnnxCrossEncoder, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """How often the int8 model takes the same side as the float model."""
    before, after = exact.read(texts), coded.read(texts)
    same = sum(a.label == b.label for a, b in zip(before, after, strict=True))
    return {"pairs": len(texts), "same_label": round(same / len(texts), 4)}


def export(source: Path, out: Path, data: Path, limit: int) -> dict[str, Any]:
    """Write the int8 model of ``source`` to ``out``; how far it agrees with the float model."""
    model = AutoModelForSequenceClassification.from_pretrained(source, attn_implementation="eager")
    with gzip.open(data / "train" / "stance.written.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [(r["evidence"], r["claim"]) for r in random.Random(1).sample(rows, limit or 1000)]
    with tempfile.TemporaryDirectory() as temporary:
        exact = Path(temporary)
        export_onnx(model, exact / MODEL, {0: "batch"})
        quantise(exact / MODEL, out / MODEL, TABLE)
        for folder, names in ((exact, (MODEL, TOKENIZER)), (out, (MODEL, TABLE, TOKENIZER))):
            write_tokenizer(source, folder)
            write_folder(folder, {}, names)
        return agreement(OnnxCrossEncoder(exact), OnnxCrossEncoder(out), texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the fine-tuned model folder")
    parser.add_argument("--data", type=Path, required=True, help="folder with train/ and dev/")
    parser.add_argument("--out", type=Path, required=True, help="the model folder to write")
    parser.add_argument("--limit", type=int, default=0, help="pairs of each set; 0 takes all")
    args = parser.parse_args()
    with replacing(args.out) as out:
        agreed = export(args.model, out, args.data, args.limit)
        print(agreed, flush=True)
        if agreed["same_label"] < LEAST_AGREEMENT:
            raise SystemExit(f"the int8 model is too far from the float model: same label below {LEAST_AGREEMENT}")
        figures = {"int8": agreed, **measure(OnnxCrossEncoder(out), args.data, args.limit), "versions": versions()}
        write_folder(out, figures, (MODEL, TABLE, TOKENIZER))
        write_card(out)


if __name__ == "__main__":
    main()
