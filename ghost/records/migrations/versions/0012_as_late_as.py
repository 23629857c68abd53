"""The latest day that a passage's text may be from, where its day of publication does not tell."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add it, unknown for what is there."""
    op.add_column("passages", sa.Column("as_late_as", sa.Date))
