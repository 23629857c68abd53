"""The tables of ``ghost.db``, a module for each noun. The migrations create them; this is how the code names them."""

from sqlalchemy import Table

from ghost.records.tables import api, base, batches, cards, cases, knowledge, research, runs, sharing, sources

__all__ = [
    "api",
    "base",
    "batches",
    "cards",
    "cases",
    "knowledge",
    "record_tables",
    "research",
    "runs",
    "sharing",
    "sources",
]


def record_tables() -> list[Table]:
    """The tables that a copy of the records has, those first that others refer to.

    All but those about the processes of the moment, what they report, and files that wait for a worker: the queue is
    not copied either, and whoever has brought a file has it still.
    """
    passing = (sharing.processes, sharing.run_events, sharing.import_jobs, sharing.import_pieces)
    return [table for table in base.metadata.sorted_tables if table not in passing]
