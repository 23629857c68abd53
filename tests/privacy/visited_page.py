"""The page, a visitor who has a claim checked in it, and another website that tries to get in; then some seconds more.

Run in a network of its own by ``test_nothing_leaves.py``. Prints how the run ended.
"""

import socket
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from bench.page import free_port, healthy, until
from bench.processes import environment, running
from bench.session import Session
from config import Settings
from ghost.cli.page import page_command

CLAIM = "Yuri Gagarin was the first human in space."


def main(seconds: float) -> None:
    with suppress(OSError):
        socket.getaddrinfo("control.invalid", 80)  # shows that the resolver hears what is looked up
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(port=free_port(), data_dir=Path(folder))
        command = page_command(settings)
        log = Path(folder, "page.log")
        with running(command, environment(settings.data_dir), log) as process:
            until(lambda: healthy(settings.port), 60, process, log, "did not start")
            with suppress(InvalidStatus):
                connect(f"ws://127.0.0.1:{settings.port}/_stcore/stream", origin=Origin("http://evil.example"))
            with Session(settings.port) as visitor:
                visitor.run("")
                visitor.check(CLAIM)
                until(lambda: _status(settings.database_path), 60, process, log, "did not check the claim")
                time.sleep(seconds)
        print(_status(settings.database_path))


def _status(database: Path) -> str:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as connection:
        found = connection.execute("SELECT status FROM runs WHERE status <> 'running'").fetchone()
    return found[0] if found else ""


if __name__ == "__main__":
    main(float(sys.argv[1]))
