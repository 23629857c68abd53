"""The report of a stage for the trace: what was decided and why, and the rows behind it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ghost.events import SourceUpdate
from ghost.steps.investigate.fact_checks import MatchedReview
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.hits import STAGE_NAMES, Fate, FilteredHit, SourceRatings, counted
from ghost.steps.investigate.page_passages import SourceReport
from ghost.steps.investigate.search import CACHED
from ghost.steps.trace import count
from ghost.types import Reason, ReasonCode, SourceType
from ghost.web import ClaimReview, Stage, reviewer_named


@dataclass(frozen=True, slots=True)
class StageReport:
    """What happened in a stage."""

    stage: Stage
    providers: int
    """Number of search providers that can serve it."""
    log: Sequence[Mapping[str, Any]]
    """One row for each search."""
    hits: Sequence[FilteredHit]
    sources: Sequence[SourceReport]
    reviews: Sequence[ClaimReview]
    about: SourceRatings
    """What is known about the sites of the reviews."""

    @property
    def answered(self) -> bool:
        """Whether any search was answered, by a provider or from the cache."""
        return any(row["state"] in ("answered", CACHED) for row in self.log)

    @property
    def dropped(self) -> Counter[str]:
        """How many hits were dropped, by reason."""
        return Counter(j.why for j in self.hits if j.fate is Fate.DROPPED)

    @property
    def decision(self) -> str:
        """The result in a few words."""
        return f"{STAGE_NAMES[self.stage]}: {self._summary()}"

    def reason(self, unread: int) -> str:
        """The reasons in sentences; ``unread`` is the number of new snippets whose pages were not read."""
        if not self.providers:
            return f"None of the search providers that are set up is of use for {STAGE_NAMES[self.stage]}."
        if not self.log:
            return f"The settings name no {STAGE_NAMES[self.stage]}."
        states = Counter(row["state"] for row in self.log)
        parts = [*self._searches(states), *page_summary(self.sources)]
        if unread:
            parts.append(f"{count(unread, 'search snippet')} kept for this run only; the pages were not read.")
        elif not self.sources and (states["answered"] or states[CACHED]):
            parts.append("Nothing new to weigh, so what step 4 said still stands.")
        for r in self.reviews:
            who = reviewer_named(r.reviewer, r.url, known(r, self.about))
            parts.append(f"{who} published a fact-check: {r.rating or 'no rating'}.")
        if blank := counted(self.hits, Fate.TO_READ):
            parts.append(f"{blank} with a snippet that says too little, so that only the page can tell.")
        if repeated := counted(self.hits, Fate.DUPLICATE):
            parts.append(f"{repeated} known already.")
        parts += [f"{number} dropped: {text}." for text, number in self.dropped.items()]
        undated = sum(j.published_at is None for j in self.hits if j.passage)
        if undated:
            parts.append(f"The publication date of {undated} is unknown.")
        return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts)

    def _summary(self) -> str:
        if not self.answered:
            return "the search failed" if any(row["state"] == "failed" for row in self.log) else "nothing searched"
        read = sum(s.state is SourceState.READ for s in self.sources)
        found = f", {count(read, 'page')} read" if self.sources else ""
        found += f", {count(len(self.reviews), 'published fact-check')}" if self.reviews else ""
        kept = f"{counted(self.hits, Fate.KEPT)} of {count(len(self.hits), 'hit')} kept"
        return f"{kept}{found}" if self.hits else f"no hits{found}"

    def _searches(self, states: Mapping[str, int]) -> Iterator[str]:
        made = sum(row.get("requests", 0) for row in self.log)
        failed = f", {states['failed']} failed" if states["failed"] else ""
        yield f"{count(made, 'search', 'searches')} made{failed}".capitalize()
        if states[CACHED]:
            yield f"{count(states[CACHED], 'answer')} taken from the cache, so nothing was sent for it."
        explained = (row for row in self.log if "why" in row and row["state"] != CACHED)
        yield from dict.fromkeys(f"{row['sent_to']}: {row['why']}" for row in explained)


def page_summary(sources: Sequence[SourceReport]) -> Iterator[str]:
    """What became of the pages, in a sentence or two."""
    states = Counter(s.state for s in sources)
    if not states:
        return
    size = sum(s.received for s in sources)
    useful = sum(bool(s.found) for s in sources)
    read = f"{count(states[SourceState.READ], 'page')} read ({size:,} bytes)"
    yield f"{read}, {useful} of them with something that bears on an open statement."
    for state in (SourceState.REFUSED, SourceState.UNREADABLE, SourceState.DROPPED, SourceState.LEFT):
        whys = Counter(s.why for s in sources if s.state is state)
        for why, number in whys.items():
            yield f"{number} {state}: {why}"


def limit_reasons(sources: Sequence[SourceReport]) -> Iterator[Reason]:
    """The limit of the run that left pages unread."""
    left = [s for s in sources if s.state is SourceState.LEFT]
    if left:
        yield Reason(
            ReasonCode.BUDGET,
            f"{count(len(left), 'page was', 'pages were')} not read: {left[0].why}",
            "Raise GHOST_MAX_FETCHES or GHOST_MAX_SECONDS and verify the claim again.",
        )


def source_update(source: SourceReport, stage: str) -> SourceUpdate:
    """The event for a page that is done."""
    return SourceUpdate(
        source.url, source.title, source.state, source.why, stage,
        source.received, source.seconds, source.quotes, source.verdict, len(source.reviews),
    )  # fmt: skip


def hit_row(judged: FilteredHit) -> dict[str, object]:
    """The row of a search hit in the trace."""
    return {
        "url": judged.url,
        "title": judged.title,
        "published_at": judged.published_at.isoformat() if judged.published_at else None,
        "fate": judged.fate,
        "why": judged.why,
    }


def known(review: ClaimReview, about: SourceRatings) -> bool:
    """Whether a review is on the page of a known fact-checker."""
    return about.source_type(review.url) is SourceType.FACT_CHECKER


def review_row(review: ClaimReview, matched: Sequence[MatchedReview], about: SourceRatings) -> dict[str, object]:
    """The row of a fact-check in the trace; ``statement`` is 0 where it checks something else."""
    day = review.reviewed_at.isoformat() if review.reviewed_at else None
    number = next((m.statement for m in matched if m.review == review and m.same), 0)
    return asdict(review) | {"reviewed_at": day, "statement": number, "known": known(review, about)}
