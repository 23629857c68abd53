"""A workbench that plays runs from a script, for the pages and the runner."""

import functools
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from config import Settings
from ghost.budget import Spent
from ghost.cards import Asking
from ghost.errors import Cancelled
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
from ghost.judges import Endpoint, Shares
from ghost.knowledge import CredibilityBook, Health, KnowledgeStats, SourceMarks
from ghost.pipelines import RunReadings, read_article
from ghost.records import (
    ALL_RUNS,
    ApiKeys,
    Article,
    ArticleStore,
    BatchQueue,
    BatchStore,
    CaseStore,
    Database,
    ReadingStore,
    ReviewStore,
    RunFilter,
    RunSummary,
)
from ghost.steps import Extracted
from ghost.steps.classify import corrected
from ghost.telemetry import RunObserver, observed
from ghost.testing import ScriptedSearch
from ghost.types import (
    Claim,
    JudgeInfo,
    Passage,
    Pipeline,
    PipelineChoice,
    Run,
    RunStatus,
    Status,
    Usage,
    tidy_claim,
)
from ghost.web import Links
from tests.ui.asking import ScriptedCards, ScriptedMatcher, scripted_asking
from tests.ui.researching import ScriptedResearcher, ScriptedSkills
from tests.ui.samples import JUDGE, LENGTH, ORBIT, WALL, false_run


@functools.cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Database.open(Path(folder) / "ghost.db").close()
        return (Path(folder) / "ghost.db").read_bytes()


def prepare_database(path: Path) -> Path:
    """Put an empty database where none is: migrating a new one takes longer than most tests."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_empty_database())
    return path


@dataclass
class ScriptedRuns:
    """Runs in memory, newest last."""

    kept: dict[str, Run] = field(default_factory=dict)

    def get(self, run_id: str) -> Run | None:
        return self.kept.get(run_id)

    def summaries(self, ids: "Sequence[str]") -> "Sequence[RunSummary]":
        return [_summary(self.kept[i]) for i in ids if i in self.kept]

    def count(self, status: RunStatus | None = None) -> int:
        return sum(status in (None, run.status) for run in self.kept.values())

    def spent(self) -> Usage:
        used = [run.usage for run in self.kept.values()]
        return Usage(
            tokens=sum(u.tokens for u in used),
            cost_usd=sum(u.cost_usd for u in used),
            unpriced_tokens=sum(u.unpriced_tokens for u in used),
        )

    def matching(self, narrow: RunFilter = ALL_RUNS) -> int:
        return len(self.browse(narrow, len(self.kept)))

    def browse(self, narrow: RunFilter = ALL_RUNS, limit: int = 50, offset: int = 0) -> "Sequence[RunSummary]":
        found = [_summary(run) for run in self.kept.values() if narrow.text.lower() in run.claim.text.lower()]
        return found[::-1][offset : offset + limit]

    def pruned_at(self, run_id: str) -> datetime | None:
        return None

    def tallies(self) -> dict[tuple[str, str], int]:
        return Counter((run.status.value, run.verdict.label.value if run.verdict else "") for run in self.kept.values())

    def judges(self) -> tuple[str, ...]:
        return tuple(sorted({run.judge.name for run in self.kept.values()}))

    def list(self, limit: int = 50, offset: int = 0, text: str = "") -> list[RunSummary]:
        found = [run for run in self.kept.values() if text.lower() in run.claim.text.lower()]
        return [_summary(run) for run in found[-limit:]]


def _summary(run: Run) -> RunSummary:
    label, confidence = (run.verdict.label, run.verdict.confidence) if run.verdict else (None, None)
    return RunSummary(
        run.id, run.status, run.claim.text, label, confidence, run.started_at, run.finished_at, run.judge.name
    )


class ScriptedKnowledge:
    """A few passages in memory; ``fails`` is raised by every look."""

    def __init__(self, passages: list[Passage], fails: Exception | None = None) -> None:
        self._passages = passages
        self._fails = fails

    def stats(self) -> KnowledgeStats:
        self._look()
        total = len(self._passages)
        return KnowledgeStats(
            by_status={"active": total} if total else {},
            by_origin={"seed": total} if total else {},
            by_source_type={},
            domains=(),
            domain_count=len({p.domain for p in self._passages}),
            dated=sum(p.published_at is not None for p in self._passages),
            undated=sum(p.published_at is None for p in self._passages),
        )

    def by_status(self) -> dict[str, int]:
        return self.stats().by_status

    def ask_index(self) -> int:
        self._look()
        return len(self._passages)

    def get(self, ids: "Sequence[str]") -> "Sequence[Passage]":
        self._look()
        return [p for p in self._passages if p.id in ids]

    def retire(self, ids: "Sequence[str]", note: str = "") -> int:
        return self._turn(ids, Status.RETIRED)

    def restore(self, ids: "Sequence[str]", note: str = "") -> int:
        return self._turn(ids, Status.ACTIVE)

    def _turn(self, ids: "Sequence[str]", status: Status) -> int:
        self._passages = [replace(p, status=status) if p.id in ids else p for p in self._passages]
        return len(ids)

    repaired = ""

    def check(self) -> Health:
        self._look()
        total = len(self._passages)
        return Health(total, total, True, "", (), "a model")

    def rebuild(self, progress: Callable[[str, int, int], None] | None = None) -> int:
        self._look()
        for number, _ in enumerate(self._passages, start=1):
            if progress:
                progress("Rebuilding the vector index", number, len(self._passages))
        return len(self._passages)

    def _look(self) -> None:
        if self._fails:
            raise self._fails


class ScriptedBench:
    """Plays ``script`` for every claim; waits at ``gate`` before the step named by ``stops_before``."""

    def __init__(
        self, settings: Settings, script: Run | None = None, stops_before: str = "", fails: Exception | None = None
    ) -> None:
        self.settings = settings
        self.stance_missing = ""
        self.shares: tuple[Shares, ...] = ()
        self.runs = ScriptedRuns()
        self.knowledge = ScriptedKnowledge([WALL, ORBIT, LENGTH])
        self.judge_info: JudgeInfo = JUDGE
        self.search_recipients: tuple[str, ...] = ()
        self.asked_for_web: list[bool] = []
        # Real ones, over a real database in the folder of the settings: there is nothing in them to play.
        self.database = Database.open(prepare_database(settings.database_path))
        self.keys = ApiKeys(self.database, settings.database_path.parent)
        self.reviews = ReviewStore(self.database)
        self.cases = CaseStore(self.database)
        self.batches = BatchStore(self.database)
        self.batch_queue = BatchQueue(self.database)
        self.cards = ScriptedCards(self.database)
        self.matcher = ScriptedMatcher()
        self.asked_for_sites: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self.given: list[Extracted | None] = []
        self.news: tuple[SourceUpdate, ...] = ()
        """News of sources, told before the step where the run waits."""
        self.ratings: Any = None
        self.options: list[dict[str, object]] = []
        self.boxes: list[Links] = []
        self.providers: tuple[ScriptedSearch, ...] = ()
        self.language_models: tuple[Endpoint, ...] = ()
        self.pipelines: tuple[PipelineChoice, ...] = (
            PipelineChoice(Pipeline.SEVEN_STEPS, True, "Seven steps."),
            PipelineChoice(Pipeline.SINGLE_CONVERSATION, False, "It needs a language model, but none is set up."),
        )
        self.sources = CredibilityBook(settings.source_credibility, settings.fact_check_domains)
        self.research = ScriptedResearcher(ScriptedSkills(settings.data_dir / "skills.yaml"))
        self.observers: list[RunObserver] = []
        self.shared_database: Database | None = None
        self.gate = threading.Event()
        self._script = script or false_run()
        self._stops_before = stops_before
        self._fails = fails

    @property
    def asking(self) -> Asking:
        """Over the runs that the bench has now, which a test may have exchanged."""
        return scripted_asking(self.database, self.runs, self.verify, self.matcher)

    def interrupt(self) -> None:
        pass

    @property
    def readings(self) -> RunReadings:
        return RunReadings(self.runs, ReadingStore(self.database))  # type: ignore[arg-type]

    @property
    def marks(self) -> SourceMarks:
        return SourceMarks(self.knowledge, self.reviews, self.ratings)  # type: ignore[arg-type]

    def verify(
        self,
        claim: Claim,
        *,
        run_id: str | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        web: bool = True,
        allowed: Sequence[str] = (),
        denied: Sequence[str] = (),
        extracted: Extracted | None = None,
        links: Links | None = None,
        **options: object,
    ) -> Iterator[Event]:
        self.asked_for_web.append(web)
        self.asked_for_sites.append((tuple(allowed), tuple(denied)))
        self.given.append(extracted)
        self.boxes.append(links or Links())
        sites = {"allowed": allowed, "denied": denied}
        self.options.append(options | sites | {"links": links.named if links else ()})
        claim = tidy_claim(claim, self.settings.max_claim_chars)
        scope = {"web": web, "allowed_here": list(allowed), "denied_here": list(denied)}
        script = replace(self._script, settings=self._script.settings | scope)
        if script.classification and claim.statements:
            script = replace(script, classification=corrected(script.classification, claim.statements))
        return observed(self._play(replace(script, id=run_id or "0" * 32, claim=claim), cancelled), self.observers)

    def extract(self, claim: Claim, cancelled: Callable[[], bool] = lambda: False) -> Extracted:
        tidy_claim(claim, self.settings.max_claim_chars)
        found = self._script.classification
        assert found
        return Extracted(found, JUDGE, Spent(Usage()))

    @property
    def articles(self) -> ArticleStore:
        return ArticleStore(self.database)

    def list_article(
        self,
        text: str = "",
        url: str = "",
        told: Callable[[str, int, int], None] = lambda *_: None,
        article_id: str = "",
        web: bool = False,
    ) -> Article:
        article = read_article(text, url, None, None, 1.0, told, article_id)
        worth = {s.position: round(0.95 - 0.1 * n, 2) for n, s in enumerate(article.checkable)}
        rated = tuple(replace(s, worth=max(0.0, worth.get(s.position, 0.0))) for s in article.sentences)
        article = replace(article, sentences=rated)
        self.articles.add(article)
        return article

    def close(self) -> None:
        self.gate.set()
        self.database.close()

    def _play(self, run: Run, cancelled: Callable[[], bool]) -> Iterator[Event]:
        yield RunStarted(run.id, run.claim, datetime.now(UTC), run.judge, run.settings)
        status = RunStatus.FINISHED
        try:
            yield from self._steps(run, cancelled)
        except Cancelled:
            status, run = RunStatus.CANCELLED, replace(run, status=RunStatus.CANCELLED, verdict=None)
        self.runs.kept[run.id] = run
        yield RunEnded(run.id, status, datetime.now(UTC), run.usage, "")

    def _steps(self, run: Run, cancelled: Callable[[], bool]) -> Iterator[Event]:
        names = ("classify", "retrieve", "rerank", "sufficiency", "investigate", "index", "verdict")
        for step in run.steps:
            number = names.index(step.name) + 1
            yield StepStarted(step.name, number)
            if step.name == self._stops_before:
                yield from self.news
                while not self.gate.wait(0.01):
                    if cancelled():
                        raise Cancelled("The run was cancelled.")
                if self._fails:
                    raise self._fails
            yield StepFinished(number, step)
            if step.name == "classify" and run.classification:
                yield ClaimClassified(run.classification)
            if step.name == "rerank":
                yield EvidenceWeighed(run.evidence)
        if run.verdict:
            yield SentenceAccepted(run.verdict.explanation)
            yield VerdictReached(run.verdict, run.judge)
