"""Step 4: does the evidence settle each statement, or must the search go on?"""

from collections.abc import Sequence

from ghost.budget import Budget
from ghost.judges import Judge
from ghost.steps.looked import HOME_ONLY, Looked
from ghost.steps.outcome import Outcome
from ghost.types import Claim, Evidence, ReasonCode, Statement, Sufficiency


def sufficiency(
    claim: Claim,
    statements: Sequence[Statement],
    evidence: Sequence[Evidence],
    judge: Judge,
    budget: Budget,
    looked: Looked = HOME_ONLY,
) -> Outcome[tuple[Sufficiency, ...]]:
    """Ask the judge once for all statements that have evidence; one without evidence is never settled.

    ``looked`` is where the evidence was looked for.
    """
    found = _ask(claim, statements, evidence, judge, budget, looked)
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
        inputs={
            "statements": [s.text for s in statements],
            "evidence": [e.number for e in evidence],
            "searched": list(looked.stages),
        },
        outputs={
            "statements": [
                {
                    "statement": f.statement,
                    "enough": f.enough,
                    "reason": f.reason,
                    "missing": f.missing,
                    "queries": list(f.queries),
                    "stances": {f"[{n}]": stance for n, stance in f.stances},
                }
                for f in found
            ]
        },
    )


def _ask(
    claim: Claim,
    statements: Sequence[Statement],
    evidence: Sequence[Evidence],
    judge: Judge,
    budget: Budget,
    looked: Looked,
) -> tuple[Sufficiency, ...]:
    having = {e.statement for e in evidence}
    asked = [s for s in statements if s.number in having]
    answers = {f.statement: f for f in judge.sufficiency(claim, asked, evidence, budget)} if asked else {}
    return tuple(
        answers.get(s.number) or (_silent(s) if s.number in having else _without(s, looked)) for s in statements
    )


def _without(statement: Statement, looked: Looked) -> Sufficiency:
    return Sufficiency(
        statement.number,
        enough=False,
        reason=looked.nothing,
        missing=f"A source that speaks about: {statement.text}",
        code=ReasonCode.NO_SOURCES,
        queries=(statement.text,),
    )


def _silent(statement: Statement) -> Sufficiency:
    """A judge that says nothing about a statement has not settled it."""
    return Sufficiency(
        statement.number,
        enough=False,
        reason=f"The judge did not say whether the evidence settles “{statement.text}”.",
        missing="A source that states the point in so many words.",
        code=ReasonCode.NOT_DECISIVE,
    )
