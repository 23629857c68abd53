"""``python -m ghost prune``: remove old runs. Needs the database only, so it works while a workbench runs."""

import gzip
import io
import sys
import zlib
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, print_json, progress, say
from ghost.diagnostics import size_words
from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.records import (
    STAYS,
    Database,
    PrunePlan,
    bring_back,
    exported_lines,
    plan_pruning,
    prune,
    utc_now,
)
from ghost.reports import counted
from ghost.text import write_whole

_LINE = 200_000_000
"""Bytes that no run has."""


def prune_runs(args: Namespace) -> int:
    """Say what would go and what stays, write it to a file, ask, and remove it; or bring runs back from such a file."""
    if args.bring_back:
        return _bring_back(args)
    if args.older_than is None and args.larger_than is None:
        raise UsageError("Say which runs: --older-than 90d, --larger-than 2GB, or both.")
    before = utc_now() - timedelta(days=args.older_than) if args.older_than is not None else None
    if args.export:
        _refuse_existing(args.export)
    with closing(Database.open(load_settings().database_place)) as database:
        plan = plan_pruning(database, before, args.larger_than)
        if not args.json:
            _print_plan(plan, before)
        if args.dry_run or not plan.ids:
            return _done(args, plan, 0, "")
        if args.export:
            _export(database, plan, args.export)
        _confirm(args, plan)
        with _stoppable() as report:
            removed = prune(database, plan.ids, report)
        say("Returning the space to the disk.")
        space = _shrunk(database)
        return _done(args, plan, removed, space)


def _print_plan(plan: PrunePlan, before: datetime | None) -> None:
    stay = sum(plan.stays.values())
    age = f" (from before {before:%Y-%m-%d})" if before else ""
    print(f"{counted(plan.stored, 'run', 'runs')} stored. Considered{age}: {len(plan.ids) + stay:,}")
    print(f"  {len(plan.ids):>7,}  can be removed, about {size_words(plan.bytes)}")
    for why, number in sorted(plan.stays.items(), key=lambda pair: -pair[1]):
        print(f"  {number:>7,}  stay: {STAYS[why]}")


def _refuse_existing(file: Path) -> None:
    """It may be the only place where runs are that were removed before."""
    with suppress(OSError):  # of a name that cannot be: writing the file says so
        if file.is_file():
            raise ClaimError(f"Nothing was removed: {file} is there already. Choose another name.")


def _export(database: Database, plan: PrunePlan, file: Path) -> None:
    try:
        write_whole(file, _packed(exported_lines(database, plan.ids), file.suffix == ".gz"))
    except OSError as error:
        raise GhostError(f"{file} could not be written ({error.strerror or error}). Nothing was removed.") from error
    written = counted(len(plan.ids), "run", "runs")
    say(f"Wrote {written} to {file}. `python -m ghost prune --bring-back FILE` brings them back.")


def _packed(lines: Iterable[bytes], packed: bool) -> Iterator[bytes]:
    if not packed:
        yield from lines
        return
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for line in lines:
            file.write(line)
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _confirm(args: Namespace, plan: PrunePlan) -> None:
    """Go on, or raise: nothing is removed unless somebody has said so."""
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("Nothing was removed. Add --yes to remove runs without being asked, or --dry-run to look.")
    lost = "" if args.export else " Without --export they cannot be brought back."
    say(f"Remove {counted(len(plan.ids), 'run', 'runs')}?{lost} [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Cancelled("Nothing was removed.")


def _shrunk(database: Database) -> str:
    if database.dialect == "postgresql":
        return "The server reuses the space."
    if database.shrink():
        return ""
    return "The file keeps its size, because another program is using it; the space is reused."


def _done(args: Namespace, plan: PrunePlan, removed: int, space: str) -> int:
    if args.json:
        told: dict[str, Any] = {"stored": plan.stored, "can_be_removed": len(plan.ids), "bytes": plan.bytes}
        print_json({**told, "stay": plan.stays, "removed": removed, "dry_run": bool(args.dry_run)})
    elif removed:
        print(f"Removed {counted(removed, 'run', 'runs')}, about {size_words(plan.bytes)}. {space}".rstrip())
    elif not plan.ids:
        print("There is nothing to remove.")
    elif args.dry_run:
        print("Nothing was removed.")
    return 0


def _bring_back(args: Namespace) -> int:
    file: Path = args.bring_back
    try:
        with (
            file.open("rb") as raw,
            gzip.GzipFile(fileobj=raw) if file.suffix == ".gz" else raw as lines,
            closing(Database.open(load_settings().database_place)) as database,
            _stoppable() as report,
        ):
            came, known = bring_back(database, _lines(lines), report)
    except (OSError, EOFError, zlib.error) as error:
        raise GhostError(f"{file} could not be read ({getattr(error, 'strerror', None) or error}).") from error
    if args.json:
        print_json({"came": came, "were_there": known})
    else:
        print(f"Brought back {counted(came, 'run', 'runs')}." + (f" {known:,} were there already." if known else ""))
    return 0


def _lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """The lines of a file, which may be any: one without an end is not read to it."""
    while line := file.readline(_LINE):
        if len(line) == _LINE:
            raise GhostError("The file has a line that is too long for a run. Use one that Ghost has exported.")
        yield line


@contextmanager
def _stoppable() -> Iterator[Any]:
    """Progress on the screen, which raises Cancelled after a Ctrl-C: a page is done whole or not at all."""
    with interrupt_asks() as stop:

        def report(what: str, done: int, total: int) -> None:
            if total:
                progress(what, done, total)
            if stop.is_set():
                raise Cancelled(f"Stopped: {what.lower()}, {done:,} done.")

        yield report
