"""The embedded judge's rule: from stances to a verdict, in arithmetic that anyone can redo.

Each piece of evidence says so much for and so much against a statement: probability of that side x relevance, more from
a source of standing, less for an old date. The strongest word on either side, further independent origins, and how near
the evidence is give the probability of each answer (``odds.py``); the most probable one is the verdict, and its
probability the confidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.judges.embedded.calibration import shipped
from ghost.judges.embedded.odds import (
    CREDIBILITY_WEIGHT,
    LOW_CREDIBILITY,
    TAKES_SIDE,
    Odds,
    features,
    says,
    strength,
)
from ghost.judges.embedded.ratings import doubted, misleading, rated_side
from ghost.types import (
    BOUND,
    DECIDED,
    TOO_UNSURE,
    Evidence,
    Label,
    Leaning,
    Reason,
    ReasonCode,
    StanceLabel,
    Statement,
    StatementVerdict,
    Timing,
)

LEANS = 0.5
"""An open statement leans to an answer that is more probable than all others together."""
DOUBTFUL = 0.4
"""Sources less credible than this decide nothing by themselves."""
PLAIN = 0.75
"""From this probability x relevance on a passage may be quoted beside others, or for a side that did not win."""

_LABELS: dict[StanceLabel | None, Label] = {StanceLabel.SUPPORTS: Label.TRUE, StanceLabel.REFUTES: Label.FALSE}


_DOUBTED = Reason(
    ReasonCode.CONFLICT,
    "Sources say so, and a fact-checker does not simply confirm what may be this claim in other words.",
    "Read the fact-check: if it is about this claim, its rating says more than a label here could.",
)


_UNCHECKED = Reason(
    ReasonCode.WEAK_ORIGIN,
    "What takes a side was entered by hand, is not checked against its page yet, and its site has no rating.",
    "Check it against the page, rate the site, or mark the passage as trusted if you stand behind it.",
)
_UNREAD = Reason(
    ReasonCode.WEAK_ORIGIN,
    "What takes a side is what a search engine shows of a page that was not read, and its site has no rating.",
    "Open the page and add what it says, or rate the site.",
)
_NOT_READ_AGAIN = Reason(
    ReasonCode.WEAK_ORIGIN,
    "What takes a side was read on an earlier day, on a weak source or on one alone, and was not read again now.",
    "Allow the web, check again when the page can be reached, or add a second independent source.",
)
_NOT_ON_ITS_PAGE = Reason(
    ReasonCode.WEAK_ORIGIN,
    "What takes a side was entered by somebody, and the page that it names does not say it.",
    "A source that says this explicitly would settle it.",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """The numbers of the rule that may be turned, to see what a decision hangs on."""

    decides: float = BOUND
    """An answer less probable than this is no verdict but a leaning."""
    credibility_weight: float = CREDIBILITY_WEIGHT
    """How far a source's credibility counts; see ``odds.py``."""


RULE = Rule()
"""The rule as it is."""


@dataclass(frozen=True, slots=True)
class Side:
    """What speaks for one answer."""

    strength: float
    evidence: tuple[Evidence, ...]
    """Strongest first; one row per passage, all origins."""

    @property
    def origins(self) -> int:
        return len({e.group for e in self.evidence})


def side(evidence: Sequence[Evidence], stance: StanceLabel, rule: Rule = RULE) -> Side:
    """All evidence that takes ``stance`` (SUPPORTS or REFUTES).

    Within one independent origin only the strongest counts; origins combine as independent witnesses (noisy-or).
    """
    takers = [e for e in evidence if e.stance.label is stance and says(e, stance) >= TAKES_SIDE]
    takers.sort(key=lambda e: (-strength(e, stance, rule.credibility_weight), e.number))
    best: dict[int, float] = {}
    for e in takers:
        best.setdefault(e.group, strength(e, stance, rule.credibility_weight))
    doubt = 1.0
    for one in best.values():
        doubt *= 1.0 - one
    return Side(1.0 - doubt, tuple(takers))


def quotable(takers: Side, stance: StanceLabel, won: bool) -> tuple[Evidence, ...]:
    """What may be quoted for a side: what says it plainly, and for one that won at least its strongest."""
    return _plain(takers, stance) or takers.evidence[: int(won)]


def _plain(takers: Side, stance: StanceLabel) -> tuple[Evidence, ...]:
    return tuple(e for e in takers.evidence if says(e, stance) >= PLAIN)


def decide_statement(
    statement: Statement, evidence: Sequence[Evidence], odds: Odds | None = None, rule: Rule = RULE
) -> StatementVerdict:
    """True, False, Partially True (contested), or Not Enough Evidence with the reason."""
    support, refute = side(evidence, StanceLabel.SUPPORTS, rule), side(evidence, StanceLabel.REFUTES, rule)
    odds = odds or shipped().odds
    chances = _chances(evidence, support, refute, odds, rule)
    chances = _checked(chances, rated_side(statement.text, evidence))
    label = max(chances, key=lambda answer: chances[answer])
    s, r = support.strength, refute.strength
    if too_old := _too_old(support.evidence + refute.evidence):
        return StatementVerdict(statement.number, Label.NOT_ENOUGH_EVIDENCE, None, s, r, reasons=(too_old,))
    plainly = _read_plainly(label, support, refute, odds.reading)
    decided = label is not Label.NOT_ENOUGH_EVIDENCE and chances[label] >= rule.decides and plainly
    in_doubt = label in (Label.FALSE, Label.PARTIALLY_TRUE) or (label is Label.TRUE and not decided)
    misleads = misleading(statement.text, evidence) is not None
    if in_doubt and misleads:
        settled = 1 - chances[Label.NOT_ENOUGH_EVIDENCE]
        literal = _read_plainly(Label.TRUE, support, refute, odds.reading)
        return _to_the_letter(statement, settled, support if literal else Side(s, ()), r, rule)
    if decided and label is Label.TRUE and not misleads and doubted(evidence):
        return StatementVerdict(statement.number, Label.NOT_ENOUGH_EVIDENCE, None, s, r, reasons=(_DOUBTED,))
    if decided:
        contested = label is Label.PARTIALLY_TRUE
        return StatementVerdict(statement.number, label, chances[label], s, r, contested=contested)
    leaning = Leaning(label, chances[label]) if label in DECIDED and chances[label] >= LEANS else None
    reasons = (_why_open(evidence, support, refute, leaning),)
    return StatementVerdict(statement.number, Label.NOT_ENOUGH_EVIDENCE, None, s, r, reasons=reasons, leaning=leaning)


def _read_plainly(label: Label, support: Side, refute: Side, bound: float) -> bool:
    """Whether each side that a label rests on is said plainly enough in a passage that may settle it."""
    sides = {Label.TRUE: (support,), Label.FALSE: (refute,)}.get(label, (support, refute))
    return all(any(says(e, e.stance.label) >= bound and e.passage.settles for e in one.evidence) for one in sides)


def _chances(evidence: Sequence[Evidence], support: Side, refute: Side, odds: Odds, rule: Rule) -> dict[Label, float]:
    """The probability of each answer that can be given; one that nothing may settle alone is none.

    What settles nothing alone makes nothing surer either, where something else does.
    """
    if not evidence:
        return {Label.NOT_ENOUGH_EVIDENCE: 1.0}
    settling = [e for e in evidence if e.passage.settles] or evidence
    chances = odds.probabilities(features(settling, rule.credibility_weight))
    sides = [any(e.credibility >= DOUBTFUL and e.passage.settles for e in one.evidence) for one in (support, refute)]
    missing = {Label.TRUE: not sides[0], Label.FALSE: not sides[1], Label.PARTIALLY_TRUE: not all(sides)}
    return {label: chance for label, chance in chances.items() if not missing.get(label)}


def _checked(chances: dict[Label, float], rated: StanceLabel | None) -> dict[Label, float]:
    """The same, where fact-checkers rated this very claim: their side is believed instead of the contest."""
    label = _LABELS.get(rated)
    if label not in chances or Label.PARTIALLY_TRUE not in chances:
        return chances
    contest = chances[Label.PARTIALLY_TRUE]
    return {x: p + contest * (x is label) for x, p in chances.items() if x is not Label.PARTIALLY_TRUE}


def _to_the_letter(
    statement: Statement, settled: float, support: Side, refuting: float, rule: Rule
) -> StatementVerdict:
    """The verdict where a fact-checker calls the claim misleading, and the stances call it false or contested.

    It is true to the letter where something says it; else nobody says what the truth in it is. ``settled`` is the
    probability that the evidence settles it at all.
    """
    sure = min(settled, support.strength)
    if support.evidence and sure >= rule.decides:
        return StatementVerdict(statement.number, Label.TRUE, sure, support.strength, refuting)
    reason = Reason(
        ReasonCode.CONFLICT,
        "A fact-checker calls this claim misleading, and what was found mostly contradicts it.",
        "A source for the part of it that is true would settle it.",
    )
    return StatementVerdict(
        statement.number, Label.NOT_ENOUGH_EVIDENCE, None, support.strength, refuting, reasons=(reason,)
    )


def _too_old(takers: Sequence[Evidence]) -> Reason | None:
    """Why nothing is settled where everything that takes a side is old; None where something is not."""
    dated = [(day, e.passage) for e in takers if (day := e.passage.latest)]
    if not dated or any(e.timing is not Timing.OLD for e in takers):
        return None
    day, newest = max(dated, key=lambda found: found[0])
    when = f"as of {newest.as_of}" if newest.as_of else f"of {day.isoformat()}"
    return Reason(
        ReasonCode.TOO_OLD,
        f"This is about the present, and the newest source that takes a side is {when}.",
        "A newer source would settle it; or ask as of a day near that date.",
    )


def _why_open(evidence: Sequence[Evidence], support: Side, refute: Side, leaning: Leaning | None) -> Reason:
    if not evidence:
        return Reason(
            ReasonCode.NO_SOURCES,
            "Nothing that was found speaks about this.",
            "A source that speaks about it is needed.",
        )
    if _plain(support, StanceLabel.SUPPORTS) and _plain(refute, StanceLabel.REFUTES):
        return Reason(
            ReasonCode.CONFLICT,
            "Sources contradict each other, and neither side is clearly stronger.",
            "A further independent source of high credibility would tip the balance.",
        )
    takers = support.evidence + refute.evidence
    if takers and not any(e.passage.settles for e in takers):
        if any(e.passage.can_be_read_again for e in takers):
            return _NOT_READ_AGAIN
        if any(e.passage.page_check for e in takers):
            return _NOT_ON_ITS_PAGE
        return _UNREAD if all(e.passage.snippet for e in takers) else _UNCHECKED
    if takers and all(e.credibility < LOW_CREDIBILITY for e in takers):
        return Reason(
            ReasonCode.WEAK_ORIGIN,
            "What takes a side comes from sources of unknown or low credibility.",
            "A source with a known reputation that says the same would settle it.",
        )
    if leaning:
        return TOO_UNSURE
    return Reason(
        ReasonCode.NOT_DECISIVE,
        "The passages found are about the subject, but none of them settles the point.",
        "A source that says this explicitly would settle it.",
    )


@dataclass(frozen=True, slots=True)
class Combined:
    """The verdict on a claim that says all of its statements, before the bound."""

    label: Label
    confidence: float | None
    contested: bool
    leaning: Leaning | None = None


def combine(verdicts: Sequence[StatementVerdict]) -> Combined:
    """The statements' verdicts as one.

    All alike: that label. True beside False: Partially True. A False statement makes the claim False even when
    others are open; a True one beside open ones decides nothing. Open statements lower the confidence of a decided
    claim in proportion: were they True, a False claim would be Partially True. Where all are open and lean the same
    way, the claim leans with the least probable of them.
    """
    contested = any(v.contested for v in verdicts)
    decided = [v for v in verdicts if v.confidence is not None]
    found = {v.label for v in decided}
    if not decided:
        return Combined(Label.NOT_ENOUGH_EVIDENCE, None, contested, _common_leaning(verdicts))
    confidence = min(v.confidence or 0.0 for v in decided) * len(decided) / len(verdicts)
    if len(found) == 1 and len(decided) == len(verdicts):
        return Combined(verdicts[0].label, confidence, contested)
    if Label.PARTIALLY_TRUE in found or found == {Label.TRUE, Label.FALSE}:
        return Combined(Label.PARTIALLY_TRUE, confidence, contested)
    if found == {Label.FALSE}:
        return Combined(Label.FALSE, confidence, contested)
    return Combined(Label.NOT_ENOUGH_EVIDENCE, None, contested)


def _common_leaning(verdicts: Sequence[StatementVerdict]) -> Leaning | None:
    leanings = [v.leaning for v in verdicts if v.leaning]
    if not leanings or len(leanings) < len(verdicts) or len({leaning.label for leaning in leanings}) > 1:
        return None
    return min(leanings, key=lambda leaning: leaning.probability)
