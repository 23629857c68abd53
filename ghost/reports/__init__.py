"""A finished run, written down for machines and for people. Nothing here decides anything."""

from ghost.reports.batch import as_csv, as_jsonl, note
from ghost.reports.cards import Card, cards, sides
from ghost.reports.case import CaseExport, case_file_name
from ghost.reports.change import what_would_change
from ghost.reports.claim_review import Publisher, claim_review, unpublishable
from ghost.reports.comparison import Comparison, Held, StepTimes, compare
from ghost.reports.disclosure import is_this_machine, left_the_machine, may_leave, money
from ghost.reports.exports import KINDS, Format, export, name_of
from ghost.reports.pages import RETRACTION, archived, notices
from ghost.reports.plain import (
    HIGH,
    confidence,
    counted,
    day,
    iso,
    leaning,
    on_topic,
    origins_line,
    percent,
    scope,
    source,
    timing,
)
from ghost.reports.quotes import spans
from ghost.reports.result import result
from ghost.reports.review import ERRORS
from ghost.reports.terminal import terminal, wrap
from ghost.reports.trace import Bar, CandidateRow, Spent, candidates, spent, timeline, trace
from ghost.reports.unused import NAME, REASONS, unused

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
    "is_this_machine",
    "iso",
    "leaning",
    "left_the_machine",
    "may_leave",
    "money",
    "name_of",
    "note",
    "notices",
    "on_topic",
    "origins_line",
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
