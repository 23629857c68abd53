"""Step 5: look outside the knowledge base for what is missing, one stage at a time: trusted, fact-checkers, broad.

The searches of a stage come first; then the pages they led to are fetched and read side by side, each reported as it
is done. A provider that fails is not asked again in the run; the next one is. One that keeps failing is left alone in
later runs too. What a provider answered a while ago is taken from the cache: that costs no search, and nothing leaves
the machine. The snippet of a page that could not be read is evidence for its run only.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ghost.budget import Budget
from ghost.events import Event, SourceUpdate
from ghost.inference.base import Encoder, StanceReader
from ghost.steps.asking import CACHED, Asker
from ghost.steps.fact_checks import Matched, as_evidence, matching
from ghost.steps.fetching import Brought, Reading, SourceState, bring
from ghost.steps.hits import LISTS, Fate, Judged, SearchRules, Sieve, Sources, counted
from ghost.steps.outcome import Outcome, count
from ghost.steps.promise import most_promising
from ghost.steps.sources import Found, Source, not_read, weigh_page
from ghost.types import Claim, NewPassage, Passage, Reason, ReasonCode, Statement, Sufficiency
from ghost.web.address import canonical
from ghost.web.breaker import Breaker
from ghost.web.claim_review import ClaimReview
from ghost.web.fetch import PageFetcher
from ghost.web.search import SearchProvider, Stage

BROAD_QUERIES = 2
"""For each statement: one for what it says, one for its opposite."""
OPPOSITE = "false denied corrected"
"""Added to a statement to find who contradicts it, where the judge names no query for that."""
LEFT_FOR_LATER = {Stage.TRUSTED: 0.5, Stage.FACT_CHECK: 0.3, Stage.BROAD: 0.0}
"""Share of the pages of a run that a stage leaves for the later ones."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a stage works with."""

    providers: Sequence[SearchProvider]
    """In the order in which they are asked."""
    rules: SearchRules
    sources: Sources
    breaker: Breaker
    reader: StanceReader | None = None
    encoder: Encoder | None = None
    fetcher: PageFetcher | None = None
    """Without it, or without a reader, pages are not read."""
    reading: Reading = field(default_factory=Reading)


@dataclass(frozen=True, slots=True)
class Trail:
    """What the stages of a run leave for the next one."""

    snippets: tuple[Passage, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)
    """Provider -> why it is not asked any more in this run."""
    answered: tuple[Stage, ...] = ()
    """Stages in which at least one search was answered, by a provider or from the cache."""
    asked: frozenset[str] = frozenset()
    """Addresses of the pages that were asked for."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Address -> whole text of each page that was read."""
    found_text: str = ""
    """Text of the page the claim was found at, by which its copies are known."""

    @property
    def searched(self) -> bool:
        """Whether any search was answered."""
        return bool(self.answered)


@dataclass(frozen=True, slots=True)
class Investigation:
    """What a stage brought."""

    snippets: tuple[Passage, ...] = ()
    """New ones, of pages that were not read; they never enter the knowledge base."""
    sources: tuple[Source, ...] = ()
    """Pages that were asked for, in the order in which they were done."""
    hits: tuple[Judged, ...] = ()
    reviews: tuple[ClaimReview, ...] = ()
    """Published fact-checks that were found, each once."""
    rated: tuple[tuple[Found, NewPassage], ...] = ()
    """What those say that are about a statement, as passages."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""
    trail: Trail = field(default_factory=Trail)

    @property
    def replaced(self) -> frozenset[str]:
        """Addresses whose snippets count no more: the page was read, or may not count."""
        done = (SourceState.READ, SourceState.DROPPED)
        return frozenset(s.url for s in self.sources if s.state in done)

    @property
    def brought(self) -> bool:
        """Whether there is something new to weigh."""
        return bool(self.snippets or self.replaced or self.rated)

    @property
    def found(self) -> Iterator[Found]:
        """Everything read that bears on a statement."""
        yield from (f for s in self.sources for f in s.found)
        yield from (f for f, _ in self.rated)

    @property
    def new(self) -> Iterator[NewPassage]:
        """The same as it may enter the knowledge base."""
        yield from (n for s in self.sources for n in s.new)
        yield from (n for _, n in self.rated)


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for."""

    statement: int
    text: str


def queries(stage: Stage, statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[Query]:
    """What to search for in a stage: the first query of every open statement, in the order of the claim, then others.

    The judge names the queries; without any the statement's own words are searched. The whole web is also asked for
    the opposite.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    turns = BROAD_QUERIES if stage is Stage.BROAD else 1
    lists = []
    for s in statements:
        if s.number in wanted:
            texts = list(dict.fromkeys(wanted[s.number])) or [s.text]
            texts = texts if len(texts) > 1 else [*texts, f"{s.text.rstrip('.!? ')} {OPPOSITE}"]
            lists.append([Query(s.number, text) for text in texts])
    return [mine[turn] for turn in range(turns) for mine in lists]


def nothing_searched(web: bool) -> Outcome[Investigation]:
    """The step of a run that has nobody to ask."""
    why = "No search provider is set up." if web else "The web is switched off for this run."
    remedy = "Add a source to the knowledge base and verify the claim again" + ("." if web else ", or allow searches.")
    return Outcome(
        Investigation(reasons=(Reason(ReasonCode.NO_PROVIDER, why, remedy),)),
        decision="nothing searched",
        reason=f"{why} No search left this machine.",
        inputs={"web": web, "providers": []},
        outputs={"searches": []},
    )


def investigate(
    stage: Stage,
    claim: Claim,
    statements: Sequence[Statement],
    wanted: Sequence[Query],
    outside: Outside,
    budget: Budget,
    trail: Trail,
) -> Generator[Event, None, Outcome[Investigation]]:
    """One stage: each query goes to the first provider that brings something which belongs to the stage, and what it
    led to is read. ``statements`` are those that are looked into. News of each source are yielded as they come.
    """
    work = _Stage(stage, claim, statements, outside, budget, trail)
    if stage is Stage.BROAD or outside.rules.sites(stage):
        for query in wanted:
            yield from work.ask(query)
        yield from work.read()
    return work.outcome(wanted)


class _Stage:
    """The bookkeeping of one stage while it runs."""

    def __init__(
        self,
        stage: Stage,
        claim: Claim,
        statements: Sequence[Statement],
        outside: Outside,
        budget: Budget,
        trail: Trail,
    ) -> None:
        self._stage, self._statements, self._outside = stage, statements, outside
        self._found_at, self._found_text = canonical(claim.found_at or ""), trail.found_text
        self._budget, self._before = budget, trail
        self._providers = [provider for provider in outside.providers if stage in provider.stages]
        self._sites = outside.rules.sites(stage)
        self._sieve = Sieve(stage, outside.rules, outside.sources, claim.as_of, claim.found_at)
        self._asker = Asker(stage, outside.rules, budget, outside.breaker, dict(trail.down))
        self._log: list[dict[str, Any]] = []
        self._hits: list[Judged] = []
        self._read: list[Source] = []

    def ask(self, query: Query) -> Iterator[Event]:
        """Put one query to the providers in turn."""
        for provider in self._providers:
            asked = self._asker.ask(provider, query.text)
            judged = self._sieve.judge(asked.hits, (p.id for p in self._snippets()))
            self._hits += judged
            self._log.append({"statement": query.statement} | asked.row | {"hits": [_row(j) for j in judged]})
            for j in judged:
                yield SourceUpdate(j.url, j.title, j.fate, j.why, self._stage)
            if any(j.fate in (Fate.KEPT, Fate.DUPLICATE) for j in judged):
                return

    def read(self) -> Iterator[Event]:
        """Read the pages behind the hits, the most promising first, as many as this stage may."""
        outside = self._outside
        if outside.fetcher is None or outside.reader is None or not self._statements:
            return
        # A page that an earlier stage had no room for is still wanted when there is some now.
        hits = {p.source_url: p for p in self._snippets() if p.source_url not in self._before.asked}
        order = most_promising(list(hits.values()), self._statements, outside.reader, outside.encoder, self._budget)
        chosen = order[: max(0, self._may_read)]
        for p in chosen:
            yield SourceUpdate(p.source_url, p.title, SourceState.READING, "", self._stage)
        addresses = [p.source_url for p in chosen]
        if self._found_at and addresses and self._found_at not in self._before.asked:
            addresses[-1] = self._found_at  # in the place of the least promising one
        for came in bring(addresses, outside.fetcher, outside.reading, self._budget):
            if came.url == self._found_at:
                source = self._of_found_page(came)
            elif came.page is None:
                source = not_read(came, hits[came.url].title)
            else:
                source = weigh_page(
                    came, came.page, hits[came.url], self._statements, self._sieve, outside.sources,
                    outside.reader, outside.encoder, outside.reading, self._budget.check,
                )  # fmt: skip
            self._read.append(source)
            yield _news(source, self._stage)

    def _of_found_page(self, came: Brought) -> Source:
        """The page the claim was found at is read to know its copies, and for nothing else."""
        if came.page is None:
            return not_read(came, "")
        self._found_text = came.page.text
        why = "it is the page the claim was found at"
        return Source(came.url, came.page.title, SourceState.DROPPED, why, came.page.url, came.received, came.seconds)

    def outcome(self, wanted: Sequence[Query]) -> Outcome[Investigation]:
        """What the stage brought, and what the trace keeps of it."""
        all_new = tuple(j.passage for j in self._hits if j.passage)
        asked = self._before.asked | {s.url for s in self._read if s.state is not SourceState.LEFT}
        pages = {s.final_url: s.text for s in self._read if s.text}
        answered = any(row["state"] in ("answered", CACHED) for row in self._log)
        stages = (*self._before.answered, self._stage) if answered else self._before.answered
        trail = Trail(
            tuple(self._snippets()),
            self._asker.down,
            stages,
            asked,
            {**self._before.pages, **pages},
            self._found_text,
        )
        matched = self._matched()
        found = Investigation(
            sources=tuple(self._read),
            hits=tuple(self._hits),
            reviews=self._reviews(),
            rated=tuple(as_evidence(matched, self._outside.sources, datetime.now(UTC))),
            reasons=(*self._asker.reasons, *self._limits()),
            trail=trail,
        )
        unread = tuple(p for p in all_new if p.source_url not in found.replaced)
        found = replace(found, snippets=unread)
        kept, repeated = counted(self._hits, Fate.KEPT), counted(self._hits, Fate.DUPLICATE)
        why = Counter(j.why for j in self._hits if j.fate is Fate.DROPPED)
        return Outcome(
            found,
            decision=f"{LISTS[self._stage]}: {self._summary(kept)}",
            reason=self._reason(len(unread), repeated, why),
            inputs={
                "stage": self._stage,
                "queries": [{"statement": q.statement, "text": q.text} for q in wanted],
                "providers": [p.name for p in self._providers],
                "list": list(self._sites),
                "web": True,
            },
            outputs={
                "searches": self._log,
                "kept": kept,
                "duplicate": repeated,
                "dropped": dict(why),
                "snippets": [p.id for p in unread],
                "sources": [s.as_row() for s in self._read],
                "reviews": [_review_row(r, matched) for r in found.reviews],
            },
        )

    @property
    def _may_read(self) -> int:
        """Pages that this stage may still ask for."""
        most = self._budget.limits.fetches
        return most - self._budget.usage().fetches - round(most * LEFT_FOR_LATER[self._stage])

    def _limits(self) -> Iterator[Reason]:
        left = [s for s in self._read if s.state is SourceState.LEFT]
        if left:
            yield Reason(
                ReasonCode.BUDGET,
                f"{count(len(left), 'page was', 'pages were')} not read: {left[0].why}",
                "Raise GHOST_MAX_FETCHES or GHOST_MAX_SECONDS and verify the claim again.",
            )

    def _matched(self) -> list[Matched]:
        """The fact-checks that are about a statement of this claim and may count for this run."""
        reader = self._outside.reader
        may = [r for r in self._reviews() if not self._sieve.refusal(canonical(r.url), r.reviewed_at)]
        return matching(may, self._statements, self._outside.encoder, reader) if reader else []

    def _reviews(self) -> tuple[ClaimReview, ...]:
        of_hits = (j.review for j in self._hits if j.review)
        return tuple(dict.fromkeys((*of_hits, *(r for s in self._read for r in s.reviews))))

    def _snippets(self) -> list[Passage]:
        return [*self._before.snippets, *(j.passage for j in self._hits if j.passage)]

    def _summary(self, kept: int) -> str:
        if any(row["state"] in ("answered", CACHED) for row in self._log):
            read = sum(s.state is SourceState.READ for s in self._read)
            found = f", {count(read, 'page')} read" if self._read else ""
            found += f", {count(len(self._reviews()), 'published fact-check')}" if self._reviews() else ""
            return f"{kept} of {count(len(self._hits), 'hit')} kept{found}" if self._hits else f"no hits{found}"
        return "the search failed" if any(row["state"] == "failed" for row in self._log) else "nothing searched"

    def _reason(self, unread: int, repeated: int, why: Mapping[str, int]) -> str:
        if not self._providers:
            return f"None of the search providers that are set up is of use for {LISTS[self._stage]}."
        if not self._log:
            return f"The settings name no {LISTS[self._stage]}."
        states = Counter(row["state"] for row in self._log)
        made = sum(row.get("requests", 0) for row in self._log)
        failed = f", {states['failed']} failed" if states["failed"] else ""
        parts = [f"{count(made, 'search', 'searches')} made{failed}".capitalize()]
        if states[CACHED]:
            parts.append(f"{count(states[CACHED], 'answer')} taken from the cache, so nothing was sent for it.")
        told = (row for row in self._log if "why" in row and row["state"] != CACHED)
        parts += list(dict.fromkeys(f"{row['sent_to']}: {row['why']}" for row in told))
        parts += self._pages()
        if unread:
            parts.append(f"{count(unread, 'search snippet')} kept for this run only; the pages were not read.")
        elif not self._read and (states["answered"] or states[CACHED]):
            parts.append("Nothing new to weigh, so what step 4 said still stands.")
        parts += [
            f"{r.reviewer or 'Somebody'} published a fact-check: {r.rating or 'no rating'}." for r in self._reviews()
        ]
        if repeated:
            parts.append(f"{repeated} known already.")
        parts += [f"{number} dropped: {text}." for text, number in why.items()]
        undated = sum(j.published_at is None for j in self._hits if j.passage)
        if undated:
            parts.append(f"The publication date of {undated} is unknown.")
        return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts)

    def _pages(self) -> Iterator[str]:
        """What the pages came to, in a sentence or two."""
        states = Counter(s.state for s in self._read)
        if not states:
            return
        size = sum(s.received for s in self._read)
        telling = sum(bool(s.found) for s in self._read)
        told = f"{count(states[SourceState.READ], 'page')} read ({size:,} bytes)"
        yield f"{told}, {telling} of them with something that bears on an open statement."
        for state in (SourceState.REFUSED, SourceState.UNREADABLE, SourceState.DROPPED, SourceState.LEFT):
            whys = Counter(s.why for s in self._read if s.state is state)
            for why, number in whys.items():
                yield f"{number} {state}: {why}"


def _news(source: Source, stage: Stage) -> SourceUpdate:
    return SourceUpdate(
        source.url, source.title, source.state, source.why, stage,
        source.received, source.seconds, source.quotes, source.verdict, len(source.reviews),
    )  # fmt: skip


def _row(judged: Judged) -> dict[str, object]:
    return {
        "url": judged.url,
        "title": judged.title,
        "published_at": judged.published_at.isoformat() if judged.published_at else None,
        "fate": judged.fate,
        "why": judged.why,
    }


def _review_row(review: ClaimReview, matched: Sequence[Matched]) -> dict[str, object]:
    """``statement`` is the number of the one it is about; 0 for a fact-check of something else."""
    day = review.reviewed_at.isoformat() if review.reviewed_at else None
    number = next((m.statement for m in matched if m.review == review), 0)
    return asdict(review) | {"reviewed_at": day, "statement": number}
