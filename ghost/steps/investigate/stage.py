"""Step 5: search outside the knowledge base, one stage at a time: trusted sources, fact-checkers, the whole web.

First come the searches of a stage, then the pages they led to are fetched and read in parallel, each reported when it
is done. When a provider fails, the next one is asked, and the failed one is skipped for the rest of the run; one that
keeps failing is skipped in later runs too. Cached answers cost no search, and nothing leaves the machine for them. The
snippet of a page that could not be read is evidence for this run only.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event, SourceUpdate
from ghost.knowledge import embedded_text
from ghost.steps.investigate.fact_checks import by_fact_checker, review_row, reviews_as_evidence
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import STAGE_NAMES, Fate, FilteredHit
from ghost.steps.investigate.page_passages import limit_reasons, page_summary
from ghost.steps.investigate.read_pages import PageReader
from ghost.steps.investigate.search import CACHED, SearchQuery, StageSearch, reserved_searches
from ghost.steps.trace import Outcome, count
from ghost.types import Claim, Passage, Statement, page_key
from ghost.web import ClaimReview, SearchProvider, Stage, reviewer_named

LEFT_FOR_LATER = {Stage.TRUSTED: 0.5, Stage.FACT_CHECK: 0.3, Stage.BROAD: 0.0}
"""Share of the run's pages that a stage leaves for later stages."""

SETTLES = 0.9
"""From this probability of a side on a snippet of a credible source settles its statement by itself."""
CREDIBLE = 0.75


def investigate(
    stage: Stage,
    claim: Claim,
    statements: Sequence[Statement],
    wanted: Sequence[SearchQuery],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
    nothing_open: bool = False,
    *,
    read: bool = True,
) -> Generator[Event, None, Outcome[Investigation]]:
    """One stage: ask each query, then read the pages behind the hits. Each hit and page is reported as it comes.

    Without ``read`` it only searches.

    A query goes to the next provider only while no hit belongs to the stage. ``statements`` are those that are searched
    for.
    """
    reserved = reserved_searches(stage, context.rules, budget, nothing_open)
    client = StageSearch(stage, context.rules, budget, context.breaker, dict(history.down), reserved)
    work = _Stage(PageReader(stage, claim, statements, context, budget, history), client)
    try:
        if stage is Stage.BROAD or context.rules.sites(stage):
            for query in wanted:
                yield from work.ask(query)
            if read:
                yield from work.read()
        return work.outcome(wanted)
    except GhostError as stopped:
        stopped.partial = {"searches": work.log, "sources": work.reader.rows()}
        raise


@dataclass(slots=True)
class _Stage:
    """One stage while it runs."""

    reader: PageReader
    client: StageSearch
    log: list[dict[str, Any]] = field(default_factory=list)
    """One row for each search."""
    hits: list[FilteredHit] = field(default_factory=list)

    @property
    def providers(self) -> list[SearchProvider]:
        """Those of the stage. One of fact-checks only is asked in addition, so it comes before another's hits."""
        of_use = [p for p in self.reader.context.providers if self.reader.stage in p.stages]
        return sorted(of_use, key=lambda provider: not _only_fact_checks(provider))

    def ask(self, query: SearchQuery) -> Iterator[Event]:
        """Put one query to the providers in turn, until one brings a hit that belongs to the stage."""
        for provider in self.providers:
            hits, row = self.client.ask(provider, query.text)
            judged = self.reader.hit_filter.apply(hits, (p.id for p in self._snippets()))
            self.hits += judged
            self.log.append({"statement": query.statement} | row | {"hits": [_hit_row(j) for j in judged]})
            for j in judged:
                yield SourceUpdate(j.url, j.title, j.fate, j.why, self.reader.stage)
            belongs = any(j.fate in (Fate.KEPT, Fate.DUPLICATE, Fate.TO_READ) for j in judged)
            if belongs and not _only_fact_checks(provider):
                return

    def read(self) -> Iterator[Event]:
        """Read the pages behind the hits, the most promising first, up to the limit of this stage."""
        reader, budget, stage = self.reader, self.reader.budget, self.reader.stage
        if reader.context.fetcher is None or reader.context.reader is None or not reader.statements:
            return
        # Pages that an earlier stage had no room for are read now if there is room.
        budget.check()
        order = reading_order(_unread(self._snippets(), reader.history), reader.statements, reader.context)
        # Pages of hits without a usable snippet, and of fact-checks of a statement, come last.
        matched = {m.review.url for m in reader.matching(self._reviews())}
        blank = [j.page for j in self.hits if j.page and (not j.review or j.review.url in matched)]
        known = {page_key(p.source_url) for p in order}
        order += [p for p in _unread(blank, reader.history) if page_key(p.source_url) not in known]
        room = max(0, self._may_read)
        # The found page is read beside the hits, or in place of the least promising one.
        own = reader.unread_found_page() if order else []
        chosen = order[: max(0, room - len(own))]
        for p in chosen:
            yield SourceUpdate(p.source_url, p.title, SourceState.READING, "", stage)
        addresses = [*(p.source_url for p in chosen), *own][:room]
        yield from reader.run(addresses, {p.source_url: p for p in order}, stage)

    def outcome(self, wanted: Sequence[SearchQuery]) -> Outcome[Investigation]:
        """What the stage found, and what the trace keeps of it."""
        reader, stage, sources = self.reader, self.reader.stage, self.reader.context.sources
        reviews = self._reviews()
        matched = reader.matching(reviews)
        answered = (stage,) if self._answered else ()
        found = Investigation(
            sources=tuple(reader.read),
            reviews=reviews,
            rated=tuple(reviews_as_evidence(matched, sources, datetime.now(UTC))),
            reasons=(*self.client.reasons, *limit_reasons(reader.read)),
            history=reader.next_history(
                snippets=tuple(self._snippets()),
                down=self.client.down,
                answered=(*reader.history.answered, *answered),
            ),
        )
        gone = {page_key(url) for url in found.replaced}
        unread = tuple(j.passage for j in self.hits if j.passage and page_key(j.passage.source_url) not in gone)
        return Outcome(
            replace(found, snippets=unread),
            decision=f"{STAGE_NAMES[stage]}: {self._summary(reviews)}",
            reason=self._reason(reviews, len(unread)),
            inputs={
                "stage": stage,
                "queries": [{"statement": q.statement, "text": q.text} for q in wanted],
                "providers": [p.name for p in self.providers],
                "list": list(reader.context.rules.sites(stage)),
                "web": True,
            },
            outputs={
                "searches": self.log,
                "kept": self._counted(Fate.KEPT),
                "duplicate": self._counted(Fate.DUPLICATE),
                "dropped": dict(self._dropped),
                "snippets": [p.id for p in unread],
                "sources": reader.rows(),
                "reviews": [review_row(r, matched, sources) for r in reviews],
            },
        )

    def _summary(self, reviews: Sequence[ClaimReview]) -> str:
        """The result in a few words."""
        if not self._answered:
            return "the search failed" if any(row["state"] == "failed" for row in self.log) else "nothing searched"
        read = sum(s.state is SourceState.READ for s in self.reader.read)
        found = f", {count(read, 'page')} read" if self.reader.read else ""
        found += f", {count(len(reviews), 'published fact-check')}" if reviews else ""
        kept = f"{self._counted(Fate.KEPT)} of {count(len(self.hits), 'hit')} kept"
        return f"{kept}{found}" if self.hits else f"no hits{found}"

    def _reason(self, reviews: Sequence[ClaimReview], unread: int) -> str:
        """Why, in sentences; ``unread`` is the number of new snippets whose pages were not read."""
        if not self.providers:
            return f"None of the search providers that are set up is of use for {STAGE_NAMES[self.reader.stage]}."
        if not self.log:
            return f"The settings name no {STAGE_NAMES[self.reader.stage]}."
        parts = [*self._searches(), *page_summary(self.reader.read)]
        if unread:
            parts.append(f"{count(unread, 'search snippet')} kept for this run only; the pages were not read.")
        elif not self.reader.read and self._answered:
            parts.append("Nothing new to weigh, so what step 4 said still stands.")
        for r in reviews:
            who = reviewer_named(r.reviewer, r.url, by_fact_checker(r.url, self.reader.context.sources))
            parts.append(f"{who} published a fact-check: {r.rating or 'no rating'}.")
        if blank := self._counted(Fate.TO_READ):
            parts.append(f"{blank} with a snippet that says too little, so that only the page can tell.")
        if repeated := self._counted(Fate.DUPLICATE):
            parts.append(f"{repeated} known already.")
        parts += [f"{number} dropped: {text}." for text, number in self._dropped.items()]
        if undated := sum(j.published_at is None for j in self.hits if j.passage):
            parts.append(f"The publication date of {undated} is unknown.")
        return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts)

    def _searches(self) -> Iterator[str]:
        states = Counter(row["state"] for row in self.log)
        made = sum(row.get("requests", 0) for row in self.log)
        failed = f", {states['failed']} failed" if states["failed"] else ""
        yield f"{count(made, 'search', 'searches')} made{failed}".capitalize()
        if states[CACHED]:
            yield f"{count(states[CACHED], 'answer')} taken from the cache, so nothing was sent for it."
        explained = (row for row in self.log if "why" in row and row["state"] != CACHED)
        yield from dict.fromkeys(f"{row['sent_to']}: {row['why']}" for row in explained)

    @property
    def _answered(self) -> bool:
        return any(row["state"] in ("answered", CACHED) for row in self.log)

    @property
    def _dropped(self) -> Counter[str]:
        return Counter(j.why for j in self.hits if j.fate is Fate.DROPPED)

    def _counted(self, fate: Fate) -> int:
        return sum(j.fate is fate for j in self.hits)

    @property
    def _may_read(self) -> int:
        """Pages that this stage may still fetch."""
        budget = self.reader.budget
        most = budget.limits.fetches
        return most - budget.usage().fetches - round(most * LEFT_FOR_LATER[self.reader.stage])

    def _reviews(self) -> tuple[ClaimReview, ...]:
        of_hits = (j.review for j in self.hits if j.review)
        return tuple(dict.fromkeys((*of_hits, *(r for s in self.reader.read for r in s.reviews))))

    def _snippets(self) -> list[Passage]:
        return [*self.reader.history.snippets, *(j.passage for j in self.hits if j.passage)]


def reading_order(hits: Sequence[Passage], statements: Sequence[Statement], context: SearchContext) -> list[Passage]:
    """The hits in the order in which their pages should be read: near to a statement and credible ones first.

    A snippet that settles all statements is evidence already, so its page comes last.
    """
    if not hits or context.reader is None:
        return list(hits)
    near = [0.0] * len(hits)
    if context.encoder is not None:
        vectors = context.encoder.encode([embedded_text(p.text, p.title) for p in hits])
        near = [float(n) for n in (vectors @ context.encoder.encode([s.text for s in statements]).T).max(axis=1)]
    each = len(statements)
    stances = context.reader.read([(p.text, s.text) for p in hits for s in statements])

    def settles(i: int) -> bool:
        sides = (max(s.supports, s.refutes) for s in stances[i * each : (i + 1) * each])
        return hits[i].credibility >= CREDIBLE and min(sides) >= SETTLES

    order = sorted(range(len(hits)), key=lambda i: (settles(i), -(near[i] + 0.3 * hits[i].credibility)))
    return [hits[i] for i in order]


def _unread(passages: Iterable[Passage], history: SearchHistory) -> list[Passage]:
    """The last passage at the first address of each page that was not requested yet."""
    found: dict[str, Passage] = {}
    for p in passages:
        key = page_key(p.source_url)
        if key not in found or found[key].source_url == p.source_url:
            found[key] = p
    return [p for p in found.values() if not history.knows(p.source_url)]


def _only_fact_checks(provider: SearchProvider) -> bool:
    return provider.stages == {Stage.FACT_CHECK}


def _hit_row(judged: FilteredHit) -> dict[str, object]:
    return {
        "url": judged.url,
        "title": judged.title,
        "published_at": judged.published_at.isoformat() if judged.published_at else None,
        "fate": judged.fate,
        "why": judged.why,
    }
