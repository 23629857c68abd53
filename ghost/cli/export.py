"""``python -m ghost export``: a run that was made before, as a file.

Needs no models and no free knowledge base, and reads a data folder that cannot be written too.
"""

import sys
from argparse import Namespace
from pathlib import Path

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import say, typed
from ghost.errors import GhostError
from ghost.records import Database, RunStore
from ghost.reports import Format, Publisher, export
from ghost.text import one_line, write_whole


def export_run(args: Namespace) -> int:
    """Write the run to a file or to standard output."""
    settings = load_settings()
    form = Format(args.format)
    if form is Format.BUNDLE and args.out is None and sys.stdout.isatty():
        raise UsageError("A bundle is a zip archive. Name a file for it with --out, or send it on through a pipe.")
    publisher = Publisher(
        typed(args.author_name) or settings.publisher_name,
        typed(args.author_url) or settings.publisher_url,
        typed(args.page),
    )
    run_id = typed(args.run_id)
    with Database.reading(settings.database_path) as database:
        run = RunStore(database).get(run_id)
    if run is None:
        raise UsageError(
            f"There is no run {one_line(run_id)[:60]!r} in {settings.database_path}. Its id stands at the end of the "
            "report; GHOST_DATA_DIR says where to look."
        )
    data = export(run, form, publisher)
    if args.out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write(args.out, data)
        say(f"ghost: {len(data):,} bytes written to {args.out}")
    return 0


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, [data])
    except OSError as error:
        raise GhostError(f"{path} cannot be written ({error.strerror or error}). Nothing was left there.") from error
