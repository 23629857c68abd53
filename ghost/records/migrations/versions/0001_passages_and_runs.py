"""Passages with their full-text index, history and uses; runs with their steps."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create everything; the text of a migration never changes, so it does not lean on ``tables.py``."""
    _passages()
    _full_text()
    _runs()
    op.create_table(
        "meta",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def _passages() -> None:
    op.create_table(
        "passages",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("merge_key", sa.String(64), nullable=False, unique=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("source_url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("domain", sa.String(255), nullable=False),
        sa.Column("publisher", sa.Text, nullable=False),
        sa.Column("topic", sa.String(80), nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("source_type", sa.String(16), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("published_at", sa.Date),
        sa.Column("retrieved_at", sa.DateTime),
        sa.Column("indexed_at", sa.DateTime, nullable=False),
        sa.Column("verification_count", sa.Integer, nullable=False),
        sa.Column("avg_relevance", sa.Float, nullable=False),
        sa.Column("access_count", sa.Integer, nullable=False),
        sa.Column("last_accessed", sa.DateTime),
        sa.Column("text_length", sa.Integer, nullable=False),
        sa.Column("embedding_model", sa.String(200), nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("embedding", sa.LargeBinary, nullable=False),
    )
    for column in ("domain", "origin", "status", "changed"):
        op.create_index(f"ix_passages_{column}", "passages", [column])
    op.create_index("ix_passages_facets", "passages", ["status", "origin", "source_type", "published_at"])
    op.create_index("ix_passages_status_domain", "passages", ["status", "domain"])
    op.create_table(
        "passage_history",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("passage_id", sa.String(32), sa.ForeignKey("passages.id"), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("old_text", sa.Text, nullable=False),
    )
    op.create_index("ix_passage_history_passage_id", "passage_history", ["passage_id"])
    op.create_table(
        "passage_uses",
        sa.Column("run_id", sa.String(40), primary_key=True),
        sa.Column("passage_id", sa.String(32), primary_key=True),
        sa.Column("relevance", sa.Float, nullable=False),
        sa.Column("stance", sa.String(16), nullable=False),
        sa.Column("cited", sa.Boolean, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_passage_uses_passage", "passage_uses", ["passage_id"])


def _full_text() -> None:
    op.execute(
        "CREATE VIRTUAL TABLE passages_fts USING fts5(text, title, content='passages', content_rowid='seq', "
        "tokenize='porter unicode61 remove_diacritics 2')"
    )
    drop = "INSERT INTO passages_fts(passages_fts, rowid, text, title) VALUES ('delete', old.seq, old.text, old.title);"
    put = "INSERT INTO passages_fts(rowid, text, title) VALUES (new.seq, new.text, new.title);"
    op.execute(f"CREATE TRIGGER passages_fts_insert AFTER INSERT ON passages BEGIN {put} END")
    op.execute(f"CREATE TRIGGER passages_fts_delete AFTER DELETE ON passages BEGIN {drop} END")
    # Only for these columns: the statistics of a passage change with every run that uses it.
    op.execute(f"CREATE TRIGGER passages_fts_update AFTER UPDATE OF text, title ON passages BEGIN {drop} {put} END")


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("claim_text", sa.Text, nullable=False),
        sa.Column("label", sa.String(32), nullable=False),
        sa.Column("started_at", sa.DateTime, nullable=False),
        sa.Column("finished_at", sa.DateTime),
        sa.Column("owner", sa.String(80), nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("classification", sa.Text),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("usage", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("ix_runs_status", "runs", ["status"])
    op.create_index("ix_runs_started_at", "runs", ["started_at"])
    op.create_table(
        "run_steps",
        sa.Column("run_id", sa.String(40), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("step", sa.Text, nullable=False),
    )
