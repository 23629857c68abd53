"""Step 1: what type of claim is this, and which statements in it can be checked?"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ghost.budget import Budget, Spent
from ghost.judges import Classifies, Judge
from ghost.matching import with_scopes
from ghost.steps.trace import Outcome, count
from ghost.types import Claim, ClaimType, Classification, JudgeInfo, Statement


@dataclass(frozen=True, slots=True)
class Extracted:
    """The result of step 1 before a run, so that the analyst can correct the statements."""

    classification: Classification
    judge: JudgeInfo
    spent: Spent
    """Charged to the run that starts from it."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements as the judge found them."""
        return tuple(s.text for s in self.classification.statements)


def extract(claim: Claim, judge: Judge, budget: Budget) -> Extracted:
    """Run step 1 without a run. Raises JudgeError, BudgetExceeded and Cancelled."""
    found = _scoped(judge.classify(replace(claim, statements=()), budget), claim)
    budget.check()
    return Extracted(found, judge.info, budget.spent())


def classify(
    claim: Claim, judge: Classifies, budget: Budget, extracted: Extracted | None = None
) -> Outcome[Classification]:
    """Ask the judge for the claim type and the statements; an opinion or an ambiguous claim has none.

    The judge is not asked again for what was ``extracted`` before the run. Statements that the analyst gave replace
    those that were found, which stay on record.
    """
    if extracted:
        budget.carry(extracted.spent)
    found = extracted.classification if extracted else judge.classify(claim, budget)
    used = _scoped(corrected(found, claim.statements), claim)
    said = tuple(s.text for s in found.statements)
    by = ""
    if claim.statements:
        by = ", corrected by the analyst" if used.extracted is not None else ", confirmed by the analyst"
    return Outcome(
        used,
        decision=f"{used.kind} · {count(len(used.statements), 'statement')} to check{by}",
        reason=used.reason,
        inputs={"claim": claim.text, "context": claim.context}
        | ({"statements": list(claim.statements)} if claim.statements else {}),
        outputs={
            "type": used.type,
            "confidence": round(used.confidence, 4),
            "check_worthiness": None if used.check_worthiness is None else round(used.check_worthiness, 4),
            "statements": [s.text for s in used.statements],
        }
        | scopes_traced(used.statements)
        | ({"extracted": list(said), "corrected": used.extracted is not None} if claim.statements else {}),
    )


def scopes_traced(statements: Sequence[Statement]) -> dict[str, Any]:
    """The scopes as outputs of step 1: a row for each statement that has any."""
    rows = [{"statement": s.number} | {k: list(v) for k, v in asdict(s.scopes).items() if v} for s in statements]
    return {"scopes": found} if (found := [row for row in rows if len(row) > 1]) else {}


def _scoped(found: Classification, claim: Claim) -> Classification:
    """The classification with the scopes of each statement, and those that the claim names for all of them."""
    scoped = with_scopes(found.statements, claim.text)
    return found if scoped == found.statements else replace(found, statements=scoped)


def corrected(found: Classification, texts: tuple[str, ...]) -> Classification:
    """The classification with the analyst's statements; unchanged when there are none or they are the same.

    With statements from the analyst there is something to check, so the run does not end at step 1.
    """
    said = tuple(s.text for s in found.statements)
    if not texts or texts == said:
        return found
    kinds = {ClaimType.OPINION: ClaimType.MIXED, ClaimType.AMBIGUOUS: ClaimType.FACTUAL}
    return replace(
        found,
        type=kinds.get(found.type, found.type),
        statements=tuple(Statement(number, text) for number, text in enumerate(texts, start=1)),
        reason=f"The analyst has said what to check. Before that: {found.reason}",
        rephrase="",
        code=None,
        extracted=said,
    )
