"""Batches: lists of claims that are checked one after the other, and what came of each."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0005"


def upgrade() -> None:
    """Create them empty."""
    op.create_table(
        "batches",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("as_of", sa.Date),
        sa.Column("web", sa.Boolean, nullable=False),
        sa.Column("columns", sa.Text, nullable=False),
        sa.Column("remarks", sa.Text, nullable=False),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("finished_at", sa.DateTime),
        sa.Column("removed_at", sa.DateTime),
    )
    op.create_index("ix_batches_created_at", "batches", ["created_at"])
    op.create_table(
        "batch_items",
        sa.Column("batch_id", sa.String(40), sa.ForeignKey("batches.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("context", sa.Text, nullable=False),
        sa.Column("found_at", sa.Text, nullable=False),
        sa.Column("same_as", sa.Integer),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("run_id", sa.String(40), nullable=False),
        sa.Column("label", sa.String(32), nullable=False),
        sa.Column("confidence", sa.Float),
        sa.Column("seconds", sa.Float),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("cells", sa.Text, nullable=False),
    )
    op.create_index("ix_batch_items_state", "batch_items", ["batch_id", "state", "position", "label"])
    op.create_index("ix_batch_items_same_as", "batch_items", ["batch_id", "same_as"])
    op.create_index("ix_batch_items_run", "batch_items", ["run_id"])
