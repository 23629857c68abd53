"""The page: how much memory its process takes once somebody has verified a claim in it."""

import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.processes import environment, running
from bench.results import NotMeasured
from bench.session import Session
from bench.speed_tables import Part

START_SECONDS = 120.0
RUN_SECONDS = 120.0
SETTLE_SECONDS = 2.0
"""How long after the verdict memory is watched, since the page then draws it."""


@contextmanager
def page_process(data_dir: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]", Path]]:
    """``streamlit run app.py`` on a data folder, answering: its port, its process, and the file of what it says."""
    port, log = free_port(), data_dir / "page.log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port), "--browser.gatherUsageStats", "false"]
    command += ["--server.fileWatcherType", "none"]
    with running(command, environment(data_dir), log) as process:
        until(lambda: healthy(port), START_SECONDS, process, log, "did not start")
        yield port, process, log


def page(database: Path, data_dir: Path, claim: str, say: Callable[[str], None]) -> Part:
    """Resident memory in MB (10^6 bytes) of the page: idle, and the most seen after a verification."""
    if not Path("/proc/self/status").exists():
        raise NotMeasured("memory is read from /proc, which this system does not have")
    with page_process(data_dir) as (port, process, log):
        idle = memory(process.pid)
        say("The page is up; verifying a claim in it.")
        with Session(port) as session:
            session.run("")
            session.check(claim)
            until(lambda: _ended(database, claim), RUN_SECONDS, process, log, "did not verify the claim")
            most = _most(process.pid, SETTLE_SECONDS)
        peak = memory(process.pid, "VmHWM")
    status = _ended(database, claim)
    if status != "finished":
        raise NotMeasured(f"the verification in the page ended as {status}")
    return {"rss_mb": most, "idle_mb": idle, "peak_mb": peak, "notes": {"rss_mb": "after a verification"}}


def memory(pid: int, field: str = "VmRSS") -> float:
    """Memory of a process in MB from /proc, by default what is resident now."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return round(int(line.split()[1]) * 1024 / 1e6, 1)
    raise NotMeasured(f"/proc does not tell {field} of the page's process")


def _most(pid: int, seconds: float) -> float:
    """The most memory seen within some seconds."""
    until = time.monotonic() + seconds
    most = memory(pid)
    while time.monotonic() < until:
        time.sleep(0.1)
        most = max(most, memory(pid))
    return most


def until(
    happened: Callable[[], object], seconds: float, process: "subprocess.Popen[bytes]", log: Path, failure: str
) -> None:
    """Ask until it has happened; raises NotMeasured when the time is over or the process has ended."""
    until = time.monotonic() + seconds
    while not happened():
        if process.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
            continue
        words = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said = f": {words[-1]}" if words else ""
        raise NotMeasured(f"the page {failure} within {seconds:g} seconds{said}")


def healthy(port: int) -> bool:
    """Whether the page answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def _ended(database: Path, claim: str) -> str:
    """The status of the claim's run in the records once it has ended; empty before."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as connection:
        found = connection.execute(
            "SELECT status FROM runs WHERE claim_text = ? AND status <> 'running' ORDER BY started_at DESC", (claim,)
        ).fetchone()
    return found[0] if found else ""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
