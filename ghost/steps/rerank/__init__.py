"""Step 3: every candidate is weighed, and the best become evidence."""

from ghost.steps.rerank.close_reading import focused
from ghost.steps.rerank.selection import RerankRules, by_weight, choose, domain_key, telling, too_far, with_boost
from ghost.steps.rerank.step import Context, Weighed, keep_numbers, rerank

__all__ = [
    "Context",
    "RerankRules",
    "Weighed",
    "by_weight",
    "choose",
    "domain_key",
    "focused",
    "keep_numbers",
    "rerank",
    "telling",
    "too_far",
    "with_boost",
]
