"""Reading pages for a claim: each fetched, laid out, read by the judge, and weighed, side by side."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ghost.budget import Budget
from ghost.errors import Cancelled
from ghost.inference import Encoder, StanceReader
from ghost.judges import Judge
from ghost.knowledge import embedded_text
from ghost.steps.investigate.fetch_pages import FetchResult, SourceState, fetch_pages
from ghost.steps.investigate.history import SearchContext
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.open_page import OpenedPage, open_page
from ghost.steps.investigate.page_passages import SourceReport, not_read, weigh_page
from ghost.types import Passage, Statement


@dataclass(slots=True)
class PageReader:
    """Reads pages for the statements of one claim."""

    statements: Sequence[Statement]
    context: SearchContext
    hit_filter: HitFilter
    budget: Budget
    found_at: str = ""
    """The page the claim was found at, in canonical form: it is read to know its copies, and for nothing else."""
    found_text: str = ""
    read: list[SourceReport] = field(default_factory=list)
    """What came of the pages so far."""

    def go(self, addresses: Sequence[str], hits: Mapping[str, Passage]) -> Iterator[SourceReport]:
        """Each page as it is done; ``hits`` is what a search engine showed of them, where one did."""
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

    def _opened(self, result: FetchResult, hit: Passage | None, budget: Budget | None) -> OpenedPage:
        """A page laid out and read by the judge; without a budget the judge is not asked."""
        assert result.page
        judge = self.context.judge if budget else None
        return open_page(
            result,
            result.page,
            hit,
            self.statements,
            self.hit_filter,
            self.context.sources,
            judge,
            budget or self.budget,
        )

    def _of_found_page(self, result: FetchResult) -> SourceReport:
        if result.page is None:
            return not_read(result, "")
        self.found_text = result.page.text
        why = "it is the page the claim was found at"
        return SourceReport(
            result.url, result.page.title, SourceState.DROPPED, why, result.page.url, result.received, result.seconds
        )


SETTLES = 0.9
"""From this probability of a side on, a snippet of a known source settles its statement by itself."""
PATIENCE = 15.0
"""Seconds that a language model may think about the order of the pages."""
KNOWN = 0.75
"""Credibility of a source whose snippet is believed unread."""


def reading_order(
    hits: Sequence[Passage],
    statements: Sequence[Statement],
    reader: StanceReader,
    encoder: Encoder | None,
    budget: Budget,
    judge: Judge | None = None,
) -> list[Passage]:
    """The hits in the order in which their pages should be opened.

    A snippet that settles a statement is evidence as it stands: its page is opened last, to see whether the page bears
    it out. Among the others, what is nearer to a statement comes first, and what is more credible among the near.
    """
    if not hits or not statements:
        return list(hits)
    budget.check()
    near = [0.0] * len(hits)
    if encoder is not None:
        vectors = encoder.encode([embedded_text(p.text, p.title) for p in hits])
        near = [float(n) for n in (vectors @ encoder.encode([s.text for s in statements]).T).max(axis=1)]
    said = _said(hits, statements, judge, budget) if judge and len(hits) > 1 else None
    settled = _settled(hits, statements, reader) if said is None else said
    all_of_them = {s.number for s in statements}

    def settles(i: int) -> bool:
        return hits[i].credibility >= KNOWN and settled[i] >= all_of_them

    order = sorted(range(len(hits)), key=lambda i: (settles(i), -(near[i] + 0.3 * hits[i].credibility), i))
    return [hits[i] for i in order]


def _said(
    hits: Sequence[Passage], statements: Sequence[Statement], judge: Judge, budget: Budget
) -> tuple[frozenset[int], ...] | None:
    """What the judge says settles; None when it leaves that, or is too slow for a question of mere order."""
    until = time.monotonic() + PATIENCE
    mine = budget.until(lambda: time.monotonic() > until or budget.seconds_to_look <= 0)
    try:
        return judge.check_snippets(statements, hits, mine)
    except Cancelled:
        budget.check()  # the analyst's wish ends the run
        return None


def _settled(
    hits: Sequence[Passage], statements: Sequence[Statement], reader: StanceReader
) -> tuple[frozenset[int], ...]:
    """The numbers of the statements that each hit settles, as the stance model reads it."""
    stances = iter(reader.read([(p.text, s.text) for p in hits for s in statements]))
    return tuple(
        frozenset([n for n, stance in [(s.number, next(stances)) for s in statements]
                   if max(stance.supports, stance.refutes) >= SETTLES])
        for _ in hits
    )  # fmt: skip
