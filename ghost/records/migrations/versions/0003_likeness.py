"""What tells copies: kin and bands of passages, and the fingerprints of explanations."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create them empty; the knowledge base fills them when it is opened, page by page."""
    op.add_column("passages", sa.Column("kin", sa.String(32), nullable=False, server_default=""))
    op.create_table(
        "passage_bands",
        sa.Column("band", sa.BigInteger, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "explanation_shingles",
        sa.Column("shingle", sa.BigInteger, primary_key=True),
        sa.Column("run_id", sa.String(40), primary_key=True),
        sqlite_with_rowid=False,
    )
