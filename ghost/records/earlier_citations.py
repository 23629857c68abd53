"""Answers of cards and researches that were stored before passages had kinds, as they are cited today."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from ghost.records.database import batched
from ghost.records.tables.knowledge import passages
from ghost.types import CardCitation, Citation, ClaimCard, Intake, Kind, ResearchAnswer, reworded

_AT_ONCE = 500


def cards_as_cited_now(connection: Connection, cards: Sequence[ClaimCard]) -> list[ClaimCard]:
    """The cards, with what they cite as excerpts and is a note shown as one."""
    entered = _entered(connection, (c.passage_id for card in cards for c in card.citations))
    return [_card(card, entered) for card in cards]


def answers_as_cited_now(connection: Connection, answers: Sequence[ResearchAnswer]) -> list[ResearchAnswer]:
    """The answers of a research, likewise."""
    entered = _entered(connection, (c.passage_id for answer in answers for c in answer.citations))
    return [_answer(answer, entered) for answer in answers]


_Entered = dict[str, tuple[Kind, str]]
"""Kind and publisher of the passages that nobody has read at their address."""


def _entered(connection: Connection, ids: Iterable[str]) -> _Entered:
    c, found = passages.c, _Entered()
    for some in batched(dict.fromkeys(ids), _AT_ONCE):
        query = select(c.id, c.kind, c.publisher).where(c.id.in_(some), c.intake == Intake.ENTERED.value)
        found |= {row.id: (Kind(row.kind), row.publisher) for row in connection.execute(query)}
    return found


def _card(card: ClaimCard, entered: _Entered) -> ClaimCard:
    answer, citations = card.answer, list[CardCitation]()
    for c in card.citations:
        if c.passage_id in entered and c.intake is Intake.READ_EARLIER:
            kind, publisher = entered[c.passage_id]
            full = Citation(c.n, c.passage_id, c.quote, c.stance, True, "", url=c.url, domain=c.domain, title=c.title)
            answer = reworded(answer, replace(full, kind=kind, intake=Intake.ENTERED, publisher=publisher))
            c = replace(c, kind=kind, intake=Intake.ENTERED)
        citations.append(c)
    return replace(card, answer=answer, citations=tuple(citations))


def _answer(answer: ResearchAnswer, entered: _Entered) -> ResearchAnswer:
    text, citations = answer.text, list[Citation]()
    for c in answer.citations:
        if c.passage_id in entered and c.intake is Intake.READ_EARLIER:
            kind, publisher = entered[c.passage_id]
            c = replace(c, kind=kind, intake=Intake.ENTERED, publisher=publisher)
            text = reworded(text, c)
        citations.append(c)
    return replace(answer, text=text, citations=tuple(citations))
