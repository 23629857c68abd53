"""``python -m tests.bulk.drive DATA FILE OUT WORKERS [killing]``: a list on Ray without models, to be killed."""

import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.processes import ended_like_interrupted
from ghost.bulk import BulkFolder, BulkList, BulkOptions, ClaimFile, workers
from ghost.workbench import Workbench
from tests.bulk.bench import opened


def of_my_own(folder: Path, killing: bool) -> Workbench:
    """Each process has a copy: an embedded index belongs to one."""
    copy = Path(tempfile.mkdtemp(prefix="ghost-test-")) / "data"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.lock", "ghost.owner"))
    return opened(copy, killing=killing)


def drive(data: Path, file: Path, out: Path, processes: int, killing: bool) -> None:
    """Check the list; the report goes to standard output."""
    made = partial(of_my_own, data, killing)
    report = BulkList(ClaimFile(file), BulkFolder(out), BulkOptions()).run(
        workers(made, processes=processes), lambda *_: None
    )
    print(report)


if __name__ == "__main__":
    from tests.bulk import drive as mine  # functions of __main__ are unknown to other processes

    data, file, out, processes, *more = sys.argv[1:]
    try:
        with ended_like_interrupted():
            mine.drive(Path(data), Path(file), Path(out), int(processes), more == ["killing"])
    except KeyboardInterrupt:
        sys.exit(130)
