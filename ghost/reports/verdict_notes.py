"""What is said beside a verdict: what would change it, and what the analyst says of it. Nothing is decided here."""

from collections.abc import Sequence

from ghost.reports.formatting import confidence, day, harm, source, truth
from ghost.reports.trace import fell_back
from ghost.text import one_line
from ghost.types import (
    DECIDED,
    Claim,
    ErrorKind,
    Evidence,
    Label,
    Override,
    Pipeline,
    ReasonCode,
    Run,
    SourceMark,
    StanceLabel,
    Verdict,
)

ERROR_KINDS: dict[ErrorKind, str] = {
    ErrorKind.WRONG_VERDICT: "The verdict is wrong",
    ErrorKind.MISREAD: "A passage is misread",
    ErrorKind.MISSING: "Important evidence is missing",
    ErrorKind.BAD_SOURCE: "It rests on a bad source",
    ErrorKind.MISUNDERSTOOD: "The claim was misunderstood",
    ErrorKind.OTHER: "Something else",
}
"""What is wrong with a verdict, in a sentence."""
_SIDES = {
    Label.TRUE: (StanceLabel.SUPPORTS, "contradicts"),
    Label.FALSE: (StanceLabel.REFUTES, "supports"),
}
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
    if verdict.label in DECIDED:
        said += _decided(verdict, evidence)
    if verdict.label is not Label.NOT_VERIFIABLE:
        # The remedy of that reason says so already.
        explained = any(reason.code is ReasonCode.NO_PROVIDER for reason in verdict.reasons)
        said += _left_out(claim, searched or explained)
    return list(dict.fromkeys(said))


def _decided(verdict: Verdict, evidence: Sequence[Evidence]) -> list[str]:
    said = []
    if verdict.label in _SIDES and (side := _bearing(verdict, evidence)):
        said.append(_carried_by(side))
        said.append(f"A credible source that {_SIDES[verdict.label][1]} the claim would weaken or reverse the verdict.")
    if verdict.label is Label.PARTIALLY_TRUE:
        said.append("Check its parts one by one. Each has a verdict of its own.")
    if verdict.label is Label.MISLEADING:
        said.append("If the source that says how it misleads is wrong, the claim is literally supported.")
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


def _carried_by(side: Sequence[Evidence]) -> str:
    names = list(dict.fromkeys(source(e.passage) for e in side))
    if len(side) == 1:
        return f"It rests on one source, {names[0]}. If that is wrong, nothing settles the claim."
    # By name: two of nearly the same weight would change places from run to run.
    shown = sorted(names[:_NAMED], key=str.casefold) + ([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])
    listed = ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
    wrong = f"{'Both sources' if len(side) == 2 else 'All of them'} would have to be wrong."
    return f"It rests on {len(side)} independent sources: {listed}. {wrong}"


def _left_out(claim: Claim, searched: bool) -> list[str]:
    said = []
    if claim.as_of:
        said.append(f"Nothing published after {day(claim.as_of)} was used. A later date may bring other evidence.")
    if not searched:
        said.append("The web was not searched. A search may find sources that your knowledge base lacks.")
    return said


def reasons_heading(verdict: Verdict, override: Override | None) -> str:
    """What stands above the reasons of a verdict; empty where the analyst has decided otherwise: nobody needs them."""
    if override and override.label is not verdict.label:
        return ""
    if verdict.label in DECIDED:
        return "Keep in mind"
    return "Why it stays open" if override else "Why there is no verdict"


def confirms(run: Run) -> bool:
    """Whether the analyst says the same as the machine."""
    override = run.review.override
    return bool(run.verdict and override and override.label is run.verdict.label)


def analyst_line(run: Run) -> str:
    """``the analyst's verdict of 2026-03-01: it deceives.``; empty without one."""
    override = run.review.override
    if not override or not run.verdict:
        return ""
    what = "confirmed by the analyst" if confirms(run) else "the analyst's verdict"
    return f"{what}, {day(override.at)}" + (f": {one_line(override.reason)}" if override.reason else "")


def verdict_lines(run: Run) -> list[tuple[Label, str]]:
    """The analyst's verdict first where it differs, the machine's always; each with what is said beside it."""
    verdict, override = run.verdict, run.review.override
    if not verdict:
        return []
    differs = override is not None and not confirms(run)
    contested = "contested: strong independent evidence on both sides" if verdict.contested else ""
    own = "Ghost's own verdict" if differs else analyst_line(run)
    figures = confidence(verdict), truth(verdict.truth_percentage), contested, harm(verdict.harm), own
    machine = (verdict.label, " · ".join(filter(None, figures)))
    return [(override.label, analyst_line(run)), machine] if override and differs else [machine]


def pipeline_note(run: Run) -> list[str]:
    """That the run was a single conversation, and whether it fell back; nothing for the seven steps."""
    if run.pipeline is not Pipeline.SINGLE_CONVERSATION:
        return []
    return [f"Single conversation{', which the seven steps took over' if fell_back(run) else ''}"]


def failure(run: Run) -> str:
    """Why a run has no verdict at all; empty for one that has."""
    return "" if run.verdict else f"the run is {run.status.value}. {one_line(run.error)}".rstrip()


def remarks(run: Run) -> list[str]:
    """The errors and bad sources that the analyst has noted, one line each."""
    said = [
        f"{day(error.at)}: {ERROR_KINDS[error.kind]}" + (f": {one_line(error.note)}" if error.note else "")
        for error in run.review.errors
    ]
    return said + [f"{day(mark.at)}: {_marked(run, mark)}: {one_line(mark.reason)}" for mark in run.review.marks]


def _marked(run: Run, mark: SourceMark) -> str:
    if mark.target != "passage":
        return f"{one_line(mark.name)} marked as a bad source"
    number = next((e.number for e in run.evidence if e.passage.id == mark.name), None)
    return f"passage [{number}] marked as bad" if number else f"passage {one_line(mark.name)} marked as bad"
