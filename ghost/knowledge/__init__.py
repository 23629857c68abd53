"""The knowledge base: what the analyst owns, with its vector index, its sources and the door everything enters by."""

from ghost.knowledge.admission import MAX_CHARS, MIN_CHARS, QUARANTINED, admit, ours, unreadable
from ghost.knowledge.analytics import Analytics
from ghost.knowledge.atlas import SAMPLE, Atlas, Map, Place
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.changes import Change
from ghost.knowledge.credibility import CredibilityBook, HostRules, split
from ghost.knowledge.duplicates import Group
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
from ghost.knowledge.injection import forged_markup, suspicious, suspicious_address, suspicious_passage
from ghost.knowledge.library.draft import Difference, Draft, backup_of, diff, writable
from ghost.knowledge.library.facts import Pack, offered, read_packs, title_of
from ghost.knowledge.library.quality import alike, problems
from ghost.knowledge.library.switch import By, switched_off
from ghost.knowledge.likeness import CONTAINED, Kind, likenesses
from ghost.knowledge.marks import DOMAIN, NOT_CREDIBLE, PASSAGE, SourceMarks
from ghost.knowledge.mirror import Progress, no_progress
from ghost.knowledge.origins import origins
from ghost.knowledge.packs.check import check
from ghost.knowledge.packs.export import FORMATS, export, table
from ghost.knowledge.packs.fields import FIELDS
from ghost.knowledge.packs.importer import Importer, Job, Phase
from ghost.knowledge.packs.keep import keep, restore, settle, undo
from ghost.knowledge.packs.rating_list import MAX_ENTRIES, RatingList, read_ratings, write_ratings
from ghost.knowledge.packs.read import missing_columns, read
from ghost.knowledge.packs.values import MAX_BYTES, MAX_ROWS, Check, Form, Options, PackError, Problem
from ghost.knowledge.ratings import Effect, Ratings, entry_of, rating_of
from ghost.knowledge.revising import Revision
from ghost.knowledge.rows import embedded_text, id_of, key_of
from ghost.knowledge.said import Said
from ghost.knowledge.satire import SATIRE_SITE, is_satire_site
from ghost.knowledge.search import Rankings, fuse
from ghost.knowledge.text import cut, normalise, sentences, together
from ghost.knowledge.values import Action, AddReport, Health, KnowledgeStats, Listing, PassageFilter, Sort, Use
from ghost.knowledge.writes import get_meta, set_meta

__all__ = [
    "CONTAINED",
    "DOMAIN",
    "FIELDS",
    "FORMATS",
    "MAX_BYTES",
    "MAX_CHARS",
    "MAX_ENTRIES",
    "MAX_ROWS",
    "MIN_CHARS",
    "NOT_CREDIBLE",
    "PASSAGE",
    "QUARANTINED",
    "SAMPLE",
    "SATIRE_SITE",
    "Action",
    "AddReport",
    "Age",
    "Alerts",
    "Analytics",
    "Atlas",
    "Balance",
    "Bin",
    "By",
    "Change",
    "Check",
    "CopyFigures",
    "CredibilityBook",
    "Difference",
    "Draft",
    "Effect",
    "Form",
    "Group",
    "Health",
    "HostRules",
    "Importer",
    "Job",
    "Kind",
    "KnowledgeBase",
    "KnowledgeStats",
    "Listing",
    "Map",
    "Options",
    "Pack",
    "PackError",
    "PassageFilter",
    "Phase",
    "Place",
    "Problem",
    "Progress",
    "Rankings",
    "RatingList",
    "Ratings",
    "Revision",
    "RunNote",
    "Said",
    "Sort",
    "SourceFigures",
    "SourceMarks",
    "TimeFigures",
    "Use",
    "UseFigures",
    "admit",
    "alike",
    "backup_of",
    "check",
    "cut",
    "diff",
    "embedded_text",
    "entry_of",
    "export",
    "forged_markup",
    "fuse",
    "get_meta",
    "id_of",
    "is_satire_site",
    "keep",
    "key_of",
    "likenesses",
    "missing_columns",
    "no_progress",
    "normalise",
    "offered",
    "origins",
    "ours",
    "problems",
    "rating_of",
    "read",
    "read_packs",
    "read_ratings",
    "restore",
    "sentences",
    "set_meta",
    "settle",
    "split",
    "suspicious",
    "suspicious_address",
    "suspicious_passage",
    "switched_off",
    "table",
    "title_of",
    "together",
    "undo",
    "unreadable",
    "writable",
    "write_ratings",
]
