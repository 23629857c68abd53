"""The knowledge base at a glance: figures, search, filters and a paged list."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge.values import KnowledgeStats, PassageFilter
from ghost.types import Origin, Passage, SourceType, Status
from ghost.ui import theme
from ghost.ui.passage import passage_card
from ghost.ui.text import clean, plain

if TYPE_CHECKING:
    from ghost.knowledge.base import KnowledgeBase
    from ghost.workbench import Workbench

PAGE = 25
FOUND_AT_MOST = 200
"""A search by meaning finds something for every word; beyond this rank nothing is worth a look."""
FRESH_SECONDS = 5.0


def overview(bench: "Workbench") -> None:
    """Figures, search and list; says so when the store cannot be read."""
    st.title("Knowledge base", anchor=False)
    st.markdown("Everything a verdict can rest on. Only active passages are found when a claim is checked.")
    try:
        figures = _stats(str(bench.settings.database_path), bench.knowledge)
        _metrics(figures)
        if figures.total:
            _finder(bench)
        else:
            st.info("The knowledge base is empty. Add sources, and they will be listed here.", icon=":material/inbox:")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Try again", key="knowledge_retry", icon=":material/refresh:")


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner=False)
def _stats(database: str, _knowledge: "KnowledgeBase") -> KnowledgeStats:
    """The figures, counted at most once in a few seconds for each database."""
    del database
    return _knowledge.stats()


def _metrics(figures: KnowledgeStats) -> None:
    with st.container(horizontal=True, key="knowledge_metrics"):
        for label, value, note in (
            ("Active passages", f"{figures.active:,}", "Passages that a verification can find."),
            ("Sources", f"{figures.domain_count:,}", "Different domains among the active passages."),
            ("Dated", _share(figures.dated, figures.active), "Passages whose publication date is known."),
            ("Origins", f"{len(figures.by_origin)}", "Different ways by which the passages came in."),
        ):
            st.metric(label, value, help=note, border=True, width=170)
    parts = [
        f":material/{look.icon}: {look.word} {figures.by_origin[origin.value]:,}"
        for origin, look in theme.ORIGINS.items()
        if origin.value in figures.by_origin
    ]
    parts += [
        f"{look.word} {figures.by_status[status.value]:,} (not found)"
        for status, look in theme.PASSAGE_STATUSES.items()
        if status is not Status.ACTIVE and status.value in figures.by_status
    ]
    if parts:
        st.caption(" · ".join(parts))


def _finder(bench: "Workbench") -> None:
    words = st.text_input(
        "Search",
        key="knowledge_query",
        placeholder="By meaning and by words, for example: how far away is the Moon",
        icon=":material/search:",
        max_chars=500,
        persist_state="session",
    )
    columns = st.columns(4)
    origin = columns[0].selectbox(
        "Origin", list(Origin), index=None, key="knowledge_origin", placeholder="Any",
        format_func=lambda value: theme.ORIGINS[value].word, persist_state="session",
    )  # fmt: skip
    kind = columns[1].selectbox(
        "Kind of source", list(SourceType), index=None, key="knowledge_kind", placeholder="Any",
        format_func=lambda value: theme.SOURCE_TYPES[value].capitalize(), persist_state="session",
    )  # fmt: skip
    topic = columns[2].text_input(
        "Topic", key="knowledge_topic", placeholder="Any", max_chars=80, persist_state="session"
    )
    status = columns[3].selectbox(
        "Status", list(Status), index=0, key="knowledge_status",
        format_func=lambda value: theme.PASSAGE_STATUSES[value].word, persist_state="session",
    )  # fmt: skip
    narrow = PassageFilter(status=status, origin=origin, source_type=kind, topic=clean(topic or "").lower() or None)
    words = clean(words or "")
    found, total, page = _page_of(bench, words, narrow)
    _list(found, total, page, words, narrow)


def _page_of(bench: "Workbench", words: str, narrow: PassageFilter) -> tuple[list[Passage], int, int]:
    """The passages of the chosen page, how many there are in all, and the page."""
    # A search of the verification kind knows active passages only; the others are searched by their words.
    ranked = None
    if words and narrow.status in (None, Status.ACTIVE):
        hits = bench.knowledge.search(words, FOUND_AT_MOST)
        ranked = [hit.passage for hit in hits if _passes(hit.passage, narrow)]
        total = len(ranked)
    else:
        narrow = PassageFilter(words, narrow.status, narrow.origin, narrow.source_type, topic=narrow.topic)
        total = bench.knowledge.count(narrow)
    pages = max(1, -(-total // PAGE))
    key = f"knowledge_page_{words}_{narrow.status}_{narrow.origin}_{narrow.source_type}_{narrow.topic}"
    page = min(int(st.session_state.get(key, 1)), pages)
    if ranked is not None:
        found = ranked[(page - 1) * PAGE : page * PAGE]
    else:
        found = bench.knowledge.list(narrow, PAGE, (page - 1) * PAGE)
    st.session_state["knowledge_pages"] = (key, pages)
    return found, total, page


def _passes(passage: Passage, narrow: PassageFilter) -> bool:
    return (
        (narrow.origin is None or passage.origin is narrow.origin)
        and (narrow.source_type is None or passage.source_type is narrow.source_type)
        and (narrow.topic is None or passage.topic == narrow.topic)
    )


def _list(found: list[Passage], total: int, page: int, words: str, narrow: PassageFilter) -> None:
    if not found:
        st.info(
            "Nothing passes these filters. Remove one, or search for something else.", icon=":material/filter_alt_off:"
        )
        return
    first = (page - 1) * PAGE + 1
    order = "best match first" if words and narrow.status is Status.ACTIVE else "newest first"
    st.caption(f"{first:,} to {first + len(found) - 1:,} of {total:,} passages, {order}")
    with st.container(gap="small"):
        for each in found:
            passage_card(each)
    key, pages = st.session_state["knowledge_pages"]
    if pages > 1:
        st.pagination(pages, key=key)


def _share(part: int, whole: int) -> str:
    return theme.percent(part / whole) if whole else "none"
