"""The searches of a run: what was asked, of whom, and what became of every hit."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import any_search_answered, fact_check_coverage
from ghost.types import TraceStep
from ghost.ui.shared.text import count, link, plain, safe_url, shorten
from ghost.web import host_of, reviewer_of

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


def fact_checks_section(view: RunView) -> None:
    """“Already fact-checked?”, answered for every run that searched; nothing for one that did not."""
    if not any_search_answered(view.steps):
        return
    outputs = [s.outputs for s in view.steps if s.name == "investigate"]
    st.subheader("Already fact-checked?", anchor="fact-checked")
    found = {str(r.get("url")): r for o in outputs for r in _rows(o.get("reviews")) if r.get("statement")}
    for told in fact_check_coverage(view.steps, bool(found)):
        st.caption(plain(shorten(told, 500)))
    for url, row in found.items():
        who = plain(shorten(reviewer_of(row), 200))
        rating = plain(shorten(str(row.get("rating") or "no rating"), 80))
        claim = plain(shorten(str(row.get("claim") or ""), 300))
        where = f" · {link(host_of(url), url)}" if safe_url(url) and host_of(url) else ""
        st.markdown(f":material/fact_check: {who}: **{rating}**  \n{claim}{where}")


def searches_table(step: TraceStep) -> None:
    """Every search of one step with its hits; nothing for a step that did not search."""
    if step.name != "investigate":
        return
    for search in _rows(step.outputs.get("searches")):
        icon = _STATES.get(str(search.get("state")), ":blue[:material/search:]")
        why = f"  \n:gray[{plain(shorten(str(search.get('why')), 300))}]" if search.get("why") else ""
        asked = plain(shorten(str(search.get("query")), 400))
        who = plain(str(search.get("sent_to") or "Nobody asked"))
        st.markdown(f"{icon} **{who}**, {plain(str(search.get('state')))}: {asked}{why}")
        hits = _rows(search.get("hits"))
        if hits:
            st.table(_columns(hits), border="horizontal")

    sources = _rows(step.outputs.get("sources"))
    if sources:
        st.markdown(":material/article: **Pages**")
        st.table(
            {
                "Page": [_page(row) for row in sources],
                "Published": [_dated(row) for row in sources],
                "Came": [
                    f"{_number(row.get('bytes')):,.0f} bytes, {_number(row.get('seconds')):.2f} s" for row in sources
                ],
                "Fate": [_read(row) for row in sources],
            },
            border="horizontal",
        )


def _dated(row: Mapping[str, Any]) -> str:
    sure = str(row.get("date_sure") or "")
    day = plain(str(row.get("published_at") or "unknown"))
    return f"{day} ({plain(sure)})" if row.get("published_at") and sure in ("likely", "guess") else day


def _read(row: Mapping[str, Any]) -> str:
    """What became of a page, with what a reader should know of it."""
    state = str(row.get("state"))
    quotes, hidden = _rows(row.get("quotes")), row.get("hidden")
    parts = [f"{_FATES.get(state, '')} {plain(state)}"]
    if quotes:
        parts.append(
            plain(f"{count(len(quotes), 'passage')} on the statement, {row.get('verdict') or 'takes no side'}")
        )
    if row.get("why"):
        parts.append(plain(shorten(str(row["why"]), 200)))
    parts += [f":orange[{plain(shorten(str(n.get('kind')), 40))}]" for n in _rows(row.get("notices"))]
    if isinstance(hidden, Mapping) and hidden:
        parts.append(plain(f"{len(hidden)} kinds of hidden text removed"))
    return "; ".join(parts)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _columns(hits: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    return {
        "Page": [_page(hit) for hit in hits],
        "Published": [plain(str(hit.get("published_at") or "unknown")) for hit in hits],
        "Fate": [_fate(hit) for hit in hits],
    }


def _fate(hit: Mapping[str, Any]) -> str:
    fate = str(hit.get("fate"))
    why = f": {plain(shorten(str(hit.get('why')), 200))}" if hit.get("why") else ""
    return f"{_FATES.get(fate, '')} {plain(fate)}{why}"


def _page(hit: Mapping[str, Any]) -> str:
    url = str(hit.get("url") or "")
    title = plain(shorten(str(hit.get("title") or "no title"), 120))
    host = host_of(url)
    return f"{title}, {link(host, url) if safe_url(url) and host else plain(shorten(url, 80))}"


def _rows(value: object) -> list[Mapping[str, Any]]:
    """The rows of a stored trace, which another version may have written."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
