"""Step 4: does the evidence settle each statement, or must the search go on?"""

from collections.abc import Sequence

from ghost.budget import Budget
from ghost.judges.base import Judge
from ghost.steps.outcome import Outcome
from ghost.types import Evidence, ReasonCode, Statement, Sufficiency


def sufficiency(
    statements: Sequence[Statement], evidence: Sequence[Evidence], judge: Judge, budget: Budget
) -> Outcome[tuple[Sufficiency, ...]]:
    """Ask the judge for each statement that has evidence; one without evidence is never settled."""
    found = tuple(_one(s, [e for e in evidence if e.statement == s.number], judge, budget) for s in statements)
    settled = sum(f.enough for f in found)
    open_ones = [f for f in found if not f.enough]
    if not open_ones:
        decision = "enough"
    else:
        decision = "not enough" if not settled else f"enough for {settled} of {len(found)} statements"
    return Outcome(
        found,
        decision=decision,
        reason=" ".join(dict.fromkeys(f.reason for f in (open_ones or found))),
        inputs={"statements": [s.text for s in statements], "evidence": [e.number for e in evidence]},
        outputs={
            "statements": [
                {"statement": f.statement, "enough": f.enough, "reason": f.reason, "missing": f.missing} for f in found
            ]
        },
    )


def _one(statement: Statement, evidence: list[Evidence], judge: Judge, budget: Budget) -> Sufficiency:
    if not evidence:
        return Sufficiency(
            statement.number,
            enough=False,
            reason="No passage in the knowledge base is relevant to this statement.",
            missing=f"A source that speaks about: {statement.text}",
            code=ReasonCode.NO_SOURCES,
        )
    return judge.sufficiency(statement, evidence, budget)
