"""What a verdict depends on: the decision made again on what a run has stored, with something changed.

Evidence is selected, dated, judged by the embedded rule and passed through the gate. Nothing is searched or read:
stances, relevance and dates are those that the run has stored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ghost.budget import Budget, Limits
from ghost.events import result_of
from ghost.judges import EmbeddedJudge, Odds, Rule, Shares, kept_odds, kept_shares, shares_of, timed
from ghost.knowledge import origins
from ghost.reports import CandidateRow, candidates, on_topic
from ghost.steps import (
    KNOWLEDGE_BASE_ONLY,
    RerankRules,
    SearchCoverage,
    below_relevance,
    by_weight,
    domain_key,
    select_evidence,
    stance_strength,
    verdict,
    with_boost,
)
from ghost.types import (
    Claim,
    DropCode,
    Evidence,
    Label,
    Passage,
    Run,
    RunStatus,
    StanceLabel,
    Statement,
    Timing,
    Verdict,
)

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
    """Everything that a run has stored of its way to the decision."""

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
    shares: tuple[Shares, ...] = ()
    """As measured when the run was made; empty where it did not store them."""

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
    pieces = [
        Piece(
            replace(e, timing=Timing.OVER if e.timing is Timing.OVER else Timing.FINE, time_weight=1.0),
            True,
            *chosen.get((e.statement, e.passage.id), (0, None)),
        )
        for e in evidence
    ]
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
        shares=kept_shares(run.settings),
    )


def _may_return(row: CandidateRow) -> bool:
    """The page a claim was found at never comes back, nor does what is retracted or off topic."""
    never = DropCode.FOUND_PAGE, DropCode.RETRACTED, DropCode.OFF_TOPIC
    return not row.kept and row.code not in never and row.stances.label is not StanceLabel.OFF_TOPIC


def _returning(rows: Sequence[CandidateRow], evidence: Sequence[Evidence], known: Mapping[str, Passage]) -> list[Piece]:
    """Dropped candidates as evidence, with their stored stance; copies share an origin, with the evidence too."""
    numbers = {e.passage.id: e.number for e in evidence}
    pieces: list[Piece] = []
    for statement in dict.fromkeys(r.statement for r in rows):
        there = [e for e in evidence if e.statement == statement]
        mine = [r for r in rows if r.statement == statement]
        found = origins([*(e.passage for e in there), *(known[r.passage_id] for r in mine)])
        of_run = {o.group: e.group for o, e in zip(reversed(found[: len(there)]), reversed(there), strict=True)}
        for r, origin in zip(mine, found[len(there) :], strict=True):
            passage = replace(
                known[r.passage_id], credibility=r.credibility, published_at=r.published_at, as_of=r.as_of
            )
            number = numbers.setdefault(passage.id, max(numbers.values(), default=0) + 1)
            group = of_run.get(origin.group, NEW_ORIGIN + origin.group)
            e = Evidence(
                number, statement, passage, r.stances, r.relevance, r.credibility, r.access_bonus, r.final, group,
                r.rank, r.semantic if r.nearness is None else r.nearness,
            )  # fmt: skip
            pieces.append(Piece(e, kept=False, origin=r.origin or 0, telling=r.telling, read=r.read))
    return pieces


def _rules(run: Run) -> RerankRules:
    """The numbers of step 3 in that run."""
    last = next((s for s in reversed(run.steps) if s.name == "rerank"), None)
    stored: dict[str, Any] = {
        "keep": run.settings.get("top_k_rerank"),
        "min_relevance": run.settings.get("min_relevance_score"),
        "credibility_boost": run.settings.get("credibility_boost"),
        "max_per_domain": run.settings.get("max_per_domain"),
    } | (last.inputs if last else {})
    names = ("keep", "min_relevance", "credibility_boost", "max_per_domain")
    return RerankRules(**{
        name: stored[name]
        for name in names
        if isinstance(stored[name], int | float) and not isinstance(stored[name], bool)
    })  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; everything else stays as in the run."""

    without_sources: frozenset[str] = frozenset()
    """Domains, or documents for passages without one."""
    without_passages: frozenset[str] = frozenset()
    """Ids."""
    boost: float | None = None
    """How much credibility counts when evidence is selected."""
    min_relevance: float | None = None
    credibility_weight: float | None = None
    """How much credibility counts in the decision, in log-odds."""
    decides: float | None = None
    """The probability that a label needs."""

    @property
    def reweighs(self) -> bool:
        """Whether evidence has to be selected again."""
        drops = self.without_sources or self.without_passages
        return bool(drops) or self.boost is not None or self.min_relevance is not None


NOTHING = Change()


@dataclass(frozen=True, slots=True)
class NewDecision:
    """What the embedded rule decides."""

    verdict: Verdict
    """After the citation gate."""
    evidence: tuple[Evidence, ...]
    """The evidence for it."""
    returned: tuple[Evidence, ...] = ()
    """What is evidence now and was not in the run."""

    @property
    def label(self) -> Label:
        return self.verdict.label

    @property
    def confidence(self) -> float | None:
        return self.verdict.confidence


def decide(kept: KeptRun, change: Change = NOTHING, coverage: SearchCoverage = KNOWLEDGE_BASE_ONLY) -> NewDecision:
    """The verdict of the embedded rule on what the run has stored, with a change.

    ``coverage`` is where the run has searched, which an open verdict says.
    """
    chosen: list[Evidence] = []
    returned: list[Evidence] = []
    for statement in kept.statements:
        mine = [p for p in kept.pieces if p.evidence.statement == statement.number]
        taken = _selected(mine, kept, change) if change.reweighs else [p.evidence for p in mine if p.kept]
        dated = timed(statement, taken, kept.as_of, kept.day)
        chosen += dated
        was = {p.evidence.passage.id for p in mine if p.kept}
        returned += [e for e in dated if e.passage.id not in was]
    rule = kept.rule
    if change.decides is not None:
        rule = replace(rule, decides=max(change.decides, rule.decides))
    if change.credibility_weight is not None:
        rule = replace(rule, credibility_weight=change.credibility_weight)
    return NewDecision(_step_seven(kept, chosen, rule, coverage), tuple(chosen), tuple(returned))


def _selected(pieces: Sequence[Piece], kept: KeptRun, change: Change) -> list[Evidence]:
    """The evidence for one statement, selected as in step 3."""
    rules = kept.rules
    if change.boost is not None:
        rules = replace(rules, credibility_boost=change.boost)
    if change.min_relevance is not None:
        rules = replace(rules, min_relevance=change.min_relevance)
    left = [
        p
        for p in pieces
        if p.source not in change.without_sources and p.evidence.passage.id not in change.without_passages
    ]
    if not kept.has_candidates:
        # Older runs have not stored the origins of step 3; those of the evidence are used, and nothing comes back.
        left = [replace(p, origin=p.evidence.group) for p in left if p.kept]
    groups = {p.evidence.passage.id: p.evidence.group for p in left}
    # Candidates below the relevance threshold have no origin in the trace; they get one among what comes back.
    weighed = [
        replace(with_boost(p.evidence, rules.credibility_boost), group=p.origin or p.evidence.group) for p in left
    ]
    stored = {p.evidence.passage.id: p.telling for p in left}

    def strength(e: Evidence) -> float:
        known = stored[e.passage.id]
        return stance_strength(e) if known is None else known

    relevant = [e for e in by_weight(weighed) if below_relevance(e, rules) is None]
    # A candidate that was only screened gets no place but one that the change has freed.
    waits = {p.evidence.passage.id for p in left if not p.read and below_relevance(p.evidence, kept.rules) is None}
    taken, _ = select_evidence([e for e in relevant if e.passage.id not in waits], rules, strength)
    places = min(rules.keep, sum(p.kept for p in pieces))
    taken = _filled(taken, [e for e in relevant if e.passage.id in waits], places, rules, strength)
    return [replace(e, group=groups[e.passage.id]) for e in taken]


def _filled(
    taken: Sequence[Evidence],
    rest: Sequence[Evidence],
    places: int,
    rules: RerankRules,
    strength: Callable[[Evidence], float],
) -> list[Evidence]:
    """The selection, and the best of the rest for the places that are left, other origins first."""
    filled, origins = list(taken), {e.group for e in taken}
    domains = Counter(domain_key(e.passage) for e in taken)
    for e in sorted(rest, key=lambda e: (e.group in origins, -(e.final + strength(e)))):
        domain = domain_key(e.passage)
        if len(filled) < places and domains[domain] < rules.max_per_domain:
            filled.append(e)
            domains[domain] += 1
    return by_weight(filled)


def _step_seven(kept: KeptRun, evidence: Sequence[Evidence], rule: Rule, coverage: SearchCoverage) -> Verdict:
    """Step 7 with the embedded judge under ``rule``."""
    judge = EmbeddedJudge("what-if", rule=rule, odds=kept.odds)
    step = verdict(
        kept.claim, kept.statements, evidence, (), (), judge, Budget(Limits()), coverage, rule.decides,
        shares=lambda: shares_of(judge.info, kept.shares),
    )  # fmt: skip
    return result_of(step).value.verdict
