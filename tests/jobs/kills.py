"""Kill workers at random points while they work, and see whether anything is lost or stored twice.

    python -m tests.jobs.kills --kills 50 --seed 1
    python -m tests.jobs.kills --kills 20 --fault cut
    python -m tests.jobs.kills --kills 4 --fault stall --seconds 30
    python -m tests.jobs.kills --kills 0 --poison 2
    python -m tests.jobs.kills --kills 0 --crash 1

Two workers over a real PostgreSQL server check single claims that keep coming and a batch. After a random time one of
them is killed as by a power cut, and another one is started in its place. With ``--fault restart`` the server is
restarted instead, with ``--fault cut`` all connections to it are cut. The other faults are those of a proxy between
the workers and the server: with ``stall`` nothing goes through for ``--seconds``, with ``silent`` the connections of
the moment never answer again, with ``slow`` every packet takes 0.2 seconds. Each of ``--poison N`` claims, single ones
and claims of the batch by turns, kills its worker whenever it is checked, and each of ``--crash N`` the server, as
one does that makes it run out of memory. Only those may be given up; every other claim has to end with the verdict
and the evidence that it would have had without a fault. It is no part of the tests, as it takes minutes.
"""

import argparse
import random
import time
from collections import Counter
from contextlib import suppress

from sqlalchemy import select

from ghost.errors import StoreError
from ghost.jobs import Queue, open_jobs
from ghost.records import CALM_SECONDS, Database, ItemState, NewBatch, NewItem, runs
from ghost.testing import PostgresServer
from ghost.types import Claim, RunStatus
from tests.jobs.shared import SharedBench, WorkerProcess
from tests.records.proxy import Proxy
from tests.ui.samples import false_run

AT_ONCE = 4
"""Single claims that wait or are being checked at any time."""
DELAY = 0.2
CRASHES = "always crashes"
LEFT_SECONDS = 20.0
STUCK_SECONDS = 300.0
"""When nothing has ended for so long, nothing will."""


def main() -> int:
    """Print what came of it; 0 when nothing was lost and nothing stored twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=("kill", "restart", "cut", "stall", "silent", "slow"), default="kill")
    parser.add_argument("--seconds", type=float, default=30, help="how long a stall lasts")
    parser.add_argument("--batch", type=int, default=400, help="claims of the batch")
    parser.add_argument("--takes", type=float, default=0.2, help="seconds that a claim of the batch takes")
    parser.add_argument("--poison", type=int, default=0, help="claims that kill their worker")
    parser.add_argument("--crash", type=int, default=0, help="claims that crash the server")
    args = parser.parse_args()
    server = PostgresServer()
    try:
        name = server.create()
        Database.open(server.url(name)).close()
        return _run(server, name, args)
    finally:
        server.remove()


def _run(server: PostgresServer, name: str, args: argparse.Namespace) -> int:
    url, batch, chance = server.url(name), args.batch, random.Random(args.seed)
    bench = SharedBench(url)
    jobs = open_jobs(bench)  # type: ignore[arg-type]
    began = time.monotonic()
    proxy = Proxy(server.port)
    of_worker = url if args.fault in ("kill", "restart", "cut") else server.url(name, port=proxy.port)
    proxy.delay = DELAY if args.fault == "slow" else 0.0
    workers = [WorkerProcess(of_worker, calm=CALM_SECONDS).wait_ready() for _ in range(2)]
    poison = {3 * n: "kills" for n in range(1, args.poison // 2 + 1)}
    poison |= {3 * n + 1: CRASHES for n in range(1, args.crash // 2 + 1)}
    texts = [f"Claim {n} of the batch takes {args.takes} {poison.get(n, '')}".strip() for n in range(1, batch + 1)]
    items = tuple(NewItem(n, text) for n, text in enumerate(texts, start=1))
    batch_id = jobs.batches.start(NewBatch("Killed", items))
    texts = [f"Poison {n} takes {args.takes} kills" for n in range(args.poison - args.poison // 2)]
    texts += [f"Poison {n} takes {args.takes} {CRASHES}" for n in range(args.crash - args.crash // 2)]
    singles = {jobs.runner.start(Claim(text)): text for text in texts}
    for number in range(1, args.kills + 1):
        until = time.monotonic() + chance.uniform(0.0, 2.0)
        while time.monotonic() < until:
            with suppress(StoreError):  # the page is told, and the analyst tries again
                while len(jobs.runner.active()) < AT_ONCE:
                    text = f"Single claim {len(singles)} takes {chance.uniform(0.1, 1.0):.2f}"
                    singles[jobs.runner.start(Claim(text))] = text
            time.sleep(0.02)
        if args.fault == "kill":
            victim = chance.randrange(2)
            workers[victim].remove()
            workers[victim] = WorkerProcess(of_worker, calm=CALM_SECONDS).wait_ready()
        elif args.fault == "restart":
            server.stop()
            server.start()
        elif args.fault == "stall":
            proxy.stall()
            time.sleep(args.seconds)
            proxy.resume()
        elif args.fault == "silent":
            proxy.silence()
        elif args.fault == "cut":
            server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        workers = [_replaced(worker, of_worker) for worker in workers]
        print(f"\r{number} of {args.kills}, {len(singles)} single claims", end="", flush=True)
    print()
    left, deadline = -1, time.monotonic() + STUCK_SECONDS
    while time.monotonic() < deadline:
        with suppress(StoreError):
            view, before = jobs.batches.snapshot(batch_id), left
            if not jobs.runner.active() and view and not view.running:
                break
            left = len(jobs.runner.active()) + (view.tally.of(ItemState.QUEUED) if view else 0)
            deadline = deadline if left == before else time.monotonic() + STUCK_SECONDS
        workers = [_replaced(worker, of_worker) for worker in workers]
        time.sleep(0.1)
    wrong = _report(bench, singles, batch_id, items)
    wrong += [f"a worker's log has a traceback: {each.output}" for each in workers if "Traceback" in each.output]
    print(f"{time.monotonic() - began:.0f} seconds; {len(wrong)} wrong")
    for line in wrong:
        print(f"  {line}")
    for worker in workers:
        worker.remove()
    jobs.close()
    bench.close()
    proxy.close()
    return 1 if wrong else 0


def _replaced(worker: WorkerProcess, url: str) -> WorkerProcess:
    """The worker, or another one where it has ended, as whatever watches over workers would start."""
    if worker.process.is_alive():
        return worker
    worker.remove()
    return WorkerProcess(url, calm=CALM_SECONDS).wait_ready()


def _report(bench: SharedBench, singles: dict[str, str], batch_id: str, items: tuple[NewItem, ...]) -> list[str]:
    """Print what there is; returns what should not be."""
    found = bench.batches.items(batch_id, limit=len(items))
    columns = select(runs.c.id, runs.c.status, runs.c.attempt)
    with bench.database.read() as connection:
        rows = {row.id: row for row in connection.execute(columns)}
    print(f"single claims: {dict(Counter(rows[i].status for i in singles if i in rows))}")
    print(f"claims of the batch: {dict(Counter(item.state.value for item in found))}")
    print(f"attempts: {dict(sorted(Counter(row.attempt for row in rows.values()).items()))}")
    texts = {item.line: item.claim for item in items}
    wrong = [f"claim {item.position} of the batch was left {item.state}" for item in found if item.run_id not in rows]
    ended = [(item.run_id, texts[item.position], item.state is ItemState.DONE) for item in found if item.run_id in rows]
    ended += [(i, text, rows[i].status == RunStatus.FINISHED) for i, text in singles.items() if i in rows]
    wrong += [f"single claim {i} is lost" for i in singles if i not in rows]
    for run_id, text, done in ended:
        if done == ("kills" in text or CRASHES in text):
            fault = "was not given up" if done else "was given up"
            wrong.append(f"{text!r} {fault} after {rows[run_id].attempt} attempts")
        elif done:
            wrong += _differences(bench, run_id, text)
    expected = len(singles) + len(items)
    wrong += [f"{len(rows)} runs for {expected} claims"] if len(rows) != expected else []
    until = time.monotonic() + LEFT_SECONDS  # what a worker did as the server went down is found a little later
    while (left := _left(bench)) and time.monotonic() < until:
        time.sleep(0.1)
    return wrong + ([f"left in the queue: {left}"] if left else [])


def _differences(bench: SharedBench, run_id: str, text: str) -> list[str]:
    """What is stored otherwise than a run without a fault would have stored it."""
    run, script = bench.runs.get(run_id), false_run()
    assert run
    same = {
        "claim": run.claim.text == text,
        "status": run.status is RunStatus.FINISHED,
        "statements": run.classification == script.classification,
        "steps": run.steps == script.steps,
        "evidence": run.evidence == script.evidence,
        "verdict": run.verdict == script.verdict,
    }
    return [f"{text!r} ended with other {name}" for name, as_scripted in same.items() if not as_scripted]


def _left(bench: SharedBench) -> "Counter[str]":
    standing = Queue(bench.database).standing()
    return standing.waiting + standing.running


if __name__ == "__main__":
    raise SystemExit(main())
