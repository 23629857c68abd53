"""Step 1: what kind of claim is this, and what in it can be checked?"""

from ghost.budget import Budget
from ghost.judges.base import Judge
from ghost.steps.outcome import Outcome, count
from ghost.types import Claim, Classification


def classify(claim: Claim, judge: Judge, budget: Budget) -> Outcome[Classification]:
    """Ask the judge for the claim type and the statements; an opinion or an ambiguous claim has none."""
    found = judge.classify(claim, budget)
    return Outcome(
        found,
        decision=f"{found.type} · {count(len(found.statements), 'statement')} to check",
        reason=found.reason,
        inputs={"claim": claim.text, "context": claim.context},
        outputs={
            "type": found.type,
            "confidence": round(found.confidence, 4),
            "check_worthiness": None if found.check_worthiness is None else round(found.check_worthiness, 4),
            "statements": [s.text for s in found.statements],
        },
    )
