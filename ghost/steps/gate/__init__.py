"""The citation gate: what of a judge's answer may be shown, and which label it supports."""

from ghost.steps.gate.citations import (
    QuoteReader,
    Refusal,
    is_verbatim,
)
from ghost.steps.gate.gate import GateReport, check_sentence, has_needed_stances, only_quotes, pass_gate, with_contests
from ghost.steps.gate.sentences import contradicts_label, renumbered

__all__ = [
    "GateReport",
    "QuoteReader",
    "Refusal",
    "check_sentence",
    "contradicts_label",
    "has_needed_stances",
    "is_verbatim",
    "only_quotes",
    "pass_gate",
    "renumbered",
    "with_contests",
]
