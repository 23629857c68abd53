"""Who judged as a column of its own, and an index that answers every question of the list of runs by itself."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Fill the column from what the runs keep; a judge that cannot be read stays unnamed."""
    op.add_column("runs", sa.Column("judge_name", sa.String(40), nullable=False, server_default=""))
    op.execute(
        "UPDATE runs SET judge_name = coalesce(CASE WHEN json_valid(judge) THEN json_extract(judge, '$.name') END, '')"
    )
    op.create_index("ix_runs_listed", "runs", ["started_at", "id", "status", "label", "judge_name", "claim_text"])
