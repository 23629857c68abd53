"""Measure an exported evidence cross-encoder on data it was not trained on.

    python -m training.measure --data DIR --model ghost/models/evidence-cross-encoder

Needs the light requirements only. ``--limit`` takes a part of everything, for a quick look; its figures cannot be
compared with those of a whole run.
"""

import argparse
import gzip
import json
import random
import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.metrics import accuracy, ece, macro_f1, mean, ndcg
from ghost.inference import Encoder, OnnxCrossEncoder, StanceReader, load_encoder
from ghost.types import Stance, StanceLabel

TOP = 20
"""Documents of the first stage that are read closely."""

DECIDED = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)

RRF_K = 60
WINDOW, STRIDE = 3, 2
"""An abstract is read as windows of so many sentences, each starting so many after the last."""

STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her his if in into is it its "
    "may might more most no not of on or our she should so some such than that the their them then there these they "
    "this those to was we were what when which while who will with would you your".split()
)

Figures = dict[str, float | int]
Sides = dict[str, float]
"""Probability of each label."""


def measure(reader: StanceReader, encoder: Encoder, data: Path, limit: int = 0) -> dict[str, Figures]:
    """All figures by task; ``limit`` 0 takes everything."""
    dev = data / "dev"
    return {
        "fever_symmetric": symmetric(reader, _rows(dev / "stance.fever_symmetric.jsonl", limit)),
        "xnli_en": three_way(reader, _rows(dev / "stance.xnli_en.jsonl", limit)),
        "scifact": ranking(reader, encoder, dev, limit),
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


@dataclass(frozen=True)
class Document:
    """An abstract."""

    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((self.title, *self.sentences))

    @property
    def windows(self) -> list[str]:
        starts = range(0, max(len(self.sentences) - WINDOW + STRIDE, 1), STRIDE)
        return [" ".join(self.sentences[i : i + WINDOW]) for i in starts]


def ranking(reader: StanceReader, encoder: Encoder, dev: Path, limit: int = 0) -> Figures:
    """nDCG@10 on SciFact of the fused first stage, of relevance alone, and of both fused."""
    claims = _rows(dev / "scifact.claims.jsonl", limit)
    gold = [set(row["cited"]) for row in claims]
    corpus = _corpus(dev / "scifact.corpus.jsonl.gz")
    if limit:  # a thin corpus that still holds what is looked for
        keep = set().union(*gold) | set(list(corpus)[: 10 * limit])
        corpus = {doc_id: document for doc_id, document in corpus.items() if doc_id in keep}
    queries = [row["claim"] for row in claims]
    lexical, semantic = bm25(queries, corpus), nearest(queries, corpus, encoder)
    fused = [fuse(a, b)[:TOP] for a, b in zip(lexical, semantic, strict=True)]
    relevant = [by_relevance(reader, query, found, corpus) for query, found in zip(queries, fused, strict=True)]
    combined = [fuse(a, b) for a, b in zip(fused, relevant, strict=True)]
    runs = {"bm25": lexical, "vectors": semantic, "first_stage": fused, "relevance": relevant, "combined": combined}
    return {
        "claims": len(claims),
        "documents": len(corpus),
        **{f"ndcg10_{name}": mean([ndcg(found, wanted) for found, wanted in zip(run, gold, strict=True)])
           for name, run in runs.items()},
        "recall20_first_stage": mean(
            [len(wanted & set(found)) / len(wanted) for found, wanted in zip(fused, gold, strict=True)]
        ),
    }  # fmt: skip


def bm25(queries: Sequence[str], corpus: dict[str, Document], depth: int = 100) -> list[list[str]]:
    """Documents by BM25 over title and abstract, best first."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE documents USING fts5(id UNINDEXED, text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO documents VALUES (?, ?)", [(i, d.text) for i, d in corpus.items()])
    found = []
    for query in queries:
        words = [word for word in re.findall(r"\w+", query.lower()) if word not in STOP_WORDS]
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT id FROM documents WHERE documents MATCH ? ORDER BY rank, rowid LIMIT ?"
        found.append([row[0] for row in database.execute(sql, (match, depth))] if words else [])
    database.close()
    return found


def nearest(queries: Sequence[str], corpus: dict[str, Document], encoder: Encoder, depth: int = 100) -> list[list[str]]:
    """Documents by cosine, best first."""
    ids = list(corpus)
    similarity = encoder.encode(queries) @ encoder.encode([document.text for document in corpus.values()]).T
    return [[ids[i] for i in np.argsort(-row, kind="stable")[:depth]] for row in similarity]


def by_relevance(reader: StanceReader, query: str, found: list[str], corpus: dict[str, Document]) -> list[str]:
    """The documents again, by the relevance of their best window."""
    windows = [(doc_id, text) for doc_id in found for text in corpus[doc_id].windows]
    best = dict.fromkeys(found, 0.0)
    for (doc_id, _), stance in zip(windows, reader.read([(text, query) for _, text in windows]), strict=True):
        best[doc_id] = max(best[doc_id], stance.relevance)
    return sorted(found, key=lambda doc_id: -best[doc_id])


def fuse(*rankings: list[str]) -> list[str]:
    """Reciprocal-rank fusion."""
    score: dict[str, float] = {}
    for found in rankings:
        for rank, doc_id in enumerate(found, start=1):
            score[doc_id] = score.get(doc_id, 0.0) + 1 / (RRF_K + rank)
    return sorted(score, key=lambda doc_id: -score[doc_id])


def calibration_error(gold: Sequence[str], sides: Sequence[Sides]) -> float:
    """Expected calibration error of the likeliest label."""
    right = [likeliest(values) == label for values, label in zip(sides, gold, strict=True)]
    return ece([max(values.values()) for values in sides], right)


def _rows(file: Path, limit: int) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return random.Random(1).sample(rows, limit) if 0 < limit < len(rows) else rows


def _corpus(file: Path) -> dict[str, Document]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return {row["doc_id"]: Document(row["title"], tuple(row["abstract"])) for row in map(json.loads, lines)}


def main(show: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/")
    parser.add_argument("--model", type=Path, required=True, help="the folder of the cross-encoder")
    parser.add_argument("--limit", type=int, default=0, help="pairs and claims of each task; 0 takes all")
    args = parser.parse_args()
    encoder = load_encoder("all-MiniLM-L6-v2", args.model.parent)
    show(json.dumps(measure(OnnxCrossEncoder(args.model), encoder, args.data, args.limit), indent=2))


if __name__ == "__main__":
    main()
