"""Section Browse: a searchable, filtered table of passages. All of it is in the address, so that pages can link to it.

Parameters, all optional; unusable values are ignored: ``q`` (words to search for, by meaning and literally),
``status`` (``active`` by default, ``quarantined``, ``retired``, ``any``), ``origin``, ``kind``, ``source_type``,
``domain`` and ``topic`` (exact; empty for passages without one), ``language``, ``credibility_from`` and ``_to``
(0..1), ``published_from`` and ``_to`` (YYYY-MM-DD), ``undated`` and ``unused`` (``1`` or ``0``), ``sort`` and
``page`` (from 1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

import streamlit as st

from ghost.knowledge import KnowledgeBase, Listing, PassageFilter, Sort
from ghost.reports import intake
from ghost.types import Kind, Origin, Passage, SourceType, Status
from ghost.ui.knowledge import selection
from ghost.ui.knowledge.form import open_form
from ghost.ui.knowledge.note_check import WORDS, start_check
from ghost.ui.knowledge.selection import counted, open_passage
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Act, Workbench, button
from ghost.ui.shared.text import capitalized, clean, count, plain, shorten

E = TypeVar("E", bound=StrEnum)
PAGE = 25
CHOICES = 300
"""Topics or domains that are offered; others can be typed."""
ACTIVE = PassageFilter(status=Status.ACTIVE)
"""The default."""
ANY = "any"
NARROWING = (
    *("origin", "kind", "source_type", "domain", "topic", "language", "credibility_from", "credibility_to"),
    *("published_from", "published_to", "undated", "unused"),
)
"""Parameters that narrow the list, besides words and status."""
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
_YES_NO = {"undated": {"1": "No date", "0": "Date known"}, "unused": {"1": "Never used", "0": "Used"}}
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


@dataclass(frozen=True, slots=True)
class Browsing:
    """The list that is shown."""

    words: str = ""
    filter: PassageFilter = ACTIVE
    sort: Sort = Sort.NEWEST
    page: int = 1


def browsing(params: Mapping[str, str]) -> Browsing:
    """The list that the address names."""
    page = params.get("page", "")
    return Browsing(
        words=params.get("q", "")[:500].strip(),
        filter=PassageFilter(
            status=None if params.get("status") == ANY else _one(Status, params.get("status")) or Status.ACTIVE,
            origin=_one(Origin, params.get("origin")),
            kind=_one(Kind, params.get("kind")),
            source_type=_one(SourceType, params.get("source_type")),
            domain=params["domain"].strip().lower()[:255] if "domain" in params else None,
            topic=params["topic"].strip()[:80] if "topic" in params else None,
            language=params.get("language", "").lower()[:16] or None,
            dated={"1": False, "0": True}.get(params.get("undated", "")),
            used={"1": False, "0": True}.get(params.get("unused", "")),
            credibility_from=_share(params.get("credibility_from"), 0.0),
            credibility_to=_share(params.get("credibility_to"), 1.0),
            published_from=_day(params.get("published_from")),
            published_to=_day(params.get("published_to")),
        ),
        sort=_one(Sort, params.get("sort")) or Sort.NEWEST,
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 8 and int(page) else 1,
    )


def _one(kind: type[E], value: str | None) -> E | None:
    return kind(value) if value in list(kind) else None


def _share(value: str | None, default: float) -> float:
    try:
        number = float(value) if value else default
    except ValueError:
        return default
    return number if 0 <= number <= 1 else default


def _day(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        return None


def section(workbench: Workbench) -> None:
    """Search, filters and table."""
    asked = browsing(st.query_params.to_dict())
    narrowed = (asked.words, asked.filter)
    if st.session_state.setdefault(_SELECTED_IN, narrowed) != narrowed:
        st.session_state[_SELECTED_IN] = narrowed
        selection.clear("browse")  # or an action would apply to passages out of view
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _bound(st.text_input, "Search", "q", asked.words, icon=":material/search:", max_chars=500,
               placeholder="By meaning or by words, for example: distance to the Moon")  # fmt: skip
        button("Add passage", "knowledge_add", "add", open_form, "", type="primary")
    _filters(workbench.knowledge, asked)
    found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (asked.page - 1) * PAGE)
    pages = max(1, -(-found.total // PAGE))
    if asked.page > pages:
        found = workbench.knowledge.browse(asked.words, asked.filter, asked.sort, PAGE, (pages - 1) * PAGE)
    _list(workbench, found, asked, min(asked.page, pages), pages)


def _filters(knowledge: KnowledgeBase, asked: Browsing) -> None:
    f = asked.filter
    columns = st.columns(5)
    with columns[4]:
        _choice("Kind", "kind", f.kind, list(Kind), lambda value: value.value.capitalize())
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
        if asked.words:
            # The order chosen before stays in the address and applies again without words.
            note = "The best match comes first. Clear the search to choose another order."
            st.selectbox("Order", ["Best match first"], key="knowledge_matched", disabled=True, help=note)
        else:
            _choice("Order", "sort", asked.sort, list(Sort), SORTS.__getitem__, default=Sort.NEWEST)
    active = [name for name in NARROWING if name in st.query_params]
    more = f"More filters ({len(active)} set)" if active else "More filters"
    with st.expander(more, icon=":material/tune:", key="knowledge_more", type="compact"):
        _more_filters(knowledge, f)
    if active or asked.words or f.status is not Status.ACTIVE:
        with st.container(horizontal=True, gap="small", key="knowledge_set"):
            for name in active:
                value = shorten(st.query_params[name], 40) or "none"
                label = _YES_NO.get(name, {}).get(value) or f"{name.replace('_', ' ').capitalize()}: {value}"
                button(plain(label), f"knowledge_drop_{name}", "close", _put, name, None, help="Remove this filter")
            button("Clear all", "knowledge_clear_all", "", show, {}, type="tertiary")


def _more_filters(knowledge: KnowledgeBase, f: PassageFilter) -> None:
    for place, name in zip(st.columns(3), ("domain", "topic", "language"), strict=True):
        with place:
            value = getattr(f, name)
            offered = [each for each, _ in counted(knowledge, "values_of", name)[:CHOICES]]
            offered = [*offered, value] if value is not None and value not in offered else offered
            _choice(name.capitalize(), name, value, offered, lambda v: clean(v) or "(none)", accept_new_options=True)
    columns = st.columns(3)
    note, days = "Current rating of the source, from 0 to 1.", {
        "value": None, "min_value": date(1500, 1, 1), "max_value": date(2200, 1, 1), "format": "YYYY-MM-DD",
    }  # fmt: skip
    shares = {"min_value": 0.0, "max_value": 1.0, "value": None, "step": 0.05, "placeholder": "Any", "help": note}
    with columns[0]:
        low, high = f.credibility_from or None, f.credibility_to if f.credibility_to < 1 else None
        _bound(st.number_input, "Credibility from", "credibility_from", low, **shares)
        _bound(st.number_input, "Credibility to", "credibility_to", high, **shares)
    with columns[1]:
        _bound(st.date_input, "Published from", "published_from", f.published_from, **days)
        _bound(st.date_input, "Published to", "published_to", f.published_to, **days)
    with columns[2]:
        for label, name, yes in (("Publication date", "undated", f.dated), ("Use in checks", "unused", f.used)):
            value = None if yes is None else str(int(not yes))
            _choice(label, name, value, list(_YES_NO[name]), _YES_NO[name].__getitem__)


def show(params: dict[str, str]) -> None:
    """Show the list with these filters only. For callbacks."""
    selection.clear("browse")
    st.query_params.from_dict({"section": "browse", **params})


def _list(workbench: Workbench, found: Listing, asked: Browsing, page: int, pages: int) -> None:
    if not found.passages and (asked.words or asked.filter != ACTIVE):
        st.info("Nothing matches. Remove a filter or change the search.", icon=":material/filter_alt_off:")
        return
    if not found.passages:
        st.info("The knowledge base is empty. Add a passage or import a file.", icon=":material/inbox:")
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
    check = (WORDS, "fact_check", lambda ids: start_check(workbench, workbench.knowledge.get(ids)))
    selection.toolbar(workbench, "browse", actions[asked.filter.status], (check,))
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
                words = plain(shorten(p.text, 180))
                button(words, f"knowledge_open_{p.id}", "", open_passage, p.id, type="tertiary", wrap=True)
                status = "" if p.status is Status.ACTIVE else f"{theme.PASSAGE_STATUSES[p.status].text} "
                st.markdown(
                    f":small[{status}{plain(shorten(p.domain or p.source_name, 40))}]  \n"
                    f":small[:gray[{capitalized(intake(p, theme.day))}]]"
                )
                st.markdown(f":small[{theme.standing(p)}]")
                st.markdown(f":small[{theme.day(p.published_at)}]")
                st.markdown(f":small[{p.verification_count:,}]" if p.verification_count else ":small[:gray[never]]")


def _bound(widget: Act, label: str, name: str, now: Any, default: Any = None, **options: Any) -> None:
    """A widget whose value is kept in the address: written into it before each run and read after a change.

    So links, reloads and the browser's own history agree.
    """
    key = f"knowledge_{name}"
    st.session_state[key] = now
    widget(label, key=key, on_change=_changed, args=(name, default), **options)


def _choice(
    label: str, name: str, value: Any, offered: list[Any], words: Act, default: Any = None, **options: Any
) -> None:
    _bound(st.selectbox, label, name, value, default, options=offered, index=None, placeholder="Any",
           format_func=words, **options)  # fmt: skip


def _changed(name: str, default: Any) -> None:
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
