"""Step 3: every candidate is weighed, and the best become evidence."""

from ghost.steps.rerank.close_reading import read_by_sentence
from ghost.steps.rerank.corrections import StandingReadings, corrected, find_corrections, machine_label, reading_key
from ghost.steps.rerank.selection import (
    RerankRules,
    below_relevance,
    by_weight,
    domain_key,
    select_evidence,
    stance_strength,
    with_boost,
)
from ghost.steps.rerank.step import RerankContext, rerank

__all__ = [
    "RerankContext",
    "RerankRules",
    "StandingReadings",
    "below_relevance",
    "by_weight",
    "corrected",
    "domain_key",
    "find_corrections",
    "machine_label",
    "read_by_sentence",
    "reading_key",
    "rerank",
    "select_evidence",
    "stance_strength",
    "with_boost",
]
