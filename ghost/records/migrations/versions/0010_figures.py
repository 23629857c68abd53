"""An index that has what the figures of the knowledge base are counted by."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create it; the rows of the table are wide, and a count that read them would read everything."""
    op.create_index(
        "ix_passages_figures",
        "passages",
        ["status", "topic", "domain", "origin", "source_type", "language", "published_at", "indexed_at", "kin"],
    )
