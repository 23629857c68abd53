"""The embedded judge: the evidence cross-encoder's stances, and rules that anyone can follow; deterministic."""

import re
from collections.abc import Sequence

from ghost.budget import Budget
from ghost.judges.base import Drafting, ReadsByStance
from ghost.judges.embedded.claims.classify import classify
from ghost.judges.embedded.claims.typed import ReadsClaims
from ghost.judges.embedded.decision import RULE, Rule, combine, decide_statement, quotable, side
from ghost.judges.embedded.odds import Odds
from ghost.judges.embedded.ratings import misleading
from ghost.types import (
    Claim,
    Classification,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    JudgeInfo,
    Label,
    Reason,
    ReasonCode,
    StanceLabel,
    Statement,
    StatementVerdict,
    Sufficiency,
    citing,
)

QUOTE_CHARS = 320
"""A passage up to this length is quoted whole."""
DECEIVES = "which says how to read"
"""The ending for a fact-check that rates the claim as misleading."""
_ENDINGS = {
    StanceLabel.SUPPORTS: "which supports",
    StanceLabel.REFUTES: "which contradicts",
    StanceLabel.NEUTRAL: "which is related but does not settle",
}
_FRAME = re.compile(
    rf"\b(?:says|reads)\W+(?:{'|'.join(_ENDINGS.values())}|{DECEIVES})(?: the claim)?[\s.]*$", re.IGNORECASE
)
SENTENCES_PER_SIDE = 3
RELATED = 0.4
"""Below this cosine a passage that settles nothing is on another matter, and is not quoted."""


class EmbeddedJudge(ReadsByStance):
    """Decides from the stances in the evidence alone; needs no key, no network and no server."""

    def __init__(
        self,
        model: str,
        why: str = "embedded: runs on this machine",
        claims: ReadsClaims | None = None,
        rule: Rule = RULE,
        odds: Odds | None = None,
    ) -> None:
        """``model`` names the weights that read the stances, ``why`` says how the choice fell on this judge.

        ``claims`` tells facts from opinions; without it every clause is taken for a fact. Without
        ``odds`` those of the bundled stance model are used.
        """
        self._claims = claims
        self._rule = rule
        self._odds = odds
        self._info = JudgeInfo("embedded", model, (why,))

    @property
    def info(self) -> JudgeInfo:
        """Who this is."""
        return self._info

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """The claim type by the claim classifier, and the statements by grammar."""
        budget.check()
        return classify(claim.text, claim.context, self._claims, budget.check)

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        """Enough when the decision rule comes to a side, or to a contest of strong sides."""
        budget.check()
        return tuple(self._enough(s, [e for e in evidence if e.statement == s.number]) for s in statements)

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """Decide each statement, combine them, and quote what decided."""
        budget.check()
        draft = self.draft(statements, evidence)
        yield from draft.sentences
        return draft

    def draft(self, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Draft:
        """The whole decision, which follows from the evidence alone."""
        verdicts: list[StatementVerdict] = []
        sentences: list[DraftSentence] = []
        for statement in statements:
            mine = [e for e in evidence if e.statement == statement.number]
            found = decide_statement(statement, mine, self._odds, self._rule)
            verdicts.append(found)
            sentences += _sentences(statement, found, mine, len(statements) == 1, self._rule)
        whole = combine(verdicts)
        label = whole.label
        reasons = tuple(dict.fromkeys(r for v in verdicts for r in v.reasons))
        deceit = _deceit(statements, evidence) if label is Label.TRUE else None
        if deceit:
            label = Label.MISLEADING
            sentences.append(deceit)
        if whole.contested:
            reasons += (_CONTEST,)
        return Draft(
            label, whole.confidence, tuple(sentences), tuple(verdicts), whole.contested, reasons, whole.leaning
        )

    def _enough(self, statement: Statement, evidence: Sequence[Evidence]) -> Sufficiency:
        found = decide_statement(statement, evidence, self._odds, self._rule)
        if found.label is Label.NOT_ENOUGH_EVIDENCE:
            reason = found.reasons[0]
            return Sufficiency(statement.number, False, reason.text, reason.remedy, reason.code)
        origins = side(evidence, StanceLabel.SUPPORTS).origins + side(evidence, StanceLabel.REFUTES).origins
        return Sufficiency(
            statement.number,
            True,
            f"{origins} independent origin{'s take' if origins != 1 else ' takes'} a side "
            f"(support {found.support:.2f}, refute {found.refute:.2f}).",
        )


_CONTEST = Reason(
    ReasonCode.CONFLICT,
    "Strong independent sources support this and others contradict it.",
    "Look at both sides before you use this; the evidence is listed by side.",
)


def _sentences(
    statement: Statement, found: StatementVerdict, evidence: Sequence[Evidence], only: bool, rule: Rule
) -> list[DraftSentence]:
    """Up to three quotes for each side that counts; for a statement that nothing settles, what comes nearest to it."""
    stances = _sides_of(found)
    out: list[DraftSentence] = []
    for stance in stances:
        won = found.label is not Label.NOT_ENOUGH_EVIDENCE
        takers = sides_first(quotable(side(evidence, stance, rule), stance, won))[:SENTENCES_PER_SIDE]
        out += [sentence(e, stance, statement, only) for e in takers]
    related = [e for e in evidence if _related(e)]
    if not out and related:
        nearest = max(related, key=lambda e: (max(e.stance.supports, e.stance.refutes), e.nearness or 0.0, -e.number))
        out.append(sentence(nearest, StanceLabel.NEUTRAL, statement, only))
    return out


def _related(e: Evidence) -> bool:
    """Whether a passage comes near enough to a statement to be quoted for one that it does not settle."""
    return e.nearness is None or e.nearness >= RELATED


def _sides_of(found: StatementVerdict) -> tuple[StanceLabel, ...]:
    """The sides that the explanation quotes. One that did not suffice is not put forward as if it did."""
    if found.label is Label.TRUE:
        return (StanceLabel.SUPPORTS,)
    if found.label is Label.FALSE:
        return (StanceLabel.REFUTES,)
    both = found.contested or any(r.code is ReasonCode.CONFLICT for r in found.reasons)
    return (StanceLabel.SUPPORTS, StanceLabel.REFUTES) if both else ()


def _deceit(statements: Sequence[Statement], evidence: Sequence[Evidence]) -> DraftSentence | None:
    """A quote of the fact-check that rates the (literally supported) claim as misleading, if there is one."""
    for statement in statements:
        if found := misleading(statement.text, [e for e in evidence if e.statement == statement.number]):
            return sentence(found, StanceLabel.NEUTRAL, statement, only_statement=True, ending=DECEIVES)
    return None


def is_frame(own: str) -> bool:
    """Whether this is all that ``sentence`` says around its quotation: whose it is, and which side it takes."""
    return _FRAME.search(own) is not None


def sentence(
    e: Evidence, stance: StanceLabel, statement: Statement, only_statement: bool, ending: str = ""
) -> DraftSentence:
    """``[1] NASA says “…”, which contradicts the claim.``, or as its kind is cited; ``ending`` replaces the stance."""
    quote = quote_from(e.passage.text, statement.text, e.focus)
    target = "the claim" if only_statement else f"“{statement.text.rstrip('.')}”"
    text = f"[{e.number}] {citing(e.passage, quote)}, {ending or _ENDINGS[stance]} {target}."
    return DraftSentence(text, (DraftCitation(e.number, quote, stance, statement.number),))


def quote_from(text: str, statement: str, focus: str = "") -> str:
    """The whole passage when it is short, else ``focus``, else the sentence with most words of the statement."""
    if len(text) <= QUOTE_CHARS:
        return text
    if focus and len(focus) <= QUOTE_CHARS and focus in text:
        return focus
    wanted = _words(statement)
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'(])", text)
    best = max(sentences, key=lambda s: len(wanted & _words(s)))
    if len(best) <= QUOTE_CHARS:
        return best
    cut, space, _ = best[:QUOTE_CHARS].rpartition(" ")
    return cut if space else best


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


def sides_first(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Evidence of distinct origins before further evidence of the same origin, otherwise in the order given."""
    seen: set[int] = set()
    first: list[Evidence] = []
    rest: list[Evidence] = []
    for e in evidence:
        (rest if e.group in seen else first).append(e)
        seen.add(e.group)
    return first + rest
