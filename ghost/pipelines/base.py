"""What every pipeline works with, and the frame of a run: RunStarted, what the pipeline reports, RunEnded."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled, GhostError, StoreError
from ghost.events import Event, RunEnded, RunStarted
from ghost.inference import Encoder, RelevanceScorer, RememberingReader, StanceReader
from ghost.judges import Conversation, Judge, Shares, shares_of
from ghost.knowledge import CredibilityBook, RunKnowledge
from ghost.matching import Matcher
from ghost.steps import (
    OwnTextFinder,
    ReadingRules,
    RerankContext,
    RerankRules,
    SearchContext,
    SearchHistory,
    SearchRules,
    SourceRatings,
    StandingReadings,
    no_own_text,
)
from ghost.types import BOUND, Basis, Claim, Evidence, RunStatus, Statement
from ghost.web import Archive, Breaker, Links, PageFetcher, SearchProvider


def utc_today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a run works with."""

    knowledge: RunKnowledge
    judge: Judge
    reader: StanceReader
    screener: StanceReader | None = None
    """A smaller model that reads all candidates, so that ``reader`` reads only the best of them."""
    plain: StanceReader | None = None
    """Reads what a judge writes, without the rules that ``reader`` has for web pages."""
    scorer: RelevanceScorer | None = None
    """Decides what is relevant; without it the screener does."""
    encoder: Encoder | None = None
    """Compares search snippets with statements, as the knowledge base compares its passages."""
    matcher: Matcher | None = None
    """Says which published fact-check, or reading of a person, is of the very statement; without it none is."""
    readings: StandingReadings = lambda _: ()
    """How people read passages."""
    providers: Sequence[SearchProvider] = ()
    """In the order in which they are asked."""
    web: bool = True
    search: SearchRules = field(default_factory=SearchRules)
    sources: SourceRatings = field(default_factory=lambda: CredibilityBook({}, ()))
    """What is known about the site of a search hit."""
    breaker: Breaker = field(default_factory=Breaker)
    """Shared by runs: a provider that keeps failing in one is skipped in the next."""
    fetcher: PageFetcher | None = None
    """Without it no page is read, and only search snippets are used."""
    reading: ReadingRules = field(default_factory=ReadingRules)
    archive: Archive | None = None
    """Looks up archived copies of the pages that may be cited."""
    find_own_text: OwnTextFinder = no_own_text
    """Recognizes explanations of earlier runs: our own verdicts are never evidence."""
    today: Callable[[], date] = utc_today
    """The day that separates old evidence from new. The demo web sets the day that its claims are about."""
    links: Links = field(default_factory=Links)
    """Pages that the analyst adds, also during the run; they are read first."""
    max_rounds: int = 5
    """The most open statements that are searched for on the web, in the order of step 1."""
    top_k: int = 20
    rules: RerankRules = field(default_factory=RerankRules)
    limits: Limits = field(default_factory=Limits)
    conversation: Conversation | None = None
    """With the language model that a single conversation asks; None where there is none, or another pipeline runs."""
    max_iterations: int = 5
    """The most answers of the model in a single conversation, besides the verdict."""
    settings: dict[str, Any] = field(default_factory=dict)
    """The settings, model checksums and versions that the run stores."""
    bound: float = BOUND
    """The probability that a label needs."""
    shares: tuple[Shares, ...] = ()
    """How often verdicts of the judges were right when they were measured."""
    shared: bool = False
    """Whether the models answer many runs at once, so that none reads in pieces of its own."""
    retried: bool = False
    """Whether whoever makes the run makes it again when the records or the index fail: that is not its end then."""

    @property
    def search_context(self) -> SearchContext:
        """What step 5 works with."""
        return SearchContext(
            self.providers, self.search, self.sources, self.breaker, self.screener or self.reader, self.encoder,
            self.fetcher, self.reading, self.judge, self.today(), self.find_own_text, self.reader, self.matcher,
        )  # fmt: skip

    def rerank_context(self, claim: Claim, history: SearchHistory) -> RerankContext:
        """What step 3 knows besides the candidates."""
        return RerankContext(
            claim.found_at, history.found_text, claim.as_of, self.today(), history.pages, history.disowned, claim.text,
            self.readings, self.matcher, self._shown,
        )  # fmt: skip

    def _shown(self, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Hashable:
        """Everything of the judge's draft that a run shows; None where the judge has to be asked for it.

        Of a probability that is only the measured share, whatever the verdict rests on.
        """
        draft = self.judge.draft(statements, evidence) if evidence else None
        if draft is None:
            return None
        passages = {e.number: e.passage.id for e in evidence}
        cited = [
            (s.text.partition("]")[2], [(passages[c.number], c.quote, c.stance) for c in s.citations])
            for s in draft.sentences
        ]
        known = shares_of(self.judge.info, self.shares)
        probabilities = [(s.label, s.confidence) for s in draft.statements] + [(draft.label, draft.confidence)]
        measured = [
            (label, [known.confidence(label, basis, p) for basis in Basis] if known and p is not None else p)
            for label, p in probabilities
        ]
        leaning = draft.leaning and draft.leaning.label
        return repr((draft.label, draft.contested, draft.reasons, leaning, cited, measured))


Body = Callable[[Tools, Budget], Iterator[Event]]
"""What one pipeline does between RunStarted and RunEnded."""


def framed(claim: Claim, tools: Tools, run_id: str, cancelled: Callable[[], bool], body: Body) -> Iterator[Event]:
    """The events of one run. The last one is always RunEnded; a failure is the status of the run, never a verdict.

    Raises StoreError where the run is ``retried``.
    """
    budget = Budget(tools.limits, cancelled)
    remembering = partial(RememberingReader, check=budget.check, whole=tools.shared)
    screener = remembering(tools.screener) if tools.screener else None
    plain = remembering(tools.plain) if tools.plain else None
    tools = replace(tools, reader=remembering(tools.reader), screener=screener, plain=plain)
    yield RunStarted(run_id, claim, datetime.now(UTC), tools.judge.info, tools.settings)
    status, error = RunStatus.FINISHED, ""
    try:
        yield from body(tools, budget)
    except Cancelled as stop:
        status, error = RunStatus.CANCELLED, str(stop)
    except GhostError as failure:
        if tools.retried and isinstance(failure, StoreError):
            raise
        status, error = RunStatus.FAILED, str(failure)
    except Exception as failure:  # a bug of ours must end the run visibly too, with what it had
        status, error = RunStatus.FAILED, f"Unexpected {type(failure).__name__}: {failure}"
    tools.links.close()
    yield RunEnded(run_id, status, datetime.now(UTC), budget.usage(), error)
