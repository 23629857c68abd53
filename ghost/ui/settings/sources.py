"""Search providers and how they are used, and what the lists say about a site."""

import streamlit as st

from config import SEARCH_PROVIDERS
from ghost.diagnostics import (
    SEARCH_QUESTION,
    SiteReport,
    ask_provider,
    site_report,
    stage_words,
    unused_providers,
    variable_of,
)
from ghost.jobs import Tasks
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, table, task_button
from ghost.ui.shared.text import plain
from ghost.web import SearchProvider


def search_section(workbench: Workbench, tasks: Tasks) -> None:
    """The providers in order, those that could be added, and the limits of a search."""
    s = workbench.settings
    st.header("Search providers", anchor=False)
    if not workbench.providers:
        st.info(
            f"Web search is off. Turn it on with `{variable_of('web')}` and `{variable_of('search_providers')}`.",
            icon=":material/wifi_off:",
        )
    else:
        st.markdown(
            "Asked in this order; the next one only when one fails or finds nothing. A test sends the single word "
            f"“{SEARCH_QUESTION}” and nothing about your work. Nothing is sent before you click."
        )
    for number, provider in enumerate(workbench.providers, start=1):
        _provider(number, provider, s.search_seconds, tasks)
    others = unused_providers({p.name for p in workbench.providers}, s)
    if others:
        st.header("More providers", anchor=False)
        st.markdown("\n".join(f"- **{plain(name)}** {_needs(missing)}" for name, missing in others.items()))
        st.caption(f"Add them to `{variable_of('search_providers')}`, separated by commas.")
    st.header("Search limits", anchor=False)
    table([
        {"Limit": what, "Value": value, "Variable": f"`{variable_of(field)}`"}
        for what, value, field in (
            ("Time-out of a search", f"{s.search_seconds:g} s", "search_seconds"),
            ("Results kept per search", f"{s.search_hits:,}", "search_hits"),
            ("Answers are cached for", f"{s.search_cache_hours:g} hours", "search_cache_hours"),
            ("Time-out of a page", f"{s.page_seconds:g} s", "page_seconds"),
        )
    ])  # fmt: skip
    if s.demo_web:
        st.info("This is the demo: it uses a made-up web on this machine only.", icon=":material/toys:")


def _needs(settings: tuple[str, ...]) -> str:
    names = " and ".join(f"`{variable_of(field)}`" for field in settings)
    return f"needs {names}" if names else "is ready to use"


def _provider(number: int, provider: SearchProvider, seconds: float, tasks: Tasks) -> None:
    with st.container(border=True, gap="small", key=f"settings_card_{provider.name}"):
        # A provider that needs a key is only named when the key is set.
        has_key = any(field.endswith("_key") for field in SEARCH_PROVIDERS.get(provider.name, ()))
        key = theme.badge("key set", "key", "gray") if has_key else ""
        st.markdown(f"{number}\\. **{plain(provider.recipient)}** `{provider.name}` {key}")
        st.caption(f"Used {stage_words(provider)}.")
        task_button(
            tasks, f"provider_{provider.name}", f"Test {plain(provider.recipient)}", "network_check",
            lambda _: ask_provider(provider, seconds), f"Sends the word “{SEARCH_QUESTION}” once.",
        )  # fmt: skip


def site_section(workbench: Workbench, _tasks: Tasks) -> None:
    """A site looked up in all lists, and the lists with their variables."""
    s = workbench.settings
    st.header("Look up a site", anchor=False)
    asked = st.text_input(
        "Site or address", key="settings_site", placeholder="bbc.com/news", icon=":material/search:", max_chars=500,
        persist_state="session",
    )  # fmt: skip
    if asked and asked.strip():
        if found := site_report(asked, s, workbench.sources):
            _site(found)
        else:
            st.warning(
                "Enter a site or an address, such as bbc.com or https://www.nasa.gov/moon.", icon=":material/edit_note:"
            )
    st.header("Lists", anchor=False)
    for title, field, entries, note in (
        ("Trusted sources", "trusted_domains", s.trusted_domains, "Searched first."),
        ("Fact-checkers", "fact_check_domains", s.fact_check_domains,
         "Searched second and labelled as fact-checkers."),
        ("Allowed only", "allowed_domains", s.allowed_domains, "If set, results from all other sites are dropped."),
        ("Blocked", "denied_domains", s.denied_domains, "Their results are dropped in every stage."),
    ):  # fmt: skip
        with st.expander(f"{title} ({len(entries):,})", icon=":material/list:"):
            st.markdown(f"{note} `{variable_of(field)}`")
            st.markdown(", ".join(plain(entry) for entry in sorted(entries)) or "The list is empty.")
    with st.expander(f"Credibility ({len(s.source_credibility):,})", icon=":material/star:"):
        st.markdown(
            "By host suffix; the longest match counts, and all other sites have 0.5. "
            f"`{variable_of('source_credibility')}`"
        )
        rows = sorted(s.source_credibility.items(), key=lambda entry: (-entry[1], entry[0]))
        if rows:
            table([{"Site": plain(site), "Credibility": theme.stars(rating)} for site, rating in rows])


def _site(found: SiteReport) -> None:
    with st.container(border=True, gap="small"):
        kept = ("Results are used", "check", "green") if found.kept else ("Results are dropped", "block", "red")
        st.markdown(f"**{plain(found.host)}** {theme.badge(*kept)}")
        st.markdown(f"{theme.stars(found.credibility, found.rated)} · {theme.SOURCE_TYPES[found.source_type]}")
        for words, entry in (
            ("Trusted", found.trusted), ("Fact-checker", found.fact_check), ("Blocked", found.denied),
            ("Allowed", found.allowed),
        ):  # fmt: skip
            st.caption(f"{words}: {f'yes, by the entry {plain(entry)}' if entry else 'no'}")
