"""Articles that were taken apart, and the runs that checked their sentences."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create them empty."""
    op.create_table(
        "articles",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("added_at", sa.DateTime, nullable=False),
        sa.Column("article", sa.Text, nullable=False),
    )
    op.create_index("ix_articles_added_at", "articles", ["added_at"])
    op.create_table(
        "article_checks",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("article_id", sa.String(40), sa.ForeignKey("articles.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("run_id", sa.String(40), nullable=False),
        sa.Column("statement", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_article_checks_article", "article_checks", ["article_id", "position"])
