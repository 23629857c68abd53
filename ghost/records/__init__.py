"""The database of Ghost: its tables, their migrations, and the record of every run."""

from ghost.records.abandoned_jobs import CALM_SECONDS, OUTAGES, TRIES, free_abandoned_jobs
from ghost.records.api_keys import FRESH_SECONDS, MAX_KEY_NAME, ApiKey, ApiKeys, Role
from ghost.records.articles import Article, ArticleCheck, ArticleStore, Sentence
from ghost.records.batch_queue import BATCH_INTERRUPTED, BatchQueue
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
from ghost.records.card_rows import ALL_CARDS, CardChange, CardFilter, card_key, cards_watermark, next_card_mark
from ghost.records.cards import ANALYST, CardOrder, CardStore
from ghost.records.cases import MAX_CASE_NAME, MAX_CASE_NOTES, Case, CaseStore
from ghost.records.copying import digest_of
from ghost.records.database import (
    Database,
    batched,
    current_process,
    from_column,
    from_json,
    from_row,
    to_column,
    to_json,
    utc_now,
)
from ghost.records.dialect import among, day_of, joined, numbers, unindexed, upsert
from ghost.records.domain_ratings import DomainRating, DomainRatings, RatingChange
from ghost.records.fingerprints import (
    SHINGLE_WORDS,
    fingerprint,
    remember_earlier_explanations,
    repeated_explanations,
    shingles,
    split_words,
)
from ghost.records.idempotency import Idempotency, Kept
from ghost.records.imports import (
    IMPORT_INTERRUPTED,
    ImportedPassage,
    ImportRecord,
    ImportStatus,
    ImportStore,
    hold_import,
    record_imported,
    set_import_status,
)
from ghost.records.local_token import LocalToken
from ghost.records.memory import MemoryStore, NewCoverage, NewEpisode, NewFact, Remembered, text_key
from ghost.records.moving import back_up, move, restore
from ghost.records.pairing import PAIRING_MINUTES
from ghost.records.processes import (
    BEAT_SECONDS,
    PAUSED_WORKER,
    RETURN_SECONDS,
    WORKER,
    Heartbeat,
    LivingProcess,
    Processes,
)
from ghost.records.pruning import (
    STAYS,
    PrunePlan,
    bring_back,
    exported_lines,
    plan_pruning,
    prune,
    stored_runs,
)
from ghost.records.queue_tables import (
    AGAIN,
    RUNNING_JOB,
    UNENDED_JOBS,
    WAITING_JOB,
    job_id,
    job_status,
    queue_jobs,
)
from ghost.records.readings import PassageReading, ReadingStore, latest_readings, training_pairs
from ghost.records.research import ResearchStore
from ghost.records.reviews import (
    MAX_REVIEW_NOTE,
    OverriddenRun,
    ReviewEntry,
    ReviewStore,
    agreement,
    shown_label,
    wilson_interval,
)
from ghost.records.router_decisions import DayCount, DecisionFilter, DecisionStore
from ghost.records.run_events import EVENTS_CHANNEL, Reported, RunEvents, WorkEnded
from ghost.records.run_links import RunLinks
from ghost.records.run_list import ALL_RUNS, Outcome, RunFilter, RunSummary
from ghost.records.runs import RunStore
from ghost.records.shared_batches import GIVEN_UP, OUTAGES_GIVEN_UP, SharedBatchQueue, batch_queue_of
from ghost.records.shared_imports import OPEN_PHASES, ImportPhase, SharedImport, SharedImports
from ghost.records.skills_text import SkillsText
from ghost.records.sqlite import folder_error
from ghost.records.tables import record_tables
from ghost.records.tables.base import meta
from ghost.records.tables.batches import batch_items
from ghost.records.tables.cards import claim_cards
from ghost.records.tables.knowledge import (
    changes,
    history,
    import_passages,
    imports,
    merges,
    passage_bands,
    passages,
    uses,
)
from ghost.records.tables.runs import run_steps, runs
from ghost.records.verdict_support import SupportStore, VerdictSupport
from ghost.records.web_cache import DatabaseCache
from ghost.records.words import word_index

__all__ = [
    "AGAIN",
    "ALL_CARDS",
    "ALL_RUNS",
    "ANALYST",
    "BATCH_INTERRUPTED",
    "BEAT_SECONDS",
    "CALM_SECONDS",
    "EVENTS_CHANNEL",
    "FRESH_SECONDS",
    "GIVEN_UP",
    "IMPORT_INTERRUPTED",
    "MAX_CASE_NAME",
    "MAX_CASE_NOTES",
    "MAX_KEY_NAME",
    "MAX_REVIEW_NOTE",
    "OPEN_PHASES",
    "OUTAGES",
    "OUTAGES_GIVEN_UP",
    "PAIRING_MINUTES",
    "PAUSED_WORKER",
    "RETURN_SECONDS",
    "RUNNING_JOB",
    "SHINGLE_WORDS",
    "STAYS",
    "TRIES",
    "UNENDED_JOBS",
    "WAITING_JOB",
    "WORKER",
    "ApiKey",
    "ApiKeys",
    "Article",
    "ArticleCheck",
    "ArticleStore",
    "Batch",
    "BatchItem",
    "BatchQueue",
    "BatchState",
    "BatchStore",
    "CardChange",
    "CardFilter",
    "CardOrder",
    "CardStore",
    "Case",
    "CaseStore",
    "Database",
    "DatabaseCache",
    "DayCount",
    "DecisionFilter",
    "DecisionStore",
    "DomainRating",
    "DomainRatings",
    "Heartbeat",
    "Idempotency",
    "ImportPhase",
    "ImportRecord",
    "ImportStatus",
    "ImportStore",
    "ImportedPassage",
    "ItemFilter",
    "ItemOrder",
    "ItemState",
    "Kept",
    "LivingProcess",
    "LocalToken",
    "MemoryStore",
    "NewBatch",
    "NewCoverage",
    "NewEpisode",
    "NewFact",
    "NewItem",
    "Outcome",
    "OverriddenRun",
    "PassageReading",
    "Processes",
    "PrunePlan",
    "RatingChange",
    "ReadingStore",
    "Remembered",
    "Reported",
    "ResearchStore",
    "ReviewEntry",
    "ReviewStore",
    "Role",
    "RunEvents",
    "RunFilter",
    "RunLinks",
    "RunStore",
    "RunSummary",
    "Sentence",
    "SharedBatchQueue",
    "SharedImport",
    "SharedImports",
    "SkillsText",
    "SupportStore",
    "Tally",
    "VerdictSupport",
    "WorkEnded",
    "agreement",
    "among",
    "back_up",
    "batch_items",
    "batch_queue_of",
    "batched",
    "bring_back",
    "card_key",
    "cards_watermark",
    "changes",
    "claim_cards",
    "current_process",
    "day_of",
    "digest_of",
    "exported_lines",
    "fingerprint",
    "folder_error",
    "free_abandoned_jobs",
    "from_column",
    "from_json",
    "from_row",
    "history",
    "hold_import",
    "import_passages",
    "imports",
    "job_id",
    "job_status",
    "joined",
    "latest_readings",
    "merges",
    "meta",
    "move",
    "next_card_mark",
    "numbers",
    "passage_bands",
    "passages",
    "plan_pruning",
    "prune",
    "queue_jobs",
    "record_imported",
    "record_tables",
    "remember_earlier_explanations",
    "repeated_explanations",
    "restore",
    "run_steps",
    "runs",
    "set_import_status",
    "shingles",
    "shown_label",
    "split_words",
    "stored_runs",
    "text_key",
    "to_column",
    "to_json",
    "training_pairs",
    "unindexed",
    "upsert",
    "uses",
    "utc_now",
    "wilson_interval",
    "word_index",
]
