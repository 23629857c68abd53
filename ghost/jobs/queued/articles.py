"""Articles that workers read: put into the queue here, and watched by what the workers report."""

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ghost.errors import Cancelled, GhostError
from ghost.events import ArticleEvent, ArticleProgress, ArticleUnread
from ghost.jobs.articles import STOPPED, ArticleReader, ArticleView, ArticleWorkbench, after
from ghost.jobs.queued.import_work import TELL_SECONDS
from ghost.jobs.queued.queue import ArticleOrder, Job, Queue
from ghost.jobs.queued.watched import Listener, Watched
from ghost.jobs.task import Progress
from ghost.pipelines import check_article
from ghost.records import WorkEnded


def read_ordered(
    workbench: ArticleWorkbench,
    article_id: str,
    order: ArticleOrder,
    stop: Callable[[], bool],
    tell: Callable[[ArticleEvent], None],
    given_up: str,
) -> None:
    """Read an article as it was put in; one that an earlier attempt has kept stays as it is.

    Raises GhostError: also with the words of ``given_up``, where too many attempts have not kept it.
    """
    if workbench.articles.get(article_id) is not None:
        return
    if given_up:
        raise GhostError(given_up)
    last = ("", float("-inf"))

    def told(what: str, done: int, total: int) -> None:
        nonlocal last
        if stop():
            raise Cancelled(STOPPED)
        now = time.monotonic()
        # The last one always: it fails where another worker has this article by now, and then nothing is kept.
        if what != last[0] or now - last[1] >= TELL_SECONDS or 0 < total == done:
            last = what, now
            tell(ArticleProgress(what, done, total))

    workbench.list_article(order.text, order.url, told, article_id, order.web)


class QueuedArticles(Watched[ArticleView, ArticleEvent], ArticleReader):
    """Offers what ``ArticleReader`` offers, of all processes over one database. Nothing is read in this one."""

    task = "article"

    def __init__(self, queue: Queue, listener: Listener) -> None:
        super().__init__(queue, listener)  # nothing here asks the workbench

    def start(self, text: str, url: str, web: bool = True) -> str:
        """As for ``ArticleReader``. Raises StoreError too, when it cannot be put into the queue."""
        check_article(text, url, web)
        article_id, order = uuid.uuid4().hex, ArticleOrder(text, url, web)
        self.put(article_id, order, _in_queue(article_id, order))
        return article_id

    def cancel(self, id: str) -> None:
        """Ask it to stop; does nothing to unknown and ended ones. Raises StoreError."""
        job = self._queue.stop(id)
        self.change(id, lambda view: view if view.ended else replace(view, cancelling=True))
        if job and not job.running:
            order = job.order(ArticleOrder)
            self.stopped(id, ArticleUnread(order.text, order.url))

    def view(self, id: str) -> ArticleView | None:
        """As for ``Watched``, and also of one that was not read, as its text is kept with what was reported."""
        found = super().view(id)
        if found is None and any(isinstance(event, ArticleUnread) for event in self.reported.since(id, 0)[0]):
            self.watch(id, ArticleView(id))
            self.catch_up(id)
            found = super().view(id)
        return found

    def _of_job(self, job: Job) -> ArticleView:
        return _in_queue(job.id, job.order(ArticleOrder))

    def _after(self, view: ArticleView, event: Any) -> ArticleView:
        return after(view, event)

    def _ended(self, view: ArticleView, end: WorkEnded) -> ArticleView:
        error, text = "" if end.stopped else end.error, view.text if end.error else ""
        return replace(view, ended=True, text=text, error=error, unusable=end.unusable, cancelled=end.stopped)

    def _unattended(self, view: ArticleView, why: str) -> ArticleView:
        return view if view.ended else replace(view, progress=Progress(why))


def _in_queue(article_id: str, order: ArticleOrder) -> ArticleView:
    return ArticleView(article_id, order.text, order.url, Progress(), time.monotonic())
