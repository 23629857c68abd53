"""Long lists of claims: many runs side by side, on one machine or on many."""

from ghost.bulk.claim_file import ClaimFile
from ghost.bulk.engine import BulkList, BulkOptions, BulkReport, Pace
from ghost.bulk.folder import BulkFolder
from ghost.bulk.on_ray import workers
from ghost.bulk.plan import Plan
from ghost.bulk.runs import BulkRuns, collect
from ghost.bulk.tables import PlannedClaim, read_results, result_row, results_table, whole_results
from ghost.bulk.worker import Worker

__all__ = [
    "BulkFolder",
    "BulkList",
    "BulkOptions",
    "BulkReport",
    "BulkRuns",
    "ClaimFile",
    "Pace",
    "Plan",
    "PlannedClaim",
    "Worker",
    "collect",
    "read_results",
    "result_row",
    "results_table",
    "whole_results",
    "workers",
]
