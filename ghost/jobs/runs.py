"""Runs that live outside the page: started once, then followed by their id.

Any click aborts the script of a Streamlit page, so a run has its own thread and the page only reads snapshots.
"""

import logging
import queue
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from ghost.errors import ClaimError, GhostError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SentencesWithdrawn,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.jobs.event_log import EventLog, stored_events
from ghost.jobs.task import failure_text
from ghost.pipelines import RunOptions
from ghost.records import BatchQueue, BatchStore, RunStore
from ghost.reports import named_pages
from ghost.types import (
    Claim,
    Classification,
    Evidence,
    JudgeInfo,
    Pipeline,
    Run,
    RunStatus,
    TraceStep,
    Usage,
    Verdict,
    pipeline_of,
)
from ghost.web import Links, usable

log = logging.getLogger(__name__)

WORKERS = 2
KEPT = 64
"""Ended runs that stay in memory; older ones are read from the store."""
NOTHING_SPENT = Usage()


class JobWorkbench(Protocol):
    """What the jobs use of the workbench, which is above this room."""

    @property
    def runs(self) -> RunStore: ...
    @property
    def judge_info(self) -> JudgeInfo: ...
    @property
    def batches(self) -> BatchStore: ...
    @property
    def batch_queue(self) -> BatchQueue: ...

    def verify(self, *args: Any, **options: Any) -> Iterator[Event]:
        """The events of one verification; raises ClaimError at once for an unusable claim."""
        ...


DEFAULT_OPTIONS = RunOptions()
"""All as the settings say."""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it stands at one moment; never changes, so it may cross threads."""

    run_id: str
    status: RunStatus
    claim: Claim
    judge: JudgeInfo
    started_at: datetime
    step: str = ""
    """Name of the current step; empty while waiting and after the end."""
    number: int = 0
    """Its number, 1..7."""
    round: int = 1
    detail: str = ""
    """What exactly the step is doing."""
    searched: tuple[str, ...] = ()
    """Names of the services that receive the searches of this run, if there are any."""
    web: bool = True
    """Whether this run may search."""
    allowed: tuple[str, ...] = ()
    """Sites that this run keeps to; empty: all that the settings allow."""
    denied: tuple[str, ...] = ()
    steps: tuple[TraceStep, ...] = ()
    """Steps that have ended, in order; a step of the loop appears once per round."""
    classification: Classification | None = None
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[SourceUpdate, ...] = ()
    """Latest update of each source of the investigation; not stored."""
    sentences: tuple[str, ...] = ()
    """Sentences of the explanation that have passed the gate; not stored."""
    withdrawn: str = ""
    """Why sentences that had been shown were withdrawn; not stored."""
    verdict: Verdict | None = None
    usage: Usage = NOTHING_SPENT
    error: str = ""
    finished_at: datetime | None = None
    cancelling: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The settings that the run was made with."""

    @property
    def scope(self) -> dict[str, tuple[str, ...]]:
        """The sites that were named for this run, as its settings call them."""
        return {"allowed_here": self.allowed, "denied_here": self.denied}

    @property
    def pipeline(self) -> Pipeline:
        """The way that the run takes."""
        return pipeline_of(self.settings)

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return self.status is not RunStatus.RUNNING

    @property
    def seconds(self) -> float:
        """Seconds from the start to the end, or until now."""
        return max(0.0, ((self.finished_at or datetime.now(UTC)) - self.started_at).total_seconds())


@dataclass(slots=True)
class _Live:
    """What a run that has not ended needs besides its view."""

    stop: threading.Event
    links: Links
    events: Iterator[Event] | None
    """Until a worker, or the caller of ``cancel``, takes them and follows the run."""


class Runner:
    """A pool of threads that verify claims. Safe to share between threads."""

    def __init__(self, workbench: JobWorkbench, workers: int = WORKERS) -> None:
        self._workbench = workbench
        self._lock = threading.Lock()
        self._views: dict[str, RunView] = {}
        self._logs: dict[str, EventLog[Event]] = {}
        self._live: dict[str, _Live] = {}
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # Daemon threads, because closing the program must not wait for a run: it is stored as interrupted.
        self._threads = [
            threading.Thread(target=self._work, name=f"ghost-run-{n}", daemon=True) for n in range(1, workers + 1)
        ]
        for thread in self._threads:
            thread.start()

    def start(self, claim: Claim, options: RunOptions = DEFAULT_OPTIONS) -> str:
        """Start verifying a claim, and return the run's id. Raises ClaimError for unusable input."""
        run_id, stop, box = uuid.uuid4().hex, threading.Event(), Links(options.links)
        events = verified(self._workbench, run_id, claim, options, box, stop.is_set)
        view = started(run_id, claim, options, self._workbench.judge_info, datetime.now(UTC))
        with self._lock:
            self._views[run_id] = view
            self._logs[run_id] = EventLog()
            self._live[run_id] = _Live(stop, box, events)
        self._waiting.put(run_id)
        return run_id

    def add_link(self, run_id: str, url: str) -> bool:
        """Have a run read one more page; False when it has ended or is already at its verdict.

        Raises ClaimError for text that is not an address.
        """
        address, live = usable(url), self._live.get(run_id)
        return live is not None and live.links.add(address)

    def read_again(self, run_id: str, url: str) -> str:
        """Check the claim of an ended run again, reading this page first, and return the new run's id.

        The pages and sites that were chosen for the old run apply to the new one too.
        Raises ClaimError when the address cannot be used, there are too many pages, or the run is unknown.
        """
        run = self._workbench.runs.get(run_id)
        if run is None:
            raise ClaimError("The check that this page should be added to is not stored here. Check the claim again.")
        kept = run.settings
        # The settings hold the pages named at the start, also those that the run did not get to.
        before = [*map(str, kept.get("links", ())), *(str(row.get("url")) for row in named_pages(run.steps))]
        options = RunOptions(
            bool(kept.get("web", True)),
            allowed=tuple(str(site) for site in kept.get("allowed_here", ())),
            denied=tuple(str(site) for site in kept.get("denied_here", ())),
            links=tuple(dict.fromkeys([usable(url), *before])),
            follows=run_id,
            judge=str(kept.get("judge_here", "")),
            cloud_fallback=bool(kept.get("cloud_fallback_here", True)),
            pipeline=run.pipeline,
        )
        return self.start(run.claim, options)

    def snapshot(self, run_id: str) -> RunView | None:
        """The run as it is now, from the store when another process made it; None when it is unknown."""
        with self._lock:
            view = self._views.get(run_id)
        if view:
            return view
        run = self._workbench.runs.get(run_id)
        return view_of(run) if run else None

    def log(self, run_id: str) -> EventLog[Event] | None:
        """What a run of this process reports, in order; None when it was made elsewhere or long ago.

        Its last event is always RunEnded. ``stored`` has the events of all other runs.
        """
        with self._lock:
            return self._logs.get(run_id)

    def stored(self, run_id: str) -> list[Event] | None:
        """The events of a run as far as they are stored, whoever made it; None when it is unknown."""
        run = self._workbench.runs.get(run_id)
        return stored_events(run) if run else None

    def cancel(self, run_id: str) -> None:
        """Ask a run to stop; one that has not started yet has ended when this returns.

        Does nothing to unknown and ended runs.
        """
        self._ask_to_stop(run_id)
        if events := self._take(run_id):
            # In this thread, as all workers may be busy for minutes. It ends at its first check of the flag.
            self._follow(run_id, events)

    def active(self) -> list[str]:
        """Ids of the runs that are waiting or running, oldest first."""
        with self._lock:
            return list(self._live)

    def close(self, seconds: float = 2.0) -> None:
        """Cancel everything and wait a moment for the threads to finish."""
        for run_id in self.active():
            self._ask_to_stop(run_id)  # not ``cancel``: a store that does not answer must not delay the end
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(seconds / len(self._threads))

    def _work(self) -> None:
        while (run_id := self._waiting.get()) is not None:
            if events := self._take(run_id):
                self._follow(run_id, events)

    def _ask_to_stop(self, run_id: str) -> None:
        with self._lock:
            if live := self._live.get(run_id):
                live.stop.set()
                self._views[run_id] = replace(self._views[run_id], cancelling=True)

    def _take(self, run_id: str) -> Iterator[Event] | None:
        """The events of a run that no thread follows yet; from now on the caller does."""
        with self._lock:
            if not (live := self._live.get(run_id)):
                return None
            events, live.events = live.events, None
            return events

    def _follow(self, run_id: str, events: Iterator[Event]) -> None:
        """Read one run to its end. The view ends too, whatever happens."""
        failure = ""
        try:
            for event in events:
                self._happened(run_id, event)
        except Exception as error:
            if not isinstance(error, GhostError):
                log.exception("Run %s failed", run_id)
            failure = failure_text(error)
        view = self._views[run_id]
        if failure or not view.ended:
            failure = failure or "The run stopped without an end."
            self._happened(run_id, RunEnded(run_id, RunStatus.FAILED, datetime.now(UTC), view.usage, failure))
        with self._lock:
            self._logs[run_id].end()
            self._live.pop(run_id)
            done = [known for known in self._views if known not in self._live]
            for old in done[:-KEPT]:
                del self._views[old], self._logs[old]

    def _happened(self, run_id: str, event: Event) -> None:
        with self._lock:
            self._views[run_id] = after(self._views[run_id], event)
        self._logs[run_id].append(event)


def verified(
    workbench: JobWorkbench,
    run_id: str,
    claim: Claim,
    options: RunOptions,
    links: Links,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Event]:
    """The events of a run; ``links`` has its pages. Raises ClaimError at once for unusable input."""
    o = options
    return workbench.verify(
        claim, run_id=run_id, cancelled=cancelled, web=o.web, allowed=o.allowed, denied=o.denied,
        extracted=o.extracted, links=links, follows=o.follows, judge=o.judge, cloud_fallback=o.cloud_fallback,
        pipeline=o.pipeline,
    )  # fmt: skip


def started(run_id: str, claim: Claim, options: RunOptions, judge: JudgeInfo, at: datetime) -> RunView:
    """The view of a run before its first event."""
    o = options
    return RunView(run_id, RunStatus.RUNNING, claim, judge, at, web=o.web, allowed=o.allowed, denied=o.denied)


def after(view: RunView, event: Event) -> RunView:
    """The view once ``event`` has happened."""
    match event:
        case RunStarted():
            # Whatever was there came from an attempt whose worker is gone; this one begins anew.
            return RunView(
                view.run_id, RunStatus.RUNNING, event.claim, event.judge, event.started_at,
                cancelling=view.cancelling, **_scope(event.settings),
            )  # fmt: skip
        case StepStarted():
            return replace(view, step=event.name, number=event.number, round=event.round, detail=event.detail)
        case StepFinished():
            return replace(view, steps=(*view.steps, event.step), step="", number=0)
        case ClaimClassified():
            return replace(view, classification=event.classification)
        case EvidenceWeighed():
            return replace(view, evidence=event.evidence)
        case SourceUpdate():
            others = tuple(s for s in view.sources if s.url != event.url)
            return replace(view, sources=(*others, event))
        case SentenceAccepted():
            return replace(view, sentences=(*view.sentences, event.text))
        case SentencesWithdrawn():
            return replace(view, sentences=(), withdrawn=event.reason)
        case VerdictReached():
            return replace(view, verdict=event.verdict, judge=event.judge)
        case RunEnded():
            return replace(
                view, status=event.status, step="", number=0,
                usage=event.usage, error=event.error, finished_at=event.finished_at,
            )  # fmt: skip


def view_of(run: Run) -> RunView:
    """A stored run as a view."""
    same = (
        "status", "claim", "judge", "started_at", "steps", "classification", "evidence", "verdict", "usage", "error",
        "finished_at",
    )  # fmt: skip
    return RunView(run.id, **{name: getattr(run, name) for name in same}, **_scope(run.settings))


def _scope(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run, and what they say about where it may search."""
    named = {"searched": "searched", "allowed": "allowed_here", "denied": "denied_here"}
    lists = {field: tuple(str(name) for name in settings.get(key) or ()) for field, key in named.items()}
    return {**lists, "web": bool(settings.get("web", True)), "settings": settings}
