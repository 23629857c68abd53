"""``python -m bench.words``: whether SQLite and PostgreSQL find the same passages by their words, and how fast."""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bench.library import passages_of
from bench.metrics import mean, ndcg, recall
from bench.results import say
from bench.rows import ClaimRow, DocumentRow, Table, read_claims, read_table
from ghost.errors import GhostError
from ghost.knowledge import search_words
from ghost.records import Database, passages, utc_now
from ghost.testing import PostgresServer

_DEPTH = 100


def main() -> int:
    """Measure both, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.words", description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, metavar="F")
    parser.add_argument("--corpus", type=Path, required=True, metavar="F")
    args = parser.parse_args()
    claims, corpus = read_claims(args.claims), read_table(args.corpus, DocumentRow)
    there = {row.doc_id for row in corpus.rows}
    asked = [row for row in claims.rows if row.relevant & there]
    server = PostgresServer()
    try:
        with tempfile.TemporaryDirectory(prefix="ghost-bench-") as folder:
            places: dict[str, Path | str] = {
                "sqlite": Path(folder) / "ghost.db",
                "postgresql": server.url(server.create()),
            }
            found = {name: _measured(place, corpus, asked) for name, place in places.items()}
    except GhostError as error:
        say(str(error))
        return 1
    finally:
        server.remove()
    rankings = [result.pop("rankings") for result in found.values()]
    same = mean([float(one[:10] == other[:10]) for one, other in zip(*rankings, strict=True)])
    print(json.dumps({"claims": len(asked), **found, "same_first_ten": round(same, 4)}, indent=2))
    return 0


def _measured(place: Path | str, corpus: Table[DocumentRow], asked: Sequence[ClaimRow]) -> dict[str, Any]:
    with closing(Database.open(place)) as database:
        documents = _filled(database, corpus)
        rankings, seconds = [], []
        for row in asked:
            began = time.perf_counter()
            with database.read() as connection:
                hits = search_words(connection, row.claim, 4 * _DEPTH, None)
            seconds.append(time.perf_counter() - began)
            rankings.append(list(dict.fromkeys(documents[i] for i, _ in hits))[:_DEPTH])
    pairs = list(zip(rankings, asked, strict=True))
    return {
        "passages": len(documents),
        "ndcg@10": round(mean([ndcg(found, row.relevant) for found, row in pairs]), 4),
        "recall@20": round(mean([recall(found, row.relevant, 20) for found, row in pairs]), 4),
        "milliseconds": round(1000 * statistics.median(seconds), 2),
        "milliseconds_p95": round(1000 * statistics.quantiles(seconds, n=20)[-1], 2),
        "rankings": rankings,
    }


def _filled(database: Database, corpus: Table[DocumentRow]) -> dict[str, str]:
    """Put the corpus in without vectors; returns the document of each passage."""
    empty: dict[str, Any] = dict.fromkeys(("source_url", "domain", "publisher", "topic", "language", "source_type"), "")
    empty |= {"origin": "import", "status": "active", "embedding_model": "", "embedding": b"", "changed": 0}
    documents, rows = dict[str, str](), list[dict[str, Any]]()
    for document in corpus.rows:
        for passage in passages_of(document):
            new = {"id": f"p_{len(rows)}", "merge_key": f"{len(rows)}", "text": passage.text, "title": passage.title}
            rows.append(
                {**empty, **new, "text_length": len(passage.text), "indexed_at": utc_now().replace(tzinfo=None)}
            )
            documents[f"p_{len(rows) - 1}"] = document.doc_id
    with database.write() as connection:
        connection.execute(insert(passages), rows)
    return documents


if __name__ == "__main__":
    sys.exit(main())
