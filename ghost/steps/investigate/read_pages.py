"""Read pages for a claim in parallel: each is fetched, screened, read by the judge, and weighed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ghost.budget import Budget
from ghost.errors import Cancelled
from ghost.inference import StanceReader
from ghost.judges import Judge
from ghost.knowledge import embedded_text
from ghost.steps.investigate.fact_checks import MatchedReview, match_reviews
from ghost.steps.investigate.fetch import FetchResult, SourceState, fetch_pages
from ghost.steps.investigate.history import SearchContext, SearchHistory
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.open_page import OpenedPage, open_page
from ghost.steps.investigate.page_passages import SourceReport, not_read, weigh_page
from ghost.types import Claim, Passage, Statement, canonical
from ghost.web import ClaimReview, Stage


@dataclass(slots=True)
class PageReader:
    """Reads pages for the statements of one claim."""

    statements: Sequence[Statement]
    context: SearchContext
    hit_filter: HitFilter
    budget: Budget
    found_at: str = ""
    """The canonical address of the page the claim was found at. It is read only to recognize its copies."""
    found_text: str = ""
    read: list[SourceReport] = field(default_factory=list)
    """The pages so far."""

    @classmethod
    def for_stage(
        cls, stage: Stage, claim: Claim, statements: Sequence[Statement], context: SearchContext, budget: Budget,
        history: SearchHistory,
    ) -> "PageReader":  # fmt: skip
        """A reader for the pages of one stage."""
        hit_filter, found_at = context.hit_filter(stage, claim), canonical(claim.found_at or "")
        return cls(statements, context, hit_filter, budget, found_at, history.found_text)

    def run(self, addresses: Sequence[str], hits: Mapping[str, Passage]) -> Iterator[SourceReport]:
        """Each page as it is done; ``hits`` are the snippets of the search engine, by address."""
        context = self.context
        if context.fetcher is None or context.reader is None:
            return

        def then(result: FetchResult, budget: Budget) -> OpenedPage | None:
            return None if result.url == self.found_at else self._opened(result, hits.get(result.url), budget)

        for result in fetch_pages(addresses, context.fetcher, context.reading, self.budget, context.today, then):
            hit = hits.get(result.url)
            if result.url == self.found_at:
                source = self._of_found_page(result)
            elif result.page is None:
                source = not_read(result, hit.title if hit else "")
            else:
                source = weigh_page(
                    result, result.opened or self._opened(result, hit, None), self.statements, context.reader,
                    context.encoder, context.reading, self.budget.check,
                )  # fmt: skip
            self.read.append(source)
            yield source

    def matching(self, reviews: Sequence[ClaimReview]) -> list[MatchedReview]:
        """The fact-checks that are about a statement and may count in this run."""
        compare = self.context.comparing
        may = [r for r in reviews if not self.hit_filter.refusal(canonical(r.url), r.reviewed_at)]
        return match_reviews(may, self.statements, self.context.encoder, compare) if compare else []

    def rows(self) -> list[dict[str, Any]]:
        """The pages so far, for the trace."""
        return [s.as_row() for s in self.read]

    def _opened(self, result: FetchResult, hit: Passage | None, budget: Budget | None) -> OpenedPage:
        """A page screened and read by the judge; without a budget the judge is not asked."""
        judge = self.context.judge if budget else None
        return open_page(result, hit, self.statements, self.hit_filter, judge, budget or self.budget)

    def _of_found_page(self, result: FetchResult) -> SourceReport:
        if result.page is None:
            return not_read(result, "")
        self.found_text = result.page.text
        why = "it is the page the claim was found at"
        return SourceReport(
            result.url, result.page.title, SourceState.DROPPED, why, result.page.url, result.received, result.seconds
        )


SETTLES = 0.9
"""From this probability of a side on a snippet of a credible source settles its statement by itself."""
PATIENCE = 15.0
"""Seconds that a language model gets for the order of the pages."""
CREDIBLE = 0.75
"""From this credibility on a source's snippet can settle a statement."""


def reading_order(
    hits: Sequence[Passage], statements: Sequence[Statement], context: SearchContext, budget: Budget
) -> list[Passage]:
    """The hits in the order in which their pages should be read.

    A snippet that settles all statements is evidence already, so its page comes last. Among the others, the nearer to a
    statement and the more credible come first.
    """
    encoder, judge = context.encoder, context.judge
    if not hits or not statements or context.reader is None:
        return list(hits)
    budget.check()
    near = [0.0] * len(hits)
    if encoder is not None:
        vectors = encoder.encode([embedded_text(p.text, p.title) for p in hits])
        near = [float(n) for n in (vectors @ encoder.encode([s.text for s in statements]).T).max(axis=1)]
    said = _settled_by_judge(hits, statements, judge, budget) if judge and len(hits) > 1 else None
    settled = _settled_by_stance(hits, statements, context.reader) if said is None else said
    all_of_them = {s.number for s in statements}

    def settles(i: int) -> bool:
        return hits[i].credibility >= CREDIBLE and settled[i] >= all_of_them

    order = sorted(range(len(hits)), key=lambda i: (settles(i), -(near[i] + 0.3 * hits[i].credibility), i))
    return [hits[i] for i in order]


def _settled_by_judge(
    hits: Sequence[Passage], statements: Sequence[Statement], judge: Judge, budget: Budget
) -> tuple[frozenset[int], ...] | None:
    """What the judge says each hit settles; None when it does not answer this, or not in time."""
    until = time.monotonic() + PATIENCE
    mine = budget.until(lambda: time.monotonic() > until or budget.seconds_to_look <= 0)
    try:
        return judge.check_snippets(statements, hits, mine)
    except Cancelled:
        budget.check()  # a cancel by the analyst ends the run
        return None


def _settled_by_stance(
    hits: Sequence[Passage], statements: Sequence[Statement], reader: StanceReader
) -> tuple[frozenset[int], ...]:
    """The numbers of the statements that each hit settles according to the stance model."""
    stances = iter(reader.read([(p.text, s.text) for p in hits for s in statements]))
    return tuple(
        frozenset([n for n, stance in [(s.number, next(stances)) for s in statements]
                   if max(stance.supports, stance.refutes) >= SETTLES])
        for _ in hits
    )  # fmt: skip
