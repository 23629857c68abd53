"""The seven steps, one file each, all of one shape: values in, an Outcome out, no hidden state."""

from ghost.steps.archived import Archive, look_up, with_copies
from ghost.steps.citations import QuoteReader
from ghost.steps.classify import Extracted, classify, extract
from ghost.steps.fetching import Reading
from ghost.steps.focus import focused
from ghost.steps.found_text import read_found_page
from ghost.steps.gate import pass_gate
from ghost.steps.hits import LISTS, Own, SearchRules, Sources, nothing_ours
from ghost.steps.index import Writable, book_citations, index
from ghost.steps.investigate import investigate
from ghost.steps.investigation import Investigation, Outside, Trail, nothing_searched
from ghost.steps.links import read_links
from ghost.steps.looked import HOME_ONLY, Looked
from ghost.steps.queries import queries
from ghost.steps.rerank import Context, rerank
from ghost.steps.retrieve import Candidates, Searchable, retrieve
from ghost.steps.rounds import begun, beyond, still, with_settled
from ghost.steps.scope import Scope
from ghost.steps.selection import RerankRules, by_weight, choose, domain_key, telling, too_far, with_boost
from ghost.steps.snippets import keep_numbers, with_found, with_snippets
from ghost.steps.sources import bearing, encoded, nearest
from ghost.steps.sufficiency import sufficiency
from ghost.steps.turn import STEPS, step, told
from ghost.steps.verdict import not_verifiable, out_of_budget, verdict

__all__ = [
    "HOME_ONLY",
    "LISTS",
    "STEPS",
    "Archive",
    "Candidates",
    "Context",
    "Extracted",
    "Investigation",
    "Looked",
    "Outside",
    "Own",
    "QuoteReader",
    "Reading",
    "RerankRules",
    "Scope",
    "SearchRules",
    "Searchable",
    "Sources",
    "Trail",
    "Writable",
    "bearing",
    "begun",
    "beyond",
    "book_citations",
    "by_weight",
    "choose",
    "classify",
    "domain_key",
    "encoded",
    "extract",
    "focused",
    "index",
    "investigate",
    "keep_numbers",
    "look_up",
    "nearest",
    "not_verifiable",
    "nothing_ours",
    "nothing_searched",
    "out_of_budget",
    "pass_gate",
    "queries",
    "read_found_page",
    "read_links",
    "rerank",
    "retrieve",
    "step",
    "still",
    "sufficiency",
    "telling",
    "told",
    "too_far",
    "verdict",
    "with_boost",
    "with_copies",
    "with_found",
    "with_settled",
    "with_snippets",
]
