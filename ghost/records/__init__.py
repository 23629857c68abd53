"""The database of Ghost: its tables, their migrations, and the record of every run."""

from ghost.records.articles import Article, ArticleCheck, ArticleStore, Sentence
from ghost.records.batch_queue import ENDED, BatchQueue
from ghost.records.batch_store import BatchStore
from ghost.records.batches import (
    Batch,
    BatchItem,
    BatchState,
    ItemFilter,
    ItemOrder,
    ItemState,
    NewBatch,
    NewItem,
    Tally,
)
from ghost.records.cases import MAX_NAME, MAX_NOTES, Case, CaseStore
from ghost.records.database import Database, folder_error, from_column, to_column, utc_now
from ghost.records.domain_ratings import DomainRating, DomainRatings, RatingChange
from ghost.records.fingerprints import (
    SIZE,
    fingerprint,
    remember_earlier_explanations,
    repeated_explanations,
    shingles,
    words,
)
from ghost.records.imports import INTERRUPTED, Brought, ImportRecord, ImportStatus, ImportStore, book, set_status
from ghost.records.reviews import MAX_NOTE, Act, Agreement, Overridden, ReviewStore, agreement, shown_label, wilson
from ghost.records.run_list import ALL_RUNS, Outcome, RunFilter, RunSummary
from ghost.records.runs import RunStore
from ghost.records.tables import (
    batch_items,
    changes,
    history,
    import_passages,
    imports,
    merges,
    meta,
    passage_bands,
    passages,
    run_steps,
    runs,
    uses,
)
from ghost.records.verdict_support import SupportStore, VerdictSupport
from ghost.records.web_cache import DatabaseCache

__all__ = [
    "ALL_RUNS",
    "ENDED",
    "INTERRUPTED",
    "MAX_NAME",
    "MAX_NOTE",
    "MAX_NOTES",
    "SIZE",
    "Act",
    "Agreement",
    "Article",
    "ArticleCheck",
    "ArticleStore",
    "Batch",
    "BatchItem",
    "BatchQueue",
    "BatchState",
    "BatchStore",
    "Brought",
    "Case",
    "CaseStore",
    "Database",
    "DatabaseCache",
    "DomainRating",
    "DomainRatings",
    "ImportRecord",
    "ImportStatus",
    "ImportStore",
    "ItemFilter",
    "ItemOrder",
    "ItemState",
    "NewBatch",
    "NewItem",
    "Outcome",
    "Overridden",
    "RatingChange",
    "ReviewStore",
    "RunFilter",
    "RunStore",
    "RunSummary",
    "Sentence",
    "SupportStore",
    "Tally",
    "VerdictSupport",
    "agreement",
    "batch_items",
    "book",
    "changes",
    "fingerprint",
    "folder_error",
    "from_column",
    "history",
    "import_passages",
    "imports",
    "merges",
    "meta",
    "passage_bands",
    "passages",
    "remember_earlier_explanations",
    "repeated_explanations",
    "run_steps",
    "runs",
    "set_status",
    "shingles",
    "shown_label",
    "to_column",
    "uses",
    "utc_now",
    "wilson",
    "words",
]
