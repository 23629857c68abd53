"""``python -m ghost bench pages``: how long each page takes to open and to react, over much that is stored."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from bench.furnishing import Furnished, furnish
from bench.page import page_process
from bench.results import NotMeasured, Progress, head, percentile, say
from bench.session import Session
from config import load_settings

OPEN_SECONDS, RERUN_MS = 2.0, 300.0
"""The goals: a page opened while the program is warm, and anything done on it."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    passages: int = 50_000
    runs: int = 1_000
    repeats: int = 5
    """How often each page is opened, and how often it is run again."""
    seed: int = 1

    @property
    def command(self) -> str:
        """How to measure the same again."""
        return (
            f"python -m ghost bench pages --passages {self.passages} --runs {self.runs} --repeats {self.repeats} "
            f"--seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Something to open."""

    name: str
    page: str
    """Its path in the address, empty for the first page."""
    query: str = ""


FIRST = Place("Verify", "")
"""What a visitor sees first."""


def pages(options: Options) -> dict[str, Any]:
    """Measure every place and return the result as one JSON object; a place that breaks says so.

    Raises NotMeasured when the server does not start, and GhostError when nothing could be made up.
    """
    result = head("pages", options.command, load_settings(), seed=options.seed)
    with _folder(options) as (folder, there):
        result |= {"passages": there.passages, "runs": there.runs}
        with page_process(folder) as (port, process, _):
            say("The page is up; opening every page once, so that all is warm.")
            todo = places(there)
            for place in todo:
                opened(port, place)
            found = []
            for number, place in enumerate(todo, start=1):
                found.append(measured_place(port, process.pid, place, options.repeats))
                Progress()("Measuring pages", number, len(todo))
    result["pages"] = found
    result["goals"] = {"open_seconds": OPEN_SECONDS, "rerun_ms": RERUN_MS}
    return result


def places(there: Furnished) -> list[Place]:
    """All pages, and what lies behind their switches, filled."""
    knowledge = ("browse", "quarantine", "duplicates", "seeds", "import", "domains", "changes")
    analytics = ("Sources", "Time", "Use", "Map", "Health")
    return [
        FIRST,
        Place("Verify: a report", "", _query(run=there.run)),
        Place("Verify: an article", "", _query(article=there.article)),
        Place("Batch", "batch"),
        Place("Batch: one list", "batch", _query(batch=there.batch)),
        Place("Cases", "cases"),
        Place("Cases: one case", "cases", _query(case=there.case)),
        *(Place(f"Knowledge base: {name}", "knowledge", _query(section=name)) for name in knowledge),
        Place("Knowledge base: a search", "knowledge", _query(section="browse", q=there.words)),
        Place("Knowledge base: a filter", "knowledge", _query(section="browse", credibility_to="0.6", unused="1")),
        Place("Knowledge base: page 900", "knowledge", _query(section="browse", page="900")),
        Place("Knowledge base: a passage", "knowledge", _query(passage=there.passage)),
        *(Place(f"Analytics: {name}", "analytics", _query(analytics_view=name)) for name in analytics),
        Place("Trace", "trace"),
        Place("Trace: words", "trace", _query(q=" ".join(there.words.split()[:2]))),
        Place("Trace: a filter", "trace", _query(verdict="False", **{"from": "2020-01-01"})),
        Place("Trace: a run", "trace", _query(run=there.run)),
        Place("Trace: candidates", "trace", _query(run=there.run, tab="candidates")),
        Place("Trace: what if", "trace", _query(run=there.run, tab="what-if")),
        Place("Trace: two runs", "trace", _query(run=there.run, **{"with": there.other_run})),
        Place("Quality", "quality"),
        Place("Quality: your verdicts", "quality", _query(quality_view="Your verdicts")),
        Place("Settings", "settings"),
        Place("Settings: data", "settings", _query(section="stores")),
    ]


def _query(**named: str) -> str:
    return urlencode(named)


def opened(port: int, place: Place) -> None:
    """Open it once; when that fails, say so."""
    try:
        with Session(port) as session:
            session.run(place.page, place.query)
    except NotMeasured as error:
        say(f"{place.name}: {error}")


def measured_place(port: int, pid: int, place: Place, repeats: int) -> dict[str, Any]:
    """Seconds until a new visitor can use it, and milliseconds of a run again; the median of several each.

    The time of the processor is a mean of all reruns, and does not depend on what else the machine does.
    """
    opening, again, worked = [], [], []
    try:
        for _ in range(repeats):
            started = time.perf_counter()
            with Session(port) as session:
                session.run(place.page, place.query)
                opening.append(time.perf_counter() - started)
                before, started = processor_seconds(pid), time.perf_counter()
                size = session.again()
                again.append((time.perf_counter() - started) * 1000)
                after = processor_seconds(pid)
                if before is not None and after is not None:
                    worked.append((after - before) * 1000)
    except NotMeasured as error:
        return {"name": place.name, "not_measured": str(error)}
    return {
        "name": place.name,
        "open_seconds": round(percentile(opening, 50), 3),
        "open_slowest_seconds": round(max(opening), 3),
        "rerun_ms": round(percentile(again, 50), 1),
        "rerun_fastest_ms": round(min(again), 1),
        "rerun_slowest_ms": round(max(again), 1),
        "rerun_cpu_ms": round(mean(worked), 1) if worked else None,
        "sent_kb": round(size / 1000, 1),
    }


def processor_seconds(pid: int) -> float | None:
    """How long the processor has worked for a process, in steps of mostly 10 ms; None where nobody tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:  # not on Linux
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _folder(options: Options) -> Iterator[tuple[Path, Furnished]]:
    """A temporary data folder with what was made up."""
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        folder = Path(temporary).resolve()
        settings = load_settings().model_copy(
            update={"data_dir": folder, "database_url": "", "chroma_url": "", "judge": "embedded"}
        )
        yield folder, furnish(settings, options.passages, options.runs, options.seed, Progress())
