"""A cluster of Ray on this machine: a head and another node, each with a core, as two machines would be."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

START_SECONDS = 120.0


class Cluster:
    """Started as users start one, with ``ray start``; its token is in a home folder of its own."""

    def __init__(self) -> None:
        """Start the head."""
        self.folder = Path(tempfile.mkdtemp(prefix="ghost-cluster-", dir="/tmp"))  # Ray's sockets need a short path
        (self.folder / ".ray").mkdir()
        (self.folder / ".ray" / "auth_token").write_text(secrets.token_hex(32), encoding="ascii")
        self.environment = os.environ | {"HOME": str(self.folder), "RAY_USAGE_STATS_ENABLED": "0"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        head = ("--head", f"--port={self.port}", "--include-dashboard=false", f"--temp-dir={self.folder}")
        self.head = self._started(*head)

    @property
    def address(self) -> str:
        """For ``--address``."""
        return f"127.0.0.1:{self.port}"

    def add_node(self) -> set[int]:
        """Start another node; returns its processes, to be killed with ``kill``."""
        return self._started(f"--address={self.address}")

    def kill(self, processes: set[int]) -> None:
        """Kill them and all that they have started, as if their machine was lost."""
        for process in processes | {child for child, parent in _parents().items() if parent in processes}:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def signal_head(self, number: int) -> None:
        """SIGKILL is as if the machine of the head was lost, for a command on another one; SIGSTOP, the network."""
        for process in self.head:
            if b"gcs_server" in _read(process, "cmdline"):
                os.kill(process, number)

    def remove(self) -> None:
        """End it and delete what it has stored."""
        home = b"HOME=" + os.fsencode(self.folder)
        self.kill(set(self._running()) | {process for process in _parents() if home in _read(process, "environ")})
        shutil.rmtree(self.folder, ignore_errors=True)

    def _started(self, *words: str) -> set[int]:
        before = set(self._running())
        subprocess.run(
            [sys.executable, "-m", "ray.scripts.scripts", "start", "--num-cpus=1",
             "--object-store-memory=100000000", *words],
            env=self.environment | {"RAY_AUTH_MODE": "token"}, check=True, capture_output=True, timeout=START_SECONDS,
        )  # fmt: skip
        return set(self._running()) - before

    def _running(self) -> Iterator[int]:
        for process in _parents():
            line = _read(process, "cmdline")
            if os.fsencode(self.folder) in line and (b"raylet/raylet" in line or b"gcs_server" in line):
                yield process


def _read(process: int, name: str) -> bytes:
    """What the process was started with: its ``cmdline`` or ``environ``; empty when it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/{name}").read_bytes()
    return b""


def _parents() -> dict[int, int]:
    """All processes of this machine, each with the one that has started it."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
    return found
