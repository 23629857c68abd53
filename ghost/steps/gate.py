"""The citation gate: nothing a judge writes is shown unless the evidence of this run really says so.

It checks each citation's number, that its quote stands verbatim in the passage (white space and typographic quotes
aside), and that the stance model does not confidently say the opposite. A sentence whose citations all fail is dropped.
A decisive label needs accepted citations of a fitting stance, else the verdict becomes *Not Enough Evidence*.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ghost.types import (
    Citation,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    Label,
    Reason,
    ReasonCode,
    StanceLabel,
    Verdict,
)

CONFIDENT_OPPOSITE = 0.8
"""From this probability of the opposite stance on, the stance model overrules a citation."""
MIN_QUOTE_CHARS = 12
"""Shorter quotes ("the", "in 2019") are verbatim everywhere and prove nothing, unless they are the whole passage."""
NOT_DECISIVE = (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)

_NEEDED: dict[Label, tuple[tuple[StanceLabel, ...], ...]] = {
    Label.TRUE: ((StanceLabel.SUPPORTS,),),
    Label.FALSE: ((StanceLabel.REFUTES,),),
    Label.PARTIALLY_TRUE: ((StanceLabel.SUPPORTS,), (StanceLabel.REFUTES,)),
    Label.MISLEADING: ((StanceLabel.SUPPORTS, StanceLabel.REFUTES),),
}
"""For each decisive label: of every group, at least one accepted citation with one of its stances."""


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
    """The judge's label where the gate could not let it stand."""


def pass_gate(draft: Draft, evidence: Sequence[Evidence]) -> GateReport:
    """Check a judge's draft against the evidence of the run."""
    citations: list[Citation] = []
    sentences: list[str] = []
    for sentence in draft.sentences:
        checked = [check_citation(c, evidence) for c in sentence.citations]
        citations += checked
        if any(c.accepted for c in checked):
            sentences.append(_without_failed(sentence, checked))
    accepted = [c for c in citations if c.accepted]
    missing = _missing(draft.label, accepted)
    verdict = Verdict(
        label=draft.label,
        confidence=draft.confidence,
        explanation=" ".join(sentences),
        citations=tuple(citations),
        contested=draft.contested,
        reasons=draft.reasons,
        statements=draft.statements,
    )
    if missing:
        verdict = _downgrade(verdict, missing)
    return GateReport(
        verdict,
        tuple(sentences),
        proposed=len(citations),
        accepted=len(accepted),
        dropped_sentences=len(draft.sentences) - len(sentences),
        downgraded_from=draft.label if missing else None,
    )


def check_citation(cited: DraftCitation, evidence: Sequence[Evidence]) -> Citation:
    """Whether this citation holds, and why not."""
    rows = [e for e in evidence if e.number == cited.number]
    if not rows:
        return Citation(
            cited.number, "", cited.quote, cited.stance, False, f"There is no evidence [{cited.number}] in this run.",
            cited.statement,
        )  # fmt: skip
    passage = rows[0].passage
    mine = [e for e in rows if e.statement == cited.statement] if cited.statement else rows
    accepted, why = True, "The quote stands in the passage, and the stance model does not object."
    if not quote_stands(cited.quote, passage.text):
        accepted, why = False, "The quote does not stand verbatim in the passage."
    elif not mine:
        accepted, why = False, f"[{cited.number}] is not evidence for statement {cited.statement}."
    elif all(_opposes(e, cited.stance) for e in mine):
        accepted, why = False, f"The stance model reads the passage the other way ({_read(mine[0])})."
    return Citation(
        n=cited.number,
        passage_id=passage.id,
        quote=cited.quote,
        stance=cited.stance,
        accepted=accepted,
        why=why,
        statement=cited.statement,
        url=passage.source_url,
        domain=passage.domain,
        title=passage.title,
        published_at=passage.published_at,
    )


def quote_stands(quote: str, text: str) -> bool:
    """Whether ``quote`` is verbatim in ``text``, white space and typographic quotes and dashes aside."""
    wanted, kept = _fold(quote), _fold(text)
    if not wanted:
        return False
    if wanted == kept:
        return True
    if len(wanted) < MIN_QUOTE_CHARS:
        return False
    return any(
        not (_inside_word(kept, m.start()) or _inside_word(kept, m.end())) for m in re.finditer(re.escape(wanted), kept)
    )


def _inside_word(text: str, cut: int) -> bool:
    """Whether a cut before ``text[cut]`` splits a word: "able" is not a quote of "unable", nor "50" of "150".

    Scripts without spaces between words, which are also without case, may be cut anywhere.
    """
    if not 0 < cut < len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if before.isdigit() and after.isdigit():
        return True
    return all(c.isdigit() or c.lower() != c.upper() for c in (before, after))


_TYPOGRAPHY = str.maketrans({
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "″": '"',
})  # fmt: skip


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY).split())


def _opposes(e: Evidence, claimed: StanceLabel) -> bool:
    if claimed is StanceLabel.SUPPORTS:
        return e.stance.refutes >= CONFIDENT_OPPOSITE
    if claimed is StanceLabel.REFUTES:
        return e.stance.supports >= CONFIDENT_OPPOSITE
    return False


def _read(e: Evidence) -> str:
    return f"supports {e.stance.supports:.0%}, refutes {e.stance.refutes:.0%}"


def _without_failed(sentence: DraftSentence, checked: Sequence[Citation]) -> str:
    """The sentence without the marks of citations that failed."""
    good = {c.n for c in checked if c.accepted}
    text = sentence.text
    for n in {c.n for c in checked} - good:
        text = text.replace(f"[{n}]", "")
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))


def _missing(label: Label, accepted: Sequence[Citation]) -> str:
    """What a decisive label lacks; empty when it may stand."""
    stances = {c.stance for c in accepted}
    for group in _NEEDED.get(label, ()):
        if not stances.intersection(group):
            return f"“{label}” needs a citation that {' or '.join(s.lower() for s in group)}, and none was accepted."
    return ""


def _downgrade(verdict: Verdict, missing: str) -> Verdict:
    reason = Reason(
        ReasonCode.CITATIONS_REJECTED,
        f"The judge's answer did not pass the citation gate: {missing}",
        "A source that states the point in so many words would settle it.",
    )
    return replace(
        verdict,
        label=Label.NOT_ENOUGH_EVIDENCE,
        confidence=min(verdict.confidence, 0.5),
        contested=False,
        reasons=(*verdict.reasons, reason),
    )
