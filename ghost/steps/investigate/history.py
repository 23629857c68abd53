"""What a stage of the search works with, what it found, and what it leaves for the next stage."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ghost.errors import NO_CONNECTION
from ghost.inference import Encoder, StanceReader
from ghost.judges import Judge
from ghost.knowledge import NoteCheck, embedded_text
from ghost.matching import Matcher
from ghost.reports import NO_NETWORK
from ghost.steps.investigate.fetch import ReadingRules, SourceState
from ghost.steps.investigate.hits import HitFilter, OwnTextFinder, SearchRules, SourceRatings, no_own_text
from ghost.steps.investigate.page_passages import Finding, SourceReport
from ghost.steps.retrieve import Candidates
from ghost.steps.trace import Outcome
from ghost.types import (
    Candidate,
    Claim,
    NewPassage,
    PageCheck,
    Passage,
    Reason,
    ReasonCode,
    Statement,
    canonical,
    page_key,
)
from ghost.web import Breaker, ClaimReview, Notice, PageFetcher, SearchProvider, Stage

FUSION_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a stage of the search works with."""

    providers: Sequence[SearchProvider]
    """In the order in which they are asked."""
    rules: SearchRules
    sources: SourceRatings
    breaker: Breaker
    reader: StanceReader | None = None
    """Screens sentences of pages and snippets; the stance model reads what is left in step 3."""
    encoder: Encoder | None = None
    fetcher: PageFetcher | None = None
    """Without it, or without a reader, pages are not read."""
    reading: ReadingRules = field(default_factory=ReadingRules)
    judge: Judge | None = None
    """Reads the pages; without one, and where it does not answer, the stance model does."""
    today: date | None = None
    """The day of the run: nothing was published after it."""
    find_own_text: OwnTextFinder = no_own_text
    """Recognizes explanations of earlier runs."""
    stance: StanceReader | None = None
    """Compares published fact-checks with the statements; without it ``reader`` does."""
    matcher: Matcher | None = None
    """Says which fact-check is of the very statement; without it none is."""

    def hit_filter(self, stage: Stage, claim: Claim) -> HitFilter:
        """The filter for the hits and pages of a stage."""
        reads = self.fetcher is not None and self.reader is not None
        return HitFilter(
            stage, self.rules, self.sources, claim.as_of, claim.found_at, self.today, self.find_own_text, reads
        )


@dataclass(frozen=True, slots=True)
class SearchHistory:
    """What the earlier stages of a run leave for the next one."""

    snippets: tuple[Passage, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)
    """Provider -> why it is not asked any more in this run."""
    answered: tuple[Stage, ...] = ()
    """Stages with at least one answered search, by a provider or from the cache."""
    asked: frozenset[str] = frozenset()
    """Addresses of the pages that were requested."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Address -> full text of each page that was read."""
    disowned: Mapping[str, tuple[Notice, ...]] = field(default_factory=dict)
    """Address -> the notices in each page that says that it was retracted, or is satire."""
    links: int = 0
    """Number of pages that the analyst added and that were read."""
    found_text: str = ""
    """Text of the page the claim was found at, for recognizing its copies."""

    def reasons(self, given: Iterable[Reason]) -> tuple[Reason, ...]:
        """Why the search found less than it could have: one for all providers where there is no network."""
        if self.answered or not self.down or not all(NO_CONNECTION in why for why in self.down.values()):
            return tuple(given)
        one = Reason(ReasonCode.PROVIDER_DOWN, NO_NETWORK, "Verify the claim again when there is a network.")
        return (one, *(r for r in given if r.code is not ReasonCode.PROVIDER_DOWN))

    def knows(self, url: str) -> bool:
        """Whether a page was requested, under this address or another one."""
        return page_key(url) in {page_key(known) for known in (*self.asked, *self.pages)}

    def with_pages(self, sources: Sequence[SourceReport]) -> "SearchHistory":
        """The history with these pages added."""
        said = {canonical(url): s.disowned for s in sources if s.disowned for url in (s.url, s.final_url)}
        return replace(
            self,
            asked=self.asked | {s.url for s in sources if s.state is not SourceState.LEFT},
            pages={**self.pages, **{s.final_url: s.text for s in sources if s.text}},
            disowned={**self.disowned, **said},
        )


@dataclass(frozen=True, slots=True)
class Investigation:
    """What a stage found."""

    snippets: tuple[Passage, ...] = ()
    """New snippets of pages that were not read; they never enter the knowledge base."""
    sources: tuple[SourceReport, ...] = ()
    """Pages that were requested, in the order in which they were done."""
    reviews: tuple[ClaimReview, ...] = ()
    """Published fact-checks, each once."""
    rated: tuple[tuple[Finding, NewPassage], ...] = ()
    """The ones about a statement, as passages."""
    checks: tuple[NoteCheck, ...] = ()
    """Notes that were compared with their pages."""
    reasons: tuple[Reason, ...] = ()
    """Why the search found less than it could have."""
    history: SearchHistory = field(default_factory=SearchHistory)

    @property
    def replaced(self) -> frozenset[str]:
        """Addresses whose snippets no longer count: the page was read, or may not count."""
        done = (SourceState.READ, SourceState.DROPPED)
        return frozenset(s.url for s in self.sources if s.state in done)

    @property
    def found_anything(self) -> bool:
        """Whether there is something new to weigh."""
        compared = any(check.outcome is not PageCheck.NOT_REACHED for check in self.checks)
        return bool(self.snippets or self.replaced or self.rated or compared)

    @property
    def findings(self) -> Iterator[Finding]:
        """All passages that bear on a statement."""
        yield from (f for s in self.sources for f in s.found)
        yield from (f for f, _ in self.rated)

    @property
    def new(self) -> Iterator[NewPassage]:
        """The same passages, for the knowledge base."""
        yield from (n for s in self.sources for n in s.new)
        yield from (n for _, n in self.rated)

    @property
    def nearby(self) -> Iterator[NewPassage]:
        """Other passages of the same pages."""
        yield from (n for s in self.sources for n in s.nearby)

    @property
    def doubtful(self) -> Iterator[NewPassage]:
        """Passages for quarantine, with the reason."""
        yield from (n for s in self.sources for n in s.doubtful)


def nothing_searched(web: bool, rounds: int | None = None) -> Outcome[Investigation]:
    """Step 5 of a run without providers, or whose limit of ``rounds`` allows no search."""
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


def with_findings(
    candidates: Candidates,
    found: Investigation,
    statements: Sequence[Statement],
    searched_for: Sequence[Statement],
    encoder: Encoder | None,
) -> Candidates:
    """The candidates with the new snippets and the passages of the pages that were read.

    Snippets are added for the statements that were ``searched_for``: one found for a statement may bear on another.
    Passages of pages come strongest first, and take the place of the snippets of their pages. Notes that were compared
    with their pages know from now on what came of that.
    """
    gone = {page_key(url) for url in found.replaced}
    checks = {check.note: check for check in found.checks if check.outcome is not PageCheck.NOT_REACHED}
    read = {p.id for source in found.sources if source.shown for p, _ in source.shown.passages}
    cosines = _cosines(found.snippets, searched_for, encoder)
    merged: Candidates = {}
    for s in statements:
        snippets = [_candidate(p, rank, cosines[s.number, p.id]) for rank, p in enumerate(found.snippets, 1)
                    if s in searched_for]  # fmt: skip
        kept = [
            _as_checked(c, checks, read) for c in (*candidates.get(s.number, []), *snippets)
            if not (c.passage.snippet and page_key(c.passage.source_url) in gone)
        ]  # fmt: skip
        known = {c.passage.id for c in kept}
        mine: dict[str, Finding] = {}
        for f in found.findings:
            if f.statement == s.number and f.passage.id not in known:
                mine.setdefault(f.passage.id, f)
        strongest = sorted(mine.values(), key=lambda f: (-f.stance_strength, f.passage.id))
        merged[s.number] = kept + [_candidate(f.passage, rank, f.cosine) for rank, f in enumerate(strongest, 1)]
    return merged


def _as_checked(of: Candidate, checks: Mapping[str, NoteCheck], read: Collection[str]) -> Candidate:
    if of.passage.can_be_read_again and of.passage.id in read:
        return replace(of, passage=replace(of.passage, page_check=PageCheck.FOUND))
    if not (check := checks.get(of.passage.id)):
        return of
    return replace(of, passage=replace(of.passage, page_check=check.outcome, page_checked=check.day))


def _candidate(passage: Passage, rank: int, cosine: float | None) -> Candidate:
    return Candidate(passage, rank, 1 / (FUSION_CONSTANT + rank), semantic=cosine)


def _cosines(
    snippets: Sequence[Passage], statements: Sequence[Statement], encoder: Encoder | None
) -> Mapping[tuple[int, str], float | None]:
    """By statement and snippet. Passages are encoded with their title in front, as in the knowledge base."""
    if encoder is None or not snippets or not statements:
        return defaultdict(lambda: None)
    vectors = encoder.encode([embedded_text(p.text, p.title) for p in snippets])
    rows = encoder.encode([s.text for s in statements]) @ vectors.T
    return {
        (s.number, p.id): float(cosine)
        for s, row in zip(statements, rows, strict=True)
        for p, cosine in zip(snippets, row, strict=True)
    }
