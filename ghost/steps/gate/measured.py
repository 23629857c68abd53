"""The confidence of a verdict that has passed the gate: the measured share of verdicts with the same basis."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod

from ghost.judges import Shares
from ghost.steps.gate.citations import NEEDED
from ghost.types import Basis, Citation, Evidence, Kind, Label, Verdict

_WEAKEST_FIRST = (Basis.UNRATED, Basis.NOTES, Basis.RATED, Basis.SEVERAL)


def with_confidence(verdict: Verdict, evidence: Sequence[Evidence], shares: Shares | None) -> Verdict:
    """The verdict and its statements with their confidence; without any where too little was measured.

    A claim of several statements is measured by them: as *True* all of them must be right, as *False* one of those that
    are. It is as well founded as the worst that it rests on.
    """
    stated = verdict.statements
    if len(stated) > 1:
        about = [[c for c in verdict.citations if c.statement in (0, s.statement)] for s in stated]
        bases = [_basis(s.label, cited, evidence) for s, cited in zip(stated, about, strict=True)]
        each = [_share(shares, s.label, b, s.probability) for b, s in zip(bases, stated, strict=True)]
        carrying = [i for i, s in enumerate(stated) if verdict.label is not Label.FALSE or s.label is Label.FALSE]
        basis = _weakest(bases[i] for i in carrying)
        confidence = _of_several(verdict, [each[i] for i in carrying])
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


def _of_several(verdict: Verdict, shares: Sequence[float | None]) -> float | None:
    """The share of a claim from those of the statements that it rests on, which fail one by one."""
    known = [share for share in shares if share is not None]
    if verdict.probability is None or verdict.label not in (Label.TRUE, Label.FALSE) or len(known) < len(shares):
        return None
    return round(prod(known), 2) if verdict.label is Label.TRUE else max(known, default=None)


def _weakest(bases: Iterable[Basis | None]) -> Basis | None:
    return min((b for b in bases if b), key=_WEAKEST_FIRST.index, default=None)


def _share(shares: Shares | None, label: Label, basis: Basis | None, probability: float | None) -> float | None:
    if shares is None or basis is None or probability is None:
        return None
    return shares.confidence(label, basis, probability)


def _basis(label: Label, citations: Sequence[Citation], evidence: Sequence[Evidence]) -> Basis | None:
    """What a label rests on; None for an abstention."""
    stances = {stance for group in NEEDED.get(label, ()) for stance in group}
    cited = {c.n for c in citations if c.accepted and c.stance in stances}
    used = [e for e in evidence if e.number in cited]
    if len({e.group for e in used}) > 1:
        return Basis.SEVERAL
    excerpts = [e for e in used if e.passage.kind is not Kind.NOTE]
    if used and not excerpts:
        return Basis.NOTES
    return (Basis.RATED if any(e.passage.rated for e in excerpts) else Basis.UNRATED) if used else None
