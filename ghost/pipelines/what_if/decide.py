"""The decision made again: evidence is selected, dated, judged by the embedded rule and passed through the gate.

Nothing is searched or read: stances, relevance and dates are those that the run has stored.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ghost.budget import Budget, Limits
from ghost.judges import EmbeddedJudge, Odds, Rule, timed
from ghost.pipelines.what_if.kept_run import KeptRun, Piece
from ghost.steps import (
    RerankRules,
    below_relevance,
    by_weight,
    domain_key,
    select_evidence,
    stance_strength,
    verdict,
    with_boost,
)
from ghost.types import Evidence, Label, Verdict


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


def decide(kept: KeptRun, change: Change = NOTHING) -> NewDecision:
    """The verdict of the embedded rule on what the run has stored, with a change."""
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
    return NewDecision(_step_seven(kept, chosen, rule, kept.odds), tuple(chosen), tuple(returned))


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


def _step_seven(kept: KeptRun, evidence: Sequence[Evidence], rule: Rule, odds: Odds | None) -> Verdict:
    """Step 7 with the embedded judge under ``rule``."""
    judge = EmbeddedJudge("what-if", rule=rule, odds=odds)
    step = verdict(kept.claim, kept.statements, evidence, (), (), judge, Budget(Limits()), bound=rule.decides)
    while True:
        try:
            next(step)
        except StopIteration as end:
            return end.value.value.verdict
