"""``python -m ghost bench speed``: how fast and how small Ghost is, on real parts in a temporary folder."""

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from bench.corpus import claims, endless_passages
from bench.page import memory, page
from bench.processes import completed, environment
from bench.results import NotMeasured, Progress, head, installed, percentile, say
from bench.speed_tables import Part, goals
from config import Settings, load_settings
from ghost.errors import GhostError, ModelError
from ghost.events import ClaimClassified, RunEnded, RunStarted, StepFinished
from ghost.inference import OnnxCrossEncoder
from ghost.steps import STEPS
from ghost.types import Claim, NewPassage, RunStatus, Stance
from ghost.workbench import Workbench, build

WARM_UP = 3
"""Claims verified before the clock counts: the first one loads the models."""
COLD_RUNS = 5
COLD_SECONDS = 120.0
HEAVY = ("torch", "sentence_transformers", "transformers")


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    sizes: tuple[int, ...] = (10_000,)
    """Passages in the knowledge base, the seed facts included; ascending."""
    growth: bool = False
    """Whether the figures are told by size, instead of beside what was promised."""
    claims: int = 40
    seed: int = 1
    skip: tuple[str, ...] = ()
    """Names of PARTS to leave out."""

    @property
    def command(self) -> str:
        """How to measure the same again."""
        sizes = f"--growth {','.join(map(str, self.sizes))}" if self.growth else f"--passages {self.sizes[0]}"
        skip = f" --skip {','.join(self.skip)}" if self.skip else ""
        return f"python -m ghost bench speed {sizes} --claims {self.claims} --seed {self.seed}{skip}"


@dataclass(slots=True)
class Reading:
    """What one model has read."""

    pairs: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Timed:
    """One verification as it went."""

    seconds: float = 0.0
    statements: int = 0
    """None are left to check when the claim ended the run at step 1."""
    steps: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds per step, its rounds together."""
    read: dict[str, "Reading"] = field(default_factory=dict)
    """What each model that reads pairs has read, by its name."""
    models: dict[str, dict[str, str]] = field(default_factory=dict)


def speed(options: Options) -> dict[str, Any]:
    """Measure everything and return the result as one JSON object; parts that cannot be measured say why.

    One knowledge base grows from size to size, and the same claims are verified at each. The settings in force count,
    but the data folder is temporary, the judge embedded and the web left out. Raises ConfigError or GhostError.
    """
    own = load_settings()
    result = head("speed", options.command, own, seed=options.seed)
    asked = claims(options.claims + WARM_UP + 1 + len(options.sizes), options.seed)
    warm, (for_cold, *for_page) = asked[: options.claims + WARM_UP], asked[options.claims + WARM_UP :]
    made, progress, rows = endless_passages(options.seed), Progress(), []
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        folder = Path(temporary).resolve()
        settings = own.model_copy(
            update={"data_dir": folder, "database_url": "", "chroma_url": "", "judge": "embedded"}
        )
        for size, in_page in zip(options.sizes, for_page, strict=True):
            say(f"Growing to {size:,} passages.")
            row = _warm(settings, size, made, warm, options.skip, progress)
            row["database_mb"] = megabytes(settings.database_path.parent.glob(f"{settings.database_path.name}*"))
            row["vectors_mb"] = megabytes(settings.chroma_path.rglob("*"))
            row["cold"] = _part("cold", options.skip, lambda: cold(folder, for_cold, progress))
            row["page"] = _part("page", options.skip, partial(page, settings.database_path, folder, in_page, say))
            rows.append(row)
    if options.growth:
        return result | {"growth": rows}
    result |= rows[0]
    return result | {"goals": [goal.as_json() for goal in goals(result)]}


def _warm(
    settings: Settings, size: int, made: Iterator[NewPassage], asked: Sequence[str], skip: Sequence[str],
    progress: Progress,
) -> dict[str, Any]:  # fmt: skip
    """Add what is missing and verify, in one opening; the other parts need the knowledge base closed."""
    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        new = list(islice(made, max(0, size - workbench.knowledge.stats().active)))  # made before the clock starts
        started = time.perf_counter()
        report = workbench.knowledge.add(new, progress)
        took = time.perf_counter() - started
        del new  # its memory is not that of a workbench
        measured = _part("verification", skip, lambda: verification(workbench, asked, progress))
        return {
            "passages": workbench.knowledge.stats().active,
            "adding": {
                "passages": report.added,
                "seconds": round(took, 2),
                "per_second": round(report.added / took, 1) if report.added else None,
            },
            "models": measured.pop("models", {}),
            "verification": measured,
            "rss_mb": memory(os.getpid()) if Path("/proc/self/status").exists() else None,
        }


def _part(name: str, skip: Sequence[str], measure: Callable[[], Part]) -> Part:
    """The figures of one part, or why there are none; other errors are ours and end the benchmark."""
    if name in skip:
        return {"not_measured": "left out with --skip"}
    say(f"Measuring {name}.")
    try:
        return measure()
    except (NotMeasured, ModelError) as error:
        say(f"{name} was not measured: {error}")
        return {"not_measured": str(error)}


def verification(workbench: Workbench, asked: Sequence[str], progress: Progress) -> Part:
    """Milliseconds per claim and per step; claims that end at step 1 are counted apart, as they are too quick."""
    for claim in asked[:WARM_UP]:
        timed(workbench, claim)
    runs: list[Timed] = []
    for claim in asked[WARM_UP:]:
        runs.append(timed(workbench, claim))
        progress("Verifying claims", len(runs), len(asked) - WARM_UP)
    full = [run for run in runs if run.statements]
    if not full:
        raise NotMeasured("every claim ended at step 1")
    times = [run.seconds for run in full]
    by_step = {name: [run.steps[name] for run in full if name in run.steps] for name in STEPS}
    by_step["recording"] = [run.seconds - sum(run.steps.values()) for run in full]
    names = sorted({name for run in full for name in run.read})
    read = {name: [run.read.get(name, Reading()) for run in full] for name in names}
    p95 = _ms(percentile(times, 95))
    return {
        "p50_ms": _ms(percentile(times, 50)),
        "p95_ms": p95,
        "fastest_ms": _ms(min(times)),
        "slowest_ms": _ms(max(times)),
        "claims": len(full),
        "statements": sum(run.statements for run in full),
        "ended_at_step_1": len(runs) - len(full),
        "steps_p50_ms": {name: _ms(percentile(spent, 50)) for name, spent in by_step.items() if spent},
        "pairs_p50": {name: percentile([one.pairs for one in each], 50) for name, each in read.items()},
        "reading_p50_ms": {name: _ms(percentile([one.seconds for one in each], 50)) for name, each in read.items()},
        "models": full[0].models,
        "notes": {"p50_ms": f"p95 {p95:,.0f} ms, {len(full)} claims"},
    }


def timed(workbench: Workbench, claim: str) -> Timed:
    """Verify one claim, recorded as always; raises GhostError when the run does not finish."""
    run, ended = Timed(), None
    started = time.perf_counter()
    with _counted() as run.read:
        for event in workbench.verify(Claim(claim)):
            match event:
                case RunStarted():
                    run.models = event.settings["models"]
                case ClaimClassified():
                    run.statements = len(event.classification.statements)
                case StepFinished():
                    run.steps[event.step.name] += event.step.seconds
                case RunEnded():
                    ended = event
    run.seconds = time.perf_counter() - started
    if ended is None or ended.status is not RunStatus.FINISHED:
        why = ended.error if ended else "it stopped without an end"
        raise GhostError(f"A verification did not finish, so its time means nothing: {why}")
    return run


@contextmanager
def _counted() -> Iterator[dict[str, Reading]]:
    """What the bundled models read within this block, by their names."""
    counts: dict[str, Reading] = defaultdict(Reading)
    read = OnnxCrossEncoder.read

    def counting(model: OnnxCrossEncoder, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        started = time.perf_counter()
        stances = read(model, pairs)
        counts[model.name].pairs += len(pairs)
        counts[model.name].seconds += time.perf_counter() - started
        return stances

    with patch.object(OnnxCrossEncoder, "read", counting):
        yield counts


def cold(data_dir: Path, claim: str, progress: Callable[[str, int, int], None]) -> Part:
    """``python -m ghost verify`` as a process: wall seconds, and modules of torch that it imports (in one more run)."""
    command = ["-m", "ghost", "verify", claim, "--judge", "embedded", "--no-web", "--json"]
    times: list[float] = []
    for number in range(1, COLD_RUNS + 1):
        started = time.perf_counter()
        _verified([sys.executable, *command], data_dir)
        times.append(time.perf_counter() - started)
        progress("Verifying in a new process", number, COLD_RUNS)
    modules = imported(_verified([sys.executable, "-X", "importtime", *command], data_dir))
    heavy = sorted(name for name in modules if name.partition(".")[0] in HEAVY)
    return {
        "median_seconds": round(percentile(times, 50), 3),
        "least_seconds": round(min(times), 3),
        "seconds": [round(t, 3) for t in times],
        "modules_imported": len(modules),
        "torch_modules": len(heavy),
        "torch_modules_named": heavy[:10],
        "torch_installed": installed("torch"),
        "notes": {
            "median_seconds": f"least {min(times):.2f} s",
            "torch_modules": "torch is installed here" if installed("torch") else "torch is not installed here",
        },
    }


def imported(report: str) -> set[str]:
    """The modules in what ``python -X importtime`` writes: ``import time: self | cumulative | name``."""
    lines = (line.split("|") for line in report.splitlines() if line.startswith("import time:"))
    return {parts[2].strip() for parts in lines if len(parts) == 3}


def _verified(command: list[str], data_dir: Path) -> str:
    """Run it and return what it wrote to standard error; raises NotMeasured when there was no verdict."""
    try:
        process = completed(command, environment(data_dir), COLD_SECONDS)
    except TimeoutExpired:
        raise NotMeasured(f"a verification had not ended after {COLD_SECONDS:g} seconds") from None
    if process.returncode != 0:
        last = (process.stderr.strip() or process.stdout.strip() or "no message").splitlines()[-1]
        raise NotMeasured(f"a verification ended with exit code {process.returncode}: {last}")
    if not json.loads(process.stdout).get("verdict"):
        raise NotMeasured("a verification ended without a verdict")
    return process.stderr


def megabytes(files: Iterator[Path]) -> float:
    """Size of these files together in MB (10^6 bytes)."""
    return round(sum(file.stat().st_size for file in files if file.is_file()) / 1e6, 2)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
