"""The workbench behind the tools: opened in a thread at the first call, and shared by all calls after it."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ResourceError

from config import PROJECT
from ghost.errors import StoreError
from ghost.listening import address
from ghost.mcp.failures import told
from ghost.mcp.progress import Tell

if TYPE_CHECKING:
    from ghost.jobs import Asker, Jobs, Report, Runner, Task
    from ghost.reports import Paths
    from ghost.workbench import Workbench

POLL_SECONDS = 0.1
OPENING = "Opening the knowledge base"


@dataclass(frozen=True, slots=True)
class Opened:
    """An open workbench, and what runs on it."""

    workbench: "Workbench"
    jobs: "Jobs"
    paths: "Paths"

    @property
    def runner(self) -> "Runner":
        """Checks claims."""
        return self.jobs.runner

    @property
    def asker(self) -> "Asker":
        """Answers questions."""
        return self.jobs.asker

    def page_of(self, run_id: str) -> str:
        """Where a person opens a run."""
        settings = self.workbench.settings
        return f"{address(settings.host, settings.port)}/?run={run_id}"


class Service:
    """Opens the workbench when it is first needed. To be used from one event loop at a time."""

    def __init__(self, open_workbench: "Callable[[Report], Workbench]") -> None:
        """``open_workbench`` is called in a thread, with what it reports its progress to."""
        self._open_workbench = open_workbench
        self._task: Task[Opened] | None = None
        self.hurry = threading.Event()
        """Set once nobody waits any longer for what runs."""

    async def opened(self, tell: Tell) -> Opened:
        """What is open; raises ResourceError when it cannot be opened, and the next call tries again."""
        if self._task is None:
            await tell(OPENING)
        task = await self._opening()
        while not task.ended:
            step = task.progress
            await tell(f"{OPENING}: {step.what} {step.done:,} of {step.total:,}" if step.total else OPENING)
            await anyio.sleep(POLL_SECONDS)
        if task.error is None:
            return task.result()
        if self._task is task:
            self._task = None
        raise ResourceError(told(task.error)) from task.error

    async def _opening(self) -> "Task[Opened]":
        if self._task is None:
            new = await anyio.to_thread.run_sync(_task)  # its import takes a second
            self._task = self._task or new(lambda task: self._open(task.report))
        return self._task

    def _open(self, report: "Report") -> Opened:
        from ghost.jobs import open_jobs
        from ghost.reports import Paths

        workbench = self._open_workbench(report)
        settings = workbench.settings
        models = (settings.embedding_model, settings.reranker_model, settings.stance_model)
        paths = Paths.around(PROJECT, settings.data_dir, models)
        return Opened(workbench, open_jobs(workbench), paths)

    def finish(self) -> None:
        """Let what runs come to its end within the grace period, unless somebody is in a hurry."""
        if (task := self._task) and task.ended and task.error is None:
            opened = task.result()
            opened.jobs.finish(opened.workbench.settings.grace_seconds, self.hurry)

    def close(self) -> None:
        """Stop what runs, so that it is stored as interrupted, and let go of the knowledge base."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        if task.wait(5.0) and task.error is None:
            opened = task.result()
            with suppress(StoreError):  # then the next start does it
                opened.workbench.interrupt()
            opened.jobs.close()
            opened.workbench.close()


def _task() -> "type[Task[Opened]]":
    from ghost.jobs import Task

    return Task
