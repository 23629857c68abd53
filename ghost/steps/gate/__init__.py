"""The citation gate: what of a judge's answer may be shown, and which label it supports."""

from ghost.steps.gate.citations import (
    QuoteReader,
    Refusal,
    is_verbatim,
)
from ghost.steps.gate.gate import GateReport, check_sentence, pass_gate

__all__ = [
    "GateReport",
    "QuoteReader",
    "Refusal",
    "check_sentence",
    "is_verbatim",
    "pass_gate",
]
