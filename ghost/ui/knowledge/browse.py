"""Section Browse: find passages by words and filters, page through them, and retire or restore several at once."""

from datetime import date
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.knowledge import Listing, Sort
from ghost.types import Origin, SourceType, Status
from ghost.ui.knowledge import selection
from ghost.ui.knowledge.filters import ANY, NARROWING, Browsing, browsing
from ghost.ui.knowledge.passage import passage_card
from ghost.ui.knowledge.passage_form import open_form
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.knowledge import KnowledgeBase
    from ghost.workbench import Workbench

PAGE = 25
CHOICES = 300
"""So many topics or domains are offered; others can be typed."""

_TICKED_IN = "knowledge_ticked_in"
"""Words and filter of the list in which passages were ticked."""

SORTS: dict[Sort, str] = {
    Sort.NEWEST: "Added last",
    Sort.OLDEST: "Added first",
    Sort.PUBLISHED: "Published last",
    Sort.USED: "Most used",
    Sort.CREDIBLE: "Most credible",
    Sort.DOUBTFUL: "Least credible",
}
_YES_NO = {"1": ("No date", "Never used"), "0": ("Date known", "Used")}


def section(workbench: "Workbench") -> None:
    """Search, filters and list."""
    asked = browsing(st.query_params.to_dict())
    _untick(asked)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _entry("Search", "q", asked.words, "By meaning and by words, for example: how far away is the Moon", "search")
        st.button(
            "Add a passage", key="knowledge_add", icon=":material/add:", type="primary", on_click=open_form, args=("",)
        )
    _filters(workbench.knowledge, asked)
    found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (asked.page - 1) * PAGE)
    pages = max(1, -(-found.total // PAGE))
    if asked.page > pages:
        found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (pages - 1) * PAGE)
    _list(workbench, found, asked, min(asked.page, pages), pages)


def _untick(asked: Browsing) -> None:
    """Untick everything when another list is shown, also by a link: nothing is done to what is not in view."""
    narrowed = (asked.words, asked.filter)
    if st.session_state.setdefault(_TICKED_IN, narrowed) != narrowed:
        st.session_state[_TICKED_IN] = narrowed
        selection.clear("browse")


def choices(knowledge: "KnowledgeBase", name: str) -> list[str]:
    """The most frequent values of a field, read when something has changed."""
    return _choices(str(knowledge.database.path), knowledge.watermark(), name, knowledge)


@st.cache_data(max_entries=16, show_spinner=False)
def _choices(database: str, watermark: int, name: str, _knowledge: "KnowledgeBase") -> list[str]:
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
        words = {status.value: look.word for status, look in theme.PASSAGE_STATUSES.items()} | {ANY: "Any"}
        value = f.status.value if f.status else ANY
        _choice("Status", "status", value, list(words), words.__getitem__, default=Status.ACTIVE.value)
    with columns[3]:
        _order(asked)
    active = [name for name in NARROWING if name in st.query_params]
    more = f"More filters ({len(active)} set)" if active else "More filters"
    with st.expander(more, icon=":material/tune:", key="knowledge_more"):
        _more(knowledge, asked)
    if active or asked.words or f.status is not Status.ACTIVE:
        _set_filters(active)


def _order(asked: Browsing) -> None:
    if asked.words:
        # What was chosen before stays in the address, and holds again without words.
        note = "What matches best comes first. Empty the search box to choose another order."
        st.selectbox("Order", ["Best match first"], key="knowledge_matched", disabled=True, help=note)
    else:
        _choice("Order", "sort", asked.sort, list(Sort), SORTS.__getitem__, default=Sort.NEWEST)


def _more(knowledge: "KnowledgeBase", asked: Browsing) -> None:
    f = asked.filter
    columns = st.columns(3)
    for place, (label, name, value) in zip(
        columns, (("Domain", "domain", f.domain), ("Topic", "topic", f.topic), ("Language", "language", f.language)),
        strict=True,
    ):  # fmt: skip
        with place:
            offered = choices(knowledge, name)  # shown as plain text, so nothing is escaped
            offered += [value] if value is not None and value not in offered else []
            _choice(label, name, value, offered, lambda v: clean(v) or "(none)", new=True)
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
        _choice("Use by checks", "unused", used, list(_YES_NO), lambda v: _YES_NO[v][1])


def _set_filters(active: list[str]) -> None:
    """Each filter that is set, to be taken away with a click."""
    with st.container(horizontal=True, gap="small", key="knowledge_set"):
        for name in active:
            value = shorten(st.query_params[name], 40) or "none"
            words = {"undated": _YES_NO, "unused": _YES_NO}.get(name, {}).get(value)
            said = words[name == "unused"] if words else f"{name.replace('_', ' ').capitalize()}: {value}"
            st.button(
                plain(said), key=f"knowledge_drop_{name}", icon=":material/close:", help="Take this filter away",
                on_click=_drop, args=(name,),
            )  # fmt: skip
        st.button("Clear all", key="knowledge_clear_all", type="tertiary", on_click=show, args=({},))


def show(params: dict[str, str]) -> None:
    """Show the list with these filters and no others (a callback)."""
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
        span += f". The search shows the best {found.total:,} of {found.passing:,} that pass the filters"
    st.caption(span)
    curation = workbench.knowledge.curation
    can = {
        Status.ACTIVE: [("Retire", "archive", curation.retire)],
        Status.RETIRED: [("Restore", "unarchive", curation.restore)],
        Status.QUARANTINED: [("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)],
        None: [("Retire", "archive", curation.retire), ("Restore", "unarchive", curation.restore)],
    }
    selection.toolbar(workbench, "browse", [p.id for p in found.passages], can[asked.filter.status])
    with st.container(gap="small"):
        for each in found.passages:
            passage_card(each, "browse")
    if pages > 1:
        key = f"knowledge_page_{page}"
        st.pagination(pages, default=page, key=key, on_change=_to_page, args=(key,))


def _nothing(asked: Browsing) -> None:
    narrowed = asked.words or asked.filter != Browsing().filter
    if narrowed:
        st.info(
            "Nothing passes these filters. Remove one, or search for something else.", icon=":material/filter_alt_off:"
        )
    else:
        st.info(
            "The knowledge base is empty. Add a passage, or import a file, and it will be listed here.",
            icon=":material/inbox:",
        )


# Widgets whose value stands in the address bar: it is put into the widget before each run and taken out of it after
# a change, so that links, reloads and the browser's own tabs all tell the same.


def _entry(label: str, name: str, value: str, placeholder: str, icon: str) -> None:
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
        label, 0.0, 1.0, None, 0.05, key=key, placeholder="Any", help="As the source is rated now, from 0 to 1.",
        on_change=_changed, args=(name,),
    )  # fmt: skip


def _changed(name: str, default: Any = None) -> None:
    value = st.session_state[f"knowledge_{name}"]
    text = None if value is None else f"{value:.2f}" if isinstance(value, float) else clean(str(value))
    _put(name, None if text is None or value == default or (name == "q" and not text) else text)


def _put(name: str, value: str | None) -> None:
    """Change one parameter; the list begins at its first page again."""
    st.query_params["section"] = "browse"
    st.query_params.pop("page", None)
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
    selection.clear("browse")


def _drop(name: str) -> None:
    _put(name, None)


def _to_page(key: str) -> None:
    st.query_params["section"] = "browse"
    st.query_params["page"] = str(st.session_state[key])
