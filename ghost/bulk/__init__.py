"""Long lists of claims: many runs side by side, on one machine or on many."""

from ghost.bulk.runs import SIDE_BY_SIDE, BulkRuns, collect
from ghost.bulk.together import Together

__all__ = ["SIDE_BY_SIDE", "BulkRuns", "Together", "collect"]
