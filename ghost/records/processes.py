"""The process that works on a record, so that another one can tell whether it still runs."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Process:
    """A process, told from a later one with the same id by when it started."""

    host: str
    pid: int
    started: str
    """Boot and clock tick of the start where the system tells (Linux), else empty."""

    @classmethod
    def current(cls) -> Self:
        """This process."""
        return cls(_host(), os.getpid(), _started(os.getpid()))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The process that was written as ``str(process)``, or None."""
        parts = text.split("/")
        return cls(parts[0], int(parts[1]), parts[2]) if len(parts) == 3 and parts[1].isdecimal() else None

    def __str__(self) -> str:
        return f"{self.host}/{self.pid}/{self.started}"

    def alive(self) -> bool:
        """Whether the process still runs. One on another host cannot be seen from here and counts as gone."""
        if self.host != _host():
            return False
        if self.pid == os.getpid() or self.started:
            return _started(self.pid) == self.started
        if os.name != "posix":
            return False  # there is no harmless way to ask
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


def is_alive(owner: str) -> bool:
    """Whether the process that was written down as the owner of a record still runs."""
    process = Process.parse(owner)
    return process is not None and process.alive()


def _host() -> str:
    return socket.gethostname().replace("/", "-")[:30]


def _started(pid: int) -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return f"{boot}.{stat.rpartition(')')[2].split()[19]}"  # field 22; the name before it may hold anything
