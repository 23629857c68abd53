"""The year, month or day for which a passage holds."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add it, unknown for what is there."""
    op.add_column("passages", sa.Column("as_of", sa.String(10), nullable=False, server_default=""))
