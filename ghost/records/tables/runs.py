"""Runs, their steps and verdicts, and what is left of those that were removed."""

from sqlalchemy import BigInteger, Column, DateTime, Float, ForeignKey, Index, Integer, Table

from ghost.records.tables.base import String, Text, metadata

runs = Table(
    "runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("status", String(16), nullable=False, index=True),
    Column("claim_text", Text, nullable=False),
    Column("label", String(32), nullable=False, default=""),
    Column("started_at", DateTime, nullable=False, index=True),
    Column("finished_at", DateTime),
    Column("owner", String(80), nullable=False),  # process that writes it: host, process id, start time
    Column("claim", Text, nullable=False),  # this and the following are JSON of ghost.types values
    Column("judge", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("classification", Text),
    Column("evidence", Text, nullable=False, default="[]"),
    Column("verdict", Text),
    Column("usage", Text, nullable=False),
    Column("error", Text, nullable=False, default=""),
    Column("judge_name", String(40), nullable=False, server_default=""),
    Column("attempt", Integer, nullable=False, server_default="1"),  # the worker's that writes it; others may not
    # Has all that the list of runs asks for, so that what the runs hold is not read to find them.
    Index("ix_runs_listed", "started_at", "id", "status", "label", "judge_name", "claim_text"),
)

run_steps = Table(
    "run_steps",
    metadata,
    Column("run_id", String(40), ForeignKey("runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String(40), nullable=False),
    Column("step", Text, nullable=False),
)

verdict_supports = Table(
    "verdict_supports",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("origins", Integer, nullable=False),
    Column("credibility", Float, nullable=False),
    Column("source", Text, nullable=False),
    Index("ix_verdict_supports_weak", "origins", "credibility"),
)
"""What the verdicts of decided runs rest on, so that no run is read again to find the weak ones."""

explanation_shingles = Table(
    "explanation_shingles",
    metadata,
    Column("shingle", BigInteger, primary_key=True),
    Column("run_id", String(40), primary_key=True),
    sqlite_with_rowid=False,
)
"""Fingerprints of what our explanations say in words of their own."""

pruned_runs = Table(
    "pruned_runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("started_at", DateTime, nullable=False),
    Column("pruned_at", DateTime, nullable=False),
    Column("label", String(32), nullable=False),
    Column("claim_text", Text, nullable=False),
    Column("verdict", Text),  # by which Ghost recognises its own words
)
"""What is left of runs that were removed."""
