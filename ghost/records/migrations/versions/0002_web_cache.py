"""What came from the web, kept for a while."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the cache; it may be emptied at any time."""
    op.create_table(
        "web_cache",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("stored_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_web_cache_stored_at", "web_cache", ["stored_at"])
