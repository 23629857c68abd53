"""Published fact-checks: which of them are about a statement, and what they say as evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ghost.inference.base import Encoder, StanceReader
from ghost.judges.polarity import opposed
from ghost.judges.ratings import followed, meaning, worded
from ghost.knowledge.admission import admit
from ghost.steps.hits import Sources
from ghost.steps.page_text import to_passage
from ghost.steps.sources import Found
from ghost.types import NewPassage, Origin, SourceType, Stance, Statement, Status
from ghost.web.address import canonical
from ghost.web.claim_review import ClaimReview

MATCHES = 0.6
"""Cosine of reviewed claim and statement from which the two may be one."""
AGAINST = 0.5
"""A reviewed claim that the stance model reads as this probably refuting the statement is its opposite."""
AS_SAID = Stance(0.98, 0.0, 0.01, 0.01)
"""Of the reviewed claim towards the statement, since only those that match are taken; step 3 reads it again."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A published fact-check that is about a statement."""

    review: ClaimReview
    statement: int
    nearness: float


def matching(
    reviews: Sequence[ClaimReview], statements: Sequence[Statement], encoder: Encoder | None, reader: StanceReader
) -> list[Matched]:
    """Those that check what a statement says, not its opposite nor something near it."""
    if encoder is None or not reviews or not statements:
        return []
    near = encoder.encode([r.claim for r in reviews]) @ encoder.encode([s.text for s in statements]).T
    pairs = [(i, j) for i in range(len(reviews)) for j in range(len(statements)) if near[i][j] >= MATCHES]
    stances = reader.read([(reviews[i].claim, statements[j].text) for i, j in pairs]) if pairs else []
    return [
        Matched(reviews[i], statements[j].number, float(near[i][j]))
        for (i, j), stance in zip(pairs, stances, strict=True)
        if stance.refutes < AGAINST and not opposed(reviews[i].claim, statements[j].text)
    ]


def as_evidence(found: Sequence[Matched], sources: Sources, at: datetime) -> list[tuple[Found, NewPassage]]:
    """What matching fact-checks of known fact-checkers say, as passages; a rating in other words is only shown."""
    out = []
    for m in found:
        review, url = m.review, canonical(m.review.url)
        means = meaning(review.rating)
        if means is None or not url or sources.source_type(url) is not SourceType.FACT_CHECKER:
            continue
        text = worded(review.reviewer or sources.domain(url), review.claim, review.rating)
        new = NewPassage(
            text, url, review.title, Origin.FACT_CHECK, language=review.language,
            published_at=review.reviewed_at, retrieved_at=at,
        )  # fmt: skip
        admitted = admit(new).passage
        if admitted is None or admitted.status is not Status.ACTIVE:
            continue
        stance = followed(AS_SAID, means)
        out.append((Found(m.statement, to_passage(admitted, sources), m.nearness, stance), admitted))
    return out
