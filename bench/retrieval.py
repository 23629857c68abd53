"""``python -m ghost bench retrieval``: whether the documents that bear on a claim are found, and how far up."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.library import Library, library
from bench.metrics import intervals, mean, ndcg, recall, reciprocal_rank
from bench.results import Options, Progress, head, say, side_by_side
from bench.rows import ClaimRow, DataError, DocumentRow, Table, read_claims, read_table
from config import load_settings
from ghost.knowledge import Rankings, fuse
from ghost.steps import rerank
from ghost.types import Statement

Answer = dict[str, dict[str, float]]
"""The figures of one claim for each order."""
ORDERS = ("lexical", "dense", "fused", "reranked")
"""What is compared: by words, by meaning, both fused, and step 3's own order."""
FIGURES = ("ndcg@10", "recall@5", "recall@20", "recall@100", "mrr")
DEPTH = 100
"""Documents of a ranking that are looked at."""
_PASSAGES = 4 * DEPTH
"""Passages asked for at first; a document often has several."""


def retrieval(claims: Path, corpus: Path, options: Options) -> dict[str, Any]:
    """Measure and return the result as one JSON object.

    Raises DataError on files that cannot be used, ConfigError and GhostError.
    """
    own = load_settings()
    table, documents = read_claims(claims), read_table(corpus, DocumentRow)
    asked = _with_relevant(table, {row.doc_id for row in documents.rows})
    drawn = asked.sample(options.limit, options.seed)
    result = head(
        "retrieval", options.command, own,
        seed=options.seed, limit=options.limit, workers=options.workers, claims=drawn.described,
    )  # fmt: skip
    settings = own.model_copy(update={"judge": "embedded"})
    with library(settings, documents, options.workers, Progress()) as opened:
        kept = opened.workbench.tools.settings
        say(f"Searching for {len(drawn.rows):,} claims in {opened.corpus['passages']:,} passages.")
        found = side_by_side(lambda row: searched(opened, row), drawn.rows, options.workers, "Claims")
        result |= {
            "n": len(drawn.rows),
            "without_relevant": len(table.rows) - len(asked.rows),
            "corpus": opened.corpus,
            "models": kept["models"],
            **figures(found, options.seed),
        }
    return result


def searched(opened: Library, row: ClaimRow) -> Answer:
    """The figures of one claim for each order."""
    return {name: _figures(found, row.relevant) for name, found in orders(opened, row.claim).items()}


def orders(opened: Library, claim: str) -> dict[str, list[str]]:
    """The documents for a claim in the four orders, best first.

    The first stage is the pipeline's own search; where it ends, the same fusion goes on over longer rankings. Step 3
    reorders what the first stage found by its final score; the rest follows as it was.
    """
    tools = opened.workbench.tools
    found = _deep(opened, claim)
    first = tools.knowledge.search_many([claim], tools.top_k)[0]
    everything = dict.fromkeys(i for i, _ in (*found.dense, *found.lexical))
    fused = _joined([c.passage.id for c in first], [f.id for f in fuse(found.dense, found.lexical, everything)])
    weighed = rerank([Statement(1, claim)], {1: first}, tools.reader, tools.scorer, tools.rules).value
    final = {e.passage.id: e.final for e in weighed.evidence} | {d.passage_id: d.final for d in weighed.dropped}
    closest = sorted((c.passage.id for c in first), key=lambda i: -final[i])  # stable: equals by first-stage rank
    passages = {
        "lexical": [i for i, _ in found.lexical],
        "dense": [i for i, _ in found.dense],
        "fused": fused,
        "reranked": _joined(closest, fused),
    }
    return {name: opened.ranked(passages[name])[:DEPTH] for name in ORDERS}


def figures(found: Sequence[Answer], seed: int) -> dict[str, Any]:
    """The means over all claims for each order, with intervals."""
    result: dict[str, Any] = {
        order: {name: mean([answer[order][name] for answer in found]) for name in FIGURES} for order in ORDERS
    }

    def over(order: str, name: str) -> Callable[[Sequence[int]], float]:
        return lambda drawn: sum(found[i][order][name] for i in drawn) / len(drawn)

    result["intervals"] = {
        order: intervals(len(found), [(name, over(order, name)) for name in FIGURES], seed) for order in ORDERS
    }
    return result


def _figures(found: Sequence[str], wanted: set[str]) -> dict[str, float]:
    return {
        "ndcg@10": ndcg(found, wanted),
        **{f"recall@{depth}": recall(found, wanted, depth) for depth in (5, 20, 100)},
        "mrr": reciprocal_rank(found, wanted),
    }


def _deep(opened: Library, claim: str) -> Rankings:
    """Both rankings, long enough for DEPTH documents each where there are so many."""
    n = _PASSAGES
    while True:
        (found,) = opened.workbench.knowledge.rankings([claim], n)
        short = [
            len(ranking) == n and len(opened.ranked([i for i, _ in ranking])) < DEPTH
            for ranking in (found.dense, found.lexical)
        ]
        if not any(short):
            return found
        n *= 2


def _joined(first: Sequence[str], rest: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*first, *rest]))


def _with_relevant(table: Table[ClaimRow], documents: set[str]) -> Table[ClaimRow]:
    """The claims for which something should be found."""
    for number, row in enumerate(table.rows):
        if missing := sorted(row.relevant - documents):
            raise table.wrong(number, f"the corpus has no document {missing[0]!r}.")
    kept = [number for number, row in enumerate(table.rows) if row.relevant]
    if not kept:
        raise DataError(f"{table.path}: no claim names a document in `gold` or `cited`, so nothing can be looked for.")
    return table.only(kept)
