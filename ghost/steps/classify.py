"""Step 1: what kind of claim is this, and what in it can be checked? The analyst may have corrected the answer."""

from dataclasses import dataclass, replace

from ghost.budget import Budget, Spent
from ghost.judges import Judge
from ghost.steps.trace import Outcome, count
from ghost.types import Claim, ClaimType, Classification, JudgeInfo, Statement


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a judge made of a claim before its run, so that the analyst can correct the statements."""

    classification: Classification
    judge: JudgeInfo
    spent: Spent
    """Counts in the run that starts from it."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements as they were found."""
        return tuple(s.text for s in self.classification.statements)


def extract(claim: Claim, judge: Judge, budget: Budget) -> Extracted:
    """Ask the judge what it would check, without a run. Raises JudgeError, BudgetExceeded and Cancelled."""
    found = judge.classify(replace(claim, statements=()), budget)
    budget.check()
    return Extracted(found, judge.info, budget.spent())


def classify(claim: Claim, judge: Judge, budget: Budget, extracted: Extracted | None = None) -> Outcome[Classification]:
    """Ask the judge for the claim type and the statements; an opinion or an ambiguous claim has none.

    What was ``extracted`` before the run is not asked for again. Statements that the analyst has named take the place
    of those that were found, and what was found stays on record.
    """
    if extracted:
        budget.carry(extracted.spent)
    found = extracted.classification if extracted else judge.classify(claim, budget)
    used = corrected(found, claim.statements)
    said = tuple(s.text for s in found.statements)
    by = ""
    if claim.statements:
        by = ", corrected by the analyst" if used.extracted is not None else ", confirmed by the analyst"
    return Outcome(
        used,
        decision=f"{used.type} · {count(len(used.statements), 'statement')} to check{by}",
        reason=used.reason,
        inputs={"claim": claim.text, "context": claim.context}
        | ({"statements": list(claim.statements)} if claim.statements else {}),
        outputs={
            "type": used.type,
            "confidence": round(used.confidence, 4),
            "check_worthiness": None if used.check_worthiness is None else round(used.check_worthiness, 4),
            "statements": [s.text for s in used.statements],
        }
        | ({"extracted": list(said), "corrected": used.extracted is not None} if claim.statements else {}),
    )


def corrected(found: Classification, texts: tuple[str, ...]) -> Classification:
    """The classification with the statements of the analyst; unchanged when there are none or they are the same.

    Whoever names statements has said that there is something to check, so nothing ends at step 1 any more.
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
