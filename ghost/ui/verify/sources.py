"""The sources of a run as they come: one card for each page, and a count of what was left aside."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from ghost.events import SourceUpdate
from ghost.ui.shared import theme
from ghost.ui.shared.text import coloured, count, plain, safe_url, shorten
from ghost.web import host_of

SHOWN = 12
"""Cards at most; a run asks for fewer pages than that unless its limits were raised."""
QUOTES = 2

STATES: dict[str, theme.Look] = {
    "kept": theme.Look("Found", "search", "blue", "A search found it."),
    "reading": theme.Look("Reading", "hourglass_top", "blue", "It is fetched and read now."),
    "read": theme.Look("Read", "article", "green"),
    "refused": theme.Look("Not fetched", "block", "orange"),
    "unreadable": theme.Look("Not readable", "visibility_off", "orange"),
    "dropped": theme.Look("Does not count", "do_not_disturb_on", "gray"),
    "not read": theme.Look("Not read", "remove", "gray"),
    "duplicate": theme.Look("Known already", "content_copy", "gray"),
    "fact-check": theme.Look("Fact-check", "fact_check", "green", "Somebody has published a check of this."),
}
_STAGES = {"trusted": "trusted sources", "fact_check": "fact-checkers", "broad": "the whole web"}
_SIDES = {
    "supports": theme.Look("Supports", "thumb_up", "green"),
    "refutes": theme.Look("Contradicts", "thumb_down", "red"),
    "both": theme.Look("Takes both sides", "balance", "orange"),
}
_UNKNOWN = theme.Look("Seen", "public", "gray")


def source_cards(sources: Sequence[SourceUpdate]) -> None:
    """What is known of each page, the latest news first; hits that were dropped are only counted."""
    left = [s for s in sources if not s.bytes and s.state in ("dropped", "duplicate")]
    cards = [s for s in reversed(sources) if s not in left]
    if not sources:
        return
    states = Counter(s.state for s in sources)
    quotes = sum(len(s.quotes) for s in sources)
    st.markdown(
        f"**{count(len(sources), 'source')}** :gray[· {states['read']} read, {count(quotes, 'quote')} that "
        f"bear{'s' if quotes == 1 else ''} on the claim, latest news first]"
    )
    shown = cards[:SHOWN]
    for row in range(0, len(shown), 2):
        for column, source in zip(st.columns(2), shown[row : row + 2], strict=False):
            with column:
                _card(source)
    if len(cards) > SHOWN:
        st.caption(f"{count(len(cards) - SHOWN, 'earlier source')} will be listed in the trace.")
    if left:
        whys = Counter(shorten(s.note or "known already", 90) for s in left)
        st.caption(
            f"{count(len(left), 'hit')} left aside: "
            + "; ".join(f"{plain(why)} ({number})" for why, number in whys.most_common(4))
        )


def _card(source: SourceUpdate) -> None:
    look = STATES.get(source.state, _UNKNOWN)
    host = host_of(source.url) if safe_url(source.url) else ""
    with st.container(border=True, height="stretch", gap="small"):
        badges = [look.badge]
        if source.verdict in _SIDES:
            badges.append(_SIDES[source.verdict].badge)
        if source.reviews:
            badges.append(STATES["fact-check"].badge)
        st.markdown(" ".join(badges))
        st.markdown(
            f"**{plain(shorten(source.title or source.url, 100))}**  \n"
            + coloured("gray", host or shorten(source.url, 60))
        )
        for quote in source.quotes[:QUOTES]:
            st.markdown(f":blue[:material/format_quote:] {plain(shorten(quote, 220))}")
        if len(source.quotes) > QUOTES:
            st.caption(f"and {count(len(source.quotes) - QUOTES, 'more quote')}")
        note = source.note or look.note
        if note and not source.quotes:
            st.caption(plain(shorten(note[:1].upper() + note[1:], 160)))
        st.caption(_facts(source))


def _facts(source: SourceUpdate) -> str:
    """What it cost, and which search led to it."""
    parts = []
    if source.quotes:
        parts.append(count(len(source.quotes), "quote"))
    if source.bytes:
        parts.append(size(source.bytes))
    if source.seconds:
        parts.append(theme.seconds(source.seconds))
    parts.append(f"from {_STAGES[source.stage]}" if source.stage in _STAGES else "not found by a search")
    return " · ".join(parts)


def size(number: int) -> str:
    """``812 bytes``, ``14 KB``, ``2.1 MB``."""
    if number < 1000:
        return f"{number} bytes"
    return f"{number / 1000:.0f} KB" if number < 1_000_000 else f"{number / 1_000_000:.1f} MB"
