"""What a run has stored of its way to the decision, for making it again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ghost.judges import Odds, Rule, kept_odds
from ghost.knowledge import origins
from ghost.reports import CandidateRow, candidates, on_topic
from ghost.steps import RerankRules, domain_key
from ghost.types import Claim, DropCode, Evidence, Passage, Run, RunStatus, StanceLabel, Statement, Timing

NEW_ORIGIN = 10_000
"""Origin numbers of returning passages start here, so that they differ from those of the run."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage weighed for a statement, whether it was evidence or not."""

    evidence: Evidence
    """With its origin in the run, but without the effect of its date, which depends on the other evidence."""
    kept: bool
    """Whether it was evidence in the run."""
    origin: int
    """Its origin when evidence was selected; 0 where that was not stored."""
    telling: float | None = None
    """Its stance strength when evidence was selected; None where that was not stored."""
    read: bool = True
    """Whether the stance model read it; otherwise it was only screened."""

    @property
    def source(self) -> str:
        """The domain, or the document for a passage without one."""
        return domain_key(self.evidence.passage)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """Everything that a decision needs."""

    claim: Claim
    statements: tuple[Statement, ...]
    pieces: tuple[Piece, ...]
    """The evidence in the order of the run, then what was dropped and could come back."""
    rules: RerankRules
    as_of: date | None
    day: date
    """The day of the run, from which ages are counted."""
    has_candidates: bool
    """Whether the run has stored its candidates; without them nothing that was dropped can come back."""
    missing: int = 0
    """Number of relevant candidates that cannot come back, because their text is gone or has changed."""
    odds: Odds | None = None
    """The odds of the run; None where it did not store them, and Ghost's own are used."""

    @property
    def rule(self) -> Rule:
        """The rule that the run was decided by."""
        return Rule(decides=self.odds.bound) if self.odds else Rule()

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the run's evidence, heaviest first."""
        used = sorted((p for p in self.pieces if p.kept), key=lambda p: -p.evidence.final)
        return tuple(dict.fromkeys(p.source for p in used))


def can_decide_again(run: Run) -> bool:
    """Whether there is a decision to make again: an opinion has none, nor a run that ended before step 2."""
    return run.status is not RunStatus.RUNNING and bool(run.classification and run.classification.statements)


def returnable_passages(run: Run) -> tuple[str, ...]:
    """Ids of the passages that could come back."""
    rows = candidates(run.steps) or ()
    return tuple(dict.fromkeys(r.passage_id for r in rows if _may_return(r)))


def read_kept_run(run: Run, passages: Iterable[Passage] = ()) -> KeptRun:
    """What the run has stored; ``passages`` are those of ``returnable_passages`` as they are now."""
    rows = candidates(run.steps)
    known = {p.id: p for p in passages}
    chosen = {(r.statement, r.passage_id): (r.origin or 0, r.telling) for r in rows or () if r.kept}
    evidence = on_topic(run.evidence)
    pieces = [Piece(_undated(e), True, *chosen.get((e.statement, e.passage.id), (0, None))) for e in evidence]
    back = [r for r in rows or () if _may_return(r)]
    there = [r for r in back if r.passage_id in known and len(known[r.passage_id].text) == r.characters]
    pieces += _returning(there, evidence, known)
    return KeptRun(
        run.claim,
        run.classification.statements if run.classification else (),
        tuple(pieces),
        _rules(run),
        run.claim.as_of,
        run.started_at.date(),
        has_candidates=rows is not None,
        missing=len(back) - len(there),
        odds=kept_odds(run.settings),
    )


def _may_return(row: CandidateRow) -> bool:
    """The page a claim was found at never comes back, nor does what is retracted or off topic."""
    never = DropCode.FOUND_PAGE, DropCode.RETRACTED, DropCode.OFF_TOPIC
    return not row.kept and row.code not in never and row.stances.label is not StanceLabel.OFF_TOPIC


def _undated(e: Evidence) -> Evidence:
    return replace(e, timing=Timing.FINE, time_weight=1.0)


def _returning(rows: Sequence[CandidateRow], evidence: Sequence[Evidence], known: Mapping[str, Passage]) -> list[Piece]:
    """Dropped candidates as evidence, with their stored stance and a common origin for copies."""
    pieces: list[Piece] = []
    numbers = {e.passage.id: e.number for e in evidence}
    for r in rows:
        passage = replace(known[r.passage_id], credibility=r.credibility, published_at=r.published_at, as_of=r.as_of)
        number = numbers.setdefault(passage.id, max(numbers.values(), default=0) + 1)
        e = Evidence(
            number, r.statement, passage, r.stances, r.relevance, r.credibility, r.access_bonus, r.final,
            NEW_ORIGIN, r.rank, r.semantic if r.nearness is None else r.nearness,
        )  # fmt: skip
        pieces.append(Piece(e, kept=False, origin=r.origin or 0, telling=r.telling, read=r.read))
    mine: dict[int, list[int]] = {}
    for i, p in enumerate(pieces):
        mine.setdefault(p.evidence.statement, []).append(i)
    for statement, at in mine.items():
        for i, group in zip(at, _groups(statement, [pieces[i].evidence for i in at], evidence), strict=True):
            pieces[i] = replace(pieces[i], evidence=replace(pieces[i].evidence, group=group))
    return pieces


def _groups(statement: int, back: Sequence[Evidence], evidence: Sequence[Evidence]) -> list[int]:
    """The origins of returning passages: shared with evidence of the run, or new ones."""
    there = [e for e in evidence if e.statement == statement]
    found = origins([e.passage for e in (*there, *back)])
    of_run = {o.group: e.group for o, e in zip(reversed(found[: len(there)]), reversed(there), strict=True)}
    return [of_run.get(o.group, NEW_ORIGIN + o.group) for o in found[len(there) :]]


def _rules(run: Run) -> RerankRules:
    """The numbers of step 3 in that run."""
    last = next((s for s in reversed(run.steps) if s.name == "rerank"), None)
    stored: dict[str, Any] = {
        "keep": run.settings.get("top_k_rerank"),
        "min_relevance": run.settings.get("min_relevance_score"),
        "credibility_boost": run.settings.get("credibility_boost"),
        "max_per_domain": run.settings.get("max_per_domain"),
    } | (last.inputs if last else {})
    usual = RerankRules()
    return RerankRules(
        int(_number(stored["keep"], usual.keep)),
        _number(stored["min_relevance"], usual.min_relevance),
        _number(stored["credibility_boost"], usual.credibility_boost),
        int(_number(stored["max_per_domain"], usual.max_per_domain)),
    )


def _number(value: object, usual: float) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else usual
