"""Evidence as cards: what each passage says, how it was read, and how far its source is trusted."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from ghost.reports import (
    NOT_USED,
    RETRACTION,
    EvidenceCard,
    archived_copy,
    evidence_cards,
    evidence_sides,
    origins_line,
    timing,
    unused_sources,
)
from ghost.types import Citation, Evidence, Origin, StanceLabel, TraceStep
from ghost.ui.shared import theme
from ghost.ui.shared.text import coloured, count, highlighted, link, plain, safe_url, shorten

Readings = dict[tuple[int, int], StanceLabel]
"""(number of the passage, number of the statement) -> stance."""
UNUSED = 20
"""Passages that are listed though they were not used."""
Notices = Mapping[str, Sequence[tuple[str, str]]]
"""Address of a page -> kind and words of each notice in it."""


def judge_readings(steps: Sequence[TraceStep]) -> Readings:
    """How the judge itself reads each passage for each statement, from the last round of step 4 that says so."""
    found: Readings = {}
    for step in steps:
        rows = step.outputs.get("statements") if step.name == "sufficiency" else None
        for row in rows if isinstance(rows, list) else ():
            stances = row.get("stances") if isinstance(row, dict) else None
            for mark, stance in stances.items() if isinstance(stances, dict) else ():
                if mark.strip("[]").isdecimal() and stance in list(StanceLabel):
                    found[int(mark.strip("[]")), row.get("statement")] = StanceLabel(stance)
    return found


def evidence_section(
    evidence: Sequence[Evidence],
    citations: Sequence[Citation],
    readings: Readings,
    notices: Notices | None = None,
    foot: Callable[[EvidenceCard], None] | None = None,
) -> None:
    """All evidence by stance, the side of the verdict's citations first; ``readings`` are those of the judge.

    ``notices`` are what pages say of their own retraction or correction; ``foot`` draws what stands at the end of each
    card.
    """
    made = evidence_cards(evidence)
    st.header("Evidence", anchor="evidence")
    if not made:
        st.caption("Nothing that was found is about the claim.")
        return
    st.caption(
        f"**{origins_line(evidence)}.** {count(len(made), 'passage')}, the weightiest first. "
        "A story repeated by several sites counts once."
    )
    for side in evidence_sides(made, citations):
        look = theme.STANCES[side.stance]
        number = count(len(side.cards), "passage")
        origins = f", {count(side.origins, 'independent origin')}" if len(side.cards) > 1 else ""
        st.markdown(f":{look.colour}[:material/{look.icon}: **{side.words}**] :gray[· {number}{origins}]")
        for card in side.cards:
            cited_here = [c for c in citations if c.n == card.number and c.accepted]
            told = (notices or {}).get(card.main.passage.source_url, ())
            with st.container(border=True, gap="small", key=f"verify_evidence_{card.number}"):
                _draw(card, made, cited_here, readings, told)
                if foot:
                    foot(card)


def unused_section(evidence: Sequence[Evidence], steps: Sequence[TraceStep]) -> None:
    """What was found and became no evidence, folded away: where it is from, and why it was left out."""
    rows = unused_sources(evidence, steps)
    if not rows:
        return
    number = sum(row.passages for row in rows)
    with st.expander(f"{NOT_USED} · {count(number, 'passage')}", icon=":material/filter_alt_off:", key="verify_unused"):
        st.caption("These were found in the search. No verdict rests on them.")
        for row in rows[:UNUSED]:
            title = f" {plain(shorten(row.title, 120))}" if row.title and row.title != row.source else ""
            st.markdown(f"**{plain(shorten(row.source, 60))}**{title}  \n:gray[:small[{plain(row.words)}]]")
        if len(rows) > UNUSED:
            st.caption(f"And {len(rows) - UNUSED:,} more. The trace lists all of them, with their numbers.")


def _draw(
    card: EvidenceCard,
    made: Sequence[EvidenceCard],
    citations: Sequence[Citation],
    readings: Readings,
    notices: Sequence[tuple[str, str]],
) -> None:
    p, e = card.main.passage, card.main
    st.subheader(f"{card.number} · {plain(shorten(p.source_name, 80))}", anchor=f"evidence-{card.number}")
    if p.title and p.title != p.source_name:
        st.markdown(coloured("gray", shorten(p.title, 160)))
    st.markdown(highlighted(p.text, tuple(c.quote for c in citations)))
    st.markdown(" ".join(_badges(card, made)))
    if e.kin:
        st.caption(f":material/content_copy: Counted with another: {plain(shorten(e.kin, 200))}.")
    if len(card.all) > 1:
        st.markdown("  \n".join(f":small[Statement {row.statement}: {_reading(row)}]" for row in card.all))
    if read := _read_by_judge(card, readings):
        st.markdown(f":small[:material/smart_toy: {read}]")
    if p.snippet:
        st.caption(
            ":material/travel_explore: A search engine's excerpt: the page itself was not read. It serves this "
            "check only and is not in your knowledge base."
        )
    indexed = "Not in the knowledge base" if p.snippet else f"Indexed {theme.day(p.indexed_at)}"
    st.markdown(
        f":small[Credibility {theme.stars(e.credibility, p.rated)} · Relevance {theme.percent(e.relevance)} "
        f"· Weight {e.final:.2f}]  \n"
        f":small[:gray[{theme.dated(p)} · Retrieved {theme.day(p.retrieved_at)} "
        f"· {indexed}]]"
    )
    for kind, text in notices:
        _notice(kind, text)
    source_line(p.source_url)
    if citations:
        _archive_line(citations[0], p.origin)


def _notice(kind: str, text: str) -> None:
    """What the page says of itself; outside text."""
    icon, colour = ("unpublished", "red") if kind == RETRACTION else ("edit_note", "orange")
    st.markdown(f"{theme.badge(plain(kind.capitalize()), icon, colour)} {coloured('small', shorten(text, 300))}")


def _archive_line(citation: Citation, origin: Origin) -> None:
    """An archived copy of a cited page, or where one may be."""
    url = archived_copy(citation, origin)
    if citation.archived_at:
        st.caption(f":material/inventory_2: {link(f'Archived copy of {theme.day(citation.archived_at)}', url)}")
    elif safe_url(url):
        st.caption(f":material/inventory_2: {link('Look for an archived copy', url)} at the Internet Archive")


def _badges(card: EvidenceCard, made: Sequence[EvidenceCard]) -> list[str]:
    e = card.main
    look, origin = theme.STANCES[e.stance.label], theme.ORIGINS[e.passage.origin].badge
    if e.passage.snippet:
        origin = theme.badge("Search snippet", "travel_explore", "orange")
    found = [theme.badge(f"{look.word} {theme.percent(_strength(e))}", look.icon, look.colour), origin]
    same = [other.number for other in made if other.main.group == e.group and other.number != card.number]
    if same:
        words = f"Same origin as {', '.join(map(str, sorted(same)))}"
        found.append(theme.badge(words, "content_copy", "orange"))
    else:
        found.append(theme.badge(f"Independent origin {e.group}", "hub", "gray"))
    if means := next((words for row in card.all if (words := timing(row))), ""):
        found.append(theme.badge(means.capitalize(), "event_busy", "orange"))
    return found


def _read_by_judge(card: EvidenceCard, readings: Readings) -> str:
    """How the language model reads the passage, where one was asked."""
    said = [(row.statement, readings.get((card.number, row.statement))) for row in card.all]
    words = [(number, theme.STANCES[stance].word.lower()) for number, stance in said if stance]
    if not words:
        return ""
    several = len(card.all) > 1
    return "The language model reads it as: " + ", ".join(
        f"{word} ({number})" if several else word for number, word in words
    )


def _strength(e: Evidence) -> float:
    s = e.stance
    return max(s.supports, s.refutes, s.neutral, s.off_topic)


def _reading(e: Evidence) -> str:
    return f"{theme.STANCES[e.stance.label].word.lower()} {theme.percent(_strength(e))}"


def source_line(url: str) -> None:
    """A link to the source that shows where it leads; an address that is not safe to offer stays text."""
    if safe_url(url):
        st.caption(f":material/open_in_new: {link(shorten(url, 90), url)}")
    elif url:
        st.caption(f"Source: {plain(shorten(url, 90))}")
    else:
        st.caption("No address is known for this source.")


def rejected_section(citations: Sequence[Citation]) -> None:
    """Citations that the gate did not accept, and why."""
    refused = [c for c in citations if not c.accepted]
    if not refused:
        return
    with st.expander(f"{count(len(refused), 'citation')} rejected by the gate", icon=":material/gpp_bad:"):
        st.caption(
            "What a judge cites must stand in the evidence, word for word. These did not, and nothing rests on them."
        )
        for c in refused:
            stance = theme.STANCES[c.stance].word.lower()
            st.markdown(f"**{c.n}** · claimed: {stance}  \n> {plain(shorten(c.quote, 600)) or '(no quote)'}")
            st.markdown(f":orange[:material/block:] {plain(c.why)}")
