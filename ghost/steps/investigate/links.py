"""Step 5 for pages that the analyst names: no search leads to them, and everything else holds for them too."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event, SourceUpdate
from ghost.steps.investigate.fact_checks import match_reviews, reviews_as_evidence
from ghost.steps.investigate.fetch_pages import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import HitFilter
from ghost.steps.investigate.page_passages import SourceReport
from ghost.steps.investigate.read_pages import PageReader
from ghost.steps.investigate.report import limits, news, pages, review_row
from ghost.steps.trace import Outcome
from ghost.types import Claim, Statement
from ghost.web import Stage, canonical, page_key

LINKS = "link"
"""The stage of these pages, as the trace and the events call it."""
_OFF = "The web is switched off, so the page was not asked for. Allow it (GHOST_WEB), or paste the text of the page."


def read_links(
    urls: Sequence[str],
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
) -> Generator[Event, None, Outcome[Investigation]]:
    """The pages behind ``urls`` fetched, read and weighed for all statements; whatever comes of each is an outcome."""
    hit_filter = context.hit_filter(Stage.BROAD, claim)
    reader = PageReader(statements, context, hit_filter, budget, canonical(claim.found_at or ""), history.found_text)
    refused = [r for url in urls if (r := _refused(url, hit_filter, context, history))]
    for source in refused:
        yield news(source, LINKS)
    wanted = [url for url in urls if url not in {r.url for r in refused}]
    for url in wanted:
        yield SourceUpdate(url, "", SourceState.READING, "", LINKS)
    if reader.found_at and wanted and not history.knows(reader.found_at):
        wanted.append(reader.found_at)  # so that its copies are known, should one of these pages be one
    try:
        for source in reader.go(wanted, {}):
            yield news(source, LINKS)
        return _outcome(urls, [*refused, *reader.read], statements, context, hit_filter, reader, history)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": [s.as_row() for s in (*refused, *reader.read)]}
        raise


def _refused(url: str, hit_filter: HitFilter, context: SearchContext, history: SearchHistory) -> SourceReport | None:
    """What becomes of a link that is not asked for; None for one that is."""
    if context.fetcher is None or context.reader is None:
        return _not_asked(url, SourceState.REFUSED, _OFF)
    if page_key(url) in {page_key(read) for read in history.pages}:
        return _not_asked(url, SourceState.DROPPED, "the run has read it already")
    why = hit_filter.refusal(url, None)
    return _not_asked(url, SourceState.REFUSED, why) if why else None


def _not_asked(url: str, state: SourceState, why: str) -> SourceReport:
    return SourceReport(url, "", state, why, row={"kind": "not asked"})


def _outcome(
    urls: Sequence[str],
    sources: Sequence[SourceReport],
    statements: Sequence[Statement],
    context: SearchContext,
    hit_filter: HitFilter,
    reader: PageReader,
    before: SearchHistory,
) -> Outcome[Investigation]:
    reviews = tuple(dict.fromkeys(r for s in sources for r in s.reviews))
    may = [r for r in reviews if not hit_filter.refusal(canonical(r.url), r.reviewed_at)]
    matched = match_reviews(may, statements, context.encoder, context.comparing) if context.comparing else []
    read = sum(s.state is SourceState.READ for s in sources)
    history = replace(
        before.with_pages(reader.read),
        found_text=reader.found_text,
        links=before.links + read,
    )
    return Outcome(
        Investigation(
            sources=tuple(sources),
            reviews=reviews,
            rated=tuple(reviews_as_evidence(matched, context.sources, datetime.now(UTC))),
            reasons=tuple(limits(sources)),
            history=history,
        ),
        decision=f"the pages that you named: {read} of {len(urls)} read",
        reason=" ".join(part if part.endswith(".") else f"{part}." for part in pages(sources)),
        inputs={"stage": LINKS, "links": list(urls), "web": context.fetcher is not None},
        outputs={
            "searches": [],
            "sources": [s.as_row() for s in sources],
            "reviews": [review_row(r, matched, context.sources) for r in reviews],
        },
    )


FOUND_PAGE = "found_page"
"""The stage of this page, as the trace and the events call it."""


def read_found_page(
    claim: Claim, context: SearchContext, budget: Budget, history: SearchHistory
) -> Generator[Event, None, Outcome[Investigation]]:
    """The page fetched and its text kept for the run; it is no evidence, and whatever comes of it is an outcome."""
    hit_filter = context.hit_filter(Stage.BROAD, claim)
    reader = PageReader((), context, hit_filter, budget, canonical(claim.found_at or ""), history.found_text)
    try:
        for source in reader.go([reader.found_at], {}):
            yield news(source, FOUND_PAGE)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": [s.as_row() for s in reader.read]}
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
        outputs={"searches": [], "sources": [s.as_row() for s in reader.read]},
    )
