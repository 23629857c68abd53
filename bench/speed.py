"""``python -m ghost bench speed``: how fast and how small Ghost is, on real parts in a temporary folder."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import against_torch
from bench.cold import cold
from bench.corpus import claims, passages
from bench.figures import NotMeasured, Part, goals
from bench.machine import changed_settings, machine, versions
from bench.page import page
from bench.terminal import Progress, say
from bench.verification import WARM_UP, verification
from config import Settings, load_settings
from ghost.errors import ModelError
from ghost.workbench import build


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    passages: int = 10_000
    """Size of the knowledge base, the seed facts included."""
    claims: int = 40
    seed: int = 1
    skip: tuple[str, ...] = ()
    """Names of PARTS to leave out."""

    @property
    def command(self) -> str:
        """How to measure the same again."""
        skip = f" --skip {','.join(self.skip)}" if self.skip else ""
        return f"python -m ghost bench speed --passages {self.passages} --claims {self.claims} --seed {self.seed}{skip}"


def speed(options: Options) -> dict[str, Any]:
    """Measure everything and return the result as one JSON object; parts that cannot be measured say why.

    The settings in force count, but the data folder is temporary, the judge embedded and the web left out.
    Raises ConfigError or GhostError when there is nothing to measure at all.
    """
    own = load_settings()
    result = head(options.command, options.seed, own)
    progress = Progress()
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        folder = Path(temporary).resolve()
        settings = own.model_copy(update={"data_dir": folder, "chroma_url": "", "judge": "embedded"})
        asked = claims(options.claims + WARM_UP + 2, options.seed)
        result |= _warm(settings, options, asked[: options.claims + WARM_UP], progress)
        for name, measure in {
            "cold": lambda: cold(folder, asked[-1], progress),
            "page": lambda: page(settings.database_path, folder, asked[-2], say),
            "encoding": lambda: against_torch.encoding(own.threads, options.seed, progress),
            "reranking": lambda: against_torch.reranking(own.threads, options.seed, folder / "torch", progress),
        }.items():
            result[name] = part(name, options.skip, measure)
    result["goals"] = [goal.as_json() for goal in goals(result)]
    return result


def head(command: str, seed: int, settings: Settings) -> dict[str, Any]:
    """What every measurement of speed begins with: when, how, and on what."""
    return {
        "benchmark": "speed",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "seed": seed,
        "machine": machine(),
        "versions": versions(),
        "settings": changed_settings(settings),
    }


def _warm(settings: Settings, options: Options, asked: list[str], progress: Progress) -> dict[str, Any]:
    """Fill the knowledge base and verify in it; both in one opening, since the other parts need it closed."""
    say("Opening a temporary knowledge base.")
    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        seeds = workbench.knowledge.stats().active
        made = passages(max(0, options.passages - seeds), options.seed)
        started = time.perf_counter()
        report = workbench.knowledge.add(made, progress)
        took = time.perf_counter() - started
        measured = part(
            "verification",
            options.skip,
            lambda: verification(workbench, asked[WARM_UP:], asked[:WARM_UP], progress),
        )
        return {
            "passages": workbench.knowledge.stats().active,
            "adding": {"passages": report.added, "seconds": round(took, 2)},
            "models": measured.pop("models", {}),
            "verification": measured,
        }


def part(name: str, skip: tuple[str, ...], measure: Callable[[], Part]) -> Part:
    """The figures of one part, or why there are none; other errors are ours and end the benchmark."""
    if name in skip:
        return {"not_measured": "left out with --skip"}
    say(f"Measuring {name}.")
    try:
        return measure()
    except (NotMeasured, ModelError) as error:
        say(f"{name} was not measured: {error}")
        return {"not_measured": str(error)}
