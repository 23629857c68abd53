"""The evidence of a run as HTML."""

from collections.abc import Iterator, Mapping, Sequence

from ghost.reports import pages
from ghost.reports.cards import Card, cards, sides
from ghost.reports.markup import Html, anchor, element, joined
from ghost.reports.plain import (
    SNIPPET,
    counted,
    credibility,
    day,
    origins_line,
    percent,
    published,
    source,
    timing,
)
from ghost.reports.quotes import spans
from ghost.reports.unused import NAME, unused
from ghost.text import one_line
from ghost.types import Citation, Run, StanceLabel

_UNUSED = 20
"""Passages that are listed though they were not used."""
_STANCES = {
    StanceLabel.SUPPORTS: "supports",
    StanceLabel.REFUTES: "contradicts",
    StanceLabel.NEUTRAL: "related, not decisive",
}


def evidence(run: Run) -> Iterator[Html]:
    """All evidence by side, the weightiest first, each passage with its quotes marked; then what was not used."""
    made, noticed = cards(run.evidence), pages.notices(run.steps)
    if made:
        yield from _sides(run, made, noticed)
    yield from _unused(run)


def _sides(run: Run, made: Sequence[Card], noticed: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[Html]:
    citations = run.verdict.citations if run.verdict else ()
    yield element("h2", "Evidence")
    yield element(
        "p", f"{origins_line(run.evidence)}. The weightiest first; copies of one story count once.", class_="meta"
    )
    for side in sides(made, citations):
        number = counted(len(side.cards), "passage", "passages")
        origins = counted(side.origins, "independent origin", "independent origins")
        yield element("h3", f"{side.words}: {number}, {origins}")
        for card in side.cards:
            cited = [c for c in citations if c.n == card.number and c.accepted]
            yield _card(card, cited, noticed.get(card.main.passage.source_url, ()))


def _unused(run: Run) -> Iterator[Html]:
    rows = unused(run.evidence, run.steps)
    if not rows:
        return
    lines = [
        element("li", element("strong", one_line(row.source)), f" {one_line(row.title)} ", element("em", row.words))
        for row in rows[:_UNUSED]
    ]
    if len(rows) > _UNUSED:
        lines.append(element("li", f"And {len(rows) - _UNUSED:,} more, which are in the trace."))
    yield element(
        "details",
        element("summary", f"{NAME} ({sum(row.passages for row in rows):,})"),
        element("ul", *lines),
        class_="meta",
    )


def _card(card: Card, citations: list[Citation], notices: Sequence[tuple[str, str]]) -> Html:
    e, p = card.main, card.main.passage
    title = f"{p.title}, " if p.title and p.title != p.source_name else ""
    dating = f" ({timing(e)})" if timing(e) else ""
    indexed = "not indexed" if p.indexed_at is None else f"indexed {day(p.indexed_at)}"
    stance = e.stance
    strength = max(stance.supports, stance.refutes, stance.neutral, stance.off_topic)
    facts = [
        f"{_STANCES[stance.label]} {percent(strength)}",
        f"relevance {percent(e.relevance)}", f"credibility {credibility(e)}", f"weight {e.final:.2f}",
        f"origin {e.group}" + (f", {one_line(e.kin)}" if e.kin else ""),
    ]  # fmt: skip
    dates = [f"{published(p)}{dating}", f"retrieved {day(p.retrieved_at)}", indexed]
    inside = [
        element("h4", f"[{card.number}] {title}{source(p)}"),
        element("blockquote", _marked(p.text, [c.quote for c in citations])),
        element("div", " · ".join(facts), class_="meta"),
        element("div", " · ".join(dates), class_="meta"),
    ]
    if p.snippet:
        inside.append(element("div", SNIPPET, class_="meta"))
    inside += [element("div", element("strong", f"{kind.capitalize()}: "), text) for kind, text in notices]
    if p.source_url:
        inside.append(element("div", anchor(p.source_url)))
    if citations and (copy := pages.archived(citations[0], p.origin)):
        taken = citations[0].archived_at
        words = f"Archived copy of {day(taken)}: " if taken else "Archived copies, if there are any: "
        inside.append(element("div", words, anchor(copy), class_="meta"))
    return element("article", *inside, class_="card", id=f"evidence-{card.number}")


def _marked(text: str, quotes: list[str]) -> Html:
    """A passage with its quotes marked."""
    text, pieces, at = one_line(text), [], 0
    for start, end in spans(text, [one_line(quote) for quote in quotes]):
        pieces += [text[at:start], element("mark", text[start:end])]
        at = end
    return joined(*pieces, text[at:])
