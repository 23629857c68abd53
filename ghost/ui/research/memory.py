"""What research has found: facts, which can be retired and restored, and the pages that were read."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from ghost.types import Episode, Fact
from ghost.ui.shared import theme
from ghost.ui.shared.actions import run_action
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, open_item
from ghost.ui.shared.text import clean, count, link, plain, safe_url, shorten

AT_ONCE = 15
PAGE = "research"
T = TypeVar("T")


def facts_section(workbench: Workbench) -> None:
    """The facts, newest first, with a search."""
    st.header("Facts", anchor=False)
    st.markdown(
        "Verbatim excerpts that answer a question. Each is a passage of your knowledge base; a retired fact no longer "
        "answers anything."
    )
    words = _search("research_facts_text", "Words from the question, excerpt or source")
    total = workbench.research.count_facts(words)
    if total:
        _list("fact", words, total, workbench.research.facts, partial(_fact, workbench))
    else:
        _nothing(words, "No facts yet", "Research a topic: what it finds is kept here, word for word.")


def pages_section(workbench: Workbench) -> None:
    """The pages that were read, newest first, with a search."""
    st.header("Pages read", anchor=False)
    st.markdown("Every page that research has read: when, for which topic, and how many facts came from it.")
    words = _search("research_pages_text", "Words from the title, topic or address")
    total = workbench.research.count_episodes(words)
    if total:
        _list("page", words, total, workbench.research.episodes, _page)
    else:
        _nothing(words, "No pages yet", "Research a topic with the web on: the pages it reads are listed here.")


def _list(
    noun: str, words: str, total: int, read: Callable[[str, int, int], Sequence[T]], draw: Callable[[T], None]
) -> None:
    """One page of what was found for the words, and the way to the others."""
    part = paging(f"research_{noun}s_page_{words}", total, AT_ONCE)
    found = read(words, AT_ONCE, part.offset)
    st.caption(f"{part.offset + 1:,} to {part.offset + len(found):,} of {count(total, noun)}")
    with st.container(gap="small"):
        for one in found:
            draw(one)
    part.numbers()


def _search(key: str, placeholder: str) -> str:
    return clean(
        st.text_input(
            "Search", key=key, icon=":material/search:", max_chars=200, persist_state="session", placeholder=placeholder
        )
        or ""
    )


def _nothing(words: str, title: str, note: str) -> None:
    if words:
        st.info("Nothing found for these words.", icon=":material/search_off:")
        return
    with st.container(border=True):
        st.markdown(f":material/inventory_2: **{title}**")
        st.markdown(note)
        button("Research a topic", "research_new", "add", open_item, PAGE, "section", "")


def _fact(workbench: Workbench, fact: Fact) -> None:
    with st.container(border=True, gap="xsmall", key=f"research_fact_{fact.id}"):
        state = theme.badge("Retired", "archive", "gray") if fact.retired else theme.badge("Active", "check", "green")
        st.markdown(f"{state} **{plain(shorten(fact.question, 220))}**")
        st.markdown(f"> {plain(shorten(fact.excerpt, 600))}")
        if fact.retired:
            st.caption(f":orange[:material/info:] Not used in answers: {plain(shorten(fact.retired, 200))}")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            where = link(shorten(fact.title or fact.url, 80), fact.url) if safe_url(fact.url) else "no address"
            version = f" · version {fact.version}" if fact.version > 1 else ""
            st.caption(
                f"{where} · published {theme.day(fact.published_at)} · found {theme.day(fact.found_at)}{version}",
                width="content",
            )
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                _switch(workbench, fact)
                st.page_link(
                    "pages/knowledge.py", label="Passage", icon=":material/library_books:",
                    query_params={"passage": fact.passage_id}, width="content",
                )  # fmt: skip
                _research_link(fact.research_id, f"research_fact_of_{fact.id}")


def _switch(workbench: Workbench, fact: Fact) -> None:
    retire = partial(workbench.research.retire_fact, fact.id)
    restore = partial(workbench.research.restore_fact, fact.id)
    if fact.retired:
        button("Restore", f"research_restore_{fact.id}", "unarchive", run_action, PAGE, restore,
               "The fact is used in answers again.", retire, type="tertiary")  # fmt: skip
    else:
        button("Retire", f"research_retire_{fact.id}", "archive", run_action, PAGE, retire,
               "The fact and its passage are retired.", restore, type="tertiary")  # fmt: skip


def _page(page: Episode) -> None:
    with st.container(border=True, gap="xsmall", key=f"research_page_{page.id}_{page.version}"):
        title = plain(shorten(page.title or page.url, 160))
        st.markdown(f":material/article: **{title}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            again = f" · reading {page.version}" if page.version > 1 else ""
            where = link(shorten(page.url, 70), page.url) if safe_url(page.url) else "no address"
            st.caption(
                f"{where} · read {theme.moment(page.read_at)}{again} · "
                f"{count(page.facts, 'fact') if page.facts else 'no facts'}",
                width="content",
            )
            _research_link(page.research_id, f"research_page_of_{page.id}_{page.version}")
        st.caption(f"Topic: {plain(shorten(page.topic, 160))}")


def _research_link(research_id: str, key: str) -> None:
    def go() -> None:
        st.query_params.clear()
        open_item(PAGE, "research", research_id)

    button("Open research", key, "travel_explore", go, type="tertiary")
