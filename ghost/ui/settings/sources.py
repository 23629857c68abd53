"""What is thought of sources: one looked up, and the lists."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.inspection import Lists, Standing, standing, variable_of
from ghost.jobs import Chores
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", _chores: Chores) -> None:
    """A site looked up, and all lists with their variables."""
    s = workbench.settings
    lists = Lists(s.trusted_domains, s.fact_check_domains, s.allowed_domains, s.denied_domains)
    st.header("Look up a site", anchor=False)
    asked = st.text_input(
        "Site or address", key="settings_site", placeholder="bbc.com/news", icon=":material/search:", max_chars=500,
        persist_state="session",
    )  # fmt: skip
    if asked and asked.strip():
        found = standing(asked, lists, workbench.sources)
        if found:
            _standing(found)
        else:
            st.warning(
                "That is no site or address, such as bbc.com or https://www.nasa.gov/moon.", icon=":material/edit_note:"
            )
    st.header("Lists", anchor=False)
    for title, field, entries, note in (
        ("Trusted sources", "trusted_domains", lists.trusted, "Searched in the first stage."),
        ("Fact-checkers", "fact_check_domains", lists.fact_check, "Searched in the second stage, and known as such."),
        ("Only these are kept", "allowed_domains", lists.allowed, "Where set, hits of other sites are dropped."),
        ("Never kept", "denied_domains", lists.denied, "Their hits are dropped in every stage."),
    ):
        _list(title, field, entries, note)
    with st.expander(f"Credibility ({len(s.source_credibility):,})", icon=":material/star:"):
        st.markdown(
            f"By host suffix; the longest match wins, all others count 0.5. `{variable_of('source_credibility')}`"
        )
        rows = sorted(s.source_credibility.items(), key=lambda entry: (-entry[1], entry[0]))
        table = [{"Site": plain(site), "Credibility": theme.stars(rating)} for site, rating in rows]
        if table:
            st.table(table, border="horizontal", hide_index=True)


def _standing(found: Standing) -> None:
    with st.container(border=True, gap="small"):
        kept = (
            theme.badge("Hits are kept", "check", "green")
            if found.kept
            else theme.badge("Hits are dropped", "block", "red")
        )
        st.markdown(f"**{plain(found.host)}** {kept}")
        st.markdown(f"{theme.stars(found.credibility, found.rated)} · {theme.SOURCE_TYPES[found.source_type]}")
        for words, entry in (
            ("Trusted", found.trusted), ("Fact-checker", found.fact_check), ("Denied", found.denied),
            ("Allowed", found.allowed),
        ):  # fmt: skip
            st.caption(f"{words}: {f'yes, by the entry {plain(entry)}' if entry else 'no'}")


def _list(title: str, field: str, entries: Sequence[str], note: str) -> None:
    with st.expander(f"{title} ({len(entries):,})", icon=":material/list:"):
        st.markdown(f"{note} `{variable_of(field)}`")
        st.markdown(", ".join(plain(entry) for entry in sorted(entries)) or "The list is empty.")
