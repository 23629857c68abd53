"""A finished run, written down for machines and for people. Nothing here decides anything."""

from ghost.reports.batch import as_csv, as_jsonl, note
from ghost.reports.bundle import KINDS, Format, export, name_of
from ghost.reports.case import CaseExport, case_file_name
from ghost.reports.claimreview import Publisher, claim_review, unpublishable
from ghost.reports.comparison import Comparison, Held, StepTimes, compare
from ghost.reports.disclosure import is_this_machine, left_the_machine, may_leave
from ghost.reports.evidence import NAME, REASONS, Card, cards, sides, unused
from ghost.reports.formatting import (
    HIGH,
    confidence,
    counted,
    day,
    iso,
    leaning,
    money,
    on_topic,
    origins_line,
    percent,
    scope,
    source,
    spans,
    timing,
)
from ghost.reports.investigation import (
    RETRACTION,
    any_search_answered,
    archived,
    fact_check_coverage,
    named_pages,
    notices,
    page_outcome,
)
from ghost.reports.result import result, trace
from ghost.reports.terminal import terminal, wrap
from ghost.reports.trace import Bar, CandidateRow, Spent, candidates, spent, timeline
from ghost.reports.verdict_notes import ERRORS, what_would_change

__all__ = [
    "ERRORS",
    "HIGH",
    "KINDS",
    "NAME",
    "REASONS",
    "RETRACTION",
    "Bar",
    "CandidateRow",
    "Card",
    "CaseExport",
    "Comparison",
    "Format",
    "Held",
    "Publisher",
    "Spent",
    "StepTimes",
    "any_search_answered",
    "archived",
    "as_csv",
    "as_jsonl",
    "candidates",
    "cards",
    "case_file_name",
    "claim_review",
    "compare",
    "confidence",
    "counted",
    "day",
    "export",
    "fact_check_coverage",
    "is_this_machine",
    "iso",
    "leaning",
    "left_the_machine",
    "may_leave",
    "money",
    "name_of",
    "named_pages",
    "note",
    "notices",
    "on_topic",
    "origins_line",
    "page_outcome",
    "percent",
    "result",
    "scope",
    "sides",
    "source",
    "spans",
    "spent",
    "terminal",
    "timeline",
    "timing",
    "trace",
    "unpublishable",
    "unused",
    "what_would_change",
    "wrap",
]
