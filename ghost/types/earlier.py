"""Runs that were stored before passages had kinds, as they are shown today. What is stored stays as it was."""

from collections.abc import Sequence
from dataclasses import replace

from ghost.types.evidence import Evidence, Origin, Passage
from ghost.types.kinds import Intake, Kind, citing
from ghost.types.verdict import Citation, Verdict

_BY_HAND = (Origin.SEED, Origin.CURATED, Origin.IMPORT)
"""Origins of passages that nobody has read at their address."""


def with_kind(passage: Passage) -> Passage:
    """A stored passage with the kind that the migration gave to it in the knowledge base."""
    if passage.intake is not Intake.READ_EARLIER or passage.origin not in _BY_HAND:
        return passage
    is_note = passage.origin is Origin.SEED or not passage.source_url
    return replace(passage, kind=Kind.NOTE if is_note else Kind.EXCERPT, intake=Intake.ENTERED)


def with_kinds(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Stored evidence with the kinds of its passages."""
    return tuple(replace(e, passage=with_kind(e.passage)) for e in evidence)


def as_cited_today(verdict: Verdict, evidence: Sequence[Evidence]) -> Verdict:
    """A stored verdict that puts nothing into a publisher's mouth that was not read there."""
    passages = {e.passage.id: e.passage for e in evidence}
    earlier = [c for c in verdict.citations if c.passage_id in passages and _differs(c, passages[c.passage_id])]
    if not earlier:
        return verdict
    explanation = verdict.explanation
    for c in earlier:
        explanation = reworded(explanation, passages[c.passage_id], c.quote)
    citations = [_of(c, passages[c.passage_id]) if c in earlier else c for c in verdict.citations]
    return replace(verdict, explanation=explanation, citations=tuple(citations))


def reworded(text: str, passage: Passage, quote: str) -> str:
    """A text of an earlier version with a quote of this passage as it is cited today."""
    words = " ".join(quote.split())
    before = f"{' '.join(passage.source_name.split())} says “{words.rstrip('.')}”"
    return text.replace(before, citing(passage, words))


def _differs(c: Citation, passage: Passage) -> bool:
    return (c.kind, c.intake) != (passage.kind, passage.intake)


def _of(c: Citation, passage: Passage) -> Citation:
    return replace(c, kind=passage.kind, intake=passage.intake, snippet=passage.snippet, publisher=passage.publisher)
