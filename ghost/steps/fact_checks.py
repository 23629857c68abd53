"""Published fact-checks: which of them are about a statement, and what they say as evidence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ghost.inference.base import Encoder, StanceReader
from ghost.judges.polarity import opposed
from ghost.knowledge.admission import admit
from ghost.steps.hits import Sources
from ghost.steps.sources import Found, to_passage
from ghost.types import NewPassage, Origin, SourceType, Stance, Statement, Status
from ghost.web.address import canonical
from ghost.web.claim_review import ClaimReview

MATCHES = 0.6
"""Cosine of reviewed claim and statement from which the two may be one."""
AGAINST = 0.5
"""A reviewed claim that the stance model reads as this probably refuting the statement is its opposite."""
_FALSE = re.compile(
    r"^(?:mostly |completely |totally )?(?:false|untrue|fake|incorrect|wrong|hoax)\b|\bpants on fire\b", re.I
)
_MISLEADING = re.compile(r"mislead|context|decept|distort", re.I)
_TRUE = re.compile(r"^(?:mostly |completely )?(?:true|correct|accurate)\b(?! but)", re.I)
_MEANS = (
    (_FALSE, Stance(0.02, 0.94, 0.03, 0.01)),
    (_TRUE, Stance(0.94, 0.02, 0.03, 0.01)),
    (_MISLEADING, Stance(0.1, 0.1, 0.79, 0.01)),
)
"""What the commonest ratings mean, to choose among passages; step 3 reads them like any other."""


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
        rating = review.rating.strip()
        stance = next((s for pattern, s in _MEANS if pattern.search(rating)), None)
        if stance is None or not url or sources.source_type(url) is not SourceType.FACT_CHECKER:
            continue
        text = f"{review.reviewer or sources.domain(url)} rated the claim “{review.claim}” as {review.rating}."
        new = NewPassage(
            text, url, review.title, Origin.FACT_CHECK, language=review.language,
            published_at=review.reviewed_at, retrieved_at=at,
        )  # fmt: skip
        admitted = admit(new).passage
        if admitted is None or admitted.status is not Status.ACTIVE:
            continue
        out.append((Found(m.statement, to_passage(admitted, sources), m.nearness, stance), admitted))
    return out
