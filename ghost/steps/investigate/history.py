"""An investigation as values: what a stage works with, what it brought, and what it leaves for the next one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ghost.inference import Encoder, StanceReader
from ghost.judges import Judge
from ghost.steps.investigate.fetch_pages import ReadingRules, SourceState
from ghost.steps.investigate.hits import FilteredHit, HitFilter, OwnTextFinder, SearchRules, SourceRatings, no_own_text
from ghost.steps.investigate.page_passages import Finding, SourceReport
from ghost.steps.trace import Outcome
from ghost.types import Claim, NewPassage, Passage, Reason, ReasonCode
from ghost.web import Breaker, ClaimReview, Notice, PageFetcher, SearchProvider, Stage, canonical, page_key


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a stage works with."""

    providers: Sequence[SearchProvider]
    """In the order in which they are asked."""
    rules: SearchRules
    sources: SourceRatings
    breaker: Breaker
    reader: StanceReader | None = None
    """Screens the sentences of pages and the snippets of searches; what it keeps the stance model reads in step 3."""
    encoder: Encoder | None = None
    fetcher: PageFetcher | None = None
    """Without it, or without a reader, pages are not read."""
    reading: ReadingRules = field(default_factory=ReadingRules)
    judge: Judge | None = None
    """Who reads the pages; without one, and where it leaves that, the stance model does."""
    today: date | None = None
    """The day of the run: nothing can have been published after it."""
    find_own_text: OwnTextFinder = no_own_text
    """Knows the explanations of earlier runs again."""
    stance: StanceReader | None = None
    """Compares published fact-checks with the statements; without it ``reader`` does."""

    @property
    def comparing(self) -> StanceReader | None:
        """Who says whether two claims are one."""
        return self.stance or self.reader

    def hit_filter(self, stage: Stage, claim: Claim) -> HitFilter:
        """Who decides about the hits and pages of a stage."""
        reads = self.fetcher is not None and self.reader is not None
        return HitFilter(
            stage, self.rules, self.sources, claim.as_of, claim.found_at, self.today, self.find_own_text, reads
        )


@dataclass(frozen=True, slots=True)
class SearchHistory:
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
    disowned: Mapping[str, tuple[Notice, ...]] = field(default_factory=dict)
    """Address -> the notices in each page that says that it was retracted, or is satire."""
    links: int = 0
    """Pages that the analyst named and that were read."""
    found_text: str = ""
    """Text of the page the claim was found at, by which its copies are known."""

    def knows(self, url: str) -> bool:
        """Whether the page of an address was asked for, under this address or another one."""
        return page_key(url) in {page_key(known) for known in (*self.asked, *self.pages)}

    def with_pages(self, sources: Sequence[SourceReport]) -> "SearchHistory":
        """What is known after these pages were asked for, for who comes next."""
        said = {canonical(url): s.disowned for s in sources if s.disowned for url in (s.url, s.final_url)}
        return replace(
            self,
            asked=self.asked | {s.url for s in sources if s.state is not SourceState.LEFT},
            pages={**self.pages, **{s.final_url: s.text for s in sources if s.text}},
            disowned={**self.disowned, **said},
        )

    @property
    def searched(self) -> bool:
        """Whether any search was answered."""
        return bool(self.answered)


@dataclass(frozen=True, slots=True)
class Investigation:
    """What a stage brought."""

    snippets: tuple[Passage, ...] = ()
    """New ones, of pages that were not read; they never enter the knowledge base."""
    sources: tuple[SourceReport, ...] = ()
    """Pages that were asked for, in the order in which they were done."""
    hits: tuple[FilteredHit, ...] = ()
    reviews: tuple[ClaimReview, ...] = ()
    """Published fact-checks that were found, each once."""
    rated: tuple[tuple[Finding, NewPassage], ...] = ()
    """What those say that are about a statement, as passages."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""
    history: SearchHistory = field(default_factory=SearchHistory)

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
    def found(self) -> Iterator[Finding]:
        """Everything read that bears on a statement."""
        yield from (f for s in self.sources for f in s.found)
        yield from (f for f, _ in self.rated)

    @property
    def new(self) -> Iterator[NewPassage]:
        """The same as it may enter the knowledge base."""
        yield from (n for s in self.sources for n in s.new)
        yield from (n for _, n in self.rated)

    @property
    def nearby(self) -> Iterator[NewPassage]:
        """What else the pages say of the matter."""
        yield from (n for s in self.sources for n in s.nearby)

    @property
    def doubtful(self) -> Iterator[NewPassage]:
        """What goes to quarantine, each with the reason."""
        yield from (n for s in self.sources for n in s.doubtful)


def nothing_searched(web: bool, rounds: int | None = None) -> Outcome[Investigation]:
    """The step of a run that has nobody to ask, or whose limit of ``rounds`` lets it ask nobody."""
    reasons: tuple[Reason, ...] = ()
    if rounds is not None:
        why = f"No statement may be looked into on the web: the limit of rounds (GHOST_MAX_ROUNDS) is {rounds}."
    else:
        why = "No search provider is set up." if web else "The web is switched off for this run."
        remedy = "Add a source to the knowledge base and verify the claim again"
        remedy += "." if web else ", or allow searches."
        reasons = (Reason(ReasonCode.NO_PROVIDER, why, remedy),)
    return Outcome(
        Investigation(reasons=reasons),
        decision="nothing searched",
        reason=f"{why} No search left this machine.",
        inputs={"web": web, "providers": []},
        outputs={"searches": []},
    )
