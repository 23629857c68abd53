"""Pages as they are found and read, as cards: what each says, or why it does not count."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from ghost.events import SourceUpdate
from ghost.types import StanceLabel, host_of
from ghost.ui.shared import theme
from ghost.ui.shared.text import capitalized, coloured, count, plain, safe_url, shorten

MOST_CARDS = 12
"""A run fetches fewer pages than that unless its limits were raised."""
QUOTES = 2
_STAGES = {"trusted": "trusted sources", "fact_check": "fact-checkers", "broad": "the whole web"}
_SIDES = {
    "supports": theme.STANCES[StanceLabel.SUPPORTS],
    "refutes": theme.STANCES[StanceLabel.REFUTES],
    "both": theme.Badge("Takes both sides", "balance", "orange"),
}


def source_cards(sources: Sequence[SourceUpdate], about: str, sides: bool = True) -> None:
    """What is known of each page, the latest first; hits that were dropped are only counted.

    ``about`` names what quotes bear on: ``the claim``. ``sides``: whether to show which side a page takes, which it
    cannot on an open question.
    """
    if not sources:
        return
    dropped = [s for s in sources if not s.bytes and s.state in ("dropped", "duplicate")]
    found = [s for s in reversed(sources) if s not in dropped]
    read, quotes = sum(s.state == "read" for s in sources), sum(len(s.quotes) for s in sources)
    st.markdown(
        f"**{count(len(sources), 'source')}** :gray[· {read} read, {count(quotes, 'quote')} that "
        f"bear{'s' if quotes == 1 else ''} on {about}, latest news first]"
    )
    for row in range(0, min(len(found), MOST_CARDS), 2):
        for column, source in zip(st.columns(2), found[row : row + 2], strict=False):
            with column, st.container(border=True, height="stretch", gap="small"):
                _card(source, sides)
    if len(found) > MOST_CARDS:
        st.caption(f"{count(len(found) - MOST_CARDS, 'earlier source')} will be listed in the trace.")
    if dropped:
        reasons = Counter(shorten(s.note or "already known", 90) for s in dropped).most_common(4)
        listed = "; ".join(f"{plain(reason)} ({number})" for reason, number in reasons)
        st.caption(f"{count(len(dropped), 'hit')} left out: {listed}")


def _card(source: SourceUpdate, sides: bool) -> None:
    badge = theme.PAGE_STATES.get(source.state, theme.UNKNOWN_STATE)
    side = _SIDES.get(source.verdict) if sides else None
    badges = [badge, side, theme.PAGE_STATES["fact-check"] if source.reviews else None]
    st.markdown(" ".join(each.badge for each in badges if each))
    host = host_of(source.url) if safe_url(source.url) else ""
    title = plain(shorten(source.title or source.url, 100))
    st.markdown(f"**{title}**  \n{coloured('gray', host or shorten(source.url, 60))}")
    for quote in source.quotes[:QUOTES]:
        st.markdown(f":blue[:material/format_quote:] {plain(shorten(quote, 220))}")
    if len(source.quotes) > QUOTES:
        st.caption(f"and {count(len(source.quotes) - QUOTES, 'more quote')}")
    if (note := source.note or badge.note) and not source.quotes:
        st.caption(plain(shorten(capitalized(note), 160)))
    st.caption(f"from {_STAGES[source.stage]}" if source.stage in _STAGES else "not found by a search")
