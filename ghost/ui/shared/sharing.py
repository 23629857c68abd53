"""What pages say where several people and machines share one database, and workers do the work."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.jobs import INDEX_AWAY, NO_WORKER, Queue
from ghost.ui.shared.text import plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

LOOK_SECONDS = 5.0
WAITING = "Waiting for a worker"


def worker_note(workbench: "Workbench") -> None:
    """Warn at the top of a page while no worker takes any work, and say what to do. Nothing on one machine."""
    if (database := workbench.shared_database) is None:
        return

    @st.fragment(run_every=LOOK_SECONDS)
    def watch() -> None:
        if why := Queue(database).unattended():
            st.warning(f"{why}.", icon=":material/pause_circle:")

    watch()


def waiting(detail: str) -> str:
    """The detail of something in progress, in few words where it waits for a worker: the note has the rest."""
    return WAITING if detail in (NO_WORKER, INDEX_AWAY) else detail


def shared_records(workbench: "Workbench") -> str:
    """The address of the shared database, as Markdown; empty where the records are on this machine."""
    return plain(database.name) if (database := workbench.shared_database) else ""


def records_place(workbench: "Workbench") -> str:
    """Where checks are stored, to end a clause, as Markdown."""
    shared = shared_records(workbench)
    return f"in {shared}" if shared else "on this machine"
