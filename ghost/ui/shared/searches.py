"""The searches of a run as tables: the query, who received it, and what happened to every hit and page."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ghost.types import TraceStep, host_of
from ghost.ui.shared.text import count, link, plain, safe_url, shorten

_FATES = {
    "kept": ":green[:material/check:]",
    "duplicate": ":gray[:material/content_copy:]",
    "to be read": ":blue[:material/article:]",
    "dropped": ":gray[:material/block:]",
    "fact-check": ":green[:material/fact_check:]",
    "reading": ":blue[:material/hourglass_top:]",
    "read": ":green[:material/article:]",
    "refused": ":orange[:material/block:]",
    "unreadable": ":orange[:material/visibility_off:]",
    "not read": ":gray[:material/remove:]",
}
_STATES = {
    "failed": ":orange[:material/error:]",
    "not asked": ":gray[:material/remove:]",
    "from the cache": ":blue[:material/history:]",
}


def searches_table(step: TraceStep) -> None:
    """Every search of one step with its hits, and the pages it read; nothing for a step that did not search."""
    if step.name != "investigate":
        return
    for search in rows_of(step.outputs.get("searches")):
        state = str(search.get("state"))
        why = f"  \n:gray[{plain(shorten(str(search.get('why')), 300))}]" if search.get("why") else ""
        query = plain(shorten(str(search.get("query")), 400))
        receiver = plain(str(search.get("sent_to") or "Not sent"))
        st.markdown(f"{_STATES.get(state, ':blue[:material/search:]')} **{receiver}**, {plain(state)}: {query}{why}")
        if hits := rows_of(search.get("hits")):
            _table(hits, {})
    if pages := rows_of(step.outputs.get("sources")):
        st.markdown(":material/article: **Pages**")
        _table(pages, {"Size": [_size(page) for page in pages]})


def rows_of(value: object) -> list[Mapping[str, Any]]:
    """The rows of a stored trace, which another version may have written."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _table(rows: Sequence[Mapping[str, Any]], more: Mapping[str, list[str]]) -> None:
    columns = {"Page": [_page(row) for row in rows], "Published": [_published(row) for row in rows]}
    st.table({**columns, **more, "Result": [_result(row) for row in rows]}, border="horizontal")


def _page(row: Mapping[str, Any]) -> str:
    url = str(row.get("url") or "")
    title = plain(shorten(str(row.get("title") or "no title"), 120))
    host = host_of(url)
    return f"{title}, {link(host, url) if safe_url(url) and host else plain(shorten(url, 80))}"


def _published(row: Mapping[str, Any]) -> str:
    day, sure = plain(str(row.get("published_at") or "unknown")), str(row.get("date_sure") or "")
    return f"{day} ({plain(sure)})" if row.get("published_at") and sure in ("likely", "guess") else day


def _size(row: Mapping[str, Any]) -> str:
    numbers = (row.get("bytes"), row.get("seconds"))
    size, took = (float(n) if isinstance(n, int | float) else 0.0 for n in numbers)
    return f"{size:,.0f} bytes, {took:.2f} s"


def _result(row: Mapping[str, Any]) -> str:
    """What happened to a hit or page, with what a reader should know of it."""
    state, why = str(row.get("fate") or row.get("state")), row.get("why")
    quotes, hidden = rows_of(row.get("quotes")), row.get("hidden")
    parts = [f"{_FATES.get(state, '')} {plain(state)}"]
    if quotes:
        side = row.get("verdict") or "takes no side"
        parts.append(plain(f"{count(len(quotes), 'passage')} on the statement, {side}"))
    if why:
        parts.append(plain(shorten(str(why), 200)))
    parts += [f":orange[{plain(shorten(str(n.get('kind')), 40))}]" for n in rows_of(row.get("notices"))]
    if isinstance(hidden, Mapping) and hidden:
        parts.append(plain(f"{len(hidden)} kinds of hidden text removed"))
    return ": ".join(parts[:2]) + "".join(f"; {part}" for part in parts[2:])
