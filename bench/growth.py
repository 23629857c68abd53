"""``python -m ghost bench growth``: how Ghost grows with the knowledge base, to a million passages and more."""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.corpus import claims, endless_passages
from bench.filling import STAND_IN, fill
from bench.furnishing import furnish
from bench.page import memory, page_process
from bench.pages import FIRST, measured_place, opened, places
from bench.processes import completed, environment
from bench.results import NotMeasured, Progress, head, percentile, say
from bench.speed import WARM_UP, megabytes, verification
from bench.speed_tables import Part
from config import Settings, load_settings
from ghost.knowledge import KnowledgeBase
from ghost.records import Database, back_up, restore
from ghost.workbench import build

THROUGH_THE_DOOR = 200
"""Passages that come in as an import does, at each size."""
OPENING_SECONDS = 3600.0
PARTS = ("pages", "rebuild")


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    sizes: tuple[int, ...]
    """Passages in the knowledge base, ascending."""
    claims: int = 40
    runs: int = 1_000
    """Runs that are stored."""
    seed: int = 1
    skip: tuple[str, ...] = ()
    """Names of PARTS to leave out."""
    folder: Path | None = None
    """Where to grow, on a disk with room for it; None for a temporary folder."""

    @property
    def command(self) -> str:
        """How to measure the same again."""
        skip = f" --skip {','.join(self.skip)}" if self.skip else ""
        sizes = ",".join(map(str, self.sizes))
        return (
            f"python -m ghost bench growth {sizes} --claims {self.claims} --runs {self.runs} --seed {self.seed}{skip}"
        )


def growth(options: Options) -> dict[str, Any]:
    """One knowledge base grows from size to size; what was measured at each, as one JSON object. Raises GhostError."""
    own = load_settings()
    result = head("growth", options.command, own, seed=options.seed, encoder=STAND_IN)
    with TemporaryDirectory(prefix="ghost-bench-", dir=options.folder) as temporary:
        folder = Path(temporary).resolve()
        settings = own.model_copy(
            update={"data_dir": folder, "database_url": "", "chroma_url": "", "judge": "embedded", "web": False}
        )
        there = furnish(settings, 0, options.runs, options.seed, Progress())
        rows: list[dict[str, Any]] = []
        for number, size in enumerate(options.sizes, start=1):
            say(f"Growing to {size:,} passages.")
            row = _grown(settings, size, options.seed + number)
            row |= _asked(settings, options)
            row["opening"] = opening(folder)
            row |= _kept(settings)
            row["database_mb"] = megabytes(settings.database_path.parent.glob(f"{settings.database_path.name}*"))
            row["vectors_mb"] = megabytes(settings.chroma_path.rglob("*"))
            if "pages" not in options.skip:
                say("Measuring the pages.")
                with page_process(folder) as (port, process, _):
                    row["first_page_seconds"] = _timed(partial(opened, port, FIRST))["seconds"]
                    row["pages"] = [measured_place(port, process.pid, place, 2) for place in places(there)]
                    row["page_rss_mb"] = memory(process.pid)
            rows.append(row)
    return result | {"growth": rows}


def _grown(settings: Settings, size: int, seed: int) -> dict[str, Any]:
    """Fill the tables, send the rest to the index, and bring some passages in through the door."""
    with build(settings, judge="embedded", progress=Progress()) as workbench:
        knowledge = workbench.knowledge
        missing = size - knowledge.count() - THROUGH_THE_DOOR
        filling = _timed(lambda: fill(knowledge.database, max(0, missing), seed, Progress()))
        sending = _timed(lambda: knowledge.catch_up(Progress()))
        new = list(islice(endless_passages(seed + 1_000), THROUGH_THE_DOOR))
        adding = _timed(lambda: knowledge.add(new, Progress()))
        return {
            "passages": knowledge.stats().active,
            "filling": {"passages": max(0, missing), **filling},
            "sending": {"per_second": round(missing / sending["seconds"], 1) if missing > 0 else None, **sending},
            "adding": {"per_second": round(len(new) / adding["seconds"], 1), **adding},
        }


def _asked(settings: Settings, options: Options) -> dict[str, Any]:
    """Searches and verifications over what there is, and the index made anew."""
    asked = claims(options.claims + WARM_UP, options.seed)
    with build(settings, judge="embedded", progress=Progress()) as workbench:
        row: dict[str, Any] = {
            "retrieval": _retrieval(workbench.knowledge, asked),
            "verification": verification(workbench, asked, Progress()),
            "rss_mb": memory(os.getpid()) if Path("/proc/self/status").exists() else None,
        }
        row["checking"] = _timed(workbench.knowledge.check)
        if "rebuild" not in options.skip:
            row["rebuilding"] = _timed(lambda: workbench.knowledge.rebuild(Progress()))
        return row


def _kept(settings: Settings) -> dict[str, Any]:
    """A backup, and putting it back into another folder."""
    with TemporaryDirectory(dir=settings.data_dir) as temporary:
        file = Path(temporary) / "backup.db"
        with Database.reading(settings.database_place) as database:
            writing = _timed(lambda: back_up(database, file, Progress()))
        reading = _timed(lambda: restore(file, Path(temporary) / "data" / "ghost.db", False, Progress()))
        return {"backup": {"mb": megabytes(iter([file])), **writing}, "restore": reading}


def _retrieval(knowledge: KnowledgeBase, asked: list[str]) -> Part:
    """Milliseconds of one search for the 20 best, as a run makes it."""
    times = []
    for claim in asked:
        started = time.perf_counter()
        knowledge.search(claim, 20)
        times.append((time.perf_counter() - started) * 1000)
    warm = times[WARM_UP:]
    return {"p50_ms": round(percentile(warm, 50), 1), "p95_ms": round(percentile(warm, 95), 1), "searches": len(warm)}


OPENING = """
import json, sys, time
started = time.perf_counter()
from bench.page import memory
from config import load_settings
from ghost.workbench import build
import os
with build(load_settings(), judge="embedded") as workbench:
    took = time.perf_counter() - started
    told = {"seconds": round(took, 2), "repaired": workbench.knowledge.repaired, "rss_mb": memory(os.getpid())}
    print(json.dumps(told))
"""


def opening(folder: Path) -> Part:
    """A new process that opens the workbench: seconds until it can be used, what it repaired, and its memory."""
    done = completed([sys.executable, "-c", OPENING], environment(folder), OPENING_SECONDS)
    if done.returncode:
        raise NotMeasured(f"the workbench did not open: {done.stderr.strip().splitlines()[-1:]}")
    return dict(json.loads(done.stdout))


def _timed(work: Callable[[], object]) -> dict[str, float]:
    """Seconds on the clock and of this process."""
    started, worked = time.perf_counter(), time.process_time()
    work()
    return {
        "seconds": round(time.perf_counter() - started, 2),
        "processor_seconds": round(time.process_time() - worked, 2),
    }


def terminal(result: dict[str, Any]) -> str:
    """The figures by size, in aligned columns."""
    rows = table(result["growth"])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    load, cores = result["machine"]["load_average"], result["machine"]["cores"]
    busy = (
        [f"The machine was busy (load {load:g} on {cores} cores): the times are too long."] if load > cores / 2 else []
    )
    return "\n".join([f"Passages beyond the first ones have vectors of a {STAND_IN}.", *busy, "", *lines])


def markdown(result: dict[str, Any]) -> str:
    """The same for a page of the documentation."""
    first, *rest = [f"| {' | '.join(row)} |" for row in table(result["growth"])]
    on = result["machine"]
    said = (
        f"Measured on {result['date'][:10]} with seed {result['seed']} on {on['cores']} cores of {on['cpu']}, load "
        f"{on['load_average']:g} when it began. Passages beyond the first ones have vectors of a {STAND_IN}."
    )
    mark = "|" + "---|" * (1 + len(result["growth"]))
    return "\n".join([first, mark, *rest, "", said, "", f"    {result['command']}"])


_FIGURES: tuple[tuple[str, str, Callable[[dict[str, Any]], float | None]], ...] = (
    ("added per second, through the door", "", lambda r: r["adding"]["per_second"]),
    ("sent to the index per second", "", lambda r: r["sending"]["per_second"]),
    ("database", "MB", lambda r: r["database_mb"]),
    ("vector index", "MB", lambda r: r["vectors_mb"]),
    ("cold start", "s", lambda r: r["opening"]["seconds"]),
    ("memory after a cold start", "MB", lambda r: r["opening"]["rss_mb"]),
    ("memory after the verifications", "MB", lambda r: r["rss_mb"]),
    ("one search, median", "ms", lambda r: r["retrieval"]["p50_ms"]),
    ("one search, 95th percentile", "ms", lambda r: r["retrieval"]["p95_ms"]),
    ("one verification, median", "ms", lambda r: r["verification"]["p50_ms"]),
    ("one verification, 95th percentile", "ms", lambda r: r["verification"]["p95_ms"]),
    ("first page after a start", "s", lambda r: r.get("first_page_seconds")),
    ("slowest page, opened later", "s", lambda r: _slowest(r, "open_seconds")),
    ("slowest page, run again", "ms", lambda r: _slowest(r, "rerun_ms")),
    ("memory of the page's process", "MB", lambda r: r.get("page_rss_mb")),
    ("backup", "s", lambda r: r["backup"]["seconds"]),
    ("restore", "s", lambda r: r["restore"]["seconds"]),
    ("full check", "s", lambda r: r["checking"]["seconds"]),
    ("index made anew", "s", lambda r: r.get("rebuilding", {}).get("seconds")),
)


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    """A column for each size; what was not measured anywhere is left out."""
    found = [["passages", *(f"{row['passages']:,}" for row in rows)]]
    for what, unit, figure in _FIGURES:
        values = [figure(row) for row in rows]
        if any(value is not None for value in values):
            found.append([what, *("–" if value is None else f"{value:,.4g} {unit}".rstrip() for value in values)])
    repaired = [row["opening"]["repaired"] for row in rows]
    return [*found, ["repaired at the cold start", *(text or "nothing" for text in repaired)]]


def _slowest(row: dict[str, Any], figure: str) -> float | None:
    return max((page[figure] for page in row.get("pages", ()) if figure in page), default=None)
