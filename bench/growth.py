"""``python -m ghost bench speed --growth SIZES``: how the figures change as one knowledge base grows."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.cold import cold
from bench.corpus import claims, endless_passages
from bench.page import memory, page
from bench.speed import head, part
from bench.terminal import Progress, say
from bench.verification import WARM_UP, verification
from config import Settings, load_settings
from ghost.errors import GhostError
from ghost.types import NewPassage
from ghost.workbench import build

Row = dict[str, Any]
"""The figures at one size."""

INTERRUPTED = "interrupted"
"""Why the rest was not measured, when the person (or the system) ended it."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure."""

    sizes: tuple[int, ...]
    """Passages in the knowledge base, the seed facts included; ascending."""
    claims: int = 40
    seed: int = 1
    skip: tuple[str, ...] = ()
    """Names of PARTS to leave out; only those that depend on the size occur here."""

    @property
    def command(self) -> str:
        """How to measure the same again."""
        sizes = ",".join(map(str, self.sizes))
        skip = f" --skip {','.join(self.skip)}" if self.skip else ""
        return f"python -m ghost bench speed --growth {sizes} --claims {self.claims} --seed {self.seed}{skip}"


def growth(options: Options) -> dict[str, Any]:
    """Measure at every size and return the result as one JSON object, the sizes under ``growth``.

    What is measured is kept: when an interruption or an error ends it later, ``stopped`` says before which size and
    why. Settings count as in ``speed``. Raises KeyboardInterrupt, ConfigError or GhostError when it ends before the
    first size is measured.
    """
    own = load_settings()
    rows: list[Row] = []
    result = head(options.command, options.seed, own) | {"growth": rows}
    try:
        with TemporaryDirectory(prefix="ghost-bench-") as temporary:
            folder = Path(temporary).resolve()
            settings = own.model_copy(update={"data_dir": folder, "chroma_url": "", "judge": "embedded"})
            _grow(settings, folder, options, rows.append)
    except (KeyboardInterrupt, GhostError) as error:
        if not rows:
            raise
        why = INTERRUPTED if isinstance(error, KeyboardInterrupt) else str(error)
        result["stopped"] = {"before": options.sizes[len(rows)], "why": why}
    return result


def _grow(settings: Settings, folder: Path, options: Options, keep: Callable[[Row], None]) -> None:
    """Hand on the figures of each size as soon as it is measured; the same claims are verified at every one of them.

    In the page, each size has a claim of its own: the page's part looks for the end of that claim's run.
    """
    progress = Progress()
    asked = claims(options.claims + WARM_UP + 1 + len(options.sizes), options.seed)
    warm, (for_cold, *for_page) = asked[: options.claims + WARM_UP], asked[options.claims + WARM_UP :]
    made = endless_passages(options.seed)
    for size, in_page in zip(options.sizes, for_page, strict=True):
        say(f"Growing to {size:,} passages.")
        row = _warm(settings, size, made, warm, progress)
        row["database_mb"] = megabytes(settings.database_path.parent.glob(f"{settings.database_path.name}*"))
        row["vectors_mb"] = megabytes(settings.chroma_path.rglob("*"))
        row["cold"] = part("cold", options.skip, partial(cold, folder, for_cold, progress))
        row["page"] = part("page", options.skip, partial(page, settings.database_path, folder, in_page, say))
        keep(row)


def _warm(settings: Settings, size: int, made: Iterator[NewPassage], asked: Sequence[str], progress: Progress) -> Row:
    """Add what is missing and verify, in one opening; the other parts need it closed.

    Raises GhostError when the knowledge base has more passages than ``size``, or when some did not come in.
    """
    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        there = workbench.knowledge.stats().active
        if there > size:
            raise GhostError(f"A knowledge base has {there:,} passages from the start. Name a size that is not below.")
        new = list(islice(made, size - there))  # made before the clock starts
        started = time.perf_counter()
        report = workbench.knowledge.add(new, progress)
        took = time.perf_counter() - started
        if report.added != len(new):
            raise GhostError(f"Of {len(new):,} made-up passages only {report.added:,} came in as new ones.")
        del new  # its memory is not that of a workbench
        measured = part(
            "verification", (), partial(verification, workbench, asked[WARM_UP:], asked[:WARM_UP], progress)
        )
        return {
            "passages": workbench.knowledge.stats().active,
            "adding": {
                "passages": report.added,
                "seconds": round(took, 2),
                "per_second": round(report.added / took, 1) if report.added else None,
            },
            "verification": measured,
            "rss_mb": memory(os.getpid()) if Path("/proc/self/status").exists() else None,
        }


def megabytes(files: Iterator[Path]) -> float:
    """Size of these files together in MB (10^6 bytes)."""
    return round(sum(file.stat().st_size for file in files if file.is_file()) / 1e6, 2)
