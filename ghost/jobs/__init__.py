"""Runs, batches and long tasks in the background."""

from ghost.jobs.articles import ArticleReader, ArticleView
from ghost.jobs.asks import Asker, AskView
from ghost.jobs.batches import BatchEngine, BatchView
from ghost.jobs.claims import ClaimList, Columns, claims_of, join_repeats, same_claim_key
from ghost.jobs.event_log import Changes, EventLog, stored_events, stored_research_events
from ghost.jobs.lookups import Lookups
from ghost.jobs.opening import Jobs, open_imports, open_jobs
from ghost.jobs.queued.queue import INDEX_AWAY, NO_WORKER, Queue, why_unattended
from ghost.jobs.queued.worker import run_worker
from ghost.jobs.research import ResearchJobs, ResearchView
from ghost.jobs.runs import Runner, RunView, view_of
from ghost.jobs.sheet import CLAIM_HEADS, MAX_BYTES, MAX_LINES, MAX_ROWS, Row, Sheet, read_sheet, sheet_of_text
from ghost.jobs.task import Progress, Report, Task, Tasks, failure_text
from ghost.pipelines import RunOptions

__all__ = [
    "CLAIM_HEADS",
    "INDEX_AWAY",
    "MAX_BYTES",
    "MAX_LINES",
    "MAX_ROWS",
    "NO_WORKER",
    "ArticleReader",
    "ArticleView",
    "AskView",
    "Asker",
    "BatchEngine",
    "BatchView",
    "Changes",
    "ClaimList",
    "Columns",
    "EventLog",
    "Jobs",
    "Lookups",
    "Progress",
    "Queue",
    "Report",
    "ResearchJobs",
    "ResearchView",
    "Row",
    "RunOptions",
    "RunView",
    "Runner",
    "Sheet",
    "Task",
    "Tasks",
    "claims_of",
    "failure_text",
    "join_repeats",
    "open_imports",
    "open_jobs",
    "read_sheet",
    "run_worker",
    "same_claim_key",
    "sheet_of_text",
    "stored_events",
    "stored_research_events",
    "view_of",
    "why_unattended",
]
