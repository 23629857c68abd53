"""A Chroma server of a test's own."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

_START_SECONDS = 60.0
_PROJECT = Path(__file__).parents[2]


class ChromaServer:
    """``chroma run`` on a free port of this machine; it ends with the process that started it."""

    def __init__(self, index: Path | None = None) -> None:
        """Start it over a temporary folder, or one that stays, and wait until it answers."""
        self._folder = Path(tempfile.mkdtemp(prefix="ghost-chroma-"))
        self._index = index or self._folder / "index"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self.start()

    @property
    def url(self) -> str:
        """For ``GHOST_CHROMA_URL``."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = ["--path", str(self._index), "--host", "127.0.0.1", "--port", str(self._port)]
        own = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ghost.cli.tether", "5", "chromadb.cli.cli:app", "run", *where],
                stdin=subprocess.PIPE, stdout=log, stderr=log,
                cwd=_PROJECT, env=own, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urlopen(f"{self.url}/api/v2/heartbeat", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError((self._folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:])

    def stop(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()

    def remove(self) -> None:
        """End it and delete what it has stored in its temporary folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
