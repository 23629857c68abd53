"""The evidence of a report: one bar for and against, the passages that decide, and the others folded."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import (
    NOT_USED,
    RETRACTION,
    EvidenceCard,
    archived_copy,
    evidence_cards,
    evidence_sides,
    origins_line,
    page_notices,
    remark,
    source,
    unused_sources,
)
from ghost.types import Citation, Origin, StanceLabel, TraceStep
from ghost.ui.shared import charts, theme
from ghost.ui.shared.steps import rows_of
from ghost.ui.shared.text import capitalized, coloured, count, highlighted, link, plain, safe_url, shorten

MOST_DECISIVE = 6
"""Passages that are shown in full; the others are folded."""
UNUSED = 20
"""Passages that are listed though they were not used."""
_MARK = re.compile(r"\[(\d{1,6})\]")


class EvidenceView:
    """What the evidence of one run is drawn from."""

    def __init__(
        self, run: RunView, foot: Callable[[EvidenceCard], None], reads: Callable[[EvidenceCard], None]
    ) -> None:
        """``foot`` draws the last line of a card's details, ``reads`` how its passage reads."""
        self.evidence, self.steps, self.foot, self.reads = run.evidence, run.steps, foot, reads
        self.decided = run.verdict is not None
        self.citations = run.verdict.citations if run.verdict else ()
        self.accepted = [c for c in self.citations if c.accepted]
        self.sides = evidence_sides(evidence_cards(run.evidence, self.citations), self.citations)
        self.cards = list({card.number: card for side in self.sides for card in side.cards}.values())
        """The side of the verdict's citations first, and the weightiest first within a side."""
        self.readings = _judge_readings(run.steps)
        self.notices = page_notices(run.steps)
        marks = _MARK.findall(run.verdict.explanation) if run.verdict else ()
        named = [c.n for c in self.accepted] + [int(n) for n in marks]
        known = {card.number for card in self.cards}
        self.decisive = tuple(n for n in dict.fromkeys(named) if n in known)[:MOST_DECISIVE]
        """Numbers of the passages that the verdict cites or names."""


def _judge_readings(steps: Sequence[TraceStep]) -> dict[tuple[str, object], StanceLabel]:
    """How the judge itself reads each passage (``[n]``) for each statement, as step 4 said last."""
    return {
        (mark, row.get("statement")): StanceLabel(stance)
        for step in steps
        if step.name == "sufficiency"
        for row in rows_of(step.outputs.get("statements"))
        for mark, stance in (row.get("stances") or {}).items()
        if stance in list(StanceLabel)
    }


def evidence_section(view: EvidenceView) -> None:
    """One bar of the evidence for and against, and the passages that decide."""
    st.header("Evidence", anchor="evidence")
    if not view.cards:
        st.caption("Nothing that was found is about the claim.")
        return
    _balance(view)
    with st.container(gap="xsmall"):
        for card in view.cards:
            if card.number in view.decisive:
                _draw(view, card)


def other_evidence(view: EvidenceView) -> None:
    """The evidence that the verdict does not cite, folded, by stance."""
    rest = [card for card in view.cards if card.number not in view.decisive]
    if rest:
        name = "Other evidence" if view.decisive else "All evidence"
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
            title = f" {plain(shorten(row.title, 120))}" if row.title not in row.source else ""
            st.markdown(f"**{plain(shorten(row.source, 60))}**{title}  \n:gray[:small[{plain(row.words)}]]")
        if len(rows) > UNUSED:
            st.caption(f"And {len(rows) - UNUSED:,} more. The trace lists all of them, with their numbers.")


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
            st.markdown(f"**{c.n}** · claimed: {stance}  \n{theme.quotation(c.quote or '(no quote)', c.kind, 600)}")
            st.markdown(f":orange[:material/block:] {plain(c.why)}")


def _balance(view: EvidenceView) -> None:
    """A bar of independent origins against and for the claim; the figures are in words below it."""
    found = {side.stance: side for side in view.sides}
    bar, words = [], []
    for stance in (StanceLabel.REFUTES, StanceLabel.SUPPORTS, StanceLabel.NEUTRAL):
        badge, takes_side = theme.STANCES[stance], stance is not StanceLabel.NEUTRAL
        if side := found.get(stance):
            origins = f", {count(side.origins, 'origin')}" if len(side.cards) > 1 else ""
            passages = f"{count(len(side.cards), 'passage')}{origins}"
            words.append(f":{badge.colour}[:material/{badge.icon}: **{side.words}**] {passages}")
            if takes_side:  # only numbers and colours of ours are put into the HTML
                bar.append(f'<span style="flex:{int(side.origins)};background:{charts.colour(badge.colour)}"></span>')
        elif takes_side:
            words.append(f":gray[:material/{badge.icon}: {badge.word}: none]")
    st.html(f'<div class="ghost-balance">{"".join(bar)}</div>')
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for each in words:
            st.markdown(f":small[{each}]", width="content")
    st.caption(f"{origins_line(view.evidence)}. The bar counts independent origins: a repeated story counts once.")
    if view.decided:
        st.caption(
            "Is a passage misread? Click *Supports*, *Contradicts* or *Neither* below it. Ghost then decides the check "
            "again and remembers your reading for the same statement. You can undo it."
        )


def _draw(view: EvidenceView, card: EvidenceCard) -> None:
    p = card.main.passage
    quotes = [c for c in view.accepted if c.n == card.number]
    with st.container(border=True, gap="xsmall", key=f"verify_evidence_{card.number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = f"{card.number} · {plain(shorten(source(p), 120))}"
            st.subheader(name, anchor=f"evidence-{card.number}", width="content")
            st.markdown(" ".join(_badges(card, view.cards)), width="content")
        st.markdown(highlighted(p.text, tuple(c.quote for c in quotes)))
        if p.snippet:
            st.caption(
                ":material/travel_explore: A search engine's snippet: the page itself was not read. It serves this "
                "check only and is not in your knowledge base."
            )
        for kind, text in view.notices.get(p.source_url, ()):
            icon, colour = ("unpublished", "red") if kind == RETRACTION else ("edit_note", "orange")
            st.markdown(
                f"{theme.badge(plain(kind.capitalize()), icon, colour)} {coloured('small', shorten(text, 300))}"
            )
        host = link(p.domain or shorten(p.source_url, 60), p.source_url)
        where = host if safe_url(p.source_url) else "no address"
        st.markdown(f":small[{theme.standing(p)} :gray[· {theme.dated(p)} ·] {where}]")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            view.reads(card)
            with st.popover("Details", type="tertiary", key=f"verify_details_{card.number}"):
                _details(view, card, quotes)


def _details(view: EvidenceView, card: EvidenceCard, quotes: Sequence[Citation]) -> None:
    p, e, several = card.main.passage, card.main, len(card.all) > 1
    if p.title and p.title != p.source_name:
        st.markdown(coloured("gray", shorten(p.title, 160)))
    for row in card.all if several else ():
        st.markdown(f":small[Statement {row.statement}: {card.reading(row).lower()}]")
    if e.kin:
        st.caption(f":material/content_copy: Counted with another: {plain(shorten(e.kin, 200))}.")
    read = [(row.statement, view.readings.get((f"[{card.number}]", row.statement))) for row in card.all]
    if listed := [theme.STANCES[s].word.lower() + f" ({n})" * several for n, s in read if s]:
        st.markdown(f":small[:material/smart_toy: The language model reads it as: {', '.join(listed)}]")
    page = "" if p.library_rating is None else f" (of the library; its page: {p.credibility:.2f})"
    credibility = f"{e.credibility:.2f}{page}"
    indexed = "Not in the knowledge base" if p.snippet else f"Indexed {theme.day(p.indexed_at)}"
    st.markdown(
        f":small[Credibility {credibility} · Relevance {theme.percent(e.relevance)} · Weight {e.final:.2f}]  \n"
        f":small[:gray[{theme.dated(p)} · Retrieved {theme.day(p.retrieved_at)} · {indexed}]]"
    )
    theme.source_line(p.source_url)
    if quotes:
        _archive_line(quotes[0], p.origin)
    view.foot(card)


def _archive_line(citation: Citation, origin: Origin) -> None:
    """An archived copy of a cited page, or where one may be."""
    url = archived_copy(citation, origin)
    if citation.archived_at:
        st.caption(f":material/inventory_2: {link(f'Archived copy of {theme.day(citation.archived_at)}', url)}")
    elif safe_url(url):
        st.caption(f":material/inventory_2: {link('Find an archived copy', url)} at the Internet Archive")


def _badges(card: EvidenceCard, cards: Sequence[EvidenceCard]) -> list[str]:
    e = card.main
    badge, origin = theme.STANCES[card.stances[0]], theme.ORIGINS[e.passage.origin].badge
    if e.passage.snippet:
        origin = theme.badge("Search snippet", "travel_explore", "orange")
    else:
        origin = f"{origin} {theme.intake_badge(e.passage)}"
    found = [theme.badge(card.words, badge.icon, badge.colour), origin]
    if same := sorted(c.number for c in cards if c.main.group == e.group and c.number != card.number):
        found.append(theme.badge(f"Same origin as {', '.join(map(str, same))}", "content_copy", "orange"))
    remarks = [*filter(None, map(remark, card.all)), e.passage.frame.line]
    return found + [
        theme.badge(plain(capitalized(words)), "info", "orange") for words in dict.fromkeys(remarks) if words
    ]
