"""A workbench over a shared PostgreSQL database whose runs are scripted by their claims, and its worker processes.

A claim says what happens to it: it ``takes 2.5`` seconds, ``searches`` the knowledge base, ``kills`` its worker,
``crashes`` the server once, or ``always``, ``loses`` the database once, or ``always``, or ``fails``.
"""

import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

from procrastinate import utils
from sqlalchemy import text as sql

from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY, UNKNOWN_CREDIBILITY, Settings
from ghost.budget import Spent
from ghost.errors import Cancelled, ClaimError, GhostError, StoreError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SourceUpdate,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.jobs import open_imports, run_worker
from ghost.knowledge import CredibilityBook, Importer, KnowledgeBase
from ghost.pipelines import read_article
from ghost.records import (
    Article,
    ArticleStore,
    BatchStore,
    Database,
    Heartbeat,
    ResearchStore,
    RunStore,
    batch_queue_of,
    utc_now,
)
from ghost.steps import Extracted
from ghost.testing import HashingEncoder
from ghost.types import (
    Claim,
    JudgeInfo,
    Research,
    ResearchAnswer,
    ResearchPlan,
    Run,
    RunStatus,
    Savings,
    Usage,
    tidy_claim,
)
from ghost.web import Links
from tests.forks import FORKS
from tests.ui.asking import ScriptedCards, ScriptedMatcher, scripted_asking
from tests.ui.researching import QUESTIONS
from tests.ui.researching import plan as scripted_plan
from tests.ui.samples import JUDGE, false_run

TICK = 0.01
READY = "Taking work"
SILENT_SECONDS, CALM = 1.2, 1.0
_LOST: set[str] = set()
"""Runs for which the database did not answer, and what has crashed it."""


class SharedBench:
    """What workers and pages use of a workbench."""

    def __init__(self, url: str, silent_seconds: float = 12.0, chroma: str = "") -> None:
        """``chroma``: where its knowledge base has its vectors; without it there is none."""
        self._url, self._chroma = url, chroma
        self.settings = Settings()
        self.shared_database = self.database = Database.open(url)
        self.heartbeat = Heartbeat(self.database, "other", silent_seconds / 6, silent_seconds)
        self.runs = RunStore(self.database)
        self.batches = BatchStore(self.database)
        self.batch_queue = batch_queue_of(self.database)
        self.judge_info: JudgeInfo = JUDGE
        self.cards = _Cards(self.database)
        self.research = SharedResearcher(self.database, self.search)
        self.matcher = ScriptedMatcher()

    @cached_property
    def knowledge(self) -> Any:
        if not self._chroma:
            return _NoKnowledge()
        book = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS, UNKNOWN_CREDIBILITY)
        return KnowledgeBase.open(self._url, Path(), self._chroma, ScriptedEncoder(), book)

    @cached_property
    def imports(self) -> Importer:
        return open_imports(self.knowledge)

    @property
    def asking(self) -> Any:
        return scripted_asking(self.database, self.runs, self.verify, self.matcher)

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
        return self.runs.record(_played(run_id or "0" * 32, claim, cancelled, links or Links(), options, self.search))

    def extract(self, claim: Claim, cancelled: Callable[[], bool]) -> Extracted:
        """The statement of the script; a claim that ``takes 2`` seconds takes as long."""
        claim = tidy_claim(claim, 10_000)
        _pause(claim.text, cancelled, 1)
        if "fails" in claim.text:
            raise GhostError("This claim fails.")
        found = false_run().classification
        assert found
        return Extracted(found, JUDGE, Spent(Usage()))

    @property
    def articles(self) -> ArticleStore:
        return ArticleStore(self.database)

    def list_article(
        self, text: str, url: str, told: Callable[[str, int, int], None], article_id: str, web: bool
    ) -> Article:
        """Without a model; a sentence that ``takes 2`` seconds takes as long."""
        article = read_article(text, url, None, None, 1.0, told, article_id)
        lasting = [s for s in article.sentences if re.search("takes|kills|loses", s.text)]
        for n, sentence in enumerate(lasting):
            _pause(sentence.text, lambda n=n: told("Reading its sentences", n, len(lasting)) or False, 1)
            if "kills" in sentence.text:
                os.kill(os.getpid(), signal.SIGKILL)
            if "loses" in sentence.text and ("always" in sentence.text or article_id not in _LOST):
                _LOST.add(article_id)
                raise StoreError("The database does not answer.")
        self.articles.add(article)
        return article

    def search(self, text: str) -> None:
        """Search the knowledge base, where the text says so, or have the server run out of memory."""
        if "searches" in text:
            self.knowledge.search(text, 1)
        if "crashes" in text and ("always" in text or text not in _LOST):
            _LOST.add(text)
            with self.database.read() as connection:
                connection.execute(sql("COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'"))

    def close(self) -> None:
        self.heartbeat.stop()
        self.knowledge.close()
        self.database.close()


class _NoKnowledge:
    """A knowledge base that nobody searches."""

    def search(self, text: str, k: int) -> None:
        raise AssertionError("There is nothing to search in.")

    def mend_index(self) -> None:
        """There is nothing to mend."""

    def close(self) -> None:
        """There is nothing to close."""


class ScriptedEncoder(HashingEncoder):
    """A text that ``takes 2`` seconds takes as long, and one that ``kills`` ends the process."""

    def encode(self, texts: Sequence[str]) -> Any:
        for text in texts:
            if "kills" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            _pause(text, lambda: False, 1)
        return super().encode(texts)


class _Cards(ScriptedCards):
    def from_run(self, run: Run) -> None:
        """No card is made."""


class SharedResearcher:
    """Answers the questions of a scripted plan one after the other; a topic that ``takes 2`` seconds takes as long."""

    def __init__(self, database: Database, search: Callable[[str], None]) -> None:
        self._store, self._search = ResearchStore(database), search

    def plan(
        self, topic: str, *, questions: Sequence[str] = (), cancelled: Callable[[], bool], **_: Any
    ) -> ResearchPlan:
        if not topic.strip():
            raise ClaimError("There is no topic.")
        _pause(topic, cancelled, 5)
        self._search(topic)
        return scripted_plan(topic, questions or QUESTIONS)

    def run(
        self, plan: ResearchPlan, *, research_id: str, cancelled: Callable[[], bool], **_: Any
    ) -> Iterator[ResearchEvent]:
        return self._store.record(_researched(plan, research_id, cancelled, set(), self._search), research_id)

    def resume(self, research_id: str, cancelled: Callable[[], bool]) -> Iterator[ResearchEvent]:
        known = self.get(research_id)
        if known is None or known.plan is None or known.status in (RunStatus.FINISHED, RunStatus.RUNNING):
            raise ClaimError("This research cannot be resumed.")
        done = {answer.question for answer in known.answers}
        return self._store.record(_researched(known.plan, research_id, cancelled, done, self._search), research_id)

    def get(self, research_id: str) -> Research | None:
        return self._store.get(research_id)

    def release(self, research_id: str) -> None:
        self._store.release(research_id)

    def mark_interrupted(self) -> int:
        return self._store.mark_interrupted()


def _researched(
    plan: ResearchPlan, research_id: str, cancelled: Callable[[], bool], done: set[int], search: Callable[[str], None]
) -> Iterator[ResearchEvent]:
    yield ResearchStarted(research_id, plan.topic, datetime.now(UTC), JUDGE)
    yield ResearchPlanned(plan)
    status, error = RunStatus.FINISHED, ""
    try:
        for question in plan.questions:
            if question.number not in done:
                _pause(plan.topic, cancelled, len(plan.questions))
                search(plan.topic)
                yield QuestionResearched(ResearchAnswer(question.number, f"By process {os.getpid()}."))
    except Cancelled as stop:
        status, error = RunStatus.CANCELLED, str(stop)
    yield ResearchEnded(research_id, status, datetime.now(UTC), Usage(), Savings(), error)


def _played(
    run_id: str, claim: Claim, cancelled: Callable[[], bool], links: Links, options: dict[str, object],
    search: Callable[[str], None],
) -> Iterator[Event]:  # fmt: skip
    """The events of a scripted run."""
    script = false_run()
    yield RunStarted(run_id, claim, datetime.now(UTC), script.judge, {"web": options.get("web", True)})
    status, error = RunStatus.FINISHED, ""
    try:
        for number, step in enumerate(script.steps, start=1):
            yield StepStarted(step.name, number)
            _pause(claim.text, cancelled, len(script.steps))
            yield StepFinished(number, step)
            if number == 2:
                search(claim.text)
            if number == 1:
                assert script.classification
                yield ClaimClassified(script.classification)
                if "kills" in claim.text:
                    os.kill(os.getpid(), signal.SIGKILL)
                if "loses" in claim.text and ("always" in claim.text or run_id not in _LOST):
                    _LOST.add(run_id)
                    raise StoreError("The database does not answer.")
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
    except StoreError:
        raise
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
    """A worker in a process of its own, which is noticed to be gone after a second."""

    def __init__(
        self, url: str, slots: int = 3, hours: float = 0.0, chroma: str = "", calm: float = CALM, grace: float = 8.0
    ) -> None:
        """``hours``: so far the clock of its machine is ahead. ``chroma``: the address of a Chroma server. ``calm``: so
        long it wants no worker to have died before it gives anything its last try.
        """
        with tempfile.NamedTemporaryFile("w", suffix=".log", delete=False) as output:
            self._output = Path(output.name)
        options = (url, slots, output.name, hours, chroma, calm, grace)
        self.process = FORKS.Process(target=_work, args=options, daemon=True)
        self.process.start()

    @property
    def output(self) -> str:
        """What it has written."""
        return self._output.read_text(encoding="utf-8") if self._output.exists() else ""

    def wait_ready(self, seconds: float = 60.0) -> "WorkerProcess":
        """Return when it takes work."""
        deadline = time.monotonic() + seconds
        while READY not in self.output:
            assert self.process.is_alive(), self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(TICK)
        return self

    def remove(self) -> None:
        """End it as a power cut would, and delete what it has written."""
        self.process.kill()
        self.process.join()
        self._output.unlink(missing_ok=True)


def _set_clock(ahead: timedelta) -> None:
    """Let the wall clock of this process be wrong, for Ghost and for the queue's library. SIGUSR1 lets it jump to as
    wrong the other way.
    """

    def jump(*_: object) -> None:
        nonlocal ahead
        ahead = -ahead

    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, jump)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            return super().now(tz) + ahead

    right: dict[str, Any] = {"utc_now": utc_now, "datetime": datetime}
    wrong: dict[str, Any] = {"utc_now": lambda: right["utc_now"]() + ahead, "datetime": Clock}
    utcnow = utils.utcnow
    utils.utcnow = lambda: utcnow() + ahead
    for module in [m for name, m in sys.modules.items() if name.startswith(("ghost.jobs", "ghost.records", __name__))]:
        for name, clock in wrong.items():
            if vars(module).get(name) is right[name] and module.__name__ != "ghost.records.database":
                setattr(module, name, clock)


def _work(url: str, slots: int, output: str, hours: float, chroma: str, calm: float, grace: float) -> None:
    """Be a worker."""
    if hours:
        _set_clock(timedelta(hours=hours))
    sink = os.open(output, os.O_WRONLY | os.O_APPEND)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    bench = SharedBench(url, SILENT_SECONDS, chroma)
    ready = lambda: os.write(1, f"{READY}\n".encode())  # noqa: E731
    run_worker(bench, bench.database, slots, ready, SILENT_SECONDS, grace, calm)  # type: ignore[arg-type]
    bench.close()
