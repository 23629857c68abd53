"""A workbench over a shared PostgreSQL database whose runs are scripted by their claims, and its worker processes.

``python -m tests.jobs.shared URL SLOTS`` is a worker over it. A claim says what happens: ``takes 2.5`` seconds,
``kills`` its worker, ``fails``, ``cuts`` its worker's connections.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from config import PROJECT, Settings
from ghost.errors import Cancelled, GhostError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.jobs import run_worker
from ghost.records import BatchStore, Database, Heartbeat, RunStore, batch_queue_of
from ghost.types import Claim, JudgeInfo, Run, RunStatus, Usage, tidy_claim
from ghost.web import Links
from tests.ui.asking import ScriptedMatcher, scripted_asking
from tests.ui.samples import JUDGE, false_run

TICK = 0.01
READY = "Taking work"


class SharedBench:
    """What workers and pages use of a workbench."""

    def __init__(self, url: str) -> None:
        self.settings = Settings()
        self.shared_database = self.database = Database.open(url)
        self.heartbeat = Heartbeat(self.database, "other")
        self.runs = RunStore(self.database)
        self.batches = BatchStore(self.database)
        self.batch_queue = batch_queue_of(self.database)
        self.judge_info: JudgeInfo = JUDGE
        self.cards = _NoCards()
        self.research = _NoResearch()
        self.matcher = ScriptedMatcher()

    @property
    def asking(self) -> Any:
        return scripted_asking(self.database, self.runs, self.verify, self.matcher)  # type: ignore[arg-type]

    def verify(
        self,
        claim: Claim,
        *,
        run_id: str | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        links: Links | None = None,
        **options: object,
    ) -> Iterator[Event]:
        claim = tidy_claim(claim, 10_000)
        return self.runs.record(_played(run_id or "0" * 32, claim, cancelled, links or Links(), options))

    def close(self) -> None:
        self.heartbeat.stop()
        self.database.close()


class _NoCards:
    def from_run(self, run: Run) -> None:
        """No card is made."""


class _NoResearch:
    def mark_interrupted(self) -> int:
        return 0


def _played(
    run_id: str, claim: Claim, cancelled: Callable[[], bool], links: Links, options: dict[str, object]
) -> Iterator[Event]:
    """The events of a scripted run."""
    script = false_run()
    yield RunStarted(run_id, claim, datetime.now(UTC), script.judge, {"web": options.get("web", True)})
    status, error = RunStatus.FINISHED, ""
    try:
        for number, step in enumerate(script.steps, start=1):
            yield StepStarted(step.name, number)
            _pause(claim.text, cancelled, len(script.steps))
            yield StepFinished(number, step)
            if number == 1:
                assert script.classification
                yield ClaimClassified(script.classification)
                if "kills" in claim.text:
                    os.kill(os.getpid(), signal.SIGKILL)
                if "fails" in claim.text:
                    raise GhostError("This claim fails.")
            if number == 3:
                yield EvidenceWeighed(script.evidence)
                for url in links.take():
                    yield SourceUpdate(url, "A page", "read")
        assert script.verdict
        yield SentenceAccepted(script.verdict.explanation)
        yield VerdictReached(script.verdict, script.judge)
    except Cancelled as stop:
        status, error = RunStatus.CANCELLED, str(stop)
    except GhostError as failure:
        status, error = RunStatus.FAILED, str(failure)
    links.close()
    yield RunEnded(run_id, status, datetime.now(UTC), Usage(), error)


def _pause(text: str, cancelled: Callable[[], bool], parts: int) -> None:
    """Wait the share of one step of the seconds that the claim takes."""
    found = re.search(r"takes ([\d.]+)", text)
    until = time.monotonic() + (float(found[1]) if found else 0.0) / parts
    while True:
        if cancelled():
            raise Cancelled("The run was cancelled.")
        if time.monotonic() >= until:
            return
        time.sleep(TICK)


class WorkerProcess:
    """A worker in a process of its own."""

    def __init__(self, url: str, slots: int = 3) -> None:
        words = [sys.executable, "-m", "tests.jobs.shared", url, str(slots)]
        with tempfile.NamedTemporaryFile("w", suffix=".log", delete=False) as output:
            self.process = subprocess.Popen(words, cwd=PROJECT, stdout=output, stderr=output)
        self._output = Path(output.name)

    @property
    def output(self) -> str:
        """What it has written."""
        return self._output.read_text(encoding="utf-8") if self._output.exists() else ""

    def wait_ready(self, seconds: float = 30.0) -> "WorkerProcess":
        """Return when it takes work."""
        deadline = time.monotonic() + seconds
        while READY not in self.output:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(TICK)
        return self

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def terminate(self) -> None:
        """Ask it to end."""
        self.process.terminate()

    def remove(self) -> None:
        """End it, and what it has written."""
        self.kill()
        self._output.unlink(missing_ok=True)


def main(words: Sequence[str]) -> None:
    """Be a worker."""
    url, slots = words[0], int(words[1])
    bench = SharedBench(url)
    bench.heartbeat.become("worker", slots)
    run_worker(bench, bench.database, slots, lambda: print(READY, flush=True))  # type: ignore[arg-type]
    with suppress(Exception):
        bench.close()


if __name__ == "__main__":
    main(sys.argv[1:])
