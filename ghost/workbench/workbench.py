"""The workbench: everything that a claim is verified with, ready to use."""

import os
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from config import Settings, host_entry
from ghost.budget import Budget
from ghost.cards import Asking, Cards, Router, no_packs
from ghost.demo_web import DAY
from ghost.errors import ClaimError
from ghost.events import Event, RunEnded
from ghost.inference import Encoder, RelevanceScorer, StanceReader
from ghost.judges import JUDGE_KINDS, ClaimReader, Endpoint, Judges, Odds, Shares, shipped
from ghost.knowledge import (
    AddReport,
    CredibilityBook,
    Importer,
    KnowledgeBase,
    Pack,
    Progress,
    Ratings,
    SourceMarks,
    injection_model,
    no_progress,
)
from ghost.matching import ClaimMatcher, load_matcher
from ghost.pipelines import RunOptions, RunReadings, Tools, converse, read_article, utc_today, verify
from ghost.records import (
    ApiKeys,
    Article,
    ArticleStore,
    BatchStore,
    CaseStore,
    Database,
    DecisionStore,
    Heartbeat,
    Idempotency,
    MemoryStore,
    ReadingStore,
    ReviewStore,
    RunStore,
    SkillsText,
    batch_queue_of,
)
from ghost.research import Gate, Memory, Parts, Researcher, Skills
from ghost.steps import Extracted, QuoteReader, ReadingRules, RerankRules, SourceRatings, extract
from ghost.telemetry import RunObserver, log_run, observed, otlp_export
from ghost.types import Claim, ClaimCard, JudgeInfo, Passage, Pipeline, PipelineChoice, RunStatus, tidy_claim
from ghost.web import Archive, Breaker, Links, PageFetcher, SearchProvider
from ghost.workbench.kept_settings import Model, kept_settings
from ghost.workbench.limits import limits_of, named_sites, research_limits_of, search_rules
from ghost.workbench.note_checks import CheckedNotes, check_many, still_said
from ghost.workbench.parts import MODELS
from ghost.workbench.pipeline_choice import choose_pipeline, pipeline_choices

if TYPE_CHECKING:
    from ghost.bulk import BulkRuns


class Workbench:
    """A knowledge base, the records of all runs, and a judge, ready to verify claims. Safe to share by threads."""

    def __init__(
        self,
        settings: Settings,
        knowledge: KnowledgeBase,
        runs: RunStore,
        judges: Judges,
        encoder: Encoder,
        reader: StanceReader,
        scorer: RelevanceScorer | None = None,
        sources: SourceRatings | None = None,
        providers: Sequence[SearchProvider] = (),
        claims: ClaimReader | None = None,
        fetcher: PageFetcher | None = None,
        archive: Archive | None = None,
        screener: StanceReader | None = None,
        plain: StanceReader | None = None,
        odds: Odds | None = None,
        stance_missing: str = "",
        seeded: AddReport | None = None,
        matcher: ClaimMatcher | None = None,
        packs: Callable[[], Sequence[Pack]] = no_packs,
        heartbeat: Heartbeat | None = None,
        retried: bool = False,
        shares: Sequence[Shares] = (),
    ) -> None:
        """``providers`` are asked in this order; without any, nothing is searched on the web.

        Without a ``screener`` the ``reader`` reads all candidates; ``plain`` reads what judges write. Without a
        ``fetcher`` the pages that a search leads to are not read. Without an ``archive`` nobody is asked for copies of
        them. ``stance_missing`` says why another stance model reads than the settings name; ``seeded`` is what became
        of the facts that were put in when this was opened. Without a ``matcher`` the bundled one compares claims.
        Where runs and researches are ``retried``, those that the records or the index fail raise StoreError.
        ``shares`` are what was measured of the judges; a verdict of another one has no confidence.
        """
        self.heartbeat = heartbeat
        """What tells the others over a shared database that this process is alive."""
        self.stance_missing = stance_missing
        self._retried = retried
        self.settings = settings
        self.seeded = seeded
        self.knowledge = knowledge
        self.runs = runs
        self.ratings = Ratings(knowledge)
        self.reviews = ReviewStore(knowledge.database)
        self.cases = CaseStore(knowledge.database)
        self.batches = BatchStore(knowledge.database)
        self.batch_queue = batch_queue_of(knowledge.database)
        self.keys = ApiKeys(knowledge.database, settings.database_path.parent)
        self.idempotency = Idempotency(knowledge.database)
        self._judges = judges
        self._encoder = encoder
        self._reader = reader
        self._screener = screener
        self._plain = plain
        self._odds = odds or shipped().odds
        self.shares = tuple(shares)
        """How often verdicts of the judges were right when they were measured."""
        self._scorer = scorer
        self._sources = sources or CredibilityBook({}, ())
        self._providers = tuple(providers)
        self._claims = claims
        self._matcher = matcher
        self._fetcher = fetcher
        self._archive = archive
        self._breaker = Breaker()
        # On a made-up web nothing that is found out holds outside of it.
        quotes = QuoteReader(reader, {}, plain)
        self.cards = Cards(
            knowledge, runs, self.ratings, encoder, quotes, self.matcher.category_of, packs, not settings.demo_web
        )
        self.asking = Asking(
            Router(self.cards, self.matcher, judges.assistant), self.cards, DecisionStore(knowledge.database), runs,
            self.verify, judges.assistant, plain or reader, lambda: limits_of(self.settings), new_run_id,
            self._still_said,
        )  # fmt: skip
        self.readings = RunReadings(runs, ReadingStore(knowledge.database), self.cards.from_run)
        memory = Memory(MemoryStore(knowledge.database), encoder)
        self.research = Researcher(
            Parts(
                knowledge, memory, Gate(memory, lambda: self.matcher, knowledge.book), encoder, lambda: self.matcher,
                lambda web, allowed, denied: self._tools(RunOptions(web, allowed, denied)), judges.writer,
                lambda: research_limits_of(self.settings),
            ),
            Skills(settings.skills_path, host_entry, SkillsText(knowledge.database)),
        )  # fmt: skip
        self.observers: list[RunObserver] = [log_run]
        """Told what happens in every run that starts from now on."""
        self._closed_with: list[Callable[[], None]] = []
        self._snapshot: dict[str, Any] | None = None
        self._snapshot_lock = threading.Lock()

    @property
    def database(self) -> Database:
        """What holds the records and the passages."""
        return self.knowledge.database

    @property
    def shared_database(self) -> Database | None:
        """The database, where several processes share it and workers do the work; None on one machine."""
        return self.database if self.database.dialect == "postgresql" else None

    @cached_property
    def imports(self) -> Importer:
        """Files on their way in: checked and taken in by this process, or by workers where there are some."""
        from ghost.jobs import open_imports  # only for those that import

        return open_imports(self.knowledge)

    @property
    def stance_model(self) -> tuple[str, str]:
        """Name and checksum of the model whose stances decide."""
        return self._reader.name, self._reader.checksum

    @property
    def matcher(self) -> ClaimMatcher:
        """Says whether two claims are the same; raises ModelError when its weights are not there."""
        if self._matcher is None:
            self._matcher = load_matcher(MODELS, self.settings.threads, self._encoder)
        return self._matcher

    @property
    def judge_info(self) -> JudgeInfo:
        """Who would judge a claim now, and why; may look at a local server, for less than a second."""
        return self._judges.route().info

    @property
    def judge_kinds(self) -> tuple[str, ...]:
        """The judges that a run may ask for: cloud and local where they are set up and allowed, and embedded."""
        return self._judges.kinds

    @property
    def cloud_fallback(self) -> bool:
        """Whether a run with a local judge may fall back to the cloud."""
        return self._judges.cloud_fallback

    @property
    def search_recipients(self) -> tuple[str, ...]:
        """Who receives the searches of a run, in the order in which they are asked; nobody when the web is off."""
        return tuple(provider.recipient for provider in self._providers)

    @property
    def providers(self) -> tuple[SearchProvider, ...]:
        """The search providers in the order in which they are asked; none when the web is off."""
        return self._providers

    @property
    def language_models(self) -> tuple[Endpoint, ...]:
        """The language models that may be asked, in no order; none when only the embedded judge may decide."""
        return self._judges.endpoints

    @property
    def sources(self) -> SourceRatings:
        """What is known about sources by their addresses."""
        return self._sources

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
        follows: str = "",
        judge: str = "",
        cloud_fallback: bool = True,
        pipeline: str = "",
    ) -> Iterator[Event]:
        """Check a claim; every event is recorded before it is handed on. Without ``web`` this run searches nothing.

        ``allowed`` and ``denied`` are host suffixes with an optional path: for this run, passages and search hits of
        other sites than the allowed ones, and those of the denied ones, do not count. They narrow the settings and
        never widen them.
        ``extracted`` is what ``extract`` has made of this claim; step 1 then asks nobody again.
        The pages in ``links`` are read first, and what is put in there while the run goes on is read between its turns,
        also when this run searches nothing. ``follows`` is the id of a run that this one does anew with other pages.
        ``judge`` (auto, cloud, local or embedded) and ``cloud_fallback`` choose among the judges that the settings
        allow. ``pipeline`` is the way that the run takes; empty: as the settings say.
        Raises ClaimError at once when the claim or the pipeline cannot be used. A run whose events are not read to the
        end stays open and is shown as interrupted after the next start.
        """
        claim = tidy_claim(claim, self.settings.max_claim_chars)
        if judge and judge not in JUDGE_KINDS:
            raise ClaimError(f"There is no judge of this name. There are {', '.join(JUDGE_KINDS)}.")
        chosen = choose_pipeline(self.pipelines, pipeline, self.settings.pipeline, judge)
        links = links or Links()
        options = RunOptions(
            web, named_sites("allowed", allowed), named_sites("denied", denied), extracted, links.named, follows,
            judge, cloud_fallback, chosen.value,
        )  # fmt: skip
        tools = self._tools(options, links)
        run = converse if chosen is Pipeline.SINGLE_CONVERSATION else verify
        events = self.runs.record(run(claim, tools, run_id or new_run_id(), cancelled, extracted))
        return self._with_card(observed(events, self.observers))

    def bulk_runs(self) -> "BulkRuns":
        """Checks many claims side by side, with the embedded judge and without the web; nothing is recorded.

        Each verdict is the one that ``verify`` gives over the knowledge base as it stands now.
        """
        from ghost.bulk import BulkRuns  # only for long lists

        return BulkRuns(self.bulk_tools)

    @property
    def bulk_tools(self) -> Tools:
        """What ``bulk_runs`` works with, for whoever measures a part of it."""
        return replace(self._tools(RunOptions(web=False, judge="embedded")), knowledge=self.knowledge.as_frozen())

    @property
    def pipelines(self) -> tuple[PipelineChoice, ...]:
        """The ways that a run may take, each with what it does or what it needs. Asks nobody."""
        set_up = bool(self.settings.openai_api_key or self.settings.local_base_url)
        return pipeline_choices(self._judges.kinds, set_up)

    def _with_card(self, events: Iterator[Event]) -> Iterator[Event]:
        """The same events; a run that is finished and recorded becomes a claim card where its verdict carries one."""
        for event in events:
            if (
                isinstance(event, RunEnded)
                and event.status is RunStatus.FINISHED
                and (run := self.runs.get(event.run_id))
            ):
                self.cards.from_run(run)
            yield event

    def extract(self, claim: Claim, cancelled: Callable[[], bool] = lambda: False) -> Extracted:
        """What step 1 would make of a claim, so that the analyst can correct it before anything is searched.

        With a language model as judge this sends the claim to it; what it costs counts in the run that starts from
        it. Raises ClaimError, JudgeError, BudgetExceeded and Cancelled.
        """
        claim = tidy_claim(claim, self.settings.max_claim_chars)
        return extract(claim, self._judges.route(), Budget(limits_of(self.settings), cancelled))

    @property
    def models(self) -> dict[str, dict[str, str]]:
        """Name and checksum of each small model that runs here, by what it does; the weights are read once."""
        return dict(self._kept_settings()["models"])

    @property
    def marks(self) -> SourceMarks:
        """Marks sources as bad: passages, and domains where this workbench can rate them."""
        return SourceMarks(self.knowledge, self.reviews, self.ratings)

    @property
    def tools(self) -> Tools:
        """What the next run would work with, for whoever measures a single step of it."""
        return self._tools(RunOptions())

    def list_article(
        self,
        text: str = "",
        url: str = "",
        told: Callable[[str, int, int], None] = lambda *_: None,
        article_id: str = "",
        web: bool = True,
    ) -> Article:
        """The sentences of an article with what can be checked of each, kept under an id, which may be given.

        Without a text the page at ``url`` is fetched, if the settings allow the web, and ``web`` too. The models that
        read the sentences are the embedded ones, whoever judges. ``told(what, done, total)`` may raise to stop. Raises
        ClaimError with what to do instead, ModelError and StoreError.
        """
        s = self.settings
        fetcher = self._fetcher if s.web and web else None
        article = read_article(text, url, self._claims, fetcher, s.page_seconds, told, article_id)
        self.articles.add(article)
        return article

    def check_notes(
        self, notes: Iterable[Passage], progress: Progress = no_progress, cancelled: Callable[[], bool] = lambda: False
    ) -> CheckedNotes:
        """Compare notes with the pages where they can be checked. When it is stopped, what was compared is kept."""
        return check_many(
            notes, self.tools.search_context, limits_of(self.settings), self.knowledge, progress, cancelled
        )  # fmt: skip

    def _still_said(self, card: ClaimCard, web: bool, cancelled: Callable[[], bool]) -> tuple[bool, str]:
        context = replace(self.tools.search_context, fetcher=self.tools.fetcher if web and self.settings.web else None)
        return still_said(card, context, limits_of(self.settings), self.knowledge, cancelled)

    @property
    def articles(self) -> ArticleStore:
        """Articles that were taken apart before."""
        return ArticleStore(self.knowledge.database)

    def get_ready(self) -> None:
        """Prepare in the background what the first run of a long-lived program would have to wait for."""
        self._judges.get_ready()
        self.knowledge.get_ready()

    def send_telemetry(self) -> None:
        """Send traces and metrics of every run from now on to the OTLP endpoint that the environment names."""
        export = otlp_export(os.environ)
        self.observers.append(export.observe)
        self._closed_with.append(export.close)

    def interrupt(self) -> None:
        """Store what still runs as interrupted, since the process is about to end. Whatever stops later is that too."""
        self.runs.interrupt()
        self.research.interrupt()

    def close(self) -> None:
        """Let go of the stores; another process may open them afterwards."""
        for close in self._closed_with:
            close()
        self._closed_with.clear()
        if "imports" in self.__dict__:
            self.imports.close()
        self._judges.close()
        if self.heartbeat:
            self.heartbeat.stop()
        self.knowledge.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _tools(self, options: RunOptions, links: Links | None = None) -> Tools:
        s = self.settings
        web = options.web and s.web
        converses = options.pipeline == Pipeline.SINGLE_CONVERSATION
        return Tools(
            knowledge=self.knowledge,
            judge=self._judges.route(options.judge, options.cloud_fallback),
            reader=self._reader,
            screener=self._screener,
            plain=self._plain,
            scorer=self._scorer,
            encoder=self._encoder,
            matcher=self._matcher,
            readings=self.readings.store.standing,
            providers=self._providers if web else (),
            web=web,
            search=search_rules(s, options),
            sources=self._sources,
            breaker=self._breaker,
            # A page that the analyst names may be read also when this run searches nothing.
            fetcher=self._fetcher if s.web else None,
            archive=self._archive if web else None,
            find_own_text=self.knowledge.ours,
            today=(lambda: DAY) if s.demo_web else utc_today,
            links=links or Links(),
            reading=ReadingRules(s.page_seconds),
            max_rounds=s.max_rounds,
            top_k=s.top_k_retrieval,
            rules=RerankRules(s.top_k_rerank, s.min_relevance_score, s.credibility_boost, s.max_per_domain),
            limits=limits_of(s),
            conversation=self._judges.conversation(options.judge, options.cloud_fallback) if converses else None,
            max_iterations=s.max_iterations,
            bound=self._odds.bound,
            shares=self.shares,
            retried=self._retried,
            settings=self._kept_settings()
            | {"web": web, "searched": list(self.search_recipients) if web else []}
            | options.kept()
            | ({"domain_ratings": rated} if (rated := self.ratings.summary()) else {}),
        )

    def _kept_settings(self) -> dict[str, Any]:
        """What every run keeps; made once, since checksums read the weights."""
        with self._snapshot_lock:
            if self._snapshot is None:
                models: dict[str, Model | None] = {
                    "encoder": self._encoder, "stance": self._reader, "screener": self._screener,
                    "relevance": self._scorer, "claim_types": self._claims, "injection": injection_model(),
                    "match": self._matcher,
                }  # fmt: skip
                self._snapshot = kept_settings(
                    self.settings, models, self._judges.endpoints, self._odds, self.shares, self.stance_missing
                )
            return self._snapshot


def new_run_id() -> str:
    """A fresh id for a run."""
    return uuid.uuid4().hex
