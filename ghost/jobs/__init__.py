"""Runs, batches and long tasks in the background."""

from ghost.jobs.batch_lines import Columns, Lines, claims_of
from ghost.jobs.batch_sheet import MAX_BYTES, MAX_ROWS, Sheet, pasted, read_sheet
from ghost.jobs.batches import BatchEngine, BatchView
from ghost.jobs.chores import Chore, Chores, ChoreState, Progress, Work
from ghost.jobs.runs import Runner, RunView, view_of
from ghost.jobs.tasks import Task

__all__ = [
    "MAX_BYTES",
    "MAX_ROWS",
    "BatchEngine",
    "BatchView",
    "Chore",
    "ChoreState",
    "Chores",
    "Columns",
    "Lines",
    "Progress",
    "RunView",
    "Runner",
    "Sheet",
    "Task",
    "Work",
    "claims_of",
    "pasted",
    "read_sheet",
    "view_of",
]
