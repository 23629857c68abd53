"""The database of Ghost: its tables, their migrations, and the record of every run."""

from ghost.records.agreement import Agreement, Reviews, agreement, wilson
from ghost.records.articles import Article, ArticleCheck, ArticleStore, Sentence
from ghost.records.batch_queue import ENDED, BatchQueue
from ghost.records.batch_values import (
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
from ghost.records.batches import BatchStore
from ghost.records.cases import MAX_NAME, MAX_NOTES, Case, CaseStore
from ghost.records.database import Database, folder_error, from_column, to_column, utc_now
from ghost.records.domain_ratings import DomainRating, DomainRatings, RatingChange
from ghost.records.imports import INTERRUPTED, Brought, ImportRecord, ImportStatus, ImportStore, book, set_status
from ghost.records.outcomes import Outcome
from ghost.records.records import Records
from ghost.records.resting import Footing, Resting
from ghost.records.reviews import MAX_NOTE, Act, Overridden, ReviewStore, shown_label
from ghost.records.run_list import RunFilter, RunSummary
from ghost.records.runs import RunStore
from ghost.records.shingles import SIZE, fingerprint, shingles, words
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
from ghost.records.web_cache import DatabaseCache

__all__ = [
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
    "Footing",
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
    "Records",
    "Resting",
    "ReviewStore",
    "Reviews",
    "RunFilter",
    "RunStore",
    "RunSummary",
    "Sentence",
    "Tally",
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
