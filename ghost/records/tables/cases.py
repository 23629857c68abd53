"""What analysts say of runs, and the cases and articles that runs belong to."""

from sqlalchemy import Column, DateTime, ForeignKey, Index, Integer, Table

from ghost.records.tables.base import String, Text, metadata

reviews = Table(
    "reviews",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(40), nullable=False),
    Column("kind", String(16), nullable=False),  # override, error or mark
    Column("at", DateTime, nullable=False),
    Column("value", String(32), nullable=False),  # the label, the kind of error, or what is marked
    Column("name", Text, nullable=False, default=""),  # of a mark: the passage or the domain
    Column("note", Text, nullable=False, default=""),
    Column("before", Text, nullable=False, default=""),
    Column("withdrawn_at", DateTime),
    Index("ix_reviews_run", "run_id", "kind"),
    Index("ix_reviews_kind", "kind", "withdrawn_at"),
)
"""What the analyst says of runs. Nothing is deleted: what is taken back gets a time."""

cases = Table(
    "cases",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("notes", Text, nullable=False, default=""),
    Column("created_at", DateTime, nullable=False),
    Column("changed_at", DateTime, nullable=False, index=True),
    Column("deleted_at", DateTime),
)

case_runs = Table(
    "case_runs",
    metadata,
    Column("case_id", String(32), ForeignKey("cases.id"), primary_key=True),
    Column("run_id", String(40), primary_key=True),
    Column("added_at", DateTime, nullable=False),
    Index("ix_case_runs_run", "run_id"),
)

articles = Table(
    "articles",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("title", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("added_at", DateTime, nullable=False, index=True),
    Column("article", Text, nullable=False),  # JSON, last: lists are made without reading it
)
"""Articles whose statements were listed."""

article_checks = Table(
    "article_checks",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("article_id", String(40), ForeignKey("articles.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("run_id", String(40), nullable=False),
    Column("statement", Text, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_article_checks_article", "article_id", "position"),
)
"""Which run checked which sentence of an article."""
