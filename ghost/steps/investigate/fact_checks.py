"""Published fact-checks: which are about a statement, and what they say as evidence."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from ghost.inference import Encoder, StanceReader
from ghost.judges import followed, meaning, worded
from ghost.knowledge import admit
from ghost.matching import Matcher
from ghost.steps.investigate.hits import SourceRatings, to_passage
from ghost.steps.investigate.page_passages import Finding
from ghost.text import text_hash
from ghost.types import Intake, NewPassage, Origin, Relation, SourceType, Stance, Statement, Status, canonical
from ghost.web import ClaimReview

MATCHES = 0.6
"""From this cosine on the reviewed claim and the statement are about the same thing."""
AGAINST = 0.5
"""From this probability of refuting it, a reviewed claim is the opposite of the statement."""
VERY_CLAIM = 0.9
"""From this probability on a reviewed claim is the very statement, and its rating is shown as one of the statement."""
AS_SAID = Stance(0.98, 0.0, 0.01, 0.01)
"""The stance of a reviewed claim that is the statement. Step 3 reads it again."""


@dataclass(frozen=True, slots=True)
class MatchedReview:
    """A published fact-check about a statement, or something near it."""

    review: ClaimReview
    statement: int
    cosine: float
    same: bool
    """Whether it checks exactly this claim; only then is the claim shown as checked."""
    stance: Stance
    """The stance of the reviewed claim towards the statement."""


def match_reviews(
    reviews: Sequence[ClaimReview],
    statements: Sequence[Statement],
    encoder: Encoder | None,
    reader: StanceReader,
    matcher: Matcher | None,
) -> list[MatchedReview]:
    """The reviews that check a statement, or something near it; none that checks its opposite.

    Without a ``matcher`` none checks the very statement.
    """
    if encoder is None or not reviews or not statements:
        return []
    near = encoder.encode([r.claim for r in reviews]) @ encoder.encode([s.text for s in statements]).T
    at = [(i, j) for i in range(len(reviews)) for j in range(len(statements)) if near[i][j] >= MATCHES]
    pairs = [(reviews[i].claim, statements[j].text) for i, j in at]
    stances = reader.read(pairs) if pairs else []
    matches = matcher.match(pairs) if matcher else []
    same = [m.relation is Relation.SAME and m.probability >= VERY_CLAIM for m in matches] or [False] * len(pairs)
    return [
        MatchedReview(reviews[i], statements[j].number, float(near[i][j]), is_it, AS_SAID if is_it else stance)
        for (i, j), stance, is_it in zip(at, stances, same, strict=True)
        if stance.refutes < AGAINST
    ]


def reviews_as_evidence(
    found: Sequence[MatchedReview], sources: SourceRatings, at: datetime
) -> list[tuple[Finding, NewPassage]]:
    """Matching reviews of known fact-checkers as passages. One with an unusual rating is only shown."""
    out = []
    for m in found:
        review, url = m.review, canonical(m.review.url)
        means = meaning(review.rating)
        if means is None or not url or not by_fact_checker(url, sources):
            continue
        text = worded(review.reviewer or sources.domain(url), review.claim, review.rating)
        new = NewPassage(
            text, url, review.title, Origin.FACT_CHECK, language=review.language,
            published_at=review.reviewed_at, retrieved_at=at, intake=Intake.READ, text_hash=text_hash(text),
        )  # fmt: skip
        admitted = admit(new).passage
        if admitted is not None and admitted.status is Status.ACTIVE:
            finding = Finding(m.statement, to_passage(admitted, sources), m.cosine, followed(m.stance, means))
            out.append((finding, admitted))
    return out


def by_fact_checker(url: str, sources: SourceRatings) -> bool:
    """Whether an address is a page of a known fact-checker."""
    return sources.source_type(url) is SourceType.FACT_CHECKER


def review_row(review: ClaimReview, matched: Sequence[MatchedReview], sources: SourceRatings) -> dict[str, object]:
    """The row of a fact-check in the trace; ``statement`` is 0 where it checks something else."""
    return asdict(review) | {
        "reviewed_at": review.reviewed_at.isoformat() if review.reviewed_at else None,
        "statement": next((m.statement for m in matched if m.review == review and m.same), 0),
        "known": by_fact_checker(review.url, sources),
    }
