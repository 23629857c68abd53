"""The embedded judge's rule: from stances to a verdict, in arithmetic that anyone can redo.

Each piece of evidence that takes a side counts with ``probability of that side x relevance x reliability of the
source``, less what its date takes away. Within one independent origin only the strongest counts; origins combine as
independent witnesses (noisy-or). A side wins when it is strong and the other side is weak; when both are strong the
statement is contested.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.types import Evidence, Label, Reason, ReasonCode, StanceLabel, Statement, StatementVerdict, Timing

LOW_CREDIBILITY = 0.6
OPEN_AT_MOST = 0.9
"""An abstention is never surer than this: a passage that settles the point may have been overlooked."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The thresholds of the decision; ``training/choose_rule.py`` chose them on claims that no test uses."""

    takes_side: float = 0.75
    """Below this probability x relevance a stance is a guess and counts for nothing."""
    wins: float = 0.84
    """Combined strength from which a side can carry a verdict."""
    yields: float = 0.3
    """The losing side must stay below this share of the winning one."""
    contested: float = 0.85
    """Both sides this strong: strong independent evidence says both."""
    floor: float = 0.85
    """How far a source of no credibility at all is believed; one of credibility 1 is believed wholly."""
    unread: float = 0.8
    """How far the snippet of an unknown site is believed, which nobody has read: no single one carries a verdict."""


RULE = Rule()


@dataclass(frozen=True, slots=True)
class Side:
    """What speaks for one answer."""

    strength: float
    evidence: tuple[Evidence, ...]
    """Strongest first; one row per passage, all origins."""

    @property
    def origins(self) -> int:
        return len({e.group for e in self.evidence})


def reliability(e: Evidence, rule: Rule = RULE) -> float:
    """How far a source is believed: ``rule.floor`` at worst, 1 at best, and the snippet of an unknown site less.

    What its date takes away (``ghost/judges/recency.py``) is taken off here.
    """
    unread = e.passage.snippet and e.credibility < LOW_CREDIBILITY
    return (rule.floor + (1 - rule.floor) * e.credibility) * (rule.unread if unread else 1.0) * e.time_weight


def side(evidence: Sequence[Evidence], stance: StanceLabel, rule: Rule = RULE) -> Side:
    """Combine all evidence that takes ``stance`` (SUPPORTS or REFUTES)."""
    takers = [e for e in evidence if e.stance.label is stance and says(e, stance) >= rule.takes_side]
    takers.sort(key=lambda e: (-says(e, stance) * reliability(e, rule), e.number))
    best: dict[int, float] = {}
    for e in takers:
        best.setdefault(e.group, says(e, stance) * reliability(e, rule))
    doubt = 1.0
    for strength in best.values():
        doubt *= 1.0 - strength
    return Side(1.0 - doubt, tuple(takers))


def says(e: Evidence, stance: StanceLabel) -> float:
    """How far a passage says one of the two things: probability of the side x relevance."""
    return (e.stance.supports if stance is StanceLabel.SUPPORTS else e.stance.refutes) * e.relevance


def decide_statement(statement: Statement, evidence: Sequence[Evidence], rule: Rule = RULE) -> StatementVerdict:
    """True, False, Partially True (contested), or Not Enough Evidence with the reason."""
    support, refute = side(evidence, StanceLabel.SUPPORTS, rule), side(evidence, StanceLabel.REFUTES, rule)
    s, r = support.strength, refute.strength
    high, low = max(s, r), min(s, r)
    too_old = _too_old(support.evidence + refute.evidence)
    if too_old:
        return StatementVerdict(
            statement.number, Label.NOT_ENOUGH_EVIDENCE, OPEN_AT_MOST * high, s, r, reasons=(too_old,)
        )
    if low >= rule.contested:
        return StatementVerdict(statement.number, Label.PARTIALLY_TRUE, low, s, r, contested=True)
    if high >= rule.wins and low < rule.yields * high:
        label = Label.TRUE if s > r else Label.FALSE
        return StatementVerdict(statement.number, label, high * (1 - low), s, r)
    reasons = (_why_open(evidence, support, refute, rule),)
    doubt = min(OPEN_AT_MOST, 1 - high * (1 - low))
    return StatementVerdict(statement.number, Label.NOT_ENOUGH_EVIDENCE, doubt, s, r, reasons=reasons)


def _too_old(takers: Sequence[Evidence]) -> Reason | None:
    """Why nothing is settled where everything that takes a side is old; None where something is not."""
    dates = [e.passage.published_at for e in takers if e.passage.published_at]
    if not dates or any(e.timing is not Timing.OLD for e in takers):
        return None
    return Reason(
        ReasonCode.TOO_OLD,
        f"This is about the present, and the newest source that takes a side is of {max(dates).isoformat()}.",
        "A newer source would settle it; or ask as of a day near that date.",
    )


def _why_open(evidence: Sequence[Evidence], support: Side, refute: Side, rule: Rule) -> Reason:
    high, low = max(support.strength, refute.strength), min(support.strength, refute.strength)
    if not evidence:
        return Reason(
            ReasonCode.NO_SOURCES,
            "Nothing in the knowledge base speaks about this.",
            "Add a source about it to the knowledge base and verify the claim again.",
        )
    if low > 0 and low >= rule.yields * high:
        return Reason(
            ReasonCode.CONFLICT,
            "Sources contradict each other, and neither side is clearly stronger.",
            "A further independent source of high credibility would tip the balance.",
        )
    takers = support.evidence + refute.evidence
    if takers and high < rule.wins and all(e.credibility < LOW_CREDIBILITY for e in takers):
        return Reason(
            ReasonCode.WEAK_ORIGIN,
            "What takes a side comes from sources of unknown or low credibility.",
            "A source with a known reputation that says the same would settle it.",
        )
    return Reason(
        ReasonCode.NOT_DECISIVE,
        "The passages found are about the subject, but none of them settles the point.",
        "A source that states the point in so many words would settle it.",
    )


def combine(verdicts: Sequence[StatementVerdict]) -> tuple[Label, float, bool]:
    """Label, confidence and contested of a claim that says all of its statements.

    All alike: that label. True beside False: Partially True. A False statement makes the claim False even when
    others are open; a True one beside open ones decides nothing. Open statements lower the confidence of a decided
    claim in proportion: were they True, a False claim would be Partially True.
    """
    labels = {v.label for v in verdicts}
    contested = any(v.contested for v in verdicts)
    if len(labels) == 1:
        return verdicts[0].label, min(v.confidence for v in verdicts), contested
    decided = [v for v in verdicts if v.label is not Label.NOT_ENOUGH_EVIDENCE]
    found = {v.label for v in decided}
    confidence = min((v.confidence for v in decided), default=0.0) * len(decided) / len(verdicts)
    if Label.PARTIALLY_TRUE in found or found == {Label.TRUE, Label.FALSE}:
        return Label.PARTIALLY_TRUE, confidence, contested
    if found == {Label.FALSE}:
        return Label.FALSE, confidence, contested
    return Label.NOT_ENOUGH_EVIDENCE, max(v.confidence for v in verdicts if v not in decided), contested
