"""The citation gate: what of a judge's answer may be shown, and which label it supports."""

from ghost.steps.gate.citations import (
    CONFIDENT_OPPOSITE,
    QuoteReader,
    Refusal,
    fold_typography,
    is_verbatim,
)
from ghost.steps.gate.gate import GateReport, check_sentence, pass_gate

__all__ = [
    "CONFIDENT_OPPOSITE",
    "GateReport",
    "QuoteReader",
    "Refusal",
    "check_sentence",
    "fold_typography",
    "is_verbatim",
    "pass_gate",
]
