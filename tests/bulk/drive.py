"""``python -m tests.bulk.drive DATA FILE OUT``: a list on Ray without models, to be killed."""

import argparse
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.processes import ended_like_interrupted
from ghost.bulk import BulkFolder, BulkList, BulkOptions, ClaimFile, workers
from ghost.errors import GhostError
from ghost.testing import ScriptedReader
from ghost.workbench import Workbench
from tests.bulk.bench import KillingReader, SlowReader, opened


def of_my_own(folder: Path, killing: bool) -> Workbench:
    """Each process has a copy: an embedded index belongs to one."""
    copy = Path(tempfile.mkdtemp(dir=folder.parent)) / "data"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.lock", "ghost.owner"))
    return opened(copy, KillingReader if killing else ScriptedReader)


def of_servers(folder: Path, database_url: str, chroma_url: str) -> Workbench:
    """All processes share the servers; each leaves a file with the name of its node and its own number."""
    import ray

    (folder / f"{ray.get_runtime_context().get_node_id()}-{os.getpid()}").touch()
    return opened(folder, SlowReader, database_url=database_url, chroma_url=chroma_url)


def drive(args: argparse.Namespace) -> None:
    """Check the list; the report goes to standard output."""
    if args.address:
        made = partial(of_servers, args.data, args.database, args.chroma)
    else:
        made = partial(of_my_own, args.data, args.killing)
    waiting = partial(print, "waiting", flush=True) if args.says_waiting else lambda: None
    report = BulkList(ClaimFile(args.file), BulkFolder(args.out), BulkOptions()).run(
        workers(made, args.address, 0 if args.address else 2, waiting), lambda *_: None
    )
    print(report)


def main() -> int:
    """Return what a command does: 1 for a failure that is named, 130 when it was asked to end."""
    parser = argparse.ArgumentParser()
    for name in ("data", "file", "out"):
        parser.add_argument(name, type=Path)
    for name in ("--killing", "--says-waiting"):
        parser.add_argument(name, action="store_true")
    for name in ("--address", "--database", "--chroma"):
        parser.add_argument(name, default="")
    from tests.bulk import drive as mine  # functions of __main__ are unknown to other processes

    try:
        with ended_like_interrupted():
            mine.drive(parser.parse_args())
    except KeyboardInterrupt:
        return 130
    except GhostError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
