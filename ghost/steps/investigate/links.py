"""Step 5 for pages that no search leads to: those the analyst adds, and the page the claim was found at."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event, SourceUpdate
from ghost.steps.investigate.fact_checks import reviews_as_evidence
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.page_passages import SourceReport
from ghost.steps.investigate.read_pages import PageReader
from ghost.steps.investigate.report import limit_reasons, page_summary, review_row, source_update
from ghost.steps.trace import Outcome
from ghost.types import Claim, Statement, page_key
from ghost.web import Stage

LINKS = "link"
"""The stage of the analyst's pages in the trace and in events."""
_OFF = "The web is switched off, so the page was not asked for. Allow it (GHOST_WEB), or paste the text of the page."


def read_links(
    urls: Sequence[str],
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
) -> Generator[Event, None, Outcome[Investigation]]:
    """Fetch and read the pages at ``urls`` for all statements. A page that fails is part of the outcome."""
    reader = PageReader.for_stage(Stage.BROAD, claim, statements, context, budget, history)
    refused = [r for url in urls if (r := _refused(url, reader.hit_filter, context, history))]
    for source in refused:
        yield source_update(source, LINKS)
    wanted = [url for url in urls if url not in {r.url for r in refused}]
    for url in wanted:
        yield SourceUpdate(url, "", SourceState.READING, "", LINKS)
    if reader.found_at and wanted and not history.knows(reader.found_at):
        wanted.append(reader.found_at)  # to recognize its copies among these pages
    try:
        for source in reader.run(wanted, {}):
            yield source_update(source, LINKS)
        return _outcome(urls, [*refused, *reader.read], reader, history)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": [*(s.as_row() for s in refused), *reader.rows()]}
        raise


def _refused(url: str, hit_filter: HitFilter, context: SearchContext, history: SearchHistory) -> SourceReport | None:
    """The report for a page that is not requested; None for one that is."""
    if context.fetcher is None or context.reader is None:
        return _not_requested(url, SourceState.REFUSED, _OFF)
    if page_key(url) in {page_key(read) for read in history.pages}:
        return _not_requested(url, SourceState.DROPPED, "the run has read it already")
    why = hit_filter.refusal(url, None)
    return _not_requested(url, SourceState.REFUSED, why) if why else None


def _not_requested(url: str, state: SourceState, why: str) -> SourceReport:
    return SourceReport(url, "", state, why, row={"kind": "not asked"})


def _outcome(
    urls: Sequence[str], sources: Sequence[SourceReport], reader: PageReader, before: SearchHistory
) -> Outcome[Investigation]:
    context, reviews = reader.context, tuple(dict.fromkeys(r for s in sources for r in s.reviews))
    matched = reader.matching(reviews)
    read = sum(s.state is SourceState.READ for s in sources)
    history = replace(before.with_pages(reader.read), found_text=reader.found_text, links=before.links + read)
    return Outcome(
        Investigation(
            sources=tuple(sources),
            reviews=reviews,
            rated=tuple(reviews_as_evidence(matched, context.sources, datetime.now(UTC))),
            reasons=tuple(limit_reasons(sources)),
            history=history,
        ),
        decision=f"the pages that you named: {read} of {len(urls)} read",
        reason=" ".join(part if part.endswith(".") else f"{part}." for part in page_summary(sources)),
        inputs={"stage": LINKS, "links": list(urls), "web": context.fetcher is not None},
        outputs={
            "searches": [],
            "sources": [s.as_row() for s in sources],
            "reviews": [review_row(r, matched, context.sources) for r in reviews],
        },
    )


FOUND_PAGE = "found_page"
"""The stage of the found page in the trace and in events."""


def read_found_page(
    claim: Claim, context: SearchContext, budget: Budget, history: SearchHistory
) -> Generator[Event, None, Outcome[Investigation]]:
    """Fetch the page the claim was found at and keep its text for the run. It is never evidence."""
    reader = PageReader.for_stage(Stage.BROAD, claim, (), context, budget, history)
    try:
        for source in reader.run([reader.found_at], {}):
            yield source_update(source, FOUND_PAGE)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": reader.rows()}
        raise
    why = " ".join(s.why for s in reader.read if not reader.found_text)
    known = "Copies of its text in the knowledge base and on the web do not count for the claim."
    unknown = f"Its copies in the knowledge base are not known: {why.rstrip('.')}."
    return Outcome(
        Investigation(
            sources=tuple(reader.read), history=replace(history.with_pages(reader.read), found_text=reader.found_text)
        ),
        decision=f"the page the claim was found at: {'read' if reader.found_text else 'not read'}",
        reason=known if reader.found_text else unknown,
        inputs={"stage": FOUND_PAGE, "web": True},
        outputs={"searches": [], "sources": reader.rows()},
    )
