"""Measure how long single claims wait for a worker while another analyst's batch is checked.

    python -m tests.jobs.waits --claims 60 --batch 10000

One worker with three slots over a real PostgreSQL server; each claim of the batch takes half a second. It is no part of
the tests, as it takes minutes.
"""

import argparse
import time
from statistics import median

from ghost.jobs import Jobs, open_jobs
from ghost.records import Database, NewBatch, NewItem
from ghost.testing import PostgresServer
from ghost.types import Claim
from tests.jobs.shared import SharedBench, WorkerProcess


def main() -> None:
    """Print the seconds from the click to the first step, without and with the batch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--batch", type=int, default=10_000)
    args = parser.parse_args()
    server = PostgresServer()
    try:
        name = server.create()
        Database.open(server.url(name)).close()
        _run(server.url(name), args.claims, args.batch)
    finally:
        server.remove()


def _run(url: str, claims: int, batch: int) -> None:
    one, other = SharedBench(url), SharedBench(url)
    worker = WorkerProcess(url, slots=3).wait_ready()
    mine, theirs = open_jobs(one), open_jobs(other)  # type: ignore[arg-type]
    _waits("alone", mine, claims)
    items = tuple(NewItem(n, f"Claim {n} of the batch takes 0.5") for n in range(1, batch + 1))
    began = time.monotonic()
    batch_id = theirs.batches.start(NewBatch("Large", items))
    print(f"batch of {batch:,} put in, {time.monotonic() - began:.2f} s")
    _waits("beside the batch", mine, claims)
    view = theirs.batches.snapshot(batch_id)
    assert view
    print(f"{view.tally.ended:,} claims of the batch were checked meanwhile")
    theirs.batches.cancel(batch_id)
    for jobs, bench in ((mine, one), (theirs, other)):
        jobs.close()
        bench.close()
    worker.remove()


def _waits(what: str, jobs: Jobs, claims: int) -> None:
    waits = []
    for number in range(claims):
        began = time.monotonic()
        run_id = jobs.runner.start(Claim(f"A single claim {number} takes 0.2"))
        while (view := jobs.runner.snapshot(run_id)) and not (view.number or view.ended):
            time.sleep(0.002)
        waits.append(time.monotonic() - began)
        while (view := jobs.runner.snapshot(run_id)) and not view.ended:
            time.sleep(0.01)
    waits.sort()
    p95 = waits[int(len(waits) * 0.95) - 1]
    print(f"{what}: p50 {median(waits):.3f} s, p95 {p95:.3f} s, longest {waits[-1]:.3f} s")


if __name__ == "__main__":
    main()
