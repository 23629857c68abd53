"""How much memory and time a very long list takes besides the checks themselves.

    python -m tests.bulk.many --lines 100000 --workers 2

One claim is checked without models, and its result is repeated for all lines: what is left is what the command does
that reads the list and writes the files. It is no part of the tests, as it takes minutes.
"""

import argparse
import csv
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ghost.bulk import BulkFolder, BulkList, BulkOptions, BulkRuns, ClaimFile, workers
from ghost.knowledge import KnowledgeBase
from ghost.matching import ClaimMatcher
from ghost.types import Claim, Run
from tests.bulk.bench import VERBS, WORDS, claims, opened


class RepeatingRuns(BulkRuns):
    """Gives every claim the result of one."""

    def __init__(self, one: Run) -> None:
        self._one = one

    def check(self, claims: Sequence[tuple[str, Claim]], cancelled: Callable[[], bool] = lambda: False) -> list[Run]:
        return [replace(self._one, id=id, claim=claim) for id, claim in claims]


@dataclass(frozen=True)
class RepeatingBench:
    knowledge: KnowledgeBase
    matcher: ClaimMatcher
    one: Run

    def bulk_runs(self) -> BulkRuns:
        return RepeatingRuns(self.one)


def repeating(folder: Path) -> RepeatingBench:
    bench = opened(Path(tempfile.mkdtemp(dir=folder)) / "data")
    (one,) = bench.bulk_runs().check([("one", Claim(claims(1)[0]))])
    return RepeatingBench(bench.knowledge, bench.matcher, one)


def main() -> int:
    """Print memory and time as the list goes on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ghost-many-") as folder:
        file, out = Path(folder) / "list.csv", Path(folder) / "out"
        _write(file, args.lines)
        began, said = time.monotonic(), set[tuple[str, int]]()

        def told(what: str, done: int, total: int) -> None:
            tenth = done * 10 // args.lines
            if (what, tenth) not in said:
                said.add((what, tenth))
                print(f"{what} {done:,}: {_megabytes():.0f} MB, {time.monotonic() - began:.0f} s", flush=True)

        from tests.bulk import many  # functions of __main__ are unknown to other processes

        made = workers(partial(many.repeating, Path(folder)), processes=args.workers)
        print(BulkList(ClaimFile(file, "claim"), BulkFolder(out), BulkOptions()).run(made, told))
        size = sum(each.stat().st_size for each in out.rglob("*") if each.is_file())
        print(f"{time.monotonic() - began:.0f} s, {_megabytes('VmHWM'):.0f} MB at most, {size / 1e6:.0f} MB of files")
    return 0


def _write(file: Path, lines: int) -> None:
    rng = random.Random(1)
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(("id", "claim"))
        for number in range(lines):
            one, other, third = rng.sample(WORDS, 3)
            writer.writerow((number, f"The {one} {other} {rng.choice(VERBS)} near the {third} on day {number}."))


def _megabytes(of: str = "VmRSS") -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{of}:")[2].split()[0]) / 1024


if __name__ == "__main__":
    raise SystemExit(main())
