"""Passages, what happened to them, which runs used them, and the imports that brought them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    false,
)

from ghost.records.tables.base import String, Text, metadata

passages = Table(
    "passages",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),  # row of the full-text index
    Column("id", String(32), nullable=False, unique=True),
    Column("merge_key", String(64), nullable=False, unique=True),  # same text, same source: one passage
    Column("text", Text, nullable=False),
    Column("source_url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("domain", String(255), nullable=False, index=True),
    Column("publisher", Text, nullable=False),
    Column("topic", String(80), nullable=False),
    Column("origin", String(16), nullable=False, index=True),
    Column("status", String(16), nullable=False, index=True),
    Column("source_type", String(16), nullable=False),
    Column("language", String(16), nullable=False),
    Column("published_at", Date),
    Column("retrieved_at", DateTime),
    Column("indexed_at", DateTime, nullable=False),
    Column("verification_count", Integer, nullable=False, default=0),
    Column("avg_relevance", Float, nullable=False, default=0.0),
    Column("access_count", Integer, nullable=False, default=0),
    Column("last_accessed", DateTime),
    Column("text_length", Integer, nullable=False),
    Column("embedding_model", String(200), nullable=False),
    Column("changed", BigInteger, nullable=False, index=True),  # watermark of the last write that concerns the vectors
    Column("embedding", LargeBinary, nullable=False),  # float16; last, so that reading the rest does not pass over it
    Column("kin", String(32), nullable=False, default="", server_default=""),
    Column("as_late_as", Date),  # null: its day of publication is that of its text
    Column("as_of", String(10), nullable=False, default="", server_default=""),  # 2024, 2024-05 or 2024-05-31
    Column("kind", String(8), nullable=False, default="excerpt", server_default="excerpt"),
    Column("intake", String(16), nullable=False, default="entered", server_default="entered"),
    Column("text_hash", String(64), nullable=False, default="", server_default=""),  # SHA-256 of the text that was read
    Column("trusted", Boolean, nullable=False, default=False, server_default=false()),
    Column("frame", Text, nullable=False, default="", server_default=""),  # JSON: what stands around it on its page
    Column("page_check", String(20), nullable=False, default="", server_default=""),
    Column("page_checked", String(10), nullable=False, default="", server_default=""),  # the day
    Column("page_excerpts", Text, nullable=False, default="", server_default=""),  # ids of passages
    # What is counted is counted in an index, never in the table, whose rows are wide.
    Index("ix_passages_facets", "status", "origin", "source_type", "published_at"),
    Index("ix_passages_sources", "status", "domain", "source_type"),
    Index("ix_passages_kinds", "kind", "status", "domain", "source_type"),
    Index(
        "ix_passages_browse",
        *("status", "origin", "source_type", "language", "topic", "domain", "published_at", "verification_count"),
    ),
    Index(
        "ix_passages_figures",
        *("status", "topic", "domain", "origin", "source_type", "language", "published_at", "indexed_at", "kin"),
    ),
)

passage_bands = Table(
    "passage_bands",
    metadata,
    Column("band", BigInteger, primary_key=True),
    Column("seq", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
"""Parts of the MinHash of each passage, by which those of nearly the same text are found."""

history = Table(
    "passage_history",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("passage_id", String(32), ForeignKey("passages.id"), nullable=False, index=True),
    Column("at", DateTime, nullable=False),
    Column("action", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("old_text", Text, nullable=False),
    Column("change", String(32), nullable=False, default="", server_default="", index=True),
    Column("before", Text, nullable=False, default="", server_default=""),  # JSON: what the change replaced
    Column("after", Text, nullable=False, default="", server_default=""),  # JSON: what it put there
)

changes = Table(
    "passage_changes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("at", DateTime, nullable=False),
    Column("action", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("passages", Integer, nullable=False),
    Column("undone_by", String(32), nullable=False, default="", server_default=""),
)
"""What was done to the knowledge base at one time, to any number of passages; their history has a line for each."""

merges = Table(
    "passage_merges",
    metadata,
    Column("passage_id", String(32), primary_key=True),
    Column("kept_id", String(32), nullable=False, index=True),
)
"""Retired duplicates, and the passage that speaks for them."""

uses = Table(
    "passage_uses",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("passage_id", String(32), primary_key=True),
    Column("relevance", Float, nullable=False),
    Column("stance", String(16), nullable=False),
    Column("cited", Boolean, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_passage_uses_passage", "passage_id"),
    Index("ix_passage_uses_at", "at"),
)

readings = Table(
    "passage_readings",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(40), nullable=False, index=True),  # in which it was made
    Column("passage_id", String(32), nullable=False),
    Column("key", String(64), nullable=False, index=True),  # text and address: an edited passage has another
    Column("text", Text, nullable=False),
    Column("statement", Text, nullable=False),
    Column("label", String(16), nullable=False),
    Column("machine", String(16), nullable=False),  # what Ghost read
    Column("at", DateTime, nullable=False),
    Column("withdrawn_at", DateTime),
    Column("before", Text, nullable=False, default=""),  # JSON: what the run was before its first one
)
"""How people read passages for statements. Nothing is deleted: what is undone gets a time."""

imports = Table(
    "imports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("form", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("owner", String(80), nullable=False),  # process that works on it: host, process id, start time
    Column("started_at", DateTime, nullable=False),
    Column("finished_at", DateTime),
    Column("rows", Integer, nullable=False, default=0),
    Column("added", Integer, nullable=False, default=0),
    Column("merged", Integer, nullable=False, default=0),
    Column("quarantined", Integer, nullable=False, default=0),
    Column("refused", Integer, nullable=False, default=0),
    Column("note", Text, nullable=False, default=""),
    Column("attempt", Integer, nullable=False, server_default="1"),  # the worker's that writes it; others may not
    Index("ix_imports_started_at", "started_at"),
)

import_passages = Table(
    "import_passages",
    metadata,
    Column("import_id", String(32), ForeignKey("imports.id"), primary_key=True),
    Column("passage_id", String(32), ForeignKey("passages.id"), primary_key=True),
    Column("action", String(16), nullable=False),
    Column("before", String(16), nullable=False, default=""),  # the status it gets, or gets back
    Column("filled", Text, nullable=False, default=""),  # JSON: what it filled in on a passage that was there
    Index("ix_import_passages_passage", "passage_id"),
    sqlite_with_rowid=False,
)
"""What an import brought, so that all of it can be undone together."""
