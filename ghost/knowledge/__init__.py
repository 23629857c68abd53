"""The knowledge base: what the analyst owns, with its vector index, its sources and the door everything enters by."""

from ghost.knowledge.admission import MAX_CHARS, MIN_CHARS, QUARANTINED, admit, own_verdict_reason, unreadable
from ghost.knowledge.analytics import Analytics
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.change_log import Change
from ghost.knowledge.chunking import cut, group_sentences, normalise, sentences
from ghost.knowledge.credibility import SATIRE_SITE, CredibilityBook, HostRules, is_satire_site, split_address
from ghost.knowledge.figures import (
    Age,
    Alerts,
    Balance,
    Bin,
    CopyFigures,
    RunNote,
    SourceFigures,
    TimeFigures,
    UseFigures,
)
from ghost.knowledge.injection import forged_markup, injection_model, suspicious, suspicious_address, suspicious_passage
from ghost.knowledge.map import MAP_SAMPLE, KnowledgeMap, MapDrawer, MapPoint
from ghost.knowledge.near_duplicates import DuplicateGroup
from ghost.knowledge.origins import origins
from ghost.knowledge.pack_drafts import (
    Difference,
    Draft,
    backup_path,
    draft_packs,
    file_diff,
    is_writable,
    take_back_draft,
    write_draft,
)
from ghost.knowledge.pack_switches import SwitchedBy, apply_packs_off, switch_pack_off, switch_pack_on, switched_off
from ghost.knowledge.packs import Pack, pack_passages, pack_problems, pack_title, read_packs, similar_facts
from ghost.knowledge.ratings import RatingEffect, Ratings, entry_of, rating_of
from ghost.knowledge.revisions import Revision
from ghost.knowledge.rows import embedded_text, get_meta, id_of, key_of, set_meta
from ghost.knowledge.search import Rankings, fuse
from ghost.knowledge.similarity import EXCERPT_SHARE, ComparableText, Similarity, similar_pairs
from ghost.knowledge.source_marks import DOMAIN_MARK, MARKED_CREDIBILITY, PASSAGE_MARK, SourceMarks
from ghost.knowledge.transfer.export import EXPORT_FORMATS, csv_table, export_passages
from ghost.knowledge.transfer.import_file import (
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ROWS,
    FileFormat,
    ImportCheck,
    ImportFile,
    ImportFileError,
    ReadOptions,
    RowProblem,
    check_import,
)
from ghost.knowledge.transfer.import_jobs import Importer, ImportJob, ImportPhase
from ghost.knowledge.transfer.imports import discard_interrupted, restore_import, run_import, undo_import
from ghost.knowledge.transfer.ratings_file import MAX_RATINGS, RatingsFile, read_ratings, write_ratings
from ghost.knowledge.transfer.reader import missing_columns, read_import_file
from ghost.knowledge.transfer.rows import IMPORT_FIELDS
from ghost.knowledge.values import (
    Action,
    AddReport,
    Health,
    KnowledgeStats,
    Listing,
    PassageFilter,
    Progress,
    Sort,
    Use,
    no_progress,
)

__all__ = [
    "DOMAIN_MARK",
    "EXCERPT_SHARE",
    "EXPORT_FORMATS",
    "IMPORT_FIELDS",
    "MAP_SAMPLE",
    "MARKED_CREDIBILITY",
    "MAX_CHARS",
    "MAX_IMPORT_BYTES",
    "MAX_IMPORT_ROWS",
    "MAX_RATINGS",
    "MIN_CHARS",
    "PASSAGE_MARK",
    "QUARANTINED",
    "SATIRE_SITE",
    "Action",
    "AddReport",
    "Age",
    "Alerts",
    "Analytics",
    "Balance",
    "Bin",
    "Change",
    "ComparableText",
    "CopyFigures",
    "CredibilityBook",
    "Difference",
    "Draft",
    "DuplicateGroup",
    "FileFormat",
    "Health",
    "HostRules",
    "ImportCheck",
    "ImportFile",
    "ImportFileError",
    "ImportJob",
    "ImportPhase",
    "Importer",
    "KnowledgeBase",
    "KnowledgeMap",
    "KnowledgeStats",
    "Listing",
    "MapDrawer",
    "MapPoint",
    "Pack",
    "PassageFilter",
    "Progress",
    "Rankings",
    "RatingEffect",
    "Ratings",
    "RatingsFile",
    "ReadOptions",
    "Revision",
    "RowProblem",
    "RunNote",
    "Similarity",
    "Sort",
    "SourceFigures",
    "SourceMarks",
    "SwitchedBy",
    "TimeFigures",
    "Use",
    "UseFigures",
    "admit",
    "apply_packs_off",
    "backup_path",
    "check_import",
    "csv_table",
    "cut",
    "discard_interrupted",
    "draft_packs",
    "embedded_text",
    "entry_of",
    "export_passages",
    "file_diff",
    "forged_markup",
    "fuse",
    "get_meta",
    "group_sentences",
    "id_of",
    "injection_model",
    "is_satire_site",
    "is_writable",
    "key_of",
    "missing_columns",
    "no_progress",
    "normalise",
    "origins",
    "own_verdict_reason",
    "pack_passages",
    "pack_problems",
    "pack_title",
    "rating_of",
    "read_import_file",
    "read_packs",
    "read_ratings",
    "restore_import",
    "run_import",
    "sentences",
    "set_meta",
    "similar_facts",
    "similar_pairs",
    "split_address",
    "suspicious",
    "suspicious_address",
    "suspicious_passage",
    "switch_pack_off",
    "switch_pack_on",
    "switched_off",
    "take_back_draft",
    "undo_import",
    "unreadable",
    "write_draft",
    "write_ratings",
]
