"""The confidence of a verdict that has passed the gate: the measured share of verdicts with the same basis."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ghost.judges import Shares
from ghost.steps.gate.citations import NEEDED
from ghost.types import Basis, Citation, Evidence, Kind, Label, StatementVerdict, Verdict

_WEAKEST_FIRST = (Basis.UNRATED, Basis.NOTES, Basis.RATED, Basis.SEVERAL)


def with_confidence(verdict: Verdict, evidence: Sequence[Evidence], shares: Shares | None) -> Verdict:
    """The verdict and its statements with their confidence; without any where too little was measured.

    A claim of several statements is measured by them: as *True* all of them must be right, and it is as well founded as
    the worst; as *False* the best founded of the false ones decides. As *Partially True* those that are decided must be
    right, and it is no surer than all verdicts of that label were.
    """
    stated = verdict.statements
    if len(stated) > 1:
        bases = [_basis_of(s, verdict, evidence) for s in stated]
        each = [_share(shares, s.label, b, s.probability) for b, s in zip(bases, stated, strict=True)]
        basis, confidence = _of_several(verdict, bases, each)
        if verdict.label is Label.PARTIALLY_TRUE and confidence is not None:
            overall = shares.share_of(verdict.label) if shares else None
            confidence = None if overall is None else min(confidence, overall)
    else:
        basis = _basis(verdict.label, verdict.citations, evidence)
        confidence = _share(shares, verdict.label, basis, verdict.probability)
        each = [confidence] * len(stated)
    return replace(
        verdict,
        confidence=confidence,
        basis=None if verdict.probability is None else basis,
        statements=tuple(replace(s, confidence=sure) for s, sure in zip(stated, each, strict=True)),
    )


def _of_several(
    verdict: Verdict, bases: Sequence[Basis | None], shares: Sequence[float | None]
) -> tuple[Basis | None, float | None]:
    """Basis and share of a claim from those of its statements."""
    if verdict.label is Label.FALSE:
        false = [i for i, s in enumerate(verdict.statements) if s.label is Label.FALSE]
        best = max(false, key=lambda i: shares[i] or 0.0, default=None)
        return (None, None) if best is None else (bases[best], shares[best])
    decided = [s for s in verdict.statements if s.label is not Label.NOT_ENOUGH_EVIDENCE]
    found = [b for b in bases if b]
    basis = min(found, key=_WEAKEST_FIRST.index) if found and len(found) == len(decided) else None
    known = [share for share in shares if share is not None]
    wanted = {Label.TRUE: verdict.statements, Label.PARTIALLY_TRUE: decided}.get(verdict.label)
    return basis, round(prod(known), 2) if wanted and len(known) == len(wanted) else None


def _share(shares: Shares | None, label: Label, basis: Basis | None, probability: float | None) -> float | None:
    if shares is None or basis is None or probability is None:
        return None
    return shares.confidence(label, basis, probability)


def _basis_of(stated: StatementVerdict, verdict: Verdict, evidence: Sequence[Evidence]) -> Basis | None:
    """What one of several statements rests on."""
    cited = [c for c in verdict.citations if c.statement in (0, stated.statement)]
    return _basis(stated.label, cited, [e for e in evidence if e.statement == stated.statement])


def _basis(label: Label, citations: Sequence[Citation], evidence: Sequence[Evidence]) -> Basis | None:
    """What a label rests on; None for an abstention, and where a person has said how a passage reads."""
    stances = {stance for group in NEEDED.get(label, ()) for stance in group}
    cited = {c.n for c in citations if c.accepted and c.stance in stances}
    used = [e for e in evidence if e.number in cited]
    if any(e.correction for e in evidence):
        return None
    if len({e.group for e in used}) > 1:
        return Basis.SEVERAL
    excerpts = [e for e in used if e.passage.kind is not Kind.NOTE]
    if used and not excerpts:
        return Basis.NOTES
    return (Basis.RATED if any(e.passage.rated for e in excerpts) else Basis.UNRATED) if used else None
