"""What the routes work with: the workbench and what runs on it, from the moment it is open."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from config import PROJECT, Settings
from ghost.api.access import Access, permit
from ghost.api.feeds import Feeds
from ghost.api.limits import UNSIGNED_EACH, UNSIGNED_STREAMS, Places, starts, streams
from ghost.api.problems import Problem
from ghost.errors import Cancelled, StoreError
from ghost.jobs import Asker, Jobs, ResearchJobs, Runner, open_jobs
from ghost.records import Role
from ghost.reports import Paths

if TYPE_CHECKING:
    from ghost.workbench import Workbench

CLOSE_SECONDS = 4.0
"""So long runs and questions may take to see that they are to stop."""
MOST_OWNED = 10_000
"""So many of the latest runs, questions and researches are known to be somebody's own."""


@dataclass(frozen=True, slots=True)
class Service:
    """An open workbench and what the API runs on it."""

    settings: Settings
    workbench: "Workbench"
    runner: Runner
    asker: Asker
    research: ResearchJobs
    paths: Paths
    feeds: Feeds
    jobs: Jobs
    streams: Places = field(default_factory=streams)
    unsigned: Places = field(default_factory=lambda: streams(UNSIGNED_STREAMS, UNSIGNED_EACH))
    starts: Places = field(default_factory=starts)
    owners: dict[str, str] = field(default_factory=dict)
    """Who has started the latest runs, questions and researches of this server, by their ids."""
    ending: threading.Event = field(default_factory=threading.Event)
    """Set once nothing more may start."""
    hurry: threading.Event = field(default_factory=threading.Event)
    """Set once nobody waits any longer for what runs."""

    @classmethod
    def of(cls, workbench: "Workbench") -> "Service":
        """A service with jobs of its own over an open workbench."""
        settings = workbench.settings
        models = (settings.embedding_model, settings.reranker_model, settings.stance_model)
        paths = Paths.around(PROJECT, settings.data_dir, models)
        jobs = open_jobs(workbench)
        feeds = Feeds(jobs.runner, jobs.research, workbench.research.get, paths, with_claims=settings.api_log_claims)
        return cls(settings, workbench, jobs.runner, jobs.asker, jobs.research, paths, feeds, jobs)

    def starting(self, owner: str) -> AbstractContextManager[None]:
        """A place to start anything within; raises Problem when too many are waiting or running."""
        if self.ending.is_set():
            raise Problem("closing", retry_after=2)
        return self.starts.taken(owner, self.active())

    def started(self, id: str, access: Access) -> str:
        """Remember whose run, question or research this is; returns the id."""
        self.owners[id] = access.owner
        for old in list(self.owners)[:-MOST_OWNED]:
            self.owners.pop(old, None)
        return id

    def ensure_own(self, id: str, access: Access) -> None:
        """Raise Problem where somebody else has started it and the caller may not curate."""
        if self.owners.get(id) != access.owner:
            permit(access, Role.CURATE, "cancelling what somebody else started")

    def stream(self, owner: str, signed: bool) -> AbstractContextManager[None]:
        """A place for an event stream or a WebSocket, with a key if ``signed``; raises Problem when there is none."""
        return (self.streams if signed else self.unsigned).taken(owner)

    def active(self) -> int:
        """How many runs, questions and researches wait or go on."""
        return sum(len(each.active()) for each in (self.runner, self.asker, self.research))

    def finish(self) -> None:
        """Let what runs come to its end within the grace period, and start nothing more. What runs can be followed."""
        self.ending.set()
        self.jobs.finish(self.settings.grace_seconds, self.hurry)

    def close(self) -> None:
        """Stop what runs here, so that it is stored as interrupted, and end all streams. The workbench stays open."""
        with suppress(StoreError):  # then the next start does it
            self.workbench.interrupt()
        deadline = time.monotonic() + CLOSE_SECONDS
        self.jobs.close(CLOSE_SECONDS)
        while (self.asker.active() or self.research.active()) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.feeds.close()


class Opening:
    """Stands for the service while it is being opened. Safe to share between threads."""

    def __init__(self, service: Service | None = None) -> None:
        self._lock = threading.Lock()
        self._service = service
        self._failed: Exception | None = None
        self._closing = False
        self._stage = ("", 0, 0)
        self._first: list[Callable[[Service], None]] = []

    @property
    def service(self) -> Service | None:
        """The service, once it is open and as long as it is not being closed."""
        with self._lock:
            return None if self._closing else self._service

    @property
    def failed(self) -> Exception | None:
        """Why it could not be opened."""
        return self._failed

    @property
    def closing(self) -> bool:
        """Whether the server is about to end."""
        return self._closing

    @property
    def stage(self) -> str:
        """How far the opening is, as a sentence; empty where that is not known."""
        what, done, total = self._stage
        return f"{what}: {done:,} of {total:,}." if total else ""

    def progress(self, what: str, done: int, total: int) -> None:
        """To be called by the work of opening, which ends when nobody waits for it any more."""
        self._stage = (what, done, total)
        if self._closing:
            raise Cancelled("The server was stopped before it was open.")

    def then(self, work: Callable[[Service], None]) -> None:
        """Have this done with the service before anybody else gets it."""
        self._first.append(work)
        if self._service:
            work(self._service)

    def done(self, service: Service) -> None:
        """It is open."""
        for work in self._first:
            work(service)
        with self._lock:
            self._service = service

    def fail(self, error: Exception) -> None:
        """It cannot be opened."""
        self._failed = error

    def close(self) -> Service | None:
        """Let no request through any more; returns the service that is to be closed, if there is one."""
        with self._lock:
            self._closing = True
            return self._service


def opened(request: HTTPConnection) -> Service:
    """The service; raises Problem while it is not open."""
    opening: Opening = request.app.state.opening
    if service := opening.service:
        return service
    raise Problem("closing" if opening.closing else "opening", retry_after=2)


async def _opened(request: HTTPConnection) -> Service:
    return opened(request)


Opened = Annotated[Service, Depends(_opened)]
"""The parameter of a route that works with the service."""
