"""Articles that are read in the background: put in once, then followed by the id that the article will have."""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.events import ArticleEvent, ArticleProgress, ArticleUnread
from ghost.jobs.followed import Followed
from ghost.jobs.task import Progress, failure_text
from ghost.pipelines import check_article
from ghost.records import Article, ArticleStore

log = logging.getLogger(__name__)
WAITING = "Waiting for other articles"
STOPPED = "Stopped, as you asked."
NOTHING_DONE = Progress()


class ArticleWorkbench(Protocol):
    """What reads articles and keeps them, of the workbench, which is above this room."""

    @property
    def articles(self) -> ArticleStore: ...

    def list_article(
        self, text: str, url: str, told: Callable[[str, int, int], None], article_id: str, web: bool
    ) -> Article:
        """Read one, and keep it under this id. Raises GhostError, and what ``told`` raises."""
        ...


@dataclass(frozen=True, slots=True)
class ArticleView:
    """The reading of an article as it stands at one moment."""

    article_id: str
    text: str = ""
    """What was put in; empty once the article is kept."""
    url: str = ""
    progress: Progress = NOTHING_DONE
    started: float = 0.0
    """On the monotonic clock."""
    error: str = ""
    unusable: bool = False
    """Whether the error is that what was put in cannot be used as it is."""
    ended: bool = False
    cancelled: bool = False
    cancelling: bool = False

    @property
    def read(self) -> bool:
        """Whether it was read to its end, and is kept."""
        return self.ended and not self.error and not self.cancelled


class ArticleReader(Followed[ArticleView, ArticleEvent]):
    """Reads articles in threads of its own. Safe to share between threads."""

    def __init__(self, workbench: ArticleWorkbench) -> None:
        super().__init__()
        self._workbench = workbench

    def start(self, text: str, url: str, web: bool = True) -> str:
        """Begin to read, and return the id of the article. Without ``web`` no page is fetched.

        Raises ClaimError for what cannot be read.
        """
        check_article(text, url, web)
        article_id, stop = uuid.uuid4().hex, threading.Event()
        self._open(article_id, ArticleView(article_id, text, url, started=time.monotonic()), stop)
        # A daemon, because closing the program must not wait for it.
        work = threading.Thread(
            target=self._follow, args=(article_id, text, url, web, stop), name="ghost-article", daemon=True
        )
        work.start()
        return article_id

    def _waiting(self, view: ArticleView) -> ArticleView:
        return replace(view, progress=Progress(WAITING))

    def _cancelling(self, view: ArticleView) -> ArticleView:
        return replace(view, cancelling=True)

    def _follow(self, article_id: str, text: str, url: str, web: bool, stop: threading.Event) -> None:
        def told(what: str, done: int, total: int) -> None:
            if stop.is_set():
                raise Cancelled(STOPPED)
            self._happened(article_id, ArticleProgress(what, done, total), after)

        failure: Exception | None = None
        try:
            self._wait(article_id)
            self._workbench.list_article(text, url, told, article_id, web)
        except Exception as error:
            failure = error
            if not isinstance(error, GhostError):
                log.exception("Article %s could not be read", article_id)
        self._end(article_id, lambda view: ended(view, failure))


def after(view: ArticleView, event: ArticleEvent) -> ArticleView:
    """The view once ``event`` has happened."""
    match event:
        case ArticleProgress():
            return replace(view, progress=Progress(event.what, event.done, event.total))
        case ArticleUnread():
            return replace(view, text=event.text, url=event.url)


def ended(view: ArticleView, failure: Exception | None) -> ArticleView:
    """The view once nothing more is to come."""
    if failure is None:
        return replace(view, ended=True, text="")
    if isinstance(failure, Cancelled):
        return replace(view, ended=True, cancelled=True)
    return replace(view, ended=True, error=failure_text(failure), unusable=isinstance(failure, ClaimError))
