"""The latest runs, to reopen one, and the run that the address bar holds."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.records.runs import RunSummary
from ghost.reports.disclosure import money
from ghost.ui import theme
from ghost.ui.text import plain, shorten
from ghost.ui.verdict import verdict_words

if TYPE_CHECKING:
    from ghost.workbench import Workbench

SHOWN = 8


def open_run(run_id: str) -> None:
    """Show this run from now on; an empty id leads back to the form."""
    st.session_state["verify_run"] = run_id
    if run_id:
        st.query_params["run"] = run_id
    else:
        st.query_params.pop("run", None)


def recent_runs(bench: "Workbench") -> None:
    """The last few runs as buttons with their verdicts."""
    theme.kicker("Recent checks")
    try:
        runs, spent = bench.runs.list(limit=SHOWN), bench.runs.spent()
    except StoreError as error:
        st.caption(f"They cannot be read now. {plain(str(error))}")
        return
    if not runs:
        st.caption("Nothing has been checked yet. Your checks will be listed here and stay on this machine.")
    with st.container(gap=None, key="verify_recent"):
        for run in runs:
            _recent(run)
    if spent.tokens:
        total = money(spent.tokens, spent.cost_usd, spent.unpriced_tokens)
        st.caption(f"All checks together: {plain(total)}")


def _recent(run: RunSummary) -> None:
    look = theme.VERDICTS[run.override or run.label] if run.label else theme.STATUSES[run.status]
    st.button(
        f"{verdict_words(run.status, run.label, run.override)} {plain(shorten(run.claim_text, 80))}",
        key=f"verify_recent_{run.id}",
        help=theme.moment(run.started_at),
        type="tertiary",
        icon=f":material/{look.icon}:",
        on_click=open_run,
        args=(run.id,),
        wrap=False,
    )
