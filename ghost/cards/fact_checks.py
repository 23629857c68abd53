"""Cards of published fact-checks: the publisher's verdict on the publisher's claim, and shown as theirs."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time

from sqlalchemy import exists, or_, select

from ghost.cards.expiry import expires
from ghost.cards.making import CategoryOf, Made
from ghost.knowledge import FileFormat, KnowledgeBase, key_of
from ghost.records import batched, import_passages, imports, passages
from ghost.types import (
    CardCitation,
    CardOrigin,
    CardSource,
    Category,
    ClaimCard,
    Label,
    Origin,
    Passage,
    StanceLabel,
    Status,
    citing,
    in_own_words,
)
from ghost.web import Meaning, rated

_LABELS = {
    Meaning.TRUE: (Label.TRUE, StanceLabel.SUPPORTS),
    Meaning.FALSE: (Label.FALSE, StanceLabel.REFUTES),
    Meaning.MISLEADING: (Label.MISLEADING, StanceLabel.NEUTRAL),
    Meaning.MIXED: (Label.PARTIALLY_TRUE, StanceLabel.NEUTRAL),
}
"""Ratings that are clear enough for a label; the stance is that of the fact-check towards the claim."""
_AT_ONCE = 1_000
_SAID = " rated the claim “"
WHO = "fact-checks"


def published_since(knowledge: KnowledgeBase, mark: int) -> Iterator[list[Passage]]:
    """The fact-checks in the knowledge base that came or changed after this watermark, some at a time.

    Only what was read as a fact-check counts: from an imported ClaimReview, or found by a run on a fact-checker's
    page. Any page can write a sentence in the same form.
    """
    of = (import_passages.c.passage_id == passages.c.id) & (imports.c.id == import_passages.c.import_id)
    imported = exists().where(of, imports.c.form == FileFormat.CLAIM_REVIEW.value)
    query = select(passages.c.id).where(
        passages.c.changed > mark,
        passages.c.status == Status.ACTIVE.value,
        passages.c.text.contains(_SAID),
        or_(passages.c.origin == Origin.FACT_CHECK.value, imported),
    )
    with knowledge.database.read() as connection:
        ids = list(connection.execute(query).scalars())
    for some in batched(ids, _AT_ONCE):
        yield knowledge.get(some)


def cards_of(found: Sequence[Passage], category_of: CategoryOf) -> Iterator[Made]:
    """A card for each whose rating is clear."""
    read = [(p, said, _LABELS[said[1]]) for p in found if (said := rated(p.text)) and said[1] in _LABELS]
    categories = category_of([claim for _, (claim, _), _ in read])
    for (passage, (claim, _), (label, stance)), category in zip(read, categories, strict=True):
        yield _card(passage, claim, label, stance, category)


def _card(p: Passage, claim: str, label: Label, stance: StanceLabel, category: Category) -> Made:
    publisher = p.text.partition(_SAID)[0]
    day = p.published_at
    found_at = datetime.combine(day, time(), UTC) if day else p.retrieved_at or p.indexed_at or datetime.now(UTC)
    card = ClaimCard(
        id="",
        claim=claim,
        category=category,
        label=label,
        answer=f"{p.text[:-1] if in_own_words(p) else citing(p, p.text)} [1].",
        confidence=None,
        origin=CardOrigin.FACT_CHECK,
        checked_at=found_at,
        citations=(CardCitation(1, p.id, p.text, stance, p.source_url, p.title, p.published_at, p.kind, p.intake),),
        publisher=publisher,
        url=p.source_url,
        limitations=f"This is the verdict of {publisher}; Ghost has not checked it.",
        would_change="A correction by the publisher, or another fact-check of the same claim.",
        expires_at=expires(claim, category, found_at),
    )
    return Made(card, (CardSource(p.id, key_of(p.text, p.source_url), p.source_url, p.credibility),))
