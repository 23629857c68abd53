"""The citation gate: nothing a judge writes is shown unless the evidence of this run says so.

The gate checks each citation's number, that its quote is verbatim in the passage (apart from white space and
typographic quotes), and that the stance model does not confidently read the opposite. A sentence is dropped when all
its citations fail, when it brings numbers or quotations of its own, when it says what the stance model does not read in
its quote, when it lets a publisher say what was not read there, or when it is in another language. A decisive label
needs accepted citations of a fitting stance and an explanation that does not contradict it, or the verdict becomes *Not
Enough Evidence*. Text from the web or an import carries a label only where the stance model reads that stance in it, so
a page cannot talk a judge into a label.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ghost.judges import Shares, checker_says
from ghost.steps.gate.citations import NEEDED, QuoteReader, Refusal, examine_citation, may_carry_label
from ghost.steps.gate.measured import with_confidence
from ghost.steps.gate.sentences import Objection, contradicts_label, find_objection, unquoted_notes, with_marks
from ghost.types import (
    BOUND,
    DECIDED,
    Citation,
    Draft,
    DraftSentence,
    Evidence,
    Label,
    Reason,
    ReasonCode,
    StanceLabel,
    StatementVerdict,
    Verdict,
    citing,
    held_open,
    opened,
    own_probability,
    too_unsure,
)

_AGAINST = {Label.TRUE: StanceLabel.REFUTES, Label.FALSE: StanceLabel.SUPPORTS}
_BOTH_SIDES = (Label.PARTIALLY_TRUE, Label.MISLEADING)
"""Labels that admit another side; one page may well have both."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence that the gate has checked."""

    text: str
    """What may be shown; empty when it is dropped."""
    citations: tuple[Citation, ...]
    refusals: tuple[Refusal, ...]
    why: str = ""
    """Why it is dropped; empty when it is shown."""


@dataclass(frozen=True, slots=True)
class GateReport:
    """The verdict after the gate, and what the gate did."""

    verdict: Verdict
    sentences: tuple[str, ...]
    """What may be shown, in order."""
    proposed: int
    accepted: int
    dropped_sentences: int
    downgraded_from: Label | None
    """The judge's label where the gate rejected it."""
    refusals: dict[Refusal, int] = field(default_factory=dict)
    """Number of refusals by kind."""
    dropped: tuple[tuple[str, str], ...] = ()
    """Sentences that are not shown, with the reason."""


def check_sentence(
    sentence: DraftSentence, evidence: Sequence[Evidence], known: Sequence[str], quotes: QuoteReader | None = None
) -> CheckedSentence:
    """Whether a sentence may be shown. ``known`` is the claim (first), its context and its statements."""
    examined = [examine_citation(c, evidence, quotes) for c in sentence.citations]
    citations = tuple(c for c, _ in examined)
    refusals = tuple(r for _, r in examined if r)
    accepted = [c for c in citations if c.accepted]
    if wrong := find_objection(sentence.text, accepted, evidence, known, quotes):
        return _refused(citations, refusals, wrong)
    passages = [e.passage for e in evidence if e.number in {c.n for c in accepted}]
    shown = with_marks(unquoted_notes(sentence.text, passages, known), accepted)
    return CheckedSentence(shown, citations, refusals)


def pass_gate(
    draft: Draft,
    evidence: Sequence[Evidence],
    known: Sequence[str] = (),
    bound: float = BOUND,
    quotes: QuoteReader | None = None,
    shares: Shares | None = None,
) -> GateReport:
    """Check a judge's draft against the evidence of the run; ``known`` as for ``check_sentence``.

    A label less probable than ``bound``, or of a kind that is too often wrong, becomes *Not Enough Evidence* with a
    leaning. ``shares`` are those of the judge; without them the confidence is not known.
    """
    withheld = shares.withheld if shares else ()
    checked = [_final(s, draft, evidence, known, quotes) for s in draft.sentences]
    citations = [c for s in checked for c in s.citations]
    accepted = [c for c in citations if c.accepted]
    read_so = [c for c in accepted if may_carry_label(c, evidence, quotes, alone=False)]
    undenied = [c for c in read_so if may_carry_label(c, evidence, quotes)]
    held = tuple(
        _hold(s, read_so if s.label in _BOTH_SIDES else undenied, len(draft.statements) == 1) for s in draft.statements
    )
    carrying = read_so if draft.label in _BOTH_SIDES else undenied
    wrong = _wrong_label(draft.label, accepted, carrying, held, draft.statements, evidence)
    probability = _probability(draft, held)
    sentences = tuple(s.text for s in checked if s.text)
    verdict = Verdict(
        label=draft.label,
        confidence=None,
        probability=probability,
        explanation=" ".join(sentences),
        citations=tuple(citations),
        reasons=draft.reasons,
        statements=tuple(opened(s, bound, withheld) for s in held),
        leaning=draft.leaning,
    )
    refusals = Counter(r for s in checked for r in s.refusals)
    if wrong or too_unsure(draft.label, probability, bound, withheld):
        # What was written for a rejected label may lean towards it, so only what the sources say is shown.
        sentences = only_quotes(accepted, evidence)
        verdict = replace(verdict, explanation=" ".join(sentences))
    if wrong:
        verdict = _downgrade(verdict, wrong[1])
        refusals[wrong[0]] += 1
    else:
        verdict = held_open(verdict, bound, withheld)
    dropped = tuple((d.text, s.why) for d, s in zip(draft.sentences, checked, strict=True) if not s.text)
    return GateReport(
        with_confidence(with_contests(verdict, evidence), evidence, shares),
        sentences,
        proposed=len(citations),
        accepted=len(accepted),
        dropped_sentences=len(dropped),
        downgraded_from=draft.label if wrong else None,
        refusals=dict(refusals),
        dropped=dropped,
    )


def _probability(draft: Draft, statements: Sequence[StatementVerdict]) -> float | None:
    """The judge's probability, limited by that of the statements that the label rests on.

    A claim is true when all of its statements are, and false when one of them is.
    """
    mine = [s.probability for s in statements if s.label is draft.label and s.probability is not None]
    if draft.confidence is None or draft.label not in (Label.TRUE, Label.FALSE) or not mine:
        return draft.confidence
    return min(draft.confidence, min(mine) if draft.label is Label.TRUE else max(mine))


def _final(
    sentence: DraftSentence,
    draft: Draft,
    evidence: Sequence[Evidence],
    known: Sequence[str],
    quotes: QuoteReader | None,
) -> CheckedSentence:
    """The check once the label is known. With several statements a sentence may be about only one of them."""
    found = check_sentence(sentence, evidence, known, quotes)
    if not quotes or not found.text or len(draft.statements) > 1:
        return found
    wrong = contradicts_label(sentence.text, found.citations, draft.label, quotes)
    return _refused(found.citations, found.refusals, wrong) if wrong else found


def _refused(citations: tuple[Citation, ...], refusals: tuple[Refusal, ...], wrong: Objection) -> CheckedSentence:
    kind, why = wrong
    if kind is not Refusal.NO_CITATION:
        # Its quotes are genuine and stay citations of the run, but nothing that is shown rests on them.
        citations = tuple(replace(c, accepted=False, why=f"Its sentence is not shown. {why}") if c.accepted else c
                          for c in citations)  # fmt: skip
    return CheckedSentence("", citations, (*refusals, kind), why)


def with_contests(verdict: Verdict, evidence: Sequence[Evidence], opinions: Collection[str] = ()) -> Verdict:
    """The verdict with what is contested in it: accepted citations of different origins stand on both sides.

    A fact-checker who plainly contradicts a label counts also uncited. ``opinions`` are ids of passages that do not.
    """
    origin = {e.number: e.group for e in evidence}
    cited = [c for c in verdict.citations if c.accepted and c.passage_id not in opinions]

    def is_contested(s: StatementVerdict) -> bool:
        only, against = len(verdict.statements) == 1, _AGAINST.get(s.label)
        said = [(c.stance, origin[c.n]) for c in cited if only or c.statement in (0, s.statement)]
        mine = (e for e in evidence if e.statement == s.statement)
        said += [(against, e.group) for e in mine if against and checker_says(e, against)]
        pro, con = ({group for side, group in said if side is wanted} for wanted in _AGAINST.values())
        return s.label in DECIDED and bool(pro and con) and len(pro | con) > 1

    statements = tuple(replace(s, contested=is_contested(s)) for s in verdict.statements)
    contested = verdict.label in DECIDED and any(s.contested for s in statements)
    return replace(verdict, contested=contested, statements=statements)


def _hold(decided: StatementVerdict, accepted: Sequence[Citation], only: bool) -> StatementVerdict:
    """The verdict on one statement, left open where no accepted citation supports it."""
    mine = {c.stance for c in accepted if c.statement == decided.statement or only or not c.statement}
    if has_needed_stances(decided.label, mine):
        return own_probability(decided)
    return replace(decided, label=Label.NOT_ENOUGH_EVIDENCE, confidence=None, contested=False)


def has_needed_stances(label: Label, stances: Collection[StanceLabel]) -> bool:
    """Whether citations of these stances suffice for a label; one that does not settle the claim needs none."""
    return all(not set(group).isdisjoint(stances) for group in NEEDED.get(label, ()))


def _wrong_label(
    label: Label,
    accepted: Sequence[Citation],
    carrying: Sequence[Citation],
    statements: Sequence[StatementVerdict],
    said: Sequence[StatementVerdict],
    evidence: Sequence[Evidence],
) -> Objection | None:
    """What a decisive label lacks, or what contradicts it; None when it stands."""
    stances = {c.stance for c in accepted}
    for group in NEEDED.get(label, ()):
        sides = " or ".join(s.lower() for s in group)
        if not stances.intersection(group):
            kind = Refusal.AGAINST_LABEL if stances - {StanceLabel.NEUTRAL} else Refusal.LABEL_UNSUPPORTED
            return kind, f"“{label}” needs a citation that {sides}, and none was accepted."
        if not {c.stance for c in carrying}.intersection(group):
            why = "and none that is cited may carry it: its page, the stance model or a fact-check says otherwise,"
            why += " or its page was not read again."
            return Refusal.NOT_AGREED, f"“{label}” needs a citation that {sides}, {why}"
    labels = {s.label for s in statements}
    if label is Label.TRUE and labels - {Label.TRUE}:
        return Refusal.AGAINST_LABEL, "“True” needs every statement to be true, and not all of them are."
    if label is Label.FALSE and labels and not labels & {Label.FALSE, Label.PARTIALLY_TRUE}:
        return Refusal.AGAINST_LABEL, "“False” needs a statement that is false, and none of them is."
    if len(said) == 1 and label in (Label.TRUE, Label.FALSE) and _outweighed(label, accepted, evidence):
        return Refusal.AGAINST_LABEL, f"More of the origins that are cited speak against “{label}” than for it."
    return None


def _outweighed(label: Label, accepted: Sequence[Citation], evidence: Sequence[Evidence]) -> bool:
    """Counted by origin: six sites with one story are one voice."""
    origin = {e.number: e.group for e in evidence}
    supporting = {origin[c.n] for c in accepted if c.stance is StanceLabel.SUPPORTS}
    refuting = {origin[c.n] for c in accepted if c.stance is StanceLabel.REFUTES}
    return len(refuting) > len(supporting) if label is Label.TRUE else len(supporting) > len(refuting)


def only_quotes(accepted: Sequence[Citation], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The accepted citations as sentences that take no side."""
    passages = {e.number: e.passage for e in evidence}
    quotes = dict.fromkeys((c.n, c.quote.strip().rstrip(".")) for c in accepted)
    return tuple(f"[{n}] {citing(passages[n], quote)}." for n, quote in quotes)


def _downgrade(verdict: Verdict, wrong: str) -> Verdict:
    reason = Reason(
        ReasonCode.CITATIONS_REJECTED,
        f"The judge's answer did not pass the citation gate: {wrong}",
        "A source that says this explicitly would settle it.",
    )
    return replace(
        verdict, label=Label.NOT_ENOUGH_EVIDENCE, probability=None, contested=False, reasons=(*verdict.reasons, reason)
    )
