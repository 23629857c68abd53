"""Claims and corpora built out of training evidence: consistent, and the evidence taken away is really gone."""

import json
import random
from pathlib import Path

from bench.rows import ClaimRow, DocumentRow, read_claims, read_table
from training.built_claims import from_contrasts, from_pairs
from training.pairs import Pair
from training.written import Contrast, read_contrasts

PAIRS = [
    Pair(f"Town {i} lies on river {i}.", f"Claim {i} about town {i}.", label, "fever_gold.devA")
    for i in range(200)
    for label in ("SUPPORTS" if i % 2 else "REFUTES",)
]


def test_each_label_is_what_the_corpus_says() -> None:
    built = from_pairs(PAIRS, random.Random(1))
    texts = {d["doc_id"]: d["text"] for d in built.documents}
    by_claim = {p.claim: p for p in PAIRS}
    labels = [row["label"] for row in built.claims]
    assert 20 < labels.count("NEI") < 100  # a part of the evidence was taken away
    for row in built.claims:
        pair = by_claim[row["claim"]]
        there = pair.evidence in texts.values()
        assert row["label"] == (pair.label if there else "NEI")
        assert [texts[g["doc_id"]] for g in row["gold"]] == ([pair.evidence] if there else [])


def test_only_held_back_contrasts_give_claims_and_both_passages_make_a_conflict() -> None:
    contrasts = read_contrasts()[:300]
    built = from_contrasts(contrasts, random.Random(1))
    held = {text for c in contrasts if c.held_back for text, *_ in c.claims}
    assert {row["claim"] for row in built.claims} == held
    assert {row["label"] for row in built.claims} == {"SUPPORTS", "REFUTES", "NEI", "CONFLICT"}


def test_a_contrast_with_one_passage_cannot_be_a_conflict() -> None:
    topic = next(f"topic {i}" for i in range(100) if Contrast(f"topic {i}", ("A.",), ()).held_back)
    single = Contrast(topic, ("The mill closed in 1900.",), (("The mill shut.", "SUPPORTS"), ("It runs.", "REFUTES")))
    built = from_contrasts([single], random.Random(1))
    assert [row["label"] for row in built.claims] == ["SUPPORTS", "REFUTES"]
    assert len(built.documents) == 1


def test_what_is_written_is_what_the_benchmark_reads(tmp_path: Path) -> None:
    claims, corpus = from_pairs(PAIRS, random.Random(1)).write(tmp_path)
    assert len(read_claims(claims).rows) == 200
    documents = read_table(corpus, DocumentRow).rows
    assert {d.doc_id for d in documents} >= {g.doc_id for c in read_table(claims, ClaimRow).rows for g in c.gold}
    assert json.loads(corpus.read_text(encoding="utf-8").splitlines()[0])["text"]
