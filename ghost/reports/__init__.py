"""A finished run, written down for machines and for people. Nothing here decides anything."""

from ghost.reports.batch import batch_csv, batch_jsonl, item_note
from ghost.reports.bundle import FILE_TYPES, CaseExport, Format, case_file_name, export, report_name
from ghost.reports.claimreview import Publisher, claim_review, unpublishable
from ghost.reports.comparison import ComparedPassage, Comparison, compare
from ghost.reports.conversation import Exchange, answered_by, conversation_markdown
from ghost.reports.disclosure import is_this_machine, left_the_machine, may_leave
from ghost.reports.evidence import DROP_REASONS, NOT_USED, EvidenceCard, evidence_cards, evidence_sides, unused_sources
from ghost.reports.formatting import (
    HIGH_CONFIDENCE,
    confidence,
    counted,
    day,
    iso,
    leaning,
    money,
    on_topic,
    origins_line,
    percent,
    quote_spans,
    scope,
    source,
    timing,
)
from ghost.reports.investigation import (
    RETRACTION,
    any_search_answered,
    archived_copy,
    fact_check_coverage,
    named_pages,
    page_notices,
    page_outcome,
)
from ghost.reports.paths import Paths
from ghost.reports.result import result, trace
from ghost.reports.terminal import terminal, wrap
from ghost.reports.trace import CandidateRow, LimitUsage, TimelineStep, candidates, limit_usage, timeline
from ghost.reports.values import added_value, answer_value, candidate_value, card_value, event_name, event_value
from ghost.reports.verdict_notes import ERROR_KINDS, what_would_change

__all__ = [
    "DROP_REASONS",
    "ERROR_KINDS",
    "FILE_TYPES",
    "HIGH_CONFIDENCE",
    "NOT_USED",
    "RETRACTION",
    "CandidateRow",
    "CaseExport",
    "ComparedPassage",
    "Comparison",
    "EvidenceCard",
    "Exchange",
    "Format",
    "LimitUsage",
    "Paths",
    "Publisher",
    "TimelineStep",
    "added_value",
    "answer_value",
    "answered_by",
    "any_search_answered",
    "archived_copy",
    "batch_csv",
    "batch_jsonl",
    "candidate_value",
    "candidates",
    "card_value",
    "case_file_name",
    "claim_review",
    "compare",
    "confidence",
    "conversation_markdown",
    "counted",
    "day",
    "event_name",
    "event_value",
    "evidence_cards",
    "evidence_sides",
    "export",
    "fact_check_coverage",
    "is_this_machine",
    "iso",
    "item_note",
    "leaning",
    "left_the_machine",
    "limit_usage",
    "may_leave",
    "money",
    "named_pages",
    "on_topic",
    "origins_line",
    "page_notices",
    "page_outcome",
    "percent",
    "quote_spans",
    "report_name",
    "result",
    "scope",
    "source",
    "terminal",
    "timeline",
    "timing",
    "trace",
    "unpublishable",
    "unused_sources",
    "what_would_change",
    "wrap",
]
