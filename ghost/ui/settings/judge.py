"""Who judges and why, what a run may spend, and what leaves the machine."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.inspection import language_models, variable_of
from ghost.jobs import Chores
from ghost.judges import Endpoint
from ghost.reports import may_leave
from ghost.ui.shared.chore import chore_button
from ghost.ui.shared.runs import judge_badge, total_spent
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", chores: Chores) -> None:
    """Judge and privacy on the left, limits on the right."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _judge(workbench, chores)
        _privacy(workbench)
    with right:
        _limits(workbench)


def _judge(workbench: "Workbench", chores: Chores) -> None:
    judge = workbench.judge_info
    st.header("Who judges", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown(judge_badge(judge))
        st.markdown("This judge is asked first. One that fails is left for the rest of a run, and the next goes on.")
        for number, line in enumerate(judge.route, start=1):
            st.markdown(f"{number}\\. {plain(line)}")
        st.caption(f"Chosen by `{variable_of('judge')}` = {plain(workbench.settings.judge)}.")
        for endpoint in workbench.language_models:
            _language_model(endpoint, chores)


def _language_model(endpoint: Endpoint, chores: Chores) -> None:
    price = "price not known, so the limit in US\\$ cannot hold; the one in tokens does"
    if endpoint.judge == "local":
        price = "costs nothing that Ghost knows of"
    if endpoint.price:
        price = f"US\\$ {endpoint.price.tokens_in:g} in and {endpoint.price.tokens_out:g} out for a million tokens"
    st.caption(
        f":material/{'computer' if endpoint.judge == 'local' else 'cloud'}: {plain(endpoint.judge)}: "
        f"{plain(shorten(endpoint.model or 'the first model that the server lists', 80))} at "
        f"{plain(shorten(endpoint.host, 80))}; {price}."
    )
    chore_button(
        chores, f"model_{endpoint.judge}", f"Ask the {plain(endpoint.judge)} model", "network_check",
        lambda progress: language_models.ask(endpoint, progress), "Asks once whether it works.",
    )  # fmt: skip
    key = ", with the key" if endpoint.key else ""
    st.caption(f"Sends the words “{language_models.WORDS}” and the form of the answer{key}; nothing before you click.")


def _privacy(workbench: "Workbench") -> None:
    st.header("What leaves this machine", anchor=False)
    s, web = workbench.settings, bool(workbench.search_recipients)
    archive = web and s.archive_copies and not s.demo_web
    with st.container(border=True, gap="small"):
        for leaves, sentence in may_leave(
            workbench.judge_info, workbench.search_recipients, s.max_fetches if web else 0, archive
        ):
            st.markdown(f":material/{'outbound' if leaves else 'lock'}: {plain(sentence)}")
        st.caption("No telemetry is sent. Each report says for its own run what went where.")


def _limits(workbench: "Workbench") -> None:
    s = workbench.settings
    st.header("Limits of one run", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown("Hard limits: a run that reaches one decides with what it has, and says so.")
        rows = {
            "Searches": (f"{s.max_searches:,}", "max_searches"),
            "Pages": (f"{s.max_fetches:,}", "max_fetches"),
            "Statements looked into": (f"{s.max_rounds:,}", "max_rounds"),
            "Tokens": (f"{s.max_tokens:,}", "max_tokens"),
            "Cost": (f"US\\$ {s.max_cost_usd:g}", "max_cost_usd"),
            "Time": (f"{s.max_seconds:g} s", "max_seconds"),
            "Characters of a claim": (f"{s.max_claim_chars:,}", "max_claim_chars"),
        }
        table = [
            {"Limit": f"{name}  \n:small[:gray[`{variable_of(field)}`]]", "At most": value}
            for name, (value, field) in rows.items()
        ]
        st.table(table, border="horizontal", hide_index=True)
    st.caption(f"All checks so far have used {total_spent(workbench).tokens:,} tokens of language models.")
