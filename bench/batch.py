"""``python -m ghost bench batch``: claims checked side by side beside the same claims checked one by one."""

import itertools
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.corpus import claims, endless_passages
from bench.processes import completed, environment
from bench.results import NotMeasured, Progress, cores, head, percentile, say
from config import Settings, load_settings
from ghost.bulk import (
    BulkFolder,
    BulkRuns,
    ClaimFile,
    Plan,
    PlannedClaim,
    collect,
    read_results,
    result_row,
    results_table,
    whole_results,
)
from ghost.inference import StanceReader
from ghost.knowledge import RunKnowledge
from ghost.pipelines import Tools
from ghost.reports import counted
from ghost.reports import result as canonical
from ghost.types import Candidate, Claim, Run, Stance
from ghost.workbench import Workbench, build

WARM_UP = 3
ROUND = 24
"""Claims that are checked one way, then the other; the way that goes first changes from round to round."""
PARTS = ("screener", "stance", "search")
PLANNED = 2_000
"""Lines whose plan is timed."""
RAY_SECONDS = 1_800.0


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    passages: int = 5_000
    claims: int = 96
    seed: int = 1
    workers: tuple[int, ...] = ()
    """Also this many processes on Ray, one after the other."""

    @property
    def command(self) -> str:
        """How to measure the same again."""
        more = f" --workers {','.join(map(str, self.workers))}" if self.workers else ""
        return f"python -m ghost bench batch --passages {self.passages} --claims {self.claims} --seed {self.seed}{more}"


@dataclass(slots=True)
class Took:
    """What one way took so far."""

    wall: float = 0.0
    cpu: float = 0.0
    """Of all threads of this process: what others do on the machine does not count."""

    @contextmanager
    def measured(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu

    def per_claim(self, number: int) -> dict[str, float]:
        """Seconds a claim, and claims a second and core."""
        return {
            "wall_ms": round(1000 * self.wall / number, 1),
            "cpu_ms": round(1000 * self.cpu / number, 1),
            "per_second_and_core": round(number / self.wall / cores(), 4),
            "per_cpu_second": round(number / self.cpu, 4),
        }


def batch(options: Options) -> dict[str, Any]:
    """Both ways over the same knowledge base, in one process, in turns; raises ConfigError or GhostError."""
    own = load_settings()
    outcome = head("batch", options.command, own, seed=options.seed)
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        settings = own.model_copy(
            update={
                "data_dir": Path(temporary).resolve(),
                "database_url": "",
                "chroma_url": "",
                "judge": "embedded",
                "web": False,
            }
        )
        with build(settings, judge="embedded", web=False, progress=Progress()) as workbench:
            have = workbench.knowledge.stats().active
            workbench.knowledge.add(itertools.islice(endless_passages(options.seed), max(0, options.passages - have)))
            outcome |= _compared(workbench, options)
        if options.workers:
            outcome["on_ray"] = [_on_ray(settings, options, number) for number in options.workers]
    return outcome


def _on_ray(settings: Settings, options: Options, number: int) -> dict[str, Any]:
    """How fast so many processes are, from the start of their first claim to the end of the last."""
    say(f"Checking claims with {counted(number, 'worker', 'workers')} on Ray.")
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        file, out = Path(temporary) / "list.txt", Path(temporary) / "out"
        file.write_text("\n".join(claims(options.claims, options.seed + number)), encoding="utf-8")
        command = [sys.executable, "-m", "ghost", "batch", str(file), "--engine", "ray", "--out", str(out)]
        done = completed([*command, "--workers", str(number), "--json"], environment(settings.data_dir), RAY_SECONDS)
        if done.returncode:
            raise NotMeasured(f"a list on Ray ended with exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        runs = [json.loads(row) for part in (out / "results").glob("part-*") for row in whole_results(part)]
    began, ended = (min(run["started_at"] for run in runs), max(run["finished_at"] for run in runs))
    seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()
    cpu = json.loads(done.stdout)["cpu_seconds"]
    return {
        "workers": number, "claims": len(runs), "per_second": round(len(runs) / seconds, 4),
        "per_cpu_second": round(len(runs) / cpu, 4),
    }  # fmt: skip


def _compared(workbench: Workbench, options: Options) -> dict[str, Any]:
    asked = claims(options.claims + WARM_UP, options.seed)
    single, together, parts = Took(), Took(), _Parts()
    bulk = BulkRuns(parts.timed(workbench.bulk_tools))
    recorded = workbench.knowledge.record_use
    for claim in asked[:WARM_UP]:
        _alone(workbench, claim)
    bulk.check([("warm", Claim(asked[0]))])
    parts.clear()
    asked, same, statements, ratios = asked[WARM_UP:], 0, 0, []
    progress = Progress()
    # Single runs book which passages they use, which later ones weigh. Both ways see the knowledge base as it is now.
    workbench.knowledge.record_use = lambda *_: None  # type: ignore[method-assign]
    try:
        for number, start in enumerate(range(0, len(asked), ROUND)):
            some = asked[start : start + ROUND]
            before = single.cpu, together.cpu
            ways: list[Callable[[], list[Run]]] = [
                lambda some=some: _one_by_one(workbench, some, single),  # type: ignore[misc]
                lambda some=some: _together(bulk, some, together),  # type: ignore[misc]
            ]
            done = {way: ways[way]() for way in ((0, 1) if number % 2 else (1, 0))}
            same += sum(_equal(one, other) for one, other in zip(done[0], done[1], strict=True))
            statements += sum(len(run.classification.statements) for run in done[1] if run.classification)
            ratios.append((single.cpu - before[0]) / (together.cpu - before[1]))
            progress("Checking claims both ways", start + len(some), len(asked))
    finally:
        workbench.knowledge.record_use = recorded  # type: ignore[method-assign]
    one, many = single.per_claim(len(asked)), together.per_claim(len(asked))
    batch_parts = parts.per_claim(len(asked), together.cpu)
    runs = bulk.check([(str(number), Claim(claim)) for number, claim in enumerate(asked[:ROUND])])
    # With a blank, since what was read before is remembered.
    texts = [f"{s.text} " for run in runs if run.classification for s in run.classification.statements]
    return {
        "passages": workbench.knowledge.stats().active,
        "claims": len(asked),
        "statements": statements,
        "equal_results": same,
        "single": one,
        "batch": many,
        "times_per_second_and_core": round(many["per_second_and_core"] / one["per_second_and_core"], 2),
        "times_per_cpu_second": round(many["per_cpu_second"] / one["per_cpu_second"], 2),
        "times_per_cpu_second_by_round": [
            round(min(ratios), 2),
            round(percentile(ratios, 50), 2),
            round(max(ratios), 2),
        ],
        "batch_cpu_ms": batch_parts,
        "encoding_ms": round(_cpu_ms(lambda: workbench.knowledge.encode(texts)) / len(runs), 2),
        "writing": _writing(runs),
    }


def _writing(runs: Sequence[Run]) -> dict[str, float]:
    """CPU milliseconds and bytes a claim for all around the runs: by the worker, by the command, and for the plan."""
    planned = [PlannedClaim(n, str(n), run.claim.text) for n, run in enumerate(runs, start=1)]
    body = b""

    def write() -> None:
        nonlocal body
        body = results_table([result_row(*pair, 1) for pair in zip(planned, runs, strict=True)])

    worker = _cpu_ms(write)
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        folder = BulkFolder(Path(temporary) / "out")
        folder.make()
        file = Path(temporary) / "list.txt"
        file.write_text("\n".join(claims(PLANNED, 1)), encoding="utf-8")
        with closing(Plan(folder)) as plan:
            planning = _cpu_ms(lambda: plan.make(ClaimFile(file), PLANNED // 10, 2_000, lambda *_: None))

            def keep() -> None:
                plan.keep_part(0, read_results(body))
                folder.write(folder.results(0), [body])

            command = _cpu_ms(keep)
    return {
        "worker_ms": round(worker / len(runs), 3), "command_ms": round(command / len(runs), 3),
        "bytes": round(len(body) / len(runs)), "plan_ms": round(planning / PLANNED, 3),
    }  # fmt: skip


def _cpu_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def _one_by_one(workbench: Workbench, some: Sequence[str], took: Took) -> list[Run]:
    with took.measured():
        return [_alone(workbench, claim) for claim in some]


def _together(bulk: BulkRuns, some: Sequence[str], took: Took) -> list[Run]:
    with took.measured():
        return bulk.check([(str(number), Claim(claim)) for number, claim in enumerate(some)])


def _alone(workbench: Workbench, claim: str) -> Run:
    """A single run as always: recorded, and made a card."""
    return collect(workbench.verify(Claim(claim), web=False, judge="embedded"))


def _equal(one: Run, other: Run) -> bool:
    """Whether two runs have the same result to the last digit, times and ids apart."""
    return bare_result(one) == bare_result(other)


def bare_result(run: Run) -> str:
    """The canonical result without what differs from run to run: ids, times, and whether uses were recorded."""
    whole = canonical(run)
    for name in ("run_id", "started_at", "finished_at", "usage"):
        del whole[name]
    whole["steps"] = [
        {k: v for k, v in step.items() if k not in ("started_at", "seconds")}
        for step in whole["steps"]
        if step["name"] != "index"
    ]
    return json.dumps(whole, sort_keys=True, default=str)


class _Parts:
    """CPU seconds of what a batch consists of."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)
        self._pairs: dict[str, int] = defaultdict(int)

    def clear(self) -> None:
        self._seconds.clear()
        self._pairs.clear()

    def timed(self, tools: Tools) -> Tools:
        """The same tools, timed."""
        screener = _Timed(tools.screener, "screener", self) if tools.screener else None
        stance, knowledge = _Timed(tools.reader, "stance", self), _TimedKnowledge(tools.knowledge, self)
        return replace(tools, screener=screener, reader=stance, knowledge=knowledge)

    @contextmanager
    def adding(self, name: str, pairs: int) -> Iterator[None]:
        began = time.process_time()
        yield
        self._seconds[name] += time.process_time() - began
        self._pairs[name] += pairs

    def per_claim(self, number: int, total: float) -> dict[str, float]:
        """Milliseconds a claim by part, the rest included, and how many pairs each model read."""
        shares = {name: round(1000 * self._seconds[name] / number, 2) for name in PARTS}
        rest = total - sum(self._seconds[name] for name in PARTS)
        return {
            **shares, "rest": round(1000 * rest / number, 2),
            **{f"{name}_pairs": round(self._pairs[name] / number, 2) for name in PARTS[:2]},
        }  # fmt: skip


class _Timed:
    def __init__(self, inside: StanceReader, name: str, parts: _Parts) -> None:
        self._inside, self._what, self._parts, self.name = inside, name, parts, inside.name

    @property
    def checksum(self) -> str:
        return self._inside.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        with self._parts.adding(self._what, len(pairs)):
            return self._inside.read(pairs)


class _TimedKnowledge:
    frozen = True

    def __init__(self, inside: RunKnowledge, parts: _Parts) -> None:
        self._inside, self._parts = inside, parts
        self.record_use, self.add, self.record_checks = inside.record_use, inside.add, inside.record_checks

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        with self._parts.adding("search", len(texts)):
            return self._inside.search_many(texts, k, as_of)


def table(found: dict[str, Any]) -> str:
    """The figures for a terminal."""
    one, many, parts = found["single"], found["batch"], found["batch_cpu_ms"]
    rows = [
        ("", "one by one", "side by side", "times"),
        ("claims a second and core", f"{one['per_second_and_core']:.2f}", f"{many['per_second_and_core']:.2f}",
         f"{found['times_per_second_and_core']:.2f}"),
        ("claims a CPU second", f"{one['per_cpu_second']:.2f}", f"{many['per_cpu_second']:.2f}",
         f"{found['times_per_cpu_second']:.2f}"),
        ("CPU ms a claim", f"{one['cpu_ms']:,.0f}", f"{many['cpu_ms']:,.0f}", ""),
    ]  # fmt: skip
    rows += [(f"  {name}", "", f"{parts[name]:,.1f}", "") for name in (*PARTS, "rest")]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    equal = f"{found['equal_results']} of {found['claims']} results are equal to the last digit."
    return "\n".join([*lines, equal])
