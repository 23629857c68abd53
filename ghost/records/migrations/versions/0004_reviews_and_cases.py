"""What the analyst says of runs, and the cases that runs are grouped in."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create them empty. No foreign key leads to the runs, as with the uses of passages."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("run_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("value", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("withdrawn_at", sa.DateTime),
    )
    op.create_index("ix_reviews_run", "reviews", ["run_id", "kind"])
    op.create_index("ix_reviews_kind", "reviews", ["kind", "withdrawn_at"])
    op.create_table(
        "cases",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False),
        sa.Column("deleted_at", sa.DateTime),
    )
    op.create_index("ix_cases_changed_at", "cases", ["changed_at"])
    op.create_table(
        "case_runs",
        sa.Column("case_id", sa.String(32), sa.ForeignKey("cases.id"), primary_key=True),
        sa.Column("run_id", sa.String(40), primary_key=True),
        sa.Column("added_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_case_runs_run", "case_runs", ["run_id"])
