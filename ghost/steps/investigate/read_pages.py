"""Read pages for a claim in parallel: each is fetched, screened, read by the judge, and weighed.

Besides the pages behind search hits these are the pages that the analyst adds, and the page the claim was found at.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, GhostError
from ghost.events import Event, SourceUpdate
from ghost.steps.investigate.fact_checks import MatchedReview, match_reviews, review_row, reviews_as_evidence
from ghost.steps.investigate.fetch import FetchResult, SourceState, fetch_pages
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.open_page import OpenedPage, open_page
from ghost.steps.investigate.page_passages import SourceReport, limit_reasons, not_read, page_summary, weigh_page
from ghost.steps.trace import Outcome
from ghost.types import Claim, Passage, Statement, canonical, page_key
from ghost.web import ClaimReview, Stage

LINKS = "link"
"""The stage of the analyst's pages in the trace and in events."""
FOUND_PAGE = "found_page"
"""The stage of the found page in the trace and in events."""
_OFF = "The web is switched off, so the page was not asked for. Allow it (GHOST_WEB), or paste the text of the page."


@dataclass(slots=True)
class PageReader:
    """Reads pages for the statements of one claim, in one stage."""

    stage: Stage
    claim: Claim
    statements: Sequence[Statement]
    context: SearchContext
    budget: Budget
    history: SearchHistory
    """What earlier stages have read."""
    read: list[SourceReport] = field(default_factory=list)
    """The pages so far."""
    hit_filter: HitFilter = field(init=False)
    found_at: str = field(init=False)
    """The canonical address of the page the claim was found at. It is read only to recognize its copies."""
    found_text: str = field(init=False)

    def __post_init__(self) -> None:
        self.hit_filter = self.context.hit_filter(self.stage, self.claim)
        self.found_at = canonical(self.claim.found_at or "")
        self.found_text = self.history.found_text

    def run(self, addresses: Sequence[str], hits: Mapping[str, Passage], shown_as: str) -> Iterator[Event]:
        """An event for each page as it is done; ``hits`` are the snippets of the search engine, by address."""
        context = self.context
        if context.fetcher is None or context.reader is None:
            return

        def then(result: FetchResult, budget: Budget) -> OpenedPage | None:
            return None if result.url == self.found_at else self._opened(result, hits.get(result.url), budget)

        for result in fetch_pages(addresses, context.fetcher, context.reading, self.budget, context.today, then):
            hit = hits.get(result.url)
            if result.page is None:
                source = not_read(result, hit.title if hit else "")
            elif result.url == self.found_at:
                self.found_text = result.page.text
                source = SourceReport(
                    result.url, result.page.title, SourceState.DROPPED, "it is the page the claim was found at",
                    result.page.url, result.received, result.seconds,
                )  # fmt: skip
            else:
                source = weigh_page(
                    result, result.opened or self._opened(result, hit, None), self.statements, context.reader,
                    context.encoder, context.reading, self.budget.check,
                )  # fmt: skip
            source = replace(source, row={**source.row, "hosts": list(result.hosts)})
            self.read.append(source)
            yield source.update(shown_as)

    def unread_found_page(self) -> list[str]:
        """The page the claim was found at, where it still has to be read to recognize its copies."""
        return [self.found_at] if self.found_at and not self.history.knows(self.found_at) else []

    def matching(self, reviews: Sequence[ClaimReview]) -> list[MatchedReview]:
        """The fact-checks that are about a statement and may count in this run."""
        compare = self.context.stance or self.context.reader
        may = [r for r in reviews if not self.hit_filter.refusal(canonical(r.url), r.reviewed_at)]
        if compare is None:
            return []
        return match_reviews(may, self.statements, self.context.encoder, compare, self.context.matcher)

    def rows(self) -> list[dict[str, Any]]:
        """The pages so far, for the trace."""
        return [s.as_row() for s in self.read]

    def next_history(self, **changes: Any) -> SearchHistory:
        """What the next stage has to know."""
        return replace(self.history.with_pages(self.read), found_text=self.found_text, **changes)

    def _opened(self, result: FetchResult, hit: Passage | None, budget: Budget | None) -> OpenedPage:
        """A page screened and read by the judge; without a budget the judge is not asked."""
        judge = self.context.judge if budget else None
        return open_page(result, hit, self.statements, self.hit_filter, judge, budget or self.budget)


def read_chosen(
    urls: Sequence[str],
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
    shown_as: str = Stage.BROAD,
    what: str = "chosen pages",
    then: Callable[[SourceReport], SourceReport] | None = None,
) -> Generator[Event, None, Outcome[Investigation]]:
    """Fetch and read the pages at ``urls`` for all statements. A page that fails is part of the outcome.

    ``then`` continues with each report, and with what there is where the time was over before. With the pages the one
    the claim was found at is read, to recognize its copies.
    """
    reader = PageReader(Stage.BROAD, claim, statements, context, budget, history)
    refused = {url: r for url in urls if (r := _refused(url, reader))}
    for source in refused.values():
        yield source.update(shown_as)
    wanted = [url for url in urls if url not in refused]
    for url in wanted:
        yield SourceUpdate(url, "", SourceState.READING, "", shown_as)
    try:
        yield from reader.run([*wanted, *(reader.unread_found_page() if wanted else ())], {}, shown_as)
    except GhostError as stopped:
        if not (then and isinstance(stopped, BudgetExceeded)):
            stopped.partial = {"searches": [], "sources": [*(s.as_row() for s in refused.values()), *reader.rows()]}
            raise
    sources = [then(s) if then else s for s in (*refused.values(), *reader.read)]
    return _outcome(urls, sources, reader, what, shown_as)


def read_links(
    urls: Sequence[str],
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
) -> Generator[Event, None, Outcome[Investigation]]:
    """The same for the pages that the analyst has added."""
    what = "the pages that you named"
    outcome = yield from read_chosen(urls, claim, statements, context, budget, history, LINKS, what)
    found = outcome.value
    read = sum(s.state is SourceState.READ for s in found.sources)
    links = replace(found.history, links=found.history.links + read)
    return replace(outcome, value=replace(found, history=links), inputs={**outcome.inputs, "links": list(urls)})


def _outcome(
    urls: Sequence[str], sources: Sequence[SourceReport], reader: PageReader, what: str, stage: str
) -> Outcome[Investigation]:
    """What pages yielded, with the published fact-checks in them that are about a statement."""
    rated_by = reader.context.sources
    read = sum(s.state is SourceState.READ for s in sources)
    reviews = tuple(dict.fromkeys(r for s in sources for r in s.reviews))
    matched = reader.matching(reviews)
    return Outcome(
        Investigation(
            sources=tuple(sources),
            reviews=reviews,
            rated=tuple(reviews_as_evidence(matched, rated_by, datetime.now(UTC))),
            reasons=tuple(limit_reasons(sources)),
            history=reader.next_history(),
        ),
        decision=f"{what}: {read} of {len(urls)} read",
        reason=" ".join(part if part.endswith(".") else f"{part}." for part in page_summary(sources)),
        inputs={"stage": stage, "web": reader.context.fetcher is not None},
        outputs={
            "searches": [],
            "sources": [s.as_row() for s in sources],
            "reviews": [review_row(r, matched, rated_by) for r in reviews],
        },
    )


def _refused(url: str, reader: PageReader) -> SourceReport | None:
    """The report on a page that is not requested; None for one that is."""
    state, why = SourceState.REFUSED, reader.hit_filter.refusal(url, None)
    if reader.context.fetcher is None or reader.context.reader is None:
        why = _OFF
    elif page_key(url) in {page_key(read) for read in reader.history.pages}:
        state, why = SourceState.DROPPED, "the run has read it already"
    return SourceReport(url, "", state, why, row={"kind": "not asked"}) if why else None


def read_found_page(
    claim: Claim, context: SearchContext, budget: Budget, history: SearchHistory
) -> Generator[Event, None, Outcome[Investigation]]:
    """Fetch the page the claim was found at and keep its text for the run. It is never evidence."""
    reader = PageReader(Stage.BROAD, claim, (), context, budget, history)
    try:
        yield from reader.run([reader.found_at], {}, FOUND_PAGE)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": reader.rows()}
        raise
    known = "Copies of its text in the knowledge base and on the web do not count for the claim."
    unknown = f"Its copies in the knowledge base are not known: {' '.join(s.why for s in reader.read).rstrip('.')}."
    return Outcome(
        Investigation(sources=tuple(reader.read), history=reader.next_history()),
        decision=f"the page the claim was found at: {'read' if reader.found_text else 'not read'}",
        reason=known if reader.found_text else unknown,
        inputs={"stage": FOUND_PAGE, "web": True},
        outputs={"searches": [], "sources": reader.rows()},
    )
