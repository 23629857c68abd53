"""Step 5: searches and pages outside the knowledge base."""

from ghost.steps.investigate.candidates import with_found, with_snippets
from ghost.steps.investigate.fetch_pages import Reading
from ghost.steps.investigate.history import Investigation, Outside, Trail, nothing_searched
from ghost.steps.investigate.hits import LISTS, Own, SearchRules, Sources, nothing_ours
from ghost.steps.investigate.links import read_found_page, read_links
from ghost.steps.investigate.page_passages import bearing, encoded, nearest
from ghost.steps.investigate.search_plan import begun, beyond, queries, still, with_settled
from ghost.steps.investigate.stage import investigate

__all__ = [
    "LISTS",
    "Investigation",
    "Outside",
    "Own",
    "Reading",
    "SearchRules",
    "Sources",
    "Trail",
    "bearing",
    "begun",
    "beyond",
    "encoded",
    "investigate",
    "nearest",
    "nothing_ours",
    "nothing_searched",
    "queries",
    "read_found_page",
    "read_links",
    "still",
    "with_found",
    "with_settled",
    "with_snippets",
]
