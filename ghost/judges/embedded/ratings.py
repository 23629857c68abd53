"""What fact-checkers' ratings of the very claim decide.

A fact-checker who has rated the claim that is being checked has examined it with more than a model of this size can
read: such a rating decides between sources that contradict one another, and what it calls misleading is not simply
false.
"""

from collections.abc import Sequence

from ghost.judges.embedded.odds import says
from ghost.judges.embedded.polarity import content
from ghost.matching import may_be_same
from ghost.types import Evidence, SourceType, StanceLabel, Timing
from ghost.web import Meaning, rated

SAME_CLAIM = 0.7
"""Cosine of a fact-checker's passage and the statement from which it may be on this claim and not on another one."""
NEAR_CLAIM = 0.8
"""The same from which it may well be this claim in other words."""
ALIKE = 0.7
"""Part of the content words of the rated claim and of the statement that the other has too, where they are one."""
PLAINLY = 0.75
"""From this probability x relevance on a rating decides between the sides."""
_NO_SIDE = (Meaning.MISLEADING, Meaning.MIXED, Meaning.UNPROVEN)
SIDES = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)


def checker_says(e: Evidence, side: StanceLabel) -> bool:
    """Whether it is a fact-checker who plainly takes a side, and nothing newer says otherwise."""
    checker = e.passage.source_type is SourceType.FACT_CHECKER and e.timing is not Timing.OUTDATED
    return checker and says(e, side) >= PLAINLY


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


def doubted(evidence: Sequence[Evidence]) -> bool:
    """Whether a fact-checker calls misleading, mixed or unproven what may be this claim in other words."""
    return any(means in _NO_SIDE for _, _, means in _checks(evidence, NEAR_CLAIM))


def _ratings(statement: str, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Meaning]]:
    """Fact-checkers' ratings of what the statement says, with what they mean."""
    return [(e, means) for e, claim, means in _checks(evidence, SAME_CLAIM) if _alike(claim, statement)]


def _checks(evidence: Sequence[Evidence], near: float) -> list[tuple[Evidence, str, Meaning]]:
    """Fact-checkers' ratings of claims that come so near to the statement, with the claims and what they mean."""
    checkers = [e for e in evidence if e.passage.source_type is SourceType.FACT_CHECKER]
    rows = [(e, rated(e.passage.text)) for e in checkers if (SAME_CLAIM if e.nearness is None else e.nearness) >= near]
    return [(e, *check) for e, check in rows if check]


def _alike(claim: str, statement: str) -> bool:
    """Whether both say the same in nearly the same words."""
    mine, its = content(statement), content(claim)
    shared = len(mine & its)
    return shared >= ALIKE * max(len(mine), len(its)) and may_be_same(claim, statement)
