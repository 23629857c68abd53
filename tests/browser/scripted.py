"""``app.py`` over a workbench of hand-made runs, served for the browser: ``python -m tests.browser.scripted PORT``."""

import sys
from pathlib import Path

import streamlit as st
from streamlit.web import bootstrap

from config import PROJECT, Settings
from ghost.types import RunStatus
from ghost.ui.shared import resources
from tests.ui import samples
from tests.ui.bench import ScriptedBench


def bench(folder: Path) -> ScriptedBench:
    """All kinds of runs, and a script that waits before step 4."""
    made = ScriptedBench(Settings(data_dir=folder), stops_before="sufficiency")
    for run in (
        samples.false_run(),
        samples.opinion_run(),
        samples.open_run(),
        samples.contested_run(),
        samples.hostile_run(),
        samples.broken_run(RunStatus.INTERRUPTED, "The program ended before this run did."),
    ):
        made.runs.kept[run.id] = run
    return made


def serve(script: Path, port: int) -> None:
    """Run a Streamlit script in this process."""
    bootstrap.load_config_options({"server_port": port, "server_headless": True})
    bootstrap.run(str(script), False, [], {})


if __name__ == "__main__":
    port, folder = int(sys.argv[1]), Path(sys.argv[2])
    st.cache_resource.clear()
    resources.open_workbench = lambda: bench(folder)  # type: ignore[assignment,return-value]
    serve(PROJECT / "app.py", port)
