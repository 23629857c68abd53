"""What follows where a fact-checker has rated the very claim that is being checked.

Somebody has examined it then, with more than a model of this size can read: such a rating decides between sources that
contradict one another, and what it calls misleading is not simply false.
"""

from collections.abc import Sequence

from ghost.judges.odds import says
from ghost.judges.polarity import content
from ghost.judges.ratings import Meaning, rated
from ghost.judges.same_claim import may_be_same
from ghost.types import Evidence, SourceType, StanceLabel

SAME_CLAIM = 0.7
"""Cosine of a fact-checker's passage and the statement from which it may be on this claim and not on another one."""
ALIKE = 0.7
"""Part of the content words of the rated claim and of the statement that the other has too, where they are one."""
PLAINLY = 0.75
"""From this probability x relevance on a rating decides between the sides."""
SIDES = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)


def rated_side(statement: str, evidence: Sequence[Evidence]) -> StanceLabel | None:
    """The side that fact-checkers' ratings of this claim take; None where there is none or they differ."""
    ratings = [e for e, _ in _ratings(statement, evidence)]
    sides = {stance for stance in SIDES if any(says(e, stance) >= PLAINLY for e in ratings)}
    return sides.pop() if len(sides) == 1 else None


def misleading(statement: str, evidence: Sequence[Evidence]) -> Evidence | None:
    """A fact-checker's rating of this claim as misleading, where none rates it as false."""
    ratings = _ratings(statement, evidence)
    if any(means is Meaning.FALSE for _, means in ratings):
        return None
    return next((e for e, means in ratings if means is Meaning.MISLEADING), None)


def _ratings(statement: str, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Meaning]]:
    """Fact-checkers' ratings of what the statement says, with what they mean."""
    found = []
    for e in evidence:
        near = e.nearness is None or e.nearness >= SAME_CLAIM
        if e.passage.source_type is not SourceType.FACT_CHECKER or not near:
            continue
        check = rated(e.passage.text)
        if check and _alike(check[0], statement):
            found.append((e, check[1]))
    return found


def _alike(claim: str, statement: str) -> bool:
    """Whether both say the same in nearly the same words."""
    mine, its = content(statement), content(claim)
    shared = len(mine & its)
    return shared >= ALIKE * max(len(mine), len(its)) and may_be_same(claim, statement)
