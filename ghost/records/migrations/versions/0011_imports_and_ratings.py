"""Imports, by which all that a file brought is undone together, and the analyst's own ratings of domains."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create them empty."""
    op.create_table(
        "imports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("started_at", sa.DateTime, nullable=False),
        sa.Column("finished_at", sa.DateTime),
        sa.Column("rows", sa.Integer, nullable=False, server_default="0"),
        sa.Column("added", sa.Integer, nullable=False, server_default="0"),
        sa.Column("merged", sa.Integer, nullable=False, server_default="0"),
        sa.Column("quarantined", sa.Integer, nullable=False, server_default="0"),
        sa.Column("refused", sa.Integer, nullable=False, server_default="0"),
        sa.Column("note", sa.Text, nullable=False, server_default=""),
    )
    op.create_index("ix_imports_started_at", "imports", ["started_at"])
    op.create_table(
        "import_passages",
        sa.Column("import_id", sa.String(32), sa.ForeignKey("imports.id"), primary_key=True),
        sa.Column("passage_id", sa.String(32), sa.ForeignKey("passages.id"), primary_key=True),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("before", sa.String(16), nullable=False, server_default=""),
        sa.Column("filled", sa.Text, nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_import_passages_passage", "import_passages", ["passage_id"])
    op.create_table(
        "domain_ratings",
        sa.Column("entry", sa.Text, primary_key=True),
        sa.Column("credibility", sa.Float, nullable=False),
        sa.Column("source_type", sa.String(16), nullable=False, server_default=""),
        sa.Column("note", sa.Text, nullable=False, server_default=""),
        sa.Column("changed_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "rating_changes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("reason", sa.Text, nullable=False, server_default=""),
        sa.Column("undone_at", sa.DateTime),
    )
    op.create_index("ix_rating_changes_at", "rating_changes", ["at"])
    op.create_table(
        "rating_change_entries",
        sa.Column("change_id", sa.String(32), sa.ForeignKey("rating_changes.id"), primary_key=True),
        sa.Column("entry", sa.Text, primary_key=True),
        sa.Column("before", sa.Text, nullable=False, server_default=""),
        sa.Column("after", sa.Text, nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
