"""What would change a verdict: one sentence each, from what the run itself knows. Nothing is decided here."""

from collections.abc import Sequence

from ghost.reports.plain import counted, day, source
from ghost.text import one_line
from ghost.types import Claim, Evidence, Label, ReasonCode, StanceLabel, Verdict

_SIDES = {
    Label.TRUE: (StanceLabel.SUPPORTS, "contradicts"),
    Label.FALSE: (StanceLabel.REFUTES, "supports"),
}
_DECIDED = (Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING)
_NAMED = 3
"""Sources that a sentence names."""


def what_would_change(claim: Claim, verdict: Verdict, evidence: Sequence[Evidence], searched: bool) -> list[str]:
    """Sentences about what would lead to another verdict, most telling first.

    For an abstention the remedies of its reasons; for a decision what it rests on, and what was not looked at.
    ``searched`` says whether the run was allowed to search the web.
    """
    said = [one_line(reason.remedy) for reason in verdict.reasons if reason.remedy.strip()]
    for statement in verdict.statements if len(verdict.statements) > 1 else ():
        said += [
            f"Statement {statement.statement}: {one_line(reason.remedy)}"
            for reason in statement.reasons
            if reason.remedy.strip() and one_line(reason.remedy) not in said
        ]
    if verdict.label in _DECIDED:
        said += _decided(verdict, evidence)
    if verdict.label is not Label.NOT_VERIFIABLE:
        told = any(reason.code is ReasonCode.NO_PROVIDER for reason in verdict.reasons)  # its remedy says so already
        said += _not_looked_at(claim, searched or told)
    return list(dict.fromkeys(said))


def _decided(verdict: Verdict, evidence: Sequence[Evidence]) -> list[str]:
    said = []
    if verdict.label in _SIDES and (side := _bearing(verdict, evidence)):
        said.append(_rests_on(side))
        said.append(f"A credible source that {_SIDES[verdict.label][1]} it would weaken or turn the verdict.")
    if verdict.label is Label.PARTIALLY_TRUE:
        said.append("Check its parts one by one: each has a verdict of its own, and the whole is only as good as they.")
    if verdict.label is Label.MISLEADING:
        said.append("If the source that says how it deceives does not hold, the claim is literally supported.")
    return said


def _bearing(verdict: Verdict, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence that carries a one-sided verdict, the weightiest of each independent origin."""
    stance, _ = _SIDES[verdict.label]
    cited = {c.passage_id for c in verdict.citations if c.accepted and c.stance is stance}
    rows = [e for e in evidence if e.passage.id in cited] or [e for e in evidence if e.stance.label is stance]
    best: dict[int, Evidence] = {}
    for row in sorted(rows, key=lambda e: -e.final):
        best.setdefault(row.group, row)
    return list(best.values())


def _rests_on(side: Sequence[Evidence]) -> str:
    names = list(dict.fromkeys(source(e.passage) for e in side))
    if len(side) == 1:
        return f"It rests on one origin, {names[0]}: if that is wrong, nothing decides the claim."
    shown = names[:_NAMED] + ([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])
    listed = ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
    origins = counted(len(side), "independent origin", "independent origins")
    return f"It rests on {origins} ({listed}): {'both' if len(side) == 2 else 'all of them'} would have to be wrong."


def _not_looked_at(claim: Claim, searched: bool) -> list[str]:
    said = []
    if claim.as_of:
        said.append(f"What was published after {day(claim.as_of)} was left out: a later date may bring other evidence.")
    if not searched:
        said.append(
            "The web was not searched: a check that may search can find sources that your knowledge base lacks."
        )
    return said
