"""What was stored before passages had kinds, as it is shown today. What is stored stays as it was."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ghost.text import PAGES, name_in, normalise, publisher_names, spans, speaker_in
from ghost.types.evidence import Evidence, Origin, Passage
from ghost.types.kinds import Intake, Kind, cited_as, citing
from ghost.types.verdict import Citation, Verdict

_BY_HAND = (Origin.SEED, Origin.CURATED, Origin.IMPORT)
"""Origins of passages that nobody has read at their address."""


def with_kinds(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Stored evidence with the kinds that the migration gave to such passages in the knowledge base."""
    return tuple(replace(e, passage=_with_kind(e.passage)) for e in evidence)


def _with_kind(passage: Passage) -> Passage:
    if passage.intake is not Intake.READ_EARLIER or passage.origin not in _BY_HAND:
        return passage
    is_note = passage.origin is Origin.SEED or not passage.source_url
    return replace(passage, kind=Kind.NOTE if is_note else Kind.EXCERPT, intake=Intake.ENTERED)


def as_cited_today(verdict: Verdict, evidence: Sequence[Evidence]) -> Verdict:
    """A stored verdict that puts nothing into a publisher's mouth that was not read there."""
    passages = {e.passage.id: e.passage for e in evidence}
    explanation, citations = verdict.explanation, list[Citation]()
    for c in verdict.citations:
        p = passages.get(c.passage_id)
        if p and (c.kind, c.intake, c.snippet) != (p.kind, p.intake, p.snippet):
            c = replace(c, kind=p.kind, intake=p.intake, snippet=p.snippet, publisher=p.publisher)
            explanation = reworded(explanation, c)
        citations.append(c)
    return replace(verdict, explanation=explanation, citations=tuple(citations))


def reworded(text: str, c: Citation) -> str:
    """A text of an earlier version with what it cites under ``[n]`` as it is cited today."""
    whole = " ".join(c.quote.split())
    name = " ".join((c.publisher or c.domain or c.title or "An unnamed source").split())
    for words in (whole, whole.rstrip(".")):
        for before in (f"{name} says “{words}”", f"{c.domain}: “{words}”"):
            text = text.replace(before, citing(c, words))
    if c.kind is Kind.NOTE:  # a full stop before the number would end the sentence
        text = re.sub(rf"[“\"«]({re.escape(whole.rstrip('.'))})(?:\.?[”\"»](?= ?[\[(])|(\.?)[”\"»])", r"\1\2", text)
    names = publisher_names(c.publisher, c.domain)
    others = [name for name in names if not name_in(whole, [name])]
    speakers = names.union(PAGES, {c.title} - {""})
    for start, end in reversed(list(spans(text))):
        sentence = text[start:end]
        own = normalise(sentence.replace(whole.rstrip("."), " ").replace(cited_as(c), " "))
        # As a language model wrote it.
        if f"[{c.n}]" in sentence and (speaker_in(own, speakers) or name_in(own, others)):
            text = f"{text[:start]}[{c.n}] {citing(c, whole)}.{text[end:]}"
    return text
