"""Step 5: search outside the knowledge base, one stage at a time: trusted sources, fact-checkers, the whole web.

First come the searches of a stage, then the pages they led to are fetched and read in parallel, each reported when it
is done. When a provider fails, the next one is asked, and the failed one is skipped for the rest of the run; one that
keeps failing is skipped in later runs too. Cached answers cost no search, and nothing leaves the machine for them. The
snippet of a page that could not be read is evidence for this run only.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event, SourceUpdate
from ghost.steps.investigate.fact_checks import reviews_as_evidence
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import Fate, FilteredHit, counted
from ghost.steps.investigate.read_pages import PageReader, reading_order
from ghost.steps.investigate.report import StageReport, hit_row, limit_reasons, review_row, source_update
from ghost.steps.investigate.search import ProviderClient, SearchQuery
from ghost.steps.trace import Outcome
from ghost.types import Claim, Passage, Statement, page_key
from ghost.web import ClaimReview, SearchProvider, Stage

LEFT_FOR_LATER = {Stage.TRUSTED: 0.5, Stage.FACT_CHECK: 0.3, Stage.BROAD: 0.0}
"""Share of the run's pages that a stage leaves for later stages."""


def investigate(
    stage: Stage,
    claim: Claim,
    statements: Sequence[Statement],
    wanted: Sequence[SearchQuery],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
    last: bool = False,
) -> Generator[Event, None, Outcome[Investigation]]:
    """One stage: ask each query, then read the pages behind the hits. Each hit and page is reported as it comes.

    A query goes to the next provider only while no hit belongs to the stage. ``statements`` are those that are searched
    for; ``last`` says that none of them is open any more.
    """
    work = _Stage(stage, claim, statements, context, budget, history, last)
    try:
        if stage is Stage.BROAD or context.rules.sites(stage):
            for query in wanted:
                yield from work.ask(query)
            yield from work.read()
        return work.outcome(wanted)
    except GhostError as stopped:
        stopped.partial = work.so_far()
        raise


def _by_page(passages: Iterable[Passage]) -> dict[str, Passage]:
    """Address -> passage: the first address of each page, and the last passage found there."""
    first: dict[str, str] = {}
    found = {}
    for p in passages:
        if first.setdefault(page_key(p.source_url), p.source_url) == p.source_url:
            found[p.source_url] = p
    return found


def _only_fact_checks(provider: SearchProvider) -> bool:
    return provider.stages == {Stage.FACT_CHECK}


class _Stage:
    """One stage while it runs."""

    def __init__(
        self,
        stage: Stage,
        claim: Claim,
        statements: Sequence[Statement],
        context: SearchContext,
        budget: Budget,
        history: SearchHistory,
        last: bool,
    ) -> None:
        self._stage, self._statements, self._context = stage, statements, context
        self._reader = PageReader.for_stage(stage, claim, statements, context, budget, history)
        self._hit_filter, self._found_at, self._read = self._reader.hit_filter, self._reader.found_at, self._reader.read
        self._budget, self._before = budget, history
        of_use = [provider for provider in context.providers if stage in provider.stages]
        # A provider of fact-checks only is asked in addition, so it comes before a hit of another ends the query.
        self._providers = sorted(of_use, key=lambda provider: not _only_fact_checks(provider))
        self._sites = context.rules.sites(stage)
        self._client = ProviderClient(stage, context.rules, budget, context.breaker, dict(history.down), last=last)
        self._log: list[dict[str, Any]] = []
        self._hits: list[FilteredHit] = []

    def ask(self, query: SearchQuery) -> Iterator[Event]:
        """Put one query to the providers in turn, until one brings a hit that belongs to the stage."""
        for provider in self._providers:
            asked = self._client.ask(provider, query.text)
            judged = self._hit_filter.apply(asked.hits, (p.id for p in self._snippets()))
            self._hits += judged
            self._log.append({"statement": query.statement} | asked.row | {"hits": [hit_row(j) for j in judged]})
            for j in judged:
                yield SourceUpdate(j.url, j.title, j.fate, j.why, self._stage)
            belongs = any(j.fate in (Fate.KEPT, Fate.DUPLICATE, Fate.TO_READ) for j in judged)
            if belongs and not _only_fact_checks(provider):
                return

    def read(self) -> Iterator[Event]:
        """Read the pages behind the hits, the most promising first, up to the limit of this stage."""
        context = self._context
        if context.fetcher is None or context.reader is None or not self._statements:
            return
        # Pages that an earlier stage had no room for are read now if there is room.
        hits = _by_page(p for p in self._snippets() if not self._before.knows(p.source_url))
        order = reading_order(list(hits.values()), self._statements, context, self._budget)
        order += self._without_snippet(hits)
        hits |= {p.source_url: p for p in order}
        room = max(0, self._may_read)
        own = [self._found_at] if self._found_at and order and not self._before.knows(self._found_at) else []
        # The found page is read beside the hits, or in place of the least promising one.
        chosen = order[: max(0, room - len(own))]
        for p in chosen:
            yield SourceUpdate(p.source_url, p.title, SourceState.READING, "", self._stage)
        addresses = [*(p.source_url for p in chosen), *own][:room]
        for source in self._reader.run(addresses, hits):
            yield source_update(source, self._stage)

    def _without_snippet(self, hits: Mapping[str, Passage]) -> list[Passage]:
        """The pages of hits without a usable snippet, and of fact-checks of a statement. They come last."""
        known = {page_key(url) for url in hits}
        matched = {m.review.url for m in self._reader.matching(self._reviews())}
        wanted = (j.page for j in self._hits if j.page and (not j.review or j.review.url in matched))
        new = _by_page(p for p in wanted if page_key(p.source_url) not in known)
        return [p for p in new.values() if not self._before.knows(p.source_url)]

    def so_far(self) -> dict[str, Any]:
        """What the trace keeps of a stage that was stopped."""
        return {"searches": self._log, "sources": self._reader.rows()}

    def outcome(self, wanted: Sequence[SearchQuery]) -> Outcome[Investigation]:
        """What the stage found, and what the trace keeps of it."""
        reviews = self._reviews()
        matched = self._reader.matching(reviews)
        report = StageReport(
            self._stage, len(self._providers), self._log, self._hits, self._read, reviews, self._context.sources
        )
        found = Investigation(
            sources=tuple(self._read),
            hits=tuple(self._hits),
            reviews=reviews,
            rated=tuple(reviews_as_evidence(matched, self._context.sources, datetime.now(UTC))),
            reasons=(*self._client.reasons, *limit_reasons(self._read)),
            history=self._history(report.answered),
        )
        gone = {page_key(url) for url in found.replaced}
        unread = tuple(j.passage for j in self._hits if j.passage and page_key(j.passage.source_url) not in gone)
        return Outcome(
            replace(found, snippets=unread),
            decision=report.decision,
            reason=report.reason(len(unread)),
            inputs={
                "stage": self._stage,
                "queries": [{"statement": q.statement, "text": q.text} for q in wanted],
                "providers": [p.name for p in self._providers],
                "list": list(self._sites),
                "web": True,
            },
            outputs={
                "searches": self._log,
                "kept": counted(self._hits, Fate.KEPT),
                "duplicate": counted(self._hits, Fate.DUPLICATE),
                "dropped": dict(report.dropped),
                "snippets": [p.id for p in unread],
                "sources": self._reader.rows(),
                "reviews": [review_row(r, matched, self._context.sources) for r in reviews],
            },
        )

    def _history(self, answered: bool) -> SearchHistory:
        """What the next stage has to know."""
        before = self._before
        return replace(
            before.with_pages(self._read),
            snippets=tuple(self._snippets()),
            down=self._client.down,
            answered=(*before.answered, self._stage) if answered else before.answered,
            found_text=self._reader.found_text,
        )

    @property
    def _may_read(self) -> int:
        """Pages that this stage may still fetch."""
        most = self._budget.limits.fetches
        return most - self._budget.usage().fetches - round(most * LEFT_FOR_LATER[self._stage])

    def _reviews(self) -> tuple[ClaimReview, ...]:
        of_hits = (j.review for j in self._hits if j.review)
        return tuple(dict.fromkeys((*of_hits, *(r for s in self._read for r in s.reviews))))

    def _snippets(self) -> list[Passage]:
        return [*self._before.snippets, *(j.passage for j in self._hits if j.passage)]
