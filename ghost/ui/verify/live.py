"""A run while it goes on: its seven steps, what is known so far, and the sources as they are found."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from ghost.events import SourceUpdate
from ghost.jobs import Runner, RunView
from ghost.reports import evidence_cards
from ghost.ui.shared import theme
from ghost.ui.shared.parts import button
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.steps import step_list
from ghost.ui.shared.text import capitalized, coloured, count, plain, safe_url, shorten
from ghost.ui.verify.add_link import link_to_running
from ghost.ui.verify.verdict import headline, toolbar
from ghost.web import host_of

POLL_SECONDS = 0.4
MOST_CARDS = 12
"""A run fetches fewer pages than that unless its limits were raised."""
QUOTES = 2

_STATES: dict[str, theme.Badge] = {
    "kept": theme.Badge("Found", "search", "blue", "A search found it."),
    "reading": theme.Badge("Reading", "hourglass_top", "blue", "It is being fetched and read."),
    "read": theme.Badge("Read", "article", "green"),
    "refused": theme.Badge("Not fetched", "block", "orange"),
    "unreadable": theme.Badge("Not readable", "visibility_off", "orange"),
    "dropped": theme.Badge("Does not count", "do_not_disturb_on", "gray"),
    "not read": theme.Badge("Not read", "remove", "gray"),
    "duplicate": theme.Badge("Already known", "content_copy", "gray"),
    "fact-check": theme.Badge("Fact-check", "fact_check", "green", "A published check of this claim."),
}
_UNKNOWN = theme.Badge("Seen", "public", "gray")
_STAGES = {"trusted": "trusted sources", "fact_check": "fact-checkers", "broad": "the whole web"}
_SIDES = {
    "supports": theme.Badge("Supports", "thumb_up", "green"),
    "refutes": theme.Badge("Contradicts", "thumb_down", "red"),
    "both": theme.Badge("Takes both sides", "balance", "orange"),
}


def running_page(runner: Runner, view: RunView) -> None:
    """The run as it goes on; polls until it ends, then draws the page again."""
    toolbar(view, "In progress", " This check goes on.")
    headline(view)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        # A run of another process is read from the records; the next poll may succeed.
        with theme.store_errors_noted("The progress cannot be read now."):
            now = runner.snapshot(view.run_id)
            if now is None or now.ended:
                st.rerun()
            left, right = st.columns([3, 2], gap="large")
            with left, st.container(border=True):
                _clock(runner, now)
                step_list(now)
                _cancel_button(runner, now)
            with right:
                _known_so_far(now)
            _sources(now.sources)

    watch()
    # Outside the fragment, so that a field is not drawn again while the analyst types in it.
    with st.container(border=True, key="verify_links"):
        link_to_running(runner, view)


def _cancel_button(runner: Runner, view: RunView) -> None:
    if view.run_id not in runner.active():
        st.caption("This check was started elsewhere, such as in a batch. Stop it there.")
        return
    button(
        "Stopping …" if view.cancelling else "Cancel", "verify_cancel", "stop_circle", runner.cancel, view.run_id,
        disabled=view.cancelling,
    )  # fmt: skip


def _clock(runner: Runner, view: RunView) -> None:
    """How long it has taken, or how many checks are before it."""
    if view.steps or view.number:
        st.caption(f":material/timer: {theme.seconds(view.seconds)}")
        return
    active = runner.active()
    before = active.index(view.run_id) if view.run_id in active else 0
    waits = f"Waiting for its turn; {count(before, 'check')} started before it."
    st.caption(f":material/hourglass_top: {waits if before else 'Starting in a moment.'}")


def _known_so_far(view: RunView) -> None:
    theme.kicker("Known so far")
    if found := view.classification:
        st.markdown(theme.TYPES[found.type].badge)
        st.markdown("  \n".join(f"**{s.number}** · {plain(shorten(s.text, 200))}" for s in found.statements))
        if found.extracted is not None:
            st.caption(":material/edit: Statements in your words; the trace has the extracted ones.")
    else:
        st.caption("What can be checked in the claim is listed here first, then the evidence.")
    if view.evidence:
        numbers = Counter(card.main.stance.label for card in evidence_cards(view.evidence))
        sides = (
            f"{numbers[s]} {theme.STANCES[s].text.replace(b.word, b.word.lower())}"
            for s, b in theme.STANCES.items()
            if numbers[s]
        )
        st.markdown(f"{count(numbers.total(), 'passage')} weighed: {', '.join(sides)}")
    if view.withdrawn:
        st.caption(f":orange[:material/undo:] Withdrawn: {plain(shorten(view.withdrawn, 300))}")
    for text in view.sentences:
        st.markdown(plain(text))  # its marks lead nowhere yet: the evidence is drawn when the run has ended
    st.caption("You can leave this page: the check goes on, and this address leads back to it.")
    st.caption(privacy_line(view.judge, view.searched))


def _sources(sources: Sequence[SourceUpdate]) -> None:
    """What is known of each page, the latest news first; hits that were dropped are only counted."""
    if not sources:
        return
    dropped = [s for s in sources if not s.bytes and s.state in ("dropped", "duplicate")]
    found = [s for s in reversed(sources) if s not in dropped]
    read, quotes = sum(s.state == "read" for s in sources), sum(len(s.quotes) for s in sources)
    st.markdown(
        f"**{count(len(sources), 'source')}** :gray[· {read} read, {count(quotes, 'quote')} that "
        f"bear{'s' if quotes == 1 else ''} on the claim, latest news first]"
    )
    for row in range(0, min(len(found), MOST_CARDS), 2):
        for column, source in zip(st.columns(2), found[row : row + 2], strict=False):
            with column, st.container(border=True, height="stretch", gap="small"):
                _card(source)
    if len(found) > MOST_CARDS:
        st.caption(f"{count(len(found) - MOST_CARDS, 'earlier source')} will be listed in the trace.")
    if dropped:
        reasons = Counter(shorten(s.note or "already known", 90) for s in dropped).most_common(4)
        listed = "; ".join(f"{plain(reason)} ({number})" for reason, number in reasons)
        st.caption(f"{count(len(dropped), 'hit')} left out: {listed}")


def _card(source: SourceUpdate) -> None:
    badge = _STATES.get(source.state, _UNKNOWN)
    side = _SIDES[source.verdict].badge if source.verdict in _SIDES else ""
    st.markdown(" ".join(filter(None, (badge.badge, side, _STATES["fact-check"].badge if source.reviews else ""))))
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
