"""Long lists of claims: many runs side by side, on one machine or on many."""

from ghost.bulk.claim_file import ClaimFile
from ghost.bulk.engine import BulkList, BulkOptions, BulkReport, Pace
from ghost.bulk.folder import BulkFolder
from ghost.bulk.on_ray import workers
from ghost.bulk.plan import Plan
from ghost.bulk.runs import SIDE_BY_SIDE, BulkRuns, collect
from ghost.bulk.tables import PlannedClaim, read_results, result_row, results_table, whole_results
from ghost.bulk.together import Together
from ghost.bulk.worker import BulkWorkbench, Worker

__all__ = [
    "SIDE_BY_SIDE",
    "BulkFolder",
    "BulkList",
    "BulkOptions",
    "BulkReport",
    "BulkRuns",
    "BulkWorkbench",
    "ClaimFile",
    "Pace",
    "Plan",
    "PlannedClaim",
    "Together",
    "Worker",
    "collect",
    "read_results",
    "result_row",
    "results_table",
    "whole_results",
    "workers",
]
