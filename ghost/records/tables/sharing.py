"""What the processes that share a database tell each other."""

from sqlalchemy import Boolean, Column, DateTime, Integer, LargeBinary, Table

from ghost.records.tables.base import String, Text, metadata

processes = Table(
    "processes",
    metadata,
    Column("owner", String(80), primary_key=True),  # as in runs
    Column("kind", String(16), nullable=False),  # worker, or anything else that has the records open
    Column("slots", Integer, nullable=False),  # how much a worker does at a time
    Column("started_at", DateTime, nullable=False),
    Column("alive_until", DateTime, nullable=False),  # unless it says so again; by the database server's clock
)
"""The processes that have a shared database open, each with its latest sign of life."""

run_events = Table(
    "run_events",
    metadata,
    Column("run_id", String(40), primary_key=True),  # or of a question, or of a research
    Column("position", Integer, primary_key=True),
    Column("at", DateTime, nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("event", Text, nullable=False),  # JSON
    sqlite_with_rowid=False,
)
"""What workers report while they work, for those who watch; deleted some time after."""

run_links = Table(
    "run_links",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("url", Text, nullable=False),  # empty: no more are taken
    sqlite_with_rowid=False,
)
"""Pages that analysts name while a worker checks a claim."""

import_jobs = Table(
    "import_jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", DateTime, nullable=False, index=True),  # by the database server's clock, as the two below
    Column("name", Text, nullable=False),  # of the file
    Column("size", Integer, nullable=False),  # of the file in bytes
    Column("phase", String(16), nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("import_id", String(32), nullable=False),  # once there is one
    Column("attempt", Integer, nullable=False),  # the worker's that has it; others may not write
    Column("what", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("began_at", DateTime, nullable=False),  # this part of the work
    Column("told_at", DateTime, nullable=False),
    Column("changed", Integer),  # passages; none until it was done
    Column("cancelling", Boolean, nullable=False),
    Column("error", Text, nullable=False),
    Column("found", Text, nullable=False),  # JSON: what an import would do, for the preview
)
"""Files on their way in, which workers check and take in; deleted after a day."""

import_pieces = Table(
    "import_pieces",
    metadata,
    Column("job_id", String(32), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Those files themselves, until the import has ended."""
