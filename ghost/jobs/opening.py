"""The jobs that fit a workbench: in this process, or over the queue that several share."""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ghost.cards import Asking
from ghost.jobs.articles import ArticleReader, ArticleWorkbench
from ghost.jobs.asks import Asker
from ghost.jobs.batches import BatchEngine
from ghost.jobs.ending import finish
from ghost.jobs.lookups import Lookups, LookupWorkbench
from ghost.jobs.research import ResearchJobs
from ghost.jobs.runs import JobWorkbench, Runner
from ghost.knowledge import Importer, KnowledgeBase
from ghost.records import ImportStore
from ghost.research import Researcher

if TYPE_CHECKING:
    from ghost.jobs.queued.queue import Queue
    from ghost.jobs.queued.watched import Listener
    from ghost.records import Database


class OpenWorkbench(JobWorkbench, ArticleWorkbench, LookupWorkbench, Protocol):
    """What all jobs together use of the workbench, which is above this room."""

    @property
    def asking(self) -> Asking: ...
    @property
    def research(self) -> Researcher: ...
    @property
    def shared_database(self) -> "Database | None":
        """The database over which workers take the work; None where this process does all of it."""
        ...


@dataclass(frozen=True, slots=True)
class Jobs:
    """Everything that goes on in the background."""

    runner: Runner
    batches: BatchEngine
    asker: Asker
    research: ResearchJobs
    articles: ArticleReader
    lookups: Lookups
    queue: "Queue | None" = None
    """Where other processes do the work; None where this one does."""
    listener: "Listener | None" = None

    def finish(self, seconds: float, hurry: threading.Event) -> bool:
        """Wait until nothing waits or runs in this process; False when the time is over, or ``hurry`` is set, before.

        Batches end with their current claim put back: they can be resumed.
        """
        if self.queue:
            return True  # workers do it
        self.batches.close()
        return finish((self.runner, self.asker, self.research, self.articles), seconds, hurry)

    def close(self, seconds: float = 2.0) -> None:
        """Stop what runs in this process, or watch what the workers do no longer."""
        self.asker.close()
        self.research.close()
        self.articles.close()
        self.batches.close()
        self.runner.close(seconds)
        if self.listener:
            self.listener.close()


def open_imports(knowledge: KnowledgeBase) -> Importer:
    """Imports as this process makes them itself; with a database that several share, as workers make them."""
    database, store = knowledge.database, ImportStore(knowledge.database)
    if database.dialect != "postgresql":
        return Importer(knowledge, store)
    from ghost.jobs.queued.imports import QueuedImports
    from ghost.jobs.queued.queue import Queue

    return QueuedImports(store, Queue(database))


def open_jobs(workbench: OpenWorkbench) -> Jobs:
    """The jobs of this process; with a database that several share, those of all processes, which workers do."""
    if (database := workbench.shared_database) is None:
        runner = Runner(workbench)
        batches = BatchEngine(workbench, lambda: bool(runner.active()))
        research, articles = ResearchJobs(workbench.research), ArticleReader(workbench)
        return Jobs(runner, batches, Asker(workbench.asking), research, articles, Lookups(workbench))
    from ghost.jobs.queued.articles import QueuedArticles
    from ghost.jobs.queued.asks import QueuedAsker
    from ghost.jobs.queued.batches import QueuedBatches
    from ghost.jobs.queued.lookups import QueuedLookups
    from ghost.jobs.queued.queue import Queue
    from ghost.jobs.queued.research import QueuedResearch
    from ghost.jobs.queued.runs import QueuedRunner
    from ghost.jobs.queued.watched import Listener

    queue, listener = Queue(database), Listener(database)
    return Jobs(
        QueuedRunner(workbench, queue, listener),
        QueuedBatches(workbench, queue),
        QueuedAsker(workbench.asking, workbench, queue, listener),
        QueuedResearch(workbench.research, queue, listener),
        QueuedArticles(queue, listener),
        QueuedLookups(workbench, queue),
        queue,
        listener,
    )
