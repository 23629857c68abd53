"""Lists of claims."""

from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Float, ForeignKey, Index, Integer, Table

from ghost.records.tables.base import String, Text, metadata

batches = Table(
    "batches",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("as_of", Date),
    Column("web", Boolean, nullable=False),
    Column("pipeline", String(32), nullable=False, server_default=""),  # empty: as the settings say
    Column("columns", Text, nullable=False),  # JSON list: the heads of the columns that came with the claims
    Column("remarks", Text, nullable=False),  # JSON list: what was left out or changed when the list was read
    Column("owner", String(80), nullable=False),  # process that works on it, as in runs
    Column("created_at", DateTime, nullable=False, index=True),
    Column("finished_at", DateTime),
    Column("removed_at", DateTime),
    Column("turn", BigInteger, nullable=False, server_default="0"),  # when a worker last took a claim from it
    Column("failures", Integer, nullable=False, server_default="0"),  # in a row, as workers met them
)

batch_items = Table(
    "batch_items",
    metadata,
    Column("batch_id", String(40), ForeignKey("batches.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("line", Integer, nullable=False),
    Column("claim", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("found_at", Text, nullable=False),
    Column("same_as", Integer),  # position of the same claim further up, which is the one that is checked
    Column("state", String(16), nullable=False),
    Column("run_id", String(40), nullable=False),
    Column("label", String(32), nullable=False),
    Column("confidence", Float),
    Column("seconds", Float),
    Column("error", Text, nullable=False),
    Column("owner", String(80), nullable=False, server_default=""),  # the worker that checks it, as in runs
    Column("attempts", Integer, nullable=False, server_default="0"),  # workers that it was given to
    Column("cells", Text, nullable=False),  # JSON list, one for each column; last, as it can be long
    Index("ix_batch_items_state", "batch_id", "state", "position", "label"),
    Index("ix_batch_items_same_as", "batch_id", "same_as"),
    Index("ix_batch_items_run", "run_id"),
)
