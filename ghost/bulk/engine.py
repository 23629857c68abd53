"""A long list from its file to verdicts in a folder. Killed at any point, it goes on where it was."""

import json
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from ghost.bulk.claim_file import ClaimFile
from ghost.bulk.folder import FAILURES, BulkFolder
from ghost.bulk.on_ray import Run, read_part
from ghost.bulk.plan import PART, Counts, Plan
from ghost.bulk.tables import jsonl, read_claims, read_results, repeat_row, results_table
from ghost.errors import GhostError
from ghost.knowledge import Progress

LEAST_PARTS = 40
LEAST_CLAIMS = 10
"""A short list has smaller parts, so that all workers have something to do and progress is seen."""


@dataclass(frozen=True, slots=True)
class BulkOptions:
    """What holds for the whole list."""

    as_of: str = ""
    """ISO day; empty: no limit."""
    max_chars: int = 2_000
    settings: dict[str, Any] = field(default_factory=dict)
    """What the verdicts depend on: the settings, models and versions as a run keeps them."""


@dataclass(frozen=True, slots=True)
class BulkReport:
    """How a list ended."""

    lines: int
    checked: int
    """Claims that have a verdict of their own."""
    repeated: int
    """Lines that share the verdict of another one."""
    failed: int
    """Lines without a verdict; they are in the file of failures."""
    labels: dict[str, int]
    """How many of the checked claims have each verdict."""
    cpu_seconds: float = field(default=0.0, compare=False)
    """What the workers took for the claims that this command has checked."""


class BulkList:
    """One list and its folder."""

    def __init__(self, file: ClaimFile, folder: BulkFolder, options: BulkOptions) -> None:
        """Nothing is written before ``run``."""
        self._file, self._folder, self._options = file, folder, options

    def run(self, workers: AbstractContextManager[Run], progress: Progress) -> BulkReport:
        """Do what is not done yet. ``workers`` are entered only when there is something to do.

        Raises GhostError with what to do; what was checked before is kept.
        """
        self._folder.make()
        with self._folder.explained(), closing(self._planned(progress)) as plan:
            manifest = self._folder.manifest
            assert manifest is not None
            counts = Counts(**manifest["counts"])
            parts = range(counts.parts)
            seconds = 0.0
            if not all(self._folder.results(part).exists() for part in parts):
                with workers as run:
                    self._find_repeats(run, parts, plan, progress)
                    seconds = self._check(run, parts, plan, manifest, counts, progress)
            for part in parts:
                self._fill_in(part, plan)
            self._folder.write(FAILURES, self._folder.all_failures(counts.parts))
            return replace(self._report(plan, counts), cpu_seconds=round(seconds, 2))

    def _planned(self, progress: Progress) -> Plan:
        """The plan, made first where it is not complete."""
        sha256, options = self._file.sha256, asdict(self._options)
        if manifest := self._folder.manifest:
            self._compare(manifest, sha256, options)
            return Plan(self._folder)
        self._folder.begin_anew()
        plan = Plan(self._folder)
        size = max(LEAST_CLAIMS, min(PART, _rows(self._file) // LEAST_PARTS))
        try:
            counts = plan.make(self._file, size, self._options.max_chars, progress)
            if self._file.sha256 != sha256:
                raise GhostError(f"{self._file.path} has changed while it was read. Start the same command again.")
            if not counts.claims:
                why = self._refusal()
                raise GhostError(
                    f"There is no line that can be checked{why}. Name the column of the claims with --column."
                )
        except BaseException:
            plan.close()
            raise
        self._folder.write_manifest({
            "id": str(uuid.uuid4()), "file": self._file.path.name, "sha256": sha256, "column": self._file.column,
            "encoding": self._file.encoding, "options": options, "counts": asdict(counts),
        })  # fmt: skip
        return plan

    def _refusal(self) -> str:
        """Why the first line is refused, where there is one."""
        first = next(self._folder.all_failures(1), b"").splitlines()
        return f"; the first one is refused: {json.loads(first[0])['reason'].rstrip('.')}" if first else ""

    def _compare(self, manifest: dict[str, Any], sha256: str, options: dict[str, Any]) -> None:
        """Raise GhostError where the folder belongs to another list, or verdicts would be given otherwise now."""
        if manifest["sha256"] != sha256 or manifest["column"] != self._file.column:
            raise GhostError(
                f"{self._folder.path} holds the results of another list, {manifest['file']}. Name another folder."
            )
        options = json.loads(json.dumps(options))
        before: dict[str, Any] = manifest["options"]
        changed = [name for name in ("as_of", "max_chars") if before[name] != options[name]]
        if manifest.get("encoding", "") != self._file.encoding:
            changed.append("encoding")
        old, new = before["settings"], options["settings"]
        changed += sorted(name for name in {**old, **new} if old.get(name) != new.get(name))
        if changed:
            raise GhostError(
                f"The list in {self._folder.path} was begun with other settings: {', '.join(changed)}. Set them as "
                "they were (manifest.json has them), or name another folder."
            )

    def _find_repeats(self, run: Run, parts: Sequence[int], plan: Plan, progress: Progress) -> None:
        """Which lines say what an earlier one says: the candidates are known, a matcher decides."""
        left = [part for part in parts if not self._folder.repeats(part).exists()]
        tasks = [{"part": part, "step": "repeats", "left_out": "[]", "list": "", "as_of": ""} for part in left]
        for done, answer in enumerate(run(tasks, partial(read_part, self._folder.path)), start=1):
            _raise_error(answer)
            self._folder.write(self._folder.repeats(answer["part"]), [answer["found"]])
            progress("Looking for lines that say the same:", done, len(left))
        for part in parts:
            if same := json.loads(self._folder.repeats(part).read_bytes()):
                plan.join(same, read_claims(self._folder.claims(part).read_bytes()), part)

    def _check(
        self, run: Run, parts: Sequence[int], plan: Plan, manifest: dict[str, Any], counts: Counts, progress: Progress
    ) -> float:
        """Check what is left; returns the seconds of processor time that this took."""
        left = [part for part in parts if not self._folder.results(part).exists()]
        tasks = [
            {
                "part": part, "step": "check", "list": manifest["id"], "as_of": self._options.as_of,
                "left_out": json.dumps([repeat.line for repeat in plan.repeats_in(part)]),
            }
            for part in left
        ]  # fmt: skip
        total = counts.lines - counts.refused - plan.repeated()
        done, seconds = plan.labels().total(), 0.0
        progress("Checking claims:", done, total)
        for answer in run(tasks, partial(read_part, self._folder.path)):
            _raise_error(answer)
            part = answer["part"]
            plan.keep_part(part, read_results(answer["found"]))
            self._folder.write(self._folder.failures(part), [answer["failures"]])
            self._folder.write(self._folder.results(part), [answer["found"]])  # last: now the part is done
            done, seconds = done + answer["claims"], seconds + answer["cpu"]
            progress("Checking claims:", done, total)
        return seconds

    def _fill_in(self, part: int, plan: Plan) -> None:
        """The rows of the lines in a part that share the verdict of another line."""
        if self._folder.results(part, "repeats").exists():
            return
        rows, failed = [], []
        for repeat in plan.repeats_in(part):
            if of := plan.verdict_of(repeat.first):
                rows.append(repeat_row(repeat.line, repeat.id, repeat.claim, of))
            else:
                why = f"It says what line {repeat.first:,} says, which has no verdict."
                failed.append({"line": repeat.line, "id": repeat.id, "claim": repeat.claim, "reason": why})
        if failed:
            self._folder.write(self._folder.failures(part, "repeats"), [jsonl(failed)])
        if rows:
            self._folder.write(self._folder.results(part, "repeats"), [results_table(rows)])

    def _report(self, plan: Plan, counts: Counts) -> BulkReport:
        labels, failed = plan.labels(), 0
        with (self._folder.path / FAILURES).open("rb") as file:
            failed = sum(1 for _ in file)
        return BulkReport(counts.lines, labels.total(), plan.shared(), failed, dict(labels))


def _rows(file: ClaimFile) -> int:
    return sum(1 for _ in file.rows())


def _raise_error(answer: dict[str, Any]) -> None:
    if answer["error"]:
        raise GhostError(f"{answer['error']} What was checked is kept; start the same command again to go on.")


class Pace:
    """How fast a list goes: claims a second lately, and the seconds that are left."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: int | None = None
        self._first: tuple[float, int] | None = None

    def describe(self, done: int, total: int) -> str:
        """``3.1 a second, 2 h 5 min left``; empty before anything is known.

        Counts from the first claims that are done: before that, the models are loaded.
        """
        now = self._clock()
        if self._begun is None:
            self._begun = done
        if self._first is None:
            self._first = (now, done) if done > self._begun else None
            return ""
        since, before = self._first
        if done <= before or now <= since:
            return ""
        rate = (done - before) / (now - since)
        return f"{rate:,.1f} a second, {_duration((total - done) / rate)} left"


def _duration(seconds: float) -> str:
    minutes, hours = int(seconds / 60) % 60, int(seconds / 3600)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min" if minutes else f"{int(seconds)} s"
