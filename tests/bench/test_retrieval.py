"""Four orders of real searches over a tiny corpus, and their figures."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.cli import main
from bench.library import library
from bench.metrics import ndcg
from bench.retrieval import ORDERS, orders
from bench.rows import DocumentRow, read_table
from config import Settings
from ghost.steps import rerank
from ghost.types import Statement
from tests.bench.corpora import CLAIMS, DOCUMENTS, write


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of one measurement."""
    folder = tmp_path_factory.mktemp("retrieval")
    claims = write(folder / "tiny.claims.jsonl", [*CLAIMS, {"id": "5", "claim": "Green tea.", "cited": ["tea:2"]}])
    corpus = write(folder / "tiny.corpus.jsonl", DOCUMENTS)
    out = folder / "out.json"
    words = ["retrieval", "--claims", str(claims), "--corpus", str(corpus), "--json", str(out), "--seed", "3"]
    assert main(words) == 0
    assert sorted(file.name for file in folder.iterdir()) == ["out.json", claims.name, corpus.name]
    return dict(json.loads(out.read_text(encoding="utf-8")))


def test_every_order_has_every_figure_and_the_result_says_how_it_was_measured(measured: dict[str, Any]) -> None:
    assert measured["n"] == 4
    assert measured["without_relevant"] == 1
    for order in ORDERS:
        assert set(measured[order]) == {"ndcg@10", "recall@5", "recall@20", "recall@100", "mrr"}
        assert measured[order]["recall@20"] == 1.0  # there are only five documents
        low, high = measured["intervals"][order]["ndcg@10"]
        assert low <= measured[order]["ndcg@10"] <= high
    assert measured["benchmark"] == "retrieval"
    assert measured["command"].startswith(
        "python -m ghost bench retrieval --claims tiny.claims.jsonl --corpus tiny.corpus.jsonl --seed 3"
    )
    assert measured["corpus"]["documents"] == 5
    assert measured["corpus"]["passages"] == 6
    assert measured["seed"] == 3
    assert {len(model["sha256"]) for model in measured["models"].values()} == {64}
    assert measured["versions"]["onnxruntime"]


def test_the_reranked_order_is_that_of_step_3_and_the_rest_follows(settings: Settings, tmp_path: Path) -> None:
    corpus = read_table(write(tmp_path / "c.jsonl", DOCUMENTS), DocumentRow)
    claim = "Salt dissolves in cooking oil."
    few = settings.model_copy(update={"top_k_retrieval": 3})
    with library(few, corpus, 1, lambda *_: None) as opened:
        found = orders(opened, claim)
        tools = opened.workbench.tools
        first = tools.knowledge.search_many([claim], 3)[0]
        weighed = rerank([Statement(1, claim)], {1: first}, tools.reader, tools.scorer, tools.rules).value
        by_final = sorted([*weighed.evidence, *weighed.dropped], key=lambda e: -e.final)
        ids = [e.passage_id if hasattr(e, "passage_id") else e.passage.id for e in by_final]
        head = opened.ranked(ids)
        assert len(first) == 3
        assert found["reranked"][: len(head)] == head
        assert found["fused"][: len(head)] == opened.ranked([c.passage.id for c in first])
        assert set(found["reranked"]) == set(found["fused"]) == set(found["dense"])
        assert found["lexical"][0] == "salt"
        assert "moss" not in found["lexical"]  # no word in common
        assert ndcg(found["dense"], {"salt"}) == 1.0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([*CLAIMS, {"id": "9", "claim": "Tea.", "cited": ["coffee"]}], "line 5: the corpus has no document 'coffee'"),
        ([{"claim": "Tea."}], "no claim names a document"),
    ],
)
def test_claims_that_look_for_nothing_there_are_named(
    rows: list[dict[str, Any]], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims, corpus = write(tmp_path / "c.jsonl", rows), write(tmp_path / "d.jsonl", DOCUMENTS)
    assert main(["retrieval", "--claims", str(claims), "--corpus", str(corpus)]) == 2
    assert said in capsys.readouterr().err
