"""Ratings of sources, and what was fetched from the web."""

from sqlalchemy import Column, DateTime, Float, ForeignKey, Index, Integer, LargeBinary, Table

from ghost.records.tables.base import String, Text, metadata

domain_ratings = Table(
    "domain_ratings",
    metadata,
    Column("entry", Text, primary_key=True),  # host suffix with an optional path
    Column("credibility", Float, nullable=False),
    Column("source_type", String(16), nullable=False, default=""),  # empty: as Ghost knows it
    Column("note", Text, nullable=False, default=""),
    Column("changed_at", DateTime, nullable=False),
)
"""The analyst's own ratings; they go before those of the settings."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", DateTime, nullable=False),
    Column("reason", Text, nullable=False, default=""),
    Column("undone_at", DateTime),
    Index("ix_rating_changes_at", "at"),
)

rating_change_entries = Table(
    "rating_change_entries",
    metadata,
    Column("change_id", String(32), ForeignKey("rating_changes.id"), primary_key=True),
    Column("entry", Text, primary_key=True),
    Column("before", Text, nullable=False, default=""),  # JSON of the rating, empty where there was none
    Column("after", Text, nullable=False, default=""),
    sqlite_with_rowid=False,
)

web_cache = Table(
    "web_cache",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("stored_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Column("size", Integer, nullable=False),
    Column("head", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),  # last, so that what is pruned is found without reading it
    Index("ix_web_cache_stored_at", "stored_at"),
)
