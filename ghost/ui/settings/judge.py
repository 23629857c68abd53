"""The judge and its route, what leaves the machine, and the limits of a run."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.diagnostics import MODEL_QUESTION, ask_model, variable_of
from ghost.jobs import Tasks
from ghost.judges import Endpoint
from ghost.reports import may_leave
from ghost.ui.settings.task_button import task_button
from ghost.ui.shared.parts import table
from ghost.ui.shared.runs import judge_badge, total_spent
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", tasks: Tasks) -> None:
    """Judge and privacy on the left, limits on the right."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _judge(workbench, tasks)
        _privacy(workbench)
    with right:
        _limits(workbench)


def _judge(workbench: "Workbench", tasks: Tasks) -> None:
    judge = workbench.judge_info
    st.header("Judge", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown(judge_badge(judge))
        st.markdown("If a judge fails, Ghost switches to the next one for the rest of the run.")
        for number, line in enumerate(judge.route, start=1):
            st.markdown(f"{number}\\. {plain(line)}")
        st.caption(f"Set by `{variable_of('judge')}` = {plain(workbench.settings.judge)}.")
        for endpoint in workbench.language_models:
            _language_model(endpoint, tasks)


def _language_model(endpoint: Endpoint, tasks: Tasks) -> None:
    price = "price unknown, so only the token limit applies, not the cost limit"
    if endpoint.judge == "local":
        price = "no known cost"
    if endpoint.price:
        price = f"US\\$ {endpoint.price.tokens_in:g} in and {endpoint.price.tokens_out:g} out per million tokens"
    st.caption(
        f":material/{'computer' if endpoint.judge == 'local' else 'cloud'}: {plain(endpoint.judge)}: "
        f"{plain(shorten(endpoint.model or 'the first model that the server lists', 80))} at "
        f"{plain(shorten(endpoint.host, 80))}; {price}."
    )
    task_button(
        tasks, f"model_{endpoint.judge}", f"Test the {plain(endpoint.judge)} model", "network_check",
        lambda task: ask_model(endpoint, task.report), "Sends one question to see whether it answers.",
    )  # fmt: skip
    key = " and the key" if endpoint.key else ""
    st.caption(f"Sends “{MODEL_QUESTION}”, the form of the answer{key}. Nothing is sent before you click.")


def _privacy(workbench: "Workbench") -> None:
    st.header("What leaves this machine", anchor=False)
    s, web = workbench.settings, bool(workbench.search_recipients)
    archive = web and s.archive_copies and not s.demo_web
    with st.container(border=True, gap="small"):
        for leaves, sentence in may_leave(
            workbench.judge_info, workbench.search_recipients, s.max_fetches if web else 0, archive
        ):
            st.markdown(f":material/{'outbound' if leaves else 'lock'}: {plain(sentence)}")
        st.caption("Ghost sends no telemetry. Each report lists what its own run sent.")


def _limits(workbench: "Workbench") -> None:
    s = workbench.settings
    st.header("Limits per run", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown("Hard limits: a run that reaches one decides on what it has and says so.")
        rows = {
            "Searches": (f"{s.max_searches:,}", "max_searches"),
            "Pages": (f"{s.max_fetches:,}", "max_fetches"),
            "Statements investigated": (f"{s.max_rounds:,}", "max_rounds"),
            "Tokens": (f"{s.max_tokens:,}", "max_tokens"),
            "Cost": (f"US\\$ {s.max_cost_usd:g}", "max_cost_usd"),
            "Time": (f"{s.max_seconds:g} s", "max_seconds"),
            "Characters in a claim": (f"{s.max_claim_chars:,}", "max_claim_chars"),
        }
        table([
            {"Limit": f"{name}  \n:small[:gray[`{variable_of(field)}`]]", "Maximum": value}
            for name, (value, field) in rows.items()
        ])  # fmt: skip
    st.caption(f"All checks so far have used {total_spent(workbench).tokens:,} language-model tokens.")
