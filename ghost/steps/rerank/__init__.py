"""Step 3: every candidate is weighed, and the best become evidence."""

from ghost.steps.rerank.close_reading import read_by_sentence
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
    "below_relevance",
    "by_weight",
    "domain_key",
    "read_by_sentence",
    "rerank",
    "select_evidence",
    "stance_strength",
    "with_boost",
]
