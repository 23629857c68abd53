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

    All but those about the processes of the moment and what they report.
    """
    passing = (sharing.processes, sharing.run_events)
    return [table for table in base.metadata.sorted_tables if table not in passing]
