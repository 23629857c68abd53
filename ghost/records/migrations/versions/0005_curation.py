"""What the analyst changes, kept so that it can be undone; merged duplicates; an index to browse by."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Lines of the history from before belong to no change: they are shown and cannot be undone."""
    op.create_table(
        "passage_changes",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("passages", sa.Integer, nullable=False),
        sa.Column("undone_by", sa.String(32), nullable=False, server_default=""),
    )
    for name, length in (("change", 32), ("before", None), ("after", None)):
        kind = sa.String(length) if length else sa.Text()
        op.add_column("passage_history", sa.Column(name, kind, nullable=False, server_default=""))
    op.create_index("ix_passage_history_change", "passage_history", ["change"])
    op.create_table(
        "passage_merges",
        sa.Column("passage_id", sa.String(32), primary_key=True),
        sa.Column("kept_id", sa.String(32), nullable=False),
    )
    op.create_index("ix_passage_merges_kept_id", "passage_merges", ["kept_id"])
    op.create_index(
        "ix_passages_browse",
        "passages",
        ["status", "origin", "source_type", "language", "topic", "domain", "published_at", "verification_count"],
    )
