"""The Settings page. It shows and checks, and changes no setting."""

import os
from collections.abc import Callable, Mapping
from itertools import groupby

import streamlit as st

from config import HOME, INSTALLED
from ghost.diagnostics import (
    MODEL_QUESTION,
    Variable,
    ask_model,
    check_stores,
    free_bytes,
    places,
    rebuild_index,
    size_words,
    variable_of,
    variables,
)
from ghost.jobs import Queue, Tasks, why_unattended
from ghost.judges import Endpoint
from ghost.records import Database, stored_runs
from ghost.reports import may_leave
from ghost.telemetry import otlp_endpoint
from ghost.text import server_of
from ghost.types import Pipeline
from ghost.ui.settings import connect, models, sources
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, metrics, retry_on_error, table, task_button
from ghost.ui.shared.runs import judge_badge, total_spent
from ghost.ui.shared.text import count, plain, shorten


def settings_page(workbench: Workbench, tasks: Tasks) -> None:
    """Title and the chosen section; a section that fails leaves the others usable."""
    st.title("Settings", anchor=False)
    place = f"in {plain(str(HOME))}" if INSTALLED else "next to `app.py`"
    st.markdown(
        "How this workbench is set up. To change a setting, set its variable in the environment or in the file `.env` "
        f"{place}, then restart Ghost."
    )
    _, _, draw = SECTIONS[_chosen()]
    with retry_on_error("settings_again"):
        draw(workbench, tasks)


def _chosen() -> str:
    """The section, kept in the address bar and, for a switch of pages, in the session."""
    asked = st.query_params.get("section")
    if asked in SECTIONS and asked != st.session_state.get("settings_synced"):
        st.session_state["settings_section"] = asked  # a link, or a reload
    st.session_state.setdefault("settings_section", "judge")
    chosen = st.segmented_control(
        "Section", list(SECTIONS), key="settings_section", required=True, label_visibility="collapsed", wrap=True,
        persist_state="session", format_func=lambda name: f":material/{SECTIONS[name][1]}: {SECTIONS[name][0]}",
    )  # fmt: skip
    chosen = chosen if chosen in SECTIONS else "judge"
    st.session_state["settings_synced"] = st.query_params["section"] = chosen
    return chosen


def _judge_and_limits(workbench: Workbench, tasks: Tasks) -> None:
    """Judge and privacy on the left, limits on the right."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _judge(workbench, tasks)
        _privacy(workbench)
    with right:
        _limits(workbench)


def _judge(workbench: Workbench, tasks: Tasks) -> None:
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


def _privacy(workbench: Workbench) -> None:
    st.header("What leaves this machine", anchor=False)
    s, web = workbench.settings, bool(workbench.search_recipients)
    archive = web and s.archive_copies and not s.demo_web
    with st.container(border=True, gap="small"):
        for leaves, sentence in may_leave(
            workbench.judge_info,
            workbench.search_recipients,
            s.max_fetches if web else 0,
            archive,
            Pipeline(s.pipeline),
            workbench.shared_database.name if workbench.shared_database else "",
        ):
            st.markdown(f":material/{'outbound' if leaves else 'lock'}: {plain(sentence)}")
        if Pipeline(s.pipeline) is not Pipeline.SINGLE_CONVERSATION and workbench.judge_info.name != "embedded":
            st.caption(
                "In a single conversation the language model is also shown passages of your knowledge base and pages "
                "that it asks to see, and it chooses the search words."
            )
        if endpoint := otlp_endpoint(os.environ):
            st.markdown(
                f":material/outbound: Durations, counts and verdict labels of runs go to {plain(server_of(endpoint))}, "
                "as `OTEL_EXPORTER_OTLP_ENDPOINT` says. The text of claims does not."
            )
            st.caption("Each report lists what its own run sent.")
        else:
            st.caption("Ghost sends no telemetry. Each report lists what its own run sent.")


def _limits(workbench: Workbench) -> None:
    s = workbench.settings
    st.header("Limits per check", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown("Hard limits: a check that reaches one decides on what it has and says so.")
        _limit_table({
            "Searches": (f"{s.max_searches:,}", "max_searches"),
            "Pages": (f"{s.max_fetches:,}", "max_fetches"),
            "Statements investigated": (f"{s.max_rounds:,}", "max_rounds"),
            "Tokens": (f"{s.max_tokens:,}", "max_tokens"),
            "Cost": (f"US\\$ {s.max_cost_usd:g}", "max_cost_usd"),
            "Time": (f"{s.max_seconds:g} s", "max_seconds"),
            "Turns of a single conversation": (f"{s.max_iterations:,}", "max_iterations"),
            "Characters in a claim": (f"{s.max_claim_chars:,}", "max_claim_chars"),
        })  # fmt: skip
    st.header("Limits per research", anchor=False)
    with st.container(border=True, gap="small"):
        st.markdown("When a limit is reached, the remaining questions become gaps.")
        _limit_table({
            "Searches": (f"{s.research_max_searches:,}", "research_max_searches"),
            "Pages": (f"{s.research_max_fetches:,}", "research_max_fetches"),
            "Tokens": (f"{s.research_max_tokens:,}", "research_max_tokens"),
            "Cost": (f"US\\$ {s.research_max_cost_usd:g}", "research_max_cost_usd"),
            "Time": (f"{s.research_max_seconds:g} s", "research_max_seconds"),
        })  # fmt: skip
    st.caption(f"All checks so far have used {total_spent(workbench).tokens:,} language-model tokens.")


def _limit_table(rows: Mapping[str, tuple[str, str]]) -> None:
    """Limits with their values and the variables that set them."""
    table([
        {"Limit": f"{name}  \n:small[:gray[`{variable_of(field)}`]]", "Maximum": value}
        for name, (value, field) in rows.items()
    ])  # fmt: skip


def _stores(workbench: Workbench, tasks: Tasks) -> None:
    """Counts, places and sizes, and buttons for the checks that take longer."""
    st.header("Stored data", anchor=False)
    figures = workbench.knowledge.stats()
    metrics("settings_counts", [
        ("Passages", f"{figures.total:,}", "In any status."),
        ("Active", f"{figures.active:,}", "Passages that a check can find."),
        ("Checks", f"{workbench.runs.count():,}", "Stored runs, including failed and cancelled ones."),
    ], 170)  # fmt: skip
    _places(workbench)
    _stored_runs(workbench)
    if workbench.shared_database:
        _workers(workbench.shared_database)
    if repaired := workbench.knowledge.repaired:
        st.info(f"Repaired at startup: {plain(repaired)}.", icon=":material/build:")
    st.header("Check and repair", anchor=False)
    check, rebuild = st.columns(2, gap="large")
    with check, st.container(border=True):
        st.markdown("**Full check.** Reads the whole database and compares it with the vector index. Changes nothing.")
        task_button(tasks, "check", "Check everything", "health_and_safety",
                    lambda task: check_stores(workbench.knowledge, task.report))  # fmt: skip
    with rebuild, st.container(border=True):
        st.markdown(
            "**Rebuild the index** from the database. Searches use the old index until the new one is complete. "
            "Stopping keeps the old one."
        )
        task_button(tasks, "rebuild", "Rebuild the index", "construction",
                    lambda task: rebuild_index(workbench.knowledge, task.report))  # fmt: skip


def _places(workbench: Workbench) -> None:
    """The files and servers that have the data, and the space that is left."""
    s, shared = workbench.settings, workbench.shared_database
    files = places(None if shared else s.database_path, s.chroma_path, s.chroma_url)
    if files:
        table([
            {
                # The path goes below the name, not beside it, so that both fit on a phone.
                "Store": f"**{place.what}**  \n:small[:gray[{place.note}]]  \n:small[{plain(str(place.path))}]",
                "Size": size_words(place.bytes),
            }
            for place in files
        ])  # fmt: skip
    if shared:
        st.markdown(f"**Database:** {plain(shared.name)}  \n:small[:gray[Passages, history, runs and batches. "
                    "`python -m ghost backup FILE` backs them up.]]")  # fmt: skip
    if s.chroma_url and shared:
        st.markdown(f"**Vector index:** {plain(server_of(s.chroma_url))}  \n:small[:gray[Chroma. It can be rebuilt "
                    "from the database.]]")  # fmt: skip
    elif s.chroma_url:
        st.caption(f"The vector index is on the Chroma server {plain(server_of(s.chroma_url))}.")
    free = size_words(free_bytes(s.data_dir))
    if shared:
        st.caption(f"{free} free on the disk of this machine.")
    else:
        st.caption(f"{free} free on this disk. `{variable_of('data_dir')}` moves both stores together.")


def _stored_runs(workbench: Workbench) -> None:
    """What the runs take, and how to remove old ones."""
    kept = stored_runs(workbench.database)
    if not kept.oldest:
        return
    st.markdown(f"Stored checks take about {size_words(kept.bytes)}; the oldest is from {kept.oldest:%Y-%m-%d}. "
                "To see which ones could be removed:")  # fmt: skip
    st.code("python -m ghost prune --older-than 90d --export old-runs.jsonl.gz --dry-run", language="shell",
            wrap_lines=True)  # fmt: skip
    st.caption("Without `--dry-run` the command exports the checks, asks you, and removes them. Checks that claim "
               "cards, reviews, cases or open batches refer to are kept.")  # fmt: skip


def _workers(database: Database) -> None:
    """Which workers are running, and what they have to do."""
    st.header("Workers", anchor=False)
    now = Queue(database).standing()
    if why := why_unattended(now.workers):
        st.warning(f"{why}.", icon=":material/pause_circle:")
    metrics("settings_workers", [
        ("Workers", f"{len(now.workers):,}", "Workers on any machine that are running now."),
        ("Slots", f"{now.slots:,}", "How many claims, questions and research topics they work on at a time."),
        ("In progress", f"{now.running.total():,}", "Claims, questions, articles, research topics and imports."),
        ("Waiting", f"{now.waiting.total():,}", "A batch counts once, however many of its claims are left."),
    ], 170)  # fmt: skip


def _all_settings(workbench: Workbench, _tasks: Tasks) -> None:
    """All variables, with a search by name and a switch to those that are set."""
    st.header("All settings", anchor=False)
    known = variables(workbench.settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Search by name", key="settings_words", icon=":material/search:", placeholder="max, search, judge …",
            max_chars=80, persist_state="session", width=320,
        )  # fmt: skip
        only = st.toggle("Changed only", key="settings_only", persist_state="session")
    shown = [v for v in known if (words or "").strip().lower() in v.name.lower() and (v.changed or not only)]
    st.caption(f"{count(len(shown), 'setting')} of {len(known):,}. Keys are never shown, only whether they are set.")
    if not shown:
        st.info("No setting matches these filters.", icon=":material/filter_alt_off:")
    for group, found in groupby(shown, key=lambda v: v.group):
        theme.kicker(group)
        table([_row(v) for v in found])


def _row(v: Variable) -> dict[str, str]:
    mark = theme.badge("set", "edit", "blue") if v.changed else ""
    lock = ":material/lock: " if v.secret else ""
    usual = f"  \n:small[:gray[default: {plain(shorten(v.default, 120)) or 'none'}]]" if v.changed else ""
    # Only two columns, so that an address has room on a phone.
    return {"Variable": f"`{v.name}` {mark}", "Value": lock + (plain(shorten(v.value, 120)) or "none") + usual}


SECTIONS: dict[str, tuple[str, str, Callable[[Workbench, Tasks], None]]] = {
    "judge": ("Judge and limits", "gavel", _judge_and_limits),
    "models": ("Models", "neurology", models.section),
    "stores": ("Data", "database", _stores),
    "web": ("Web search", "travel_explore", sources.search_section),
    "sources": ("Sources", "domain_verification", sources.site_section),
    "connect": ("Connect", "hub", connect.section),
    "all": ("All settings", "list_alt", _all_settings),
}
"""By the value of the parameter ``section``: word, icon, and the function that draws it."""
