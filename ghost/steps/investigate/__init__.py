"""Step 5: searches and pages outside the knowledge base."""

from ghost.steps.investigate.fetch import FetchResult, ReadingRules, SourceState, fetch_pages
from ghost.steps.investigate.history import (
    Investigation,
    SearchContext,
    SearchHistory,
    nothing_searched,
    with_findings,
)
from ghost.steps.investigate.hits import (
    STAGE_NAMES,
    Fate,
    HitFilter,
    OwnTextFinder,
    SearchRules,
    SourceRatings,
    no_own_text,
)
from ghost.steps.investigate.note_check import by_page, check_notes, pages_to_read
from ghost.steps.investigate.page_passages import Finding, SourceReport, as_findings, opposing_findings
from ghost.steps.investigate.page_text import PageText
from ghost.steps.investigate.read_pages import read_chosen, read_found_page, read_links
from ghost.steps.investigate.search import (
    SearchQuery,
    over_limit,
    remaining,
    select_statements,
    stage_queries,
    with_settled,
)
from ghost.steps.investigate.stage import investigate

__all__ = [
    "STAGE_NAMES",
    "Fate",
    "FetchResult",
    "Finding",
    "HitFilter",
    "Investigation",
    "OwnTextFinder",
    "PageText",
    "ReadingRules",
    "SearchContext",
    "SearchHistory",
    "SearchQuery",
    "SearchRules",
    "SourceRatings",
    "SourceReport",
    "SourceState",
    "as_findings",
    "by_page",
    "check_notes",
    "fetch_pages",
    "investigate",
    "no_own_text",
    "nothing_searched",
    "opposing_findings",
    "over_limit",
    "pages_to_read",
    "read_chosen",
    "read_found_page",
    "read_links",
    "remaining",
    "select_statements",
    "stage_queries",
    "with_findings",
    "with_settled",
]
