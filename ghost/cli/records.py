"""``python -m ghost move | backup | restore``: all records from one place to another."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import progress, show, typed
from ghost.errors import StoreError
from ghost.knowledge import OwnerLock
from ghost.records import Database, back_up, restore
from ghost.records import move as move_records

NEXT_SERVER = "Set GHOST_DATABASE_URL to that address, and GHOST_CHROMA_URL to a Chroma server."
NEXT_FOLDER = "Unset GHOST_DATABASE_URL, and set GHOST_DATA_DIR to that folder."
ADDRESS = "postgresql+psycopg://USER:PASSWORD@HOST:5432/DATABASE"
INDEX = "The vector index is not moved: it is built from the records at the next start."


def move(args: Namespace) -> int:
    """Copy the records of the settings to the place in ``args.to``."""
    settings, wanted = load_settings(), typed(args.to)
    if not wanted or (wanted.startswith("postgres") and "://" not in wanted and ":" in wanted):
        raise UsageError(f"--to {wanted!r} is neither a folder nor an address such as {ADDRESS}.")
    to: Path | str = wanted if "://" in wanted else Path(wanted).expanduser().resolve() / "data" / "ghost.db"
    if isinstance(settings.database_place, Path) and not settings.database_place.is_file():
        raise StoreError(f"There is nothing to move: there is no {settings.database_place}. Set GHOST_DATA_DIR.")
    with _mine(settings.database_place), _mine(to), closing(Database.open(settings.database_place)) as source:
        found = move_records(source, to, progress)
        name = source.name
    where = NEXT_FOLDER if isinstance(to, Path) else NEXT_SERVER
    value = {"rows": found.rows, "written": found.changed, "digest": found.digest}
    words = f"Moved {found.rows:,} rows ({found.changed:,} of them now). Every row was compared with {name}, where "
    return show(args.json, value, f"{words}all stays as it was.\n{where} {INDEX}")


def backup(args: Namespace) -> int:
    """Write the records of the settings to the file in ``args.file``; others may write meanwhile."""
    file = Path(typed(args.file)).expanduser().resolve()
    with Database.reading(load_settings().database_place) as source:
        found = back_up(source, file, progress)
    value = {"file": str(file), "rows": found.rows, "bytes": file.stat().st_size, "digest": found.digest}
    return show(args.json, value, f"Wrote {found.rows:,} rows to {file} ({value['bytes']:,} bytes).")


def restore_backup(args: Namespace) -> int:
    """Put the records of the file in ``args.file`` in the place of the settings."""
    settings, file = load_settings(), Path(typed(args.file)).expanduser().resolve()
    with _mine(settings.database_place):
        found = restore(file, settings.database_place, args.replace, progress)
    kept = f" What was there before is kept in {found.kept}." if found.kept else ""
    value = {"rows": found.rows, "kept": str(found.kept or "")}
    return show(args.json, value, f"Restored {found.rows:,} rows.{kept} The vector index follows at the next start.")


@contextmanager
def _mine(place: Path | str) -> Iterator[None]:
    """Keep other programs from the data folder; a server has locks of its own."""
    if isinstance(place, str):
        yield
        return
    with OwnerLock(place.parent, place):
        yield
