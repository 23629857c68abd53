"""Other processes that run a script: forks of one that has imported what takes seconds."""

import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.process import BaseProcess

from config import PROJECT

SECONDS = 120.0
FORKS = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
if os.name == "posix":
    FORKS.set_forkserver_preload(["tests.jobs.shared"])


def start(script: str, *arguments: object) -> BaseProcess:
    """A process that runs the script as ``python -c`` would; it is there to be joined, and to be killed."""
    process = FORKS.Process(target=_run, args=(script, [str(each) for each in arguments], dict(os.environ)))
    process.start()
    return process


def exit_code(script: str, *arguments: object) -> int | None:
    """What such a process ends with; None when it does not end."""
    process = start(script, *arguments)
    process.join(SECONDS)
    found = process.exitcode
    process.kill()
    return found


def _run(script: str, arguments: list[str], environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(PROJECT)
    sys.argv = ["-c", *arguments]
    exec(script, {"__name__": "__main__"})
