"""What a worker does with each thing it takes from the queue."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ghost.errors import Cancelled, GhostError, StoreAwayError, StoreError, TakenOverError
from ghost.events import ArticleUnread, LookupAnswered, ResearchEvent, ResearchPlanned, RunEnded, RunStarted
from ghost.jobs.articles import ArticleWorkbench
from ghost.jobs.batches import check_claim
from ghost.jobs.event_log import stored_events, stored_research_events
from ghost.jobs.lookups import LookupWorkbench
from ghost.jobs.queued.articles import read_ordered
from ghost.jobs.queued.asks import AskWorkbench, answered, run_of
from ghost.jobs.queued.import_work import ImportWork
from ghost.jobs.queued.links import QueuedLinks
from ghost.jobs.queued.lookups import looked_up
from ghost.jobs.queued.queue import (
    ArticleOrder,
    AskOrder,
    Job,
    LookupOrder,
    PlanOrder,
    Queue,
    ResearchOrder,
    RunOrder,
    read_order,
)
from ghost.jobs.queued.reporting import report_work
from ghost.jobs.queued.research import carried_out
from ghost.jobs.queued.stop import HandedBack, Stop
from ghost.jobs.queued.watched import STOPPED
from ghost.jobs.runs import verified
from ghost.jobs.task import failure_text
from ghost.knowledge import Importer, KnowledgeBase
from ghost.records import (
    GIVEN_UP,
    OUTAGES,
    OUTAGES_GIVEN_UP,
    TRIES,
    Batch,
    BatchItem,
    Heartbeat,
    RunEvents,
    RunLinks,
    SharedBatchQueue,
    SharedImports,
)
from ghost.research import Researcher
from ghost.types import Claim, RunStatus, Usage

if TYPE_CHECKING:
    from procrastinate import JobContext

log = logging.getLogger(__name__)
T = TypeVar("T")
RETRY_SECONDS = 1.0
"""So long something waits that is done again because the database did not answer."""
OUTAGE_SECONDS, LAST_SECONDS = 600.0, 3.0
"""So long a worker waits for a database that does not answer, to hand back what it could not finish; and so long when
it is to end.
"""
LAST_TRIES = 2 * TRIES
"""After so many tries something ends even where the records do not let it be given up in good order, as when another
version has stored it in a form that this one cannot read.
"""


class WorkerWorkbench(AskWorkbench, ArticleWorkbench, LookupWorkbench, Protocol):
    """What a worker uses of the workbench, which is above this room."""

    @property
    def research(self) -> Researcher: ...
    @property
    def knowledge(self) -> KnowledgeBase: ...
    @property
    def imports(self) -> Importer: ...
    @property
    def heartbeat(self) -> Heartbeat | None: ...


class Work:
    """The tasks of the queue over one workbench. Safe to share between the threads of a worker."""

    def __init__(self, workbench: WorkerWorkbench, queue: Queue, index_away: Callable[[], bool]) -> None:
        """``index_away`` asks the vector index, and says whether it does not answer: then nothing can be done."""
        self._workbench, self._queue, self._index_away = workbench, queue, index_away
        self._reported, self._links = RunEvents(queue.database), RunLinks(queue.database)
        self._lock = threading.Lock()
        self.ending = threading.Event()
        """Set when the worker is to end."""
        self.at_work: set[int] = set()
        """The jobs that this worker is doing."""
        self._checking: Counter[tuple[str, int, int]] = Counter()
        """The claims of batches that it is checking; twice, where one is taken again just after it was handed back."""
        self._lost: set[tuple[str, int, int]] = set()

    def claim(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Check one claim, and report every event."""

        def events() -> Iterator[Any]:
            order, run = read_order(RunOrder, payload), self._workbench.runs.get(id)
            if run and run.status not in (RunStatus.RUNNING, RunStatus.INTERRUPTED):
                # The worker before this one came to the end, and was gone before it could say so.
                if run.status is RunStatus.FINISHED:
                    self._workbench.cards.from_run(run)
                yield from stored_events(run)
            elif why := _given_up(context, outages, stopped):
                yield from self._give_up(id, order.claim, why)
            else:
                links, stop = QueuedLinks(self._links, id, order.options.links), Stop(context, stopped=stopped)
                try:
                    yield from verified(self._workbench, id, order.claim, order.options, links, stop)
                except StoreError as error:
                    if not self._is_last(context, error):
                        raise
                    yield from self._give_up(id, order.claim, str(error))

        self._do(context, id, payload, events)

    def question(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Answer one question, and report every event."""

        def events() -> Iterator[Any]:
            if (why := _given_up(context, outages, stopped)) and not self._is_answered(id):
                run = run_of(self._workbench.asking, self._workbench.runs, id)
                if run and run.status is RunStatus.RUNNING:
                    yield from self._give_up(run.id, run.claim, why)
                raise GhostError(why)
            stop = Stop(context, stopped=stopped)
            yield from answered(self._workbench, id, read_order(AskOrder, payload), stop)

        self._do(context, id, payload, events)

    def lookup(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Find something out of a claim for somebody who waits for it."""

        def work(tell: Callable[[Any], None]) -> None:
            order, stop = read_order(LookupOrder, payload), Stop(context, stopped=stopped)
            if stop():
                raise Cancelled(STOPPED)
            if why := _given_up(context, outages, stopped):
                raise GhostError(why)
            tell(LookupAnswered(looked_up(self._workbench, order, stop)))

        self._report(context, id, payload, work)

    def article(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Read one article, and keep it; what was put in is reported where that fails."""

        def work(tell: Callable[[Any], None]) -> None:
            order, stop = read_order(ArticleOrder, payload), Stop(context, stopped=stopped)
            try:
                read_ordered(self._workbench, id, order, stop, tell, _given_up(context, outages, stopped))
            except StoreError as error:
                if not self._is_last(context, error):
                    raise
                tell(ArticleUnread(order.text, order.url))
                raise GhostError(str(error)) from error
            except Exception:
                tell(ArticleUnread(order.text, order.url))
                raise

        self._report(context, id, payload, work)

    def plan(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Plan a topic; the plan is reported and stored nowhere else."""

        def events() -> Iterator[ResearchEvent]:
            if why := _given_up(context, outages, stopped):
                raise GhostError(why)
            o, stop = read_order(PlanOrder, payload), Stop(context, stopped=stopped)
            yield ResearchPlanned(
                self._workbench.research.plan(
                    o.topic, skill=o.skill, questions=o.questions, web=o.web, judge=o.judge, cancelled=stop
                )
            )

        self._do(context, id, payload, events)

    def research(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Carry out a plan, or go on with it, and report every event."""

        def events() -> Iterator[ResearchEvent]:
            order, researcher = read_order(ResearchOrder, payload), self._workbench.research
            stop = Stop(context, stopped=stopped)
            if context.job.attempts or outages:
                researcher.release(id)
            known = researcher.get(id)
            if known and known.status is RunStatus.FINISHED:
                yield from stored_research_events(known)
            elif why := _given_up(context, outages, stopped):
                raise GhostError(why)
            else:
                yield from carried_out(researcher, id, order, stop)

        self._do(context, id, payload, events)

    def import_check(
        self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0
    ) -> None:
        """Find out what would become of a file."""
        self._import(context, id, payload, stopped, outages, lambda work: work.check())

    def import_(self, context: "JobContext", id: str, payload: str, stopped: bool = False, outages: int = 0) -> None:
        """Take a checked file in, or undo an import, or bring it back."""
        self._import(context, id, payload, stopped, outages, lambda work: work.change(payload))

    def _import(
        self,
        context: "JobContext",
        id: str,
        payload: str,
        stopped: bool,
        outages: int,
        do: Callable[[ImportWork], None],
    ) -> None:
        shared = SharedImports(self._queue.database)

        def work() -> None:
            stop = Stop(context, lambda: shared.wanted(id), stopped)
            knowledge, store = self._workbench.knowledge, self._workbench.imports.store
            why, last = _given_up(context, outages, stopped), context.job.attempts + 1 >= TRIES
            do(ImportWork(knowledge, store, id, stop, why, last))

        self._hand_on(context, id, payload, work)

    def turn(self, context: "JobContext", again: bool = False) -> None:
        """Check the next claim of the batch whose turn it is; ``again``: of those that others could not finish."""
        with self._doing(context):
            self._take_turn(context, again)

    def recover(self, calm_seconds: float, was_cut_off: bool) -> None:
        """Take up what workers that are gone have left. To be called every few seconds. Raises StoreError.

        A worker that ``was_cut_off`` takes nobody for gone yet, as the others may have been cut off with it.
        """
        if not was_cut_off:
            self._shared.recover(self._queue.put_turn, calm_seconds)
        self._recover_own()
        self._shared.when_waiting(self._queue.put_turn)
        if not was_cut_off:
            self._workbench.runs.mark_interrupted()
            self._workbench.research.mark_interrupted()

    def _recover_own(self) -> None:
        """Let go of claims that this worker was given, or has decided, while the database was cut off."""
        given = {_named(item): item for item in self._shared.mine()}
        with self._lock:
            lost = given.keys() - self._checking
        for name in lost & self._lost:  # the second time, as one that is just being taken is not known yet
            self._shared.hand_back(given[name], self._queue.put_turn)
        self._lost = lost

    @property
    def _shared(self) -> SharedBatchQueue:
        batches = self._workbench.batch_queue
        assert isinstance(batches, SharedBatchQueue)
        return batches

    def _take_turn(self, context: "JobContext", again: bool) -> None:
        batches = self._shared
        if again and self._index_away():
            return  # or each worker that does not know yet would begin one in vain, and that would be counted
        taken = batches.take(self._queue.put_turn, again)
        if taken is None:
            return
        batch, item = taken
        with self._lock:
            self._checking[_named(item)] += 1
        try:
            self._check(context, batch, item)
        except HandedBack:
            self._until_stored(lambda: batches.hand_back(item, self._queue.put_turn))
        except StoreError as error:  # also where another worker has it now, which is then left as it is
            failed = not self._is_outage(error)
            if failed:
                log.warning("Claim %d of batch %s is given back: %s", item.position, batch.id, error)
            self._until_stored(lambda: batches.hand_back(item, self._queue.put_turn, failed))
        finally:
            with self._lock:
                self._checking -= Counter([_named(item)])

    def _check(self, context: "JobContext", batch: Batch, item: BatchItem) -> None:
        batches, began = self._shared, time.monotonic()
        stop = Stop(context, lambda: batches.wanted(item))
        try:
            verdict, status, error = check_claim(self._workbench, batch, item, stop)
        except StoreError as problem:
            if item.attempts < TRIES or isinstance(problem, TakenOverError) or self._is_outage(problem):
                raise
            verdict, status, error = None, None, failure_text(problem)
            run = self._workbench.runs.get(item.run_id)
            if run and run.status is RunStatus.RUNNING:  # or it would be shown so until this worker ends
                for _ in self._give_up(run.id, run.claim, error):
                    status = RunStatus.FAILED
        except Exception as problem:
            if not isinstance(problem, GhostError):
                log.exception("Claim %d of batch %s failed", item.position, batch.id)
            verdict, status, error = None, None, failure_text(problem)
        seconds = time.monotonic() - began
        if verdict and status is RunStatus.FINISHED:
            batches.done(item, verdict.label, verdict.confidence, seconds)
        elif status is RunStatus.CANCELLED:
            batches.put_back(item)
        else:
            batches.failed(item, error, item.run_id if status else "", seconds)

    def _do(self, context: "JobContext", id: str, payload: str, events: Callable[[], Iterator[Any]]) -> None:
        def work(tell: Callable[[Any], None]) -> None:
            for event in events():
                tell(event)

        self._report(context, id, payload, work)

    def _report(
        self, context: "JobContext", id: str, payload: str, work: Callable[[Callable[[Any], None]], None]
    ) -> None:
        def do(tell: Callable[[Any], None]) -> None:
            try:
                work(tell)
            except StoreError as error:
                if context.job.attempts < LAST_TRIES or isinstance(error, TakenOverError) or self._is_outage(error):
                    raise
                raise GhostError(str(error)) from error

        self._hand_on(context, id, payload, lambda: report_work(self._reported, id, do))

    def _hand_on(self, context: "JobContext", id: str, payload: str, work: Callable[[], None]) -> None:
        """Do it; what could not be finished is given to the next worker."""
        with self._doing(context):
            given = context.job.task_kwargs
            if given.get("outages") and not given.get("stopped") and self._index_away():
                # Not begun and not counted, or it would be given up once ten workers have had it in one outage.
                self._put_back(context, id, payload)
                return
            try:
                work()
            except TakenOverError:
                log.warning("Another worker has taken over %s", id)
            except HandedBack:
                self._put_back(context, id, payload)
            except StoreError as error:
                if not self._is_outage(error):
                    time.sleep(RETRY_SECONDS)  # it is done again at once, and the database may need a moment
                    raise
                self._put_back(context, id, payload, outage=True)

    def _put_back(self, context: "JobContext", id: str, payload: str, outage: bool = False) -> None:
        job = Job(context.job.id or 0, id, context.job.task_name, True, payload, context.job.attempts)
        if self._until_stored(lambda: self._queue.put_back(job, outage)) and job.task == "research":
            # Where the database was away as well, it could not be stored that it is interrupted.
            self._until_stored(lambda: self._workbench.research.release(id))

    def _is_last(self, context: "JobContext", error: StoreError) -> bool:
        """Whether what has failed so is not tried again."""
        last = context.job.attempts + 1 >= TRIES
        return last and not isinstance(error, TakenOverError) and not self._is_outage(error)

    def _is_outage(self, error: StoreError) -> bool:
        """Whether something failed only because a server is away. It is done again, and no try is counted."""
        return self._index_away() or isinstance(error, StoreAwayError)

    def _is_answered(self, id: str) -> bool:
        """Whether a question has its answer, which only was not told."""
        decision = self._workbench.asking.decisions.get(id)
        run = run_of(self._workbench.asking, self._workbench.runs, id)
        ended = run is not None and run.status not in (RunStatus.RUNNING, RunStatus.INTERRUPTED)
        return ended or bool(decision and decision.answer)

    @contextmanager
    def _doing(self, context: "JobContext") -> Iterator[None]:
        number = context.job.id or 0
        with self._lock:
            self.at_work.add(number)
        try:
            yield
        finally:
            with self._lock:
                self.at_work.discard(number)

    def _give_up(self, run_id: str, claim: Claim, why: str) -> Iterator[Any]:
        """The events of a claim that has ended its worker too often, each stored before it is handed on."""
        now, runs = datetime.now(UTC), self._workbench.runs
        started = RunStarted(run_id, claim, now, self._workbench.judge_info, {})
        yield from runs.record(iter((started, RunEnded(run_id, RunStatus.FAILED, now, Usage(), why))))

    def _until_stored(self, write: Callable[[], T]) -> T:
        """Write, and try again while the database is away. Raises StoreError when that takes too long."""
        began = time.monotonic()
        while True:
            try:
                return write()
            except StoreError:
                if time.monotonic() - began > (LAST_SECONDS if self.ending.is_set() else OUTAGE_SECONDS):
                    raise
                time.sleep(1.0)


def _given_up(context: "JobContext", outages: int, stopped: bool) -> str:
    """Why something is not begun once more; empty where it is. What is to stop is begun, to say so."""
    if stopped:
        return ""
    if context.job.attempts >= TRIES:
        return GIVEN_UP
    return OUTAGES_GIVEN_UP if outages >= OUTAGES else ""


def _named(item: BatchItem) -> tuple[str, int, int]:
    return item.batch_id, item.position, item.attempts
