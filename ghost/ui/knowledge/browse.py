"""Section Browse: a searchable, filtered table of passages."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.knowledge import Listing, Sort
from ghost.types import Origin, Passage, SourceType, Status
from ghost.ui.knowledge import selection
from ghost.ui.knowledge.filters import ANY, NARROWING, Browsing, browsing
from ghost.ui.knowledge.form import open_form
from ghost.ui.knowledge.selection import open_passage
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.knowledge import KnowledgeBase
    from ghost.workbench import Workbench

PAGE = 25
CHOICES = 300
"""Topics or domains that are offered; others can be typed."""
_SELECTED_IN = "knowledge_ticked_in"
"""Words and filter of the list to which the selection belongs."""
SORTS: dict[Sort, str] = {
    Sort.NEWEST: "Added last",
    Sort.OLDEST: "Added first",
    Sort.PUBLISHED: "Published last",
    Sort.USED: "Most used",
    Sort.CREDIBLE: "Most credible",
    Sort.DOUBTFUL: "Least credible",
}
_YES_NO = {"1": ("No date", "Never used"), "0": ("Date known", "Used")}
_TABLE = """<style>
[class*="st-key-knowledge_row_"] { display: grid; align-items: center; gap: 0 0.75rem; padding: 0.3rem 0;
    grid-template-columns: 1.25rem minmax(0, 1fr) 10rem 7.5rem 6.5rem 4rem;
    border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
[class*="st-key-knowledge_row_"] > * { width: auto; min-width: 0; max-width: 100%; flex: none; }
[class*="st-key-knowledge_row_"] :is(button, button > div) { justify-content: flex-start; width: 100%; }
[class*="st-key-knowledge_row_"] button p { text-align: left; overflow-wrap: anywhere; }
.st-key-knowledge_row_head { border-top: none; }
@media (max-width: 900px) {
    [class*="st-key-knowledge_row_"] { grid-template-columns: 1.25rem minmax(0, 1fr) auto auto; }
    [class*="st-key-knowledge_row_"] > :nth-child(2) { grid-column: 2 / -1; }
    [class*="st-key-knowledge_row_"] > :nth-child(3) { grid-column: 2; }
    [class*="st-key-knowledge_row_"] > :nth-child(6), .st-key-knowledge_row_head > :nth-child(n+3) { display: none; }
}
</style>"""
"""Rows of a table with a box and a button in them, which st.table cannot have. Constant; no outside text in it."""


def section(workbench: "Workbench") -> None:
    """Search, filters and table."""
    asked = browsing(st.query_params.to_dict())
    _deselect(asked)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _text("Search", "q", asked.words, "By meaning or by words, for example: distance to the Moon", "search")
        st.button(
            "Add passage", key="knowledge_add", icon=":material/add:", type="primary", on_click=open_form, args=("",)
        )
    _filters(workbench.knowledge, asked)
    found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (asked.page - 1) * PAGE)
    pages = max(1, -(-found.total // PAGE))
    if asked.page > pages:
        found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (pages - 1) * PAGE)
    _list(workbench, found, asked, min(asked.page, pages), pages)


def _deselect(asked: Browsing) -> None:
    """Clear the selection when another list is shown, so that no action applies to passages out of view."""
    narrowed = (asked.words, asked.filter)
    if st.session_state.setdefault(_SELECTED_IN, narrowed) != narrowed:
        st.session_state[_SELECTED_IN] = narrowed
        selection.clear("browse")


@st.cache_data(max_entries=16, show_spinner=False)
def _choices(database: str, watermark: int, name: str, _knowledge: "KnowledgeBase") -> list[str]:
    """The most frequent values of a field, read again when something has changed."""
    del database, watermark
    return [value for value, _ in _knowledge.values_of(name)[:CHOICES]]


def _filters(knowledge: "KnowledgeBase", asked: Browsing) -> None:
    f = asked.filter
    columns = st.columns(4)
    with columns[0]:
        _choice("Origin", "origin", f.origin, list(Origin), lambda value: theme.ORIGINS[value].word)
    with columns[1]:
        kinds = {kind: words.capitalize() for kind, words in theme.SOURCE_TYPES.items()}
        _choice("Kind of source", "source_type", f.source_type, list(SourceType), kinds.__getitem__)
    with columns[2]:
        words = {status.value: badge.word for status, badge in theme.PASSAGE_STATUSES.items()} | {ANY: "Any"}
        value = f.status.value if f.status else ANY
        _choice("Status", "status", value, list(words), words.__getitem__, default=Status.ACTIVE.value)
    with columns[3]:
        _order(asked)
    active = [name for name in NARROWING if name in st.query_params]
    more = f"More filters ({len(active)} set)" if active else "More filters"
    with st.expander(more, icon=":material/tune:", key="knowledge_more", type="compact"):
        _more_filters(knowledge, asked)
    if active or asked.words or f.status is not Status.ACTIVE:
        _active_filters(active)


def _order(asked: Browsing) -> None:
    if asked.words:
        # The order chosen before stays in the address and applies again without words.
        note = "The best match comes first. Clear the search to choose another order."
        st.selectbox("Order", ["Best match first"], key="knowledge_matched", disabled=True, help=note)
    else:
        _choice("Order", "sort", asked.sort, list(Sort), SORTS.__getitem__, default=Sort.NEWEST)


def _more_filters(knowledge: "KnowledgeBase", asked: Browsing) -> None:
    f = asked.filter
    columns = st.columns(3)
    for place, (label, name, value) in zip(
        columns, (("Domain", "domain", f.domain), ("Topic", "topic", f.topic), ("Language", "language", f.language)),
        strict=True,
    ):  # fmt: skip
        with place:
            offered = _choices(str(knowledge.database.path), knowledge.watermark(), name, knowledge)
            offered = [*offered, value] if value is not None and value not in offered else offered
            _choice(label, name, value, offered, lambda v: clean(v) or "(none)", new=True)  # plain text, not Markdown
    columns = st.columns(3)
    with columns[0]:
        _number("Credibility from", "credibility_from", f.credibility_from if f.credibility_from > 0 else None)
        _number("Credibility to", "credibility_to", f.credibility_to if f.credibility_to < 1 else None)
    with columns[1]:
        _day("Published from", "published_from", f.published_from)
        _day("Published to", "published_to", f.published_to)
    with columns[2]:
        dated = None if f.dated is None else str(int(not f.dated))
        _choice("Publication date", "undated", dated, list(_YES_NO), lambda v: _YES_NO[v][0])
        used = None if f.used is None else str(int(not f.used))
        _choice("Use in checks", "unused", used, list(_YES_NO), lambda v: _YES_NO[v][1])


def _active_filters(active: list[str]) -> None:
    """A button for each active filter that removes it."""
    with st.container(horizontal=True, gap="small", key="knowledge_set"):
        for name in active:
            value = shorten(st.query_params[name], 40) or "none"
            words = {"undated": _YES_NO, "unused": _YES_NO}.get(name, {}).get(value)
            label = words[name == "unused"] if words else f"{name.replace('_', ' ').capitalize()}: {value}"
            st.button(
                plain(label), key=f"knowledge_drop_{name}", icon=":material/close:", help="Remove this filter",
                on_click=_put, args=(name, None),
            )  # fmt: skip
        st.button("Clear all", key="knowledge_clear_all", type="tertiary", on_click=show, args=({},))


def show(params: dict[str, str]) -> None:
    """Show the list with these filters only. For callbacks."""
    selection.clear("browse")
    st.query_params.from_dict({"section": "browse", **params})


def _list(workbench: "Workbench", found: Listing, asked: Browsing, page: int, pages: int) -> None:
    if not found.passages:
        _nothing(asked)
        return
    first = (page - 1) * PAGE + 1
    order = "best match first" if asked.words else SORTS[asked.sort].lower()
    span = f"{first:,} to {first + len(found.passages) - 1:,} of {count(found.total, 'passage')}, {order}"
    if found.passing > found.total:
        span += f". The search shows the best {found.total:,} of {found.passing:,} that match the filters"
    st.caption(span)
    curation = workbench.knowledge.curation
    actions = {
        Status.ACTIVE: [("Retire", "archive", curation.retire)],
        Status.RETIRED: [("Restore", "unarchive", curation.restore)],
        Status.QUARANTINED: [("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)],
        None: [("Retire", "archive", curation.retire), ("Restore", "unarchive", curation.restore)],
    }
    _table(found.passages)
    selection.toolbar(workbench, "browse", actions[asked.filter.status])
    if pages > 1:
        key = f"knowledge_page_{page}"
        st.pagination(pages, default=page, key=key, on_change=_to_page, args=(key,))


def _table(passages: Sequence[Passage]) -> None:
    """One row per passage: a box, the beginning of the text as a button, source, credibility, date and use."""
    st.html(_TABLE)
    with st.container(gap=None, key="knowledge_rows"):
        with st.container(horizontal=True, key="knowledge_row_head"):
            selection.select_all_box("browse", [p.id for p in passages], "collapsed")
            for word in ("Passage", "Source", "Credibility", "Published", "Used"):
                st.markdown(f":small[:gray[{word}]]")
        for p in passages:
            with st.container(horizontal=True, key=f"knowledge_row_{p.id}"):
                selection.select_box("browse", p.id, shorten(p.text, 60))
                st.button(
                    plain(shorten(p.text, 180)), key=f"knowledge_open_{p.id}", type="tertiary", on_click=open_passage,
                    args=(p.id,), wrap=True,
                )  # fmt: skip
                status = "" if p.status is Status.ACTIVE else f"{theme.PASSAGE_STATUSES[p.status].text} "
                st.markdown(f":small[{status}{plain(shorten(p.domain or p.source_name, 40))}]")
                st.markdown(f":small[{theme.stars(p.credibility, p.rated)}]")
                st.markdown(f":small[{theme.day(p.published_at)}]")
                st.markdown(f":small[{p.verification_count:,}]" if p.verification_count else ":small[:gray[never]]")


def _nothing(asked: Browsing) -> None:
    if asked.words or asked.filter != Browsing().filter:
        st.info("Nothing matches. Remove a filter or change the search.", icon=":material/filter_alt_off:")
    else:
        st.info("The knowledge base is empty. Add a passage or import a file.", icon=":material/inbox:")


# The values of these widgets are kept in the address: written into the widget before each run and read after a change,
# so that links, reloads and the browser's own history agree.


def _text(label: str, name: str, value: str, placeholder: str, icon: str) -> None:
    key = f"knowledge_{name}"
    st.session_state[key] = value
    st.text_input(
        label, key=key, placeholder=placeholder, icon=f":material/{icon}:", max_chars=500, on_change=_changed,
        args=(name,),
    )  # fmt: skip


def _choice(
    label: str, name: str, value: Any, options: list[Any], words: Any, *, default: Any = None, new: bool = False
) -> None:  # fmt: skip
    key = f"knowledge_{name}"
    st.session_state[key] = value
    st.selectbox(
        label, options, index=None, key=key, placeholder="Any", format_func=words, accept_new_options=new,
        on_change=_changed, args=(name, default),
    )  # fmt: skip


def _day(label: str, name: str, value: date | None) -> None:
    key = f"knowledge_{name}"
    st.session_state[key] = value
    st.date_input(
        label, value=None, key=key, min_value=date(1500, 1, 1), max_value=date(2200, 1, 1), format="YYYY-MM-DD",
        on_change=_changed, args=(name,),
    )  # fmt: skip


def _number(label: str, name: str, value: float | None) -> None:
    key = f"knowledge_{name}"
    st.session_state[key] = value
    st.number_input(
        label, 0.0, 1.0, None, 0.05, key=key, placeholder="Any", help="Current rating of the source, from 0 to 1.",
        on_change=_changed, args=(name,),
    )  # fmt: skip


def _changed(name: str, default: Any = None) -> None:
    value = st.session_state[f"knowledge_{name}"]
    text = None if value is None else f"{value:.2f}" if isinstance(value, float) else clean(str(value))
    _put(name, None if text is None or value == default or (name == "q" and not text) else text)


def _put(name: str, value: str | None) -> None:
    """Change one parameter and return to the first page. For callbacks."""
    st.query_params["section"] = "browse"
    st.query_params.pop("page", None)
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
    selection.clear("browse")


def _to_page(key: str) -> None:
    st.query_params["section"] = "browse"
    st.query_params["page"] = str(st.session_state[key])
