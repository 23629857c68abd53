"""Measure how long a page over PostgreSQL and Chroma waits for a change of many passages.

    python -m tests.knowledge.large_changes --passages 10000

It is no part of the tests, as it takes minutes.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

import seed_kb
from bench.filling import fill
from bench.results import Progress
from config import Settings
from ghost.records import passages
from ghost.testing import ChromaServer, PostgresServer
from ghost.workbench import Workbench, build

DOMAIN = "large.example"


def main() -> None:
    """Print the seconds of each change, and the processor time that they took in this process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--passages", type=int, default=10_000)
    args = parser.parse_args()
    database, index = PostgresServer(), ChromaServer()
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = database.url(database.create())
            settings = Settings(data_dir=Path(folder), database_url=url, chroma_url=index.url, web=False)
            with build(settings, judge="embedded") as workbench:
                _run(workbench, args.passages)
    finally:
        index.remove()
        database.remove()


def _run(workbench: Workbench, count: int) -> None:
    knowledge, c = workbench.knowledge, passages.c
    fill(knowledge.database, 2 * count, 1, Progress())
    with knowledge.database.write() as connection:
        chosen = select(c.id).where(c.origin == "import").order_by(c.seq).limit(count)
        ids = list(connection.execute(chosen).scalars())
        address = {"domain": DOMAIN, "source_url": f"https://{DOMAIN}/a"}
        connection.execute(update(passages).where(c.id.in_(ids)).values(**address))
    _timed("bring the index in step", knowledge.catch_up)
    for number in sorted({100, 1_000, count}):
        change = _timed(f"retire {number:,}", lambda n=number: knowledge.curation.retire(ids[:n]))
        _timed("undo that", lambda change=change: knowledge.curation.undo(change.id))
    rated = _timed(f"rate a domain of {count:,}", lambda: workbench.ratings.rate(DOMAIN, 0.1))
    _timed("undo that", lambda: workbench.ratings.undo(rated))
    pack = max(seed_kb.packs(), key=lambda pack: len(pack.facts)).name
    _timed("turn the largest pack off", lambda: seed_kb.switch_off(knowledge, pack))
    _timed("turn it on", lambda: seed_kb.switch_on(knowledge, pack))


def _timed(what: str, do: Callable[[], Any]) -> Any:
    began, spent = time.perf_counter(), time.process_time()
    result = do()
    print(
        f"{what:26} {time.perf_counter() - began:6.1f} s, {time.process_time() - spent:4.1f} s of processor", flush=True
    )
    return result


if __name__ == "__main__":
    main()
