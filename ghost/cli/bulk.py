"""``python -m ghost batch FILE --engine ray --out DIR``: a list of any length, on many cores or machines."""

import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from config import SECRETS, Settings, load_settings
from ghost.bulk import BulkFolder, BulkList, BulkOptions, BulkReport, ClaimFile, Pace, workers
from ghost.cli.arguments import UsageError
from ghost.cli.page import asked_to_end
from ghost.cli.terminal import print_json, progress, say, typed
from ghost.cli.up import running_parts, start_chroma
from ghost.errors import GhostError, StoreBusyError
from ghost.knowledge import OwnerLock, announced_server, id_of_database
from ghost.reports import counted
from ghost.text import one_line

SAY_SECONDS = 60.0
"""How often progress is said where there is no terminal that shows it."""


def bulk(args: Namespace) -> int:
    """Check the list and write the verdicts into the folder; 0 when every line has one, else 1."""
    settings = load_settings()
    _usable(args, settings)
    file = ClaimFile(Path(args.file), typed(args.column or ""), typed(args.encoding))
    if len(file.columns) > 1:
        say(f"Claims: column {one_line(file.column)!r}")
    if settings.web and not args.no_web:
        say("Lists on Ray are checked with the knowledge base only: the web is not searched.")
    folder, shown = BulkFolder(args.out), _ShownProgress()
    folder.make()
    try:
        with asked_to_end(), _locked(args.out), _frozen(settings) as (served_at, kept):
            from ghost.workbench import open_frozen

            opened = partial(open_frozen, _without_secrets(settings), served_at, kept)
            options = BulkOptions(args.as_of.isoformat() if args.as_of else "", settings.max_claim_chars, kept)
            processes = workers(opened, typed(args.address), args.workers, shown.waiting)
            report = BulkList(file, folder, options).run(processes, shown)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"Stopped{shown.reached}. What was checked is kept in {args.out}: start the same command again to go on."
        ) from None
    return _ended(report, args)


def _usable(args: Namespace, settings: Settings) -> None:
    if not args.file or args.file == "-" or args.resume:
        raise UsageError("With --engine ray, name a file. To go on with a list, give the same command again.")
    if args.out is None:
        raise UsageError("With --engine ray, name the folder of the results with --out.")
    if args.judge not in (None, "embedded"):
        raise UsageError("Lists on Ray are checked by the embedded judge. Leave --judge out.")
    if args.pipeline not in ("", "seven-steps"):
        raise UsageError("Lists on Ray take the seven steps. Leave --pipeline out.")
    if args.address and not (settings.database_url and settings.chroma_url):
        raise UsageError(
            "The machines of a cluster read one knowledge base: set GHOST_DATABASE_URL to a PostgreSQL database and "
            "GHOST_CHROMA_URL to a Chroma server, or leave --address out to use this machine."
        )


def _locked(out: Path) -> OwnerLock:
    """The folder, which belongs to this command meanwhile."""
    try:
        return OwnerLock(out)
    except StoreBusyError as error:
        raise GhostError(
            f"{out} is in use by {error.owner}. Wait until that has ended, or name another folder."
        ) from error


@contextmanager
def _frozen(settings: Settings) -> Iterator[tuple[str, dict[str, object]]]:
    """Within this, the knowledge base is in order and others can read it.

    Gives the address of a Chroma server over the embedded index (empty where the settings name a server), and the
    settings as a run keeps them. An embedded one belongs to this command meanwhile, so that it stays as it is.
    """
    from ghost.workbench import build

    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        kept = workbench.tools.settings | {"knowledge_base": id_of_database(workbench.knowledge.database)}
    if settings.chroma_url:
        yield "", kept
        return
    try:
        lock = OwnerLock(settings.database_path.parent, settings.chroma_path)
    except StoreBusyError:
        if not (url := announced_server(settings.database_path.parent)):
            raise
        yield url, kept  # `ghost up` runs it, and may write meanwhile: each verdict names what it was given over
        return
    with lock, tempfile.TemporaryFile() as log, running_parts() as parts:
        yield start_chroma(parts, settings, log), kept


def _without_secrets(settings: Settings) -> Settings:
    """The settings as they travel to other processes: the embedded judge needs no key."""
    return settings.model_copy(update={name: Settings.model_fields[name].default for name in SECRETS})


class _ShownProgress:
    """Shows progress: on one line of a terminal, or every minute elsewhere."""

    def __init__(self) -> None:
        self._paces: dict[str, Pace] = {}
        self._said = time.monotonic()
        self.reached = ""
        """How far the claims are."""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what.startswith("Checking"):
            self.reached = f" at {done:,} of {total:,} claims"
        pace = self._paces.setdefault(what, Pace()).describe(done, total) if total else ""
        text = f"{what} {done:,}" + (f" of {total:,}" if total else "") + (f"; {pace}" if pace else "")
        if sys.stderr.isatty():
            end = "\n" if total and done >= total else ""
            print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
        elif time.monotonic() - self._said >= SAY_SECONDS:
            self._said = time.monotonic()
            say(text)

    def waiting(self) -> None:
        """Say that all cores of a cluster are taken."""
        line = "\r\x1b[K" if sys.stderr.isatty() else ""
        say(f"{line}No worker has started yet: Ray starts them when cores are free, and this command waits for that.")


def _ended(report: BulkReport, args: Namespace) -> int:
    if args.json:
        print_json({
            "lines": report.lines, "checked": report.checked, "repeated": report.repeated, "failed": report.failed,
            "verdicts": report.labels, "cpu_seconds": report.cpu_seconds, "out": str(args.out),
        })  # fmt: skip
    labels = [f"{label} {number:,}" for label, number in sorted(report.labels.items())]
    say(f"{counted(report.lines, 'line', 'lines')}: {', '.join(labels) or 'no verdict'}")
    if report.repeated:
        same = counted(report.repeated, "line says", "lines say")
        say(f"{same} what an earlier line says, and {'shares' if report.repeated == 1 else 'share'} its verdict.")
    if report.failed:
        say(f"{counted(report.failed, 'line has', 'lines have')} no verdict: see {args.out / 'failures.jsonl'}")
    return 1 if report.failed else 0
