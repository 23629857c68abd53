"""The evidence of a report: one bar for and against, the passages that decide, and the others folded."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from ghost.reports import (
    NOT_USED,
    RETRACTION,
    EvidenceCard,
    archived_copy,
    evidence_cards,
    evidence_sides,
    origins_line,
    page_notices,
    timing,
    unused_sources,
)
from ghost.types import Citation, Evidence, Origin, StanceLabel, TraceStep
from ghost.ui.shared import charts, theme
from ghost.ui.shared.text import coloured, count, highlighted, link, plain, safe_url, shorten

MOST_DECISIVE = 6
"""Passages that are shown in full; the others are folded."""
UNUSED = 20
"""Passages that are listed though they were not used."""
_MARK = re.compile(r"\[(\d{1,6})\]")
Readings = Mapping[tuple[int, int], StanceLabel]
"""(number of the passage, number of the statement) -> stance."""


def judge_readings(steps: Sequence[TraceStep]) -> Readings:
    """How the judge itself reads each passage for each statement, from the last round of step 4 that says so."""
    found: dict[tuple[int, int], StanceLabel] = {}
    for step in steps:
        rows = step.outputs.get("statements") if step.name == "sufficiency" else None
        for row in rows if isinstance(rows, list) else ():
            stances = row.get("stances") if isinstance(row, dict) else None
            for mark, stance in stances.items() if isinstance(stances, dict) else ():
                if mark.strip("[]").isdecimal() and stance in list(StanceLabel):
                    found[int(mark.strip("[]")), row.get("statement")] = StanceLabel(stance)
    return found


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What the evidence_cards of one run are drawn from."""

    evidence: Sequence[Evidence]
    citations: Sequence[Citation]
    steps: Sequence[TraceStep]
    foot: Callable[[EvidenceCard], None]
    """Draws the last line of a card's details."""
    made: Sequence[EvidenceCard] = field(init=False)
    readings: Readings = field(init=False)
    notices: Mapping[str, Sequence[tuple[str, str]]] = field(init=False)
    """Address of a page -> kind and words of each notice in it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", evidence_cards(self.evidence))
        object.__setattr__(self, "readings", judge_readings(self.steps))
        object.__setattr__(self, "notices", page_notices(self.steps))


def decisive_numbers(view: EvidenceView, explanation: str) -> tuple[int, ...]:
    """Numbers of the passages that the verdict cites or names, at most ``MOST_DECISIVE``."""
    cited = [c.n for c in view.citations if c.accepted] + [int(n) for n in _MARK.findall(explanation)]
    known = {card.number for card in view.made}
    return tuple(n for n in dict.fromkeys(cited) if n in known)[:MOST_DECISIVE]


def evidence_section(view: EvidenceView, decisive: Sequence[int]) -> None:
    """One bar of the evidence for and against, and the passages with these numbers."""
    st.header("Evidence", anchor="evidence")
    if not view.made:
        st.caption("Nothing that was found is about the claim.")
        return
    _balance(view)
    with st.container(gap="xsmall"):
        for card in _cards_by_side(view):
            if card.number in decisive:
                _draw(view, card)


def other_evidence(view: EvidenceView, decisive: Sequence[int]) -> None:
    """The evidence that the verdict does not cite, folded, by stance."""
    rest = [card for card in _cards_by_side(view) if card.number not in decisive]
    if rest:
        name = "Other evidence" if decisive else "All evidence"
        with st.expander(f"{name} · {count(len(rest), 'passage')}", icon=":material/library_books:"):
            st.caption("The verdict does not cite these.")
            for card in rest:
                _draw(view, card)


def unused_section(view: EvidenceView) -> None:
    """What was found and not used, folded, with the reasons."""
    rows = unused_sources(view.evidence, view.steps)
    if not rows:
        return
    number = sum(row.passages for row in rows)
    with st.expander(f"{NOT_USED} · {count(number, 'passage')}", icon=":material/filter_alt_off:", key="verify_unused"):
        st.caption("The search found these. No verdict rests on them.")
        for row in rows[:UNUSED]:
            title = f" {plain(shorten(row.title, 120))}" if row.title and row.title != row.source else ""
            st.markdown(f"**{plain(shorten(row.source, 60))}**{title}  \n:gray[:small[{plain(row.words)}]]")
        if len(rows) > UNUSED:
            st.caption(f"And {len(rows) - UNUSED:,} more. The trace lists all of them, with their numbers.")


def _cards_by_side(view: EvidenceView) -> list[EvidenceCard]:
    """All evidence_cards, the side of the verdict's citations first, and the weightiest first within a side."""
    return [card for side in evidence_sides(view.made, view.citations) for card in side.cards]


def _balance(view: EvidenceView) -> None:
    """A bar of independent origins against and for the claim; the figures are in words below it."""
    found = {side.stance: side for side in evidence_sides(view.made, view.citations)}
    bar, words = [], []
    for stance in (StanceLabel.REFUTES, StanceLabel.SUPPORTS, StanceLabel.NEUTRAL):
        badge = theme.STANCES[stance]
        if not (side := found.get(stance)):
            if stance is not StanceLabel.NEUTRAL:
                words.append(f":gray[:material/{badge.icon}: {badge.word}: none]")
            continue
        origins = f", {count(side.origins, 'origin')}" if len(side.cards) > 1 else ""
        words.append(
            f":{badge.colour}[:material/{badge.icon}: **{side.words}**] {count(len(side.cards), 'passage')}{origins}"
        )
        if stance is not StanceLabel.NEUTRAL:
            # Only numbers and colours of ours are put into the HTML.
            bar.append(f'<span style="flex:{int(side.origins)};background:{charts.colour(badge.colour)}"></span>')
    st.html(f'<div class="ghost-balance">{"".join(bar)}</div>')
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for each in words:
            st.markdown(f":small[{each}]", width="content")
    st.caption(f"{origins_line(view.evidence)}. The bar counts independent origins: a repeated story counts once.")


def _draw(view: EvidenceView, card: EvidenceCard) -> None:
    p, e = card.main.passage, card.main
    quotes = [c for c in view.citations if c.n == card.number and c.accepted]
    with st.container(border=True, gap="xsmall", key=f"verify_evidence_{card.number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(
                f"{card.number} · {plain(shorten(p.source_name, 80))}",
                anchor=f"evidence-{card.number}",
                width="content",
            )
            st.markdown(" ".join(_badges(card, view.made)), width="content")
        st.markdown(highlighted(p.text, tuple(c.quote for c in quotes)))
        if p.snippet:
            st.caption(
                ":material/travel_explore: A search engine's excerpt: the page itself was not read. It serves this "
                "check only and is not in your knowledge base."
            )
        for kind, text in view.notices.get(p.source_url, ()):
            icon, colour = ("unpublished", "red") if kind == RETRACTION else ("edit_note", "orange")
            st.markdown(
                f"{theme.badge(plain(kind.capitalize()), icon, colour)} {coloured('small', shorten(text, 300))}"
            )
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            where = (
                link(p.domain or shorten(p.source_url, 60), p.source_url) if safe_url(p.source_url) else "no address"
            )
            st.markdown(
                f":small[{theme.stars(e.credibility, p.rated)} :gray[· {theme.dated(p)} ·] {where}]", width="content"
            )
            with st.popover("Details", type="tertiary", key=f"verify_details_{card.number}"):
                _details(view, card, quotes)


def _details(view: EvidenceView, card: EvidenceCard, quotes: Sequence[Citation]) -> None:
    p, e = card.main.passage, card.main
    if p.title and p.title != p.source_name:
        st.markdown(coloured("gray", shorten(p.title, 160)))
    for row in card.all:
        if len(card.all) > 1:
            st.markdown(
                f":small[Statement {row.statement}: {theme.STANCES[row.stance.label].word.lower()} {_share(row)}]"
            )
    if e.kin:
        st.caption(f":material/content_copy: Counted with another: {plain(shorten(e.kin, 200))}.")
    if read := _language_model_reading(view, card):
        st.markdown(f":small[:material/smart_toy: {read}]")
    indexed = "Not in the knowledge base" if p.snippet else f"Indexed {theme.day(p.indexed_at)}"
    st.markdown(
        f":small[Credibility {e.credibility:.2f} · Relevance {theme.percent(e.relevance)} · Weight {e.final:.2f}]  \n"
        f":small[:gray[{theme.dated(p)} · Retrieved {theme.day(p.retrieved_at)} · {indexed}]]"
    )
    theme.source_line(p.source_url)
    if quotes:
        _archive_line(quotes[0], p.origin)
    view.foot(card)


def _archive_line(citation: Citation, origin: Origin) -> None:
    """An archived_copy copy of a cited page, or where one may be."""
    url = archived_copy(citation, origin)
    if citation.archived_at:
        st.caption(f":material/inventory_2: {link(f'Archived copy of {theme.day(citation.archived_at)}', url)}")
    elif safe_url(url):
        st.caption(f":material/inventory_2: {link('Find an archived_copy copy', url)} at the Internet Archive")


def _badges(card: EvidenceCard, made: Sequence[EvidenceCard]) -> list[str]:
    e = card.main
    badge, origin = theme.STANCES[e.stance.label], theme.ORIGINS[e.passage.origin].badge
    if e.passage.snippet:
        origin = theme.badge("Search snippet", "travel_explore", "orange")
    found = [theme.badge(f"{badge.word} {_share(e)}", badge.icon, badge.colour), origin]
    if same := [other.number for other in made if other.main.group == e.group and other.number != card.number]:
        words = f"Same origin as {', '.join(map(str, sorted(same)))}"
        found.append(theme.badge(words, "content_copy", "orange"))
    if means := next((words for row in card.all if (words := timing(row))), ""):
        found.append(theme.badge(means.capitalize(), "event_busy", "orange"))
    return found


def _share(e: Evidence) -> str:
    s = e.stance
    return theme.percent(max(s.supports, s.refutes, s.neutral, s.off_topic))


def _language_model_reading(view: EvidenceView, card: EvidenceCard) -> str:
    """How the language model reads the passage, where one was asked."""
    found = [(row.statement, view.readings.get((card.number, row.statement))) for row in card.all]
    words = [(number, theme.STANCES[stance].word.lower()) for number, stance in found if stance]
    several = len(card.all) > 1
    listed = ", ".join(f"{word} ({number})" if several else word for number, word in words)
    return f"The language model reads it as: {listed}" if words else ""


def rejected_citations(citations: Sequence[Citation]) -> None:
    """Citations that the gate did not accept, and why; folded."""
    refused = [c for c in citations if not c.accepted]
    if not refused:
        return
    with st.expander(f"{count(len(refused), 'citation')} rejected by the gate", icon=":material/gpp_bad:"):
        st.caption(
            "What a judge cites must be in the evidence, word for word. These were not, so nothing rests on them."
        )
        for c in refused:
            stance = theme.STANCES[c.stance].word.lower()
            st.markdown(f"**{c.n}** · claimed: {stance}  \n> {plain(shorten(c.quote, 600)) or '(no quote)'}")
            st.markdown(f":orange[:material/block:] {plain(c.why)}")
