"""Who is searched, what each provider needs, and whether it answers."""

from typing import TYPE_CHECKING

import streamlit as st

from config import SEARCH_PROVIDERS
from ghost.inspection import providers, variable_of
from ghost.jobs import Chores
from ghost.ui.shared import theme
from ghost.ui.shared.chore import chore_button
from ghost.ui.shared.text import plain
from ghost.web import SearchProvider

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", chores: Chores) -> None:
    """The providers in their order, those that could be added, and what holds for all."""
    s = workbench.settings
    st.header("Who is asked", anchor=False)
    if not workbench.providers:
        st.info(
            f"Nobody: the web is off here. `{variable_of('web')}` and `{variable_of('search_providers')}` "
            "switch it on.",
            icon=":material/wifi_off:",
        )  # fmt: skip
    else:
        st.markdown(
            "In this order; the next one only when one fails or brings nothing. A check sends the one word "
            f"“{providers.QUESTION}”, and nothing of your work. Nothing is sent before you click."
        )
    for number, provider in enumerate(workbench.providers, start=1):
        _provider(number, provider, s.search_seconds, chores)
    others = providers.not_asked(SEARCH_PROVIDERS, {p.name for p in workbench.providers}, s)
    if others:
        st.header("Who could be asked", anchor=False)
        st.markdown("\n".join(f"- **{plain(needed.name)}** {_needs(needed)}" for needed in others))
        st.caption(f"Name them in `{variable_of('search_providers')}`, separated by commas.")
    st.header("How it is searched", anchor=False)
    rows = [
        ("Time for one search", f"{s.search_seconds:g} s", "search_seconds"),
        ("Hits kept of one search", f"{s.search_hits:,}", "search_hits"),
        ("Answers are used again for", f"{s.search_cache_hours:g} hours", "search_cache_hours"),
        ("Time for one page", f"{s.page_seconds:g} s", "page_seconds"),
    ]
    table = [{"What": what, "Value": value, "Variable": f"`{variable_of(field)}`"} for what, value, field in rows]
    st.table(table, border="horizontal", hide_index=True)
    if s.demo_web:
        st.info("This is the demo: no page of the real web is fetched.", icon=":material/toys:")


def _needs(needed: providers.Needed) -> str:
    lacks = " and ".join(f"`{variable_of(field)}`" for field in needed.lacks)
    return f"needs {lacks}" if lacks else "is ready to be named"


def _provider(number: int, provider: SearchProvider, seconds: float, chores: Chores) -> None:
    with st.container(border=True, gap="small", key=f"settings_card_{provider.name}"):
        key = theme.badge("key set", "key", "gray") if _has_key(provider.name) else ""
        st.markdown(f"{number}\\. **{plain(provider.recipient)}** `{provider.name}` {key}")
        st.caption(f"Asked {providers.stages_of(provider)}.")
        chore_button(
            chores, f"provider_{provider.name}", f"Ask {plain(provider.recipient)}", "network_check",
            lambda _progress: providers.ask(provider, seconds), f"Sends the word “{providers.QUESTION}” once.",
        )  # fmt: skip


def _has_key(name: str) -> bool:
    """Whether the provider works with a key; it is named only when that is set."""
    return any(field.endswith("_key") for field in SEARCH_PROVIDERS.get(name, ()))
