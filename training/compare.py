"""Fine-tuned model folders side by side, before they are exported: what another size or another mix gives, how fast.

    python -m training.compare --data DIR --models OUT1/model OUT2/model [--part 2] [--together]

Float weights in bfloat16, all cores. ``--part 2`` takes every second row of everything, for models that take long.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from bench.metrics import macro_f1
from bench.rows import ClaimRow, DocumentRow, PairRow, read_table
from training.dossiers import Dossier, dossier_pairs, read_dossiers, window
from training.pairs import CLASSES
from training.passages import SORTS, passage_pairs, read_passages
from training.written import contrast_pairs, read_contrasts

BATCH = 32
MAX_TOKENS = 192
SIDES = ("SUPPORTS", "REFUTES")
LEAST = 1e-6
TAKES = 0.5
"""Probability from which a page takes a side."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Task:
    """Pairs of text and claim with the answers; where several texts belong to one answer, ``of`` says to which."""

    name: str
    pairs: Pairs
    gold: Sequence[str]
    of: np.ndarray | None = None
    """Shape (pairs,): index in ``gold``."""


def probabilities(folder: Path, pairs: Pairs) -> np.ndarray:
    """Shape (pairs, classes) in the order of CLASSES; rows sum to one."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager").eval()
    order = sorted(range(len(pairs)), key=lambda i: -len(pairs[i][0]))
    logits = np.zeros((len(pairs), len(CLASSES)))
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            texts, claims = [pairs[i][0] for i in rows], [pairs[i][1] for i in rows]
            inputs = tokenizer(
                texts, claims, truncation="longest_first", max_length=MAX_TOKENS, padding=True, return_tensors="pt"
            )
            logits[rows] = model(**inputs).logits.float().numpy()
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def together(answers: Sequence[np.ndarray]) -> np.ndarray:
    """The mean of log-probabilities as probabilities again: a product of experts (Hinton 2002); shapes as they come.

    No expert rules anything out: none is taken to be surer than 1 in LEAST.
    """
    logs = np.mean([np.log(np.maximum(found, LEAST)) for found in answers], axis=0)
    powers = np.exp(logs)
    return powers / powers.sum(axis=1, keepdims=True)


def score(task: Task, found: np.ndarray) -> float:
    """Macro-F1 of the labels; for gold documents the area under the curve of support against refutation.

    Of a document the plainest sentence counts on either side, in log-odds between the two; where a document may also
    leave the claim open, it does so unless that sentence is sure of its side.
    """
    if task.of is None:
        three = "NEI" in task.gold
        sides = np.column_stack([found[:, :2], found[:, 2:].sum(axis=1)]) if three else found[:, :2]
        return macro_f1(list(task.gold), [(*SIDES, "NEI")[i] for i in sides.argmax(axis=1)])
    most = np.zeros((len(task.gold), 2))
    np.maximum.at(most, task.of, found[:, :2])
    if "NEI" in task.gold:
        sides = np.column_stack([most, np.full(len(most), TAKES)])
        return macro_f1(list(task.gold), [(*SIDES, "NEI")[i] for i in sides.argmax(axis=1)])
    return float(
        roc_auc_score([label == "SUPPORTS" for label in task.gold], np.log((most[:, 0] + 1e-6) / (most[:, 1] + 1e-6)))
    )


def tasks(data: Path, part: int) -> Iterator[Task]:
    """What is compared; of nothing in it a model may have been trained."""
    contrasts = list(contrast_pairs([c for c in read_contrasts() if c.held_back]))[::part]
    labels = {name: name if name in SIDES else "NEI" for name in CLASSES}
    yield Task("held-back contrasts", [(p.evidence, p.claim) for p in contrasts], [labels[p.label] for p in contrasts])
    pages = list(dossier_pairs([d for d in read_dossiers() if d.held_back], random.Random(0)))[::part]
    yield Task("held-back pages", [(p.evidence, p.claim) for p in pages], [labels[p.label] for p in pages])
    for sort in SORTS.values():
        passages = list(passage_pairs(sort, [p for p in read_passages(sort) if p.held_back]))[::part]
        answers = [labels[p.label] for p in passages]
        yield Task(f"held-back {sort.name}", [(p.evidence, p.claim) for p in passages], answers)
    yield whole_pages([d for d in read_dossiers() if d.held_back][::part])
    for name in ("fever_symmetric", "xnli_en"):
        rows = read_table(data / "dev" / f"stance.{name}.jsonl", PairRow).rows[::part]
        yield Task(name, [(r.evidence, r.claim) for r in rows], [r.label for r in rows])
    for name, suffix in (("check_covid", "jsonl"), ("scifact", "jsonl.gz")):
        claims = read_table(data / "dev" / f"{name}.claims.jsonl", ClaimRow).rows[::part]
        corpus = {d.doc_id: d for d in read_table(data / "dev" / f"{name}.corpus.{suffix}", DocumentRow).rows}
        gold = [(row.claim, g) for row in claims for g in row.gold if g.label in SIDES]
        texts = [(n, text) for n, (_, g) in enumerate(gold) for text in corpus[g.doc_id].abstract]
        pairs = [(text, gold[n][0]) for n, text in texts]
        yield Task(f"gold documents of {name}", pairs, [g.label for _, g in gold], np.array([n for n, _ in texts]))


def whole_pages(dossiers: Sequence[Dossier]) -> Task:
    """What each page says of each of its claims: every sentence with the one before it, as Ghost reads a page.

    Claims that one sentence supports and another refutes are left out.
    """
    told = [(d, c) for d in dossiers for c in d.claims if not (c.supported_by and c.refuted_by)]
    rows = [(n, window(d.page, i), c.text) for n, (d, c) in enumerate(told) for i in range(len(d.page))]
    pairs = [(text, claim) for _, text, claim in rows]
    return Task("whole held-back pages", pairs, [c.label for _, c in told], np.array([n for n, *_ in rows]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/")
    parser.add_argument("--models", type=Path, nargs="+", required=True)
    parser.add_argument("--part", type=int, default=1, help="take one in so many rows")
    parser.add_argument("--together", action="store_true", help="also score the mean of all, as they would teach")
    args = parser.parse_args()
    for task in tasks(args.data, args.part):
        answers = []
        for folder in args.models:
            started = time.monotonic()
            answers.append(probabilities(folder, task.pairs))
            speed = len(task.pairs) / (time.monotonic() - started)
            print(json.dumps(_row(task, str(folder), answers[-1]) | {"pairs_per_second": round(speed, 1)}), flush=True)
        if args.together:
            print(json.dumps(_row(task, "together", together(answers))), flush=True)


def _row(task: Task, model: str, found: np.ndarray) -> dict[str, str | int | float]:
    return {"task": task.name, "model": model, "pairs": len(task.pairs), "score": round(score(task, found), 4)}


if __name__ == "__main__":
    main()
