"""Where the words of a fact come from: an excerpt that no source of the run contains is no evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ghost.judges import FactExtraction, bare
from ghost.knowledge import normalise
from ghost.steps import SourceReport, is_verbatim
from ghost.types import Claim, NewPassage, Origin, Passage, Statement

_OWN = (Origin.SEED, Origin.CURATED)
"""Passages of the analyst's own: they may say a claim in the same words. A page that does may only be quoting it."""
_PLACEHOLDERS = frozenset(
    "excerpt|verbatim excerpt|the excerpt|exact excerpt|quote|exact quote|verbatim quote|text|the text|excerpt text|"
    "sentence|string|none|null|n/a|na|tbd|todo|unknown|not available|see above|same as above".split("|")
)


class DroppedFact(StrEnum):
    """Why a fact that a model named is dropped; the trace counts each kind."""

    NO_STATEMENT = "no_such_statement"
    PLACEHOLDER = "placeholder"
    OWN_WORDS = "words_of_the_claim"
    NOT_VERBATIM = "not_in_a_source"


WHY = {
    DroppedFact.NO_STATEMENT: "There is no statement of this number.",
    DroppedFact.PLACEHOLDER: "The excerpt holds no words of a source.",
    DroppedFact.OWN_WORDS: "The excerpt only repeats the claim. Copy what the source says about it.",
    DroppedFact.NOT_VERBATIM: "No text that was returned contains these words. Copy one or two whole sentences.",
}
"""As the model and the trace are told."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Words of a source that a model has kept for a statement, found again in that source."""

    statement: int
    passage: Passage
    """The sentences around the words."""
    excerpt: str
    opinion: bool = False
    """Whether the model takes it for somebody's judgement."""
    new: NewPassage | None = None
    """The passage for the knowledge base; None for what it has already, and for search snippets."""


def find_fact(
    said: FactExtraction,
    claim: Claim,
    statements: Sequence[Statement],
    passages: Mapping[str, Passage],
    pages: Mapping[str, SourceReport],
) -> Fact | DroppedFact:
    """The fact with the passage that contains its excerpt, in the source that is named or in another one.

    ``passages`` are what searches returned and ``pages`` what was read, each by the key that the model was told.
    """
    if said.statement not in {s.number for s in statements}:
        return DroppedFact.NO_STATEMENT
    if is_placeholder(said.excerpt):
        return DroppedFact.PLACEHOLDER
    repeats = _repeats(said.excerpt, claim, statements)
    for key in _in_order(said.source, passages, pages):
        passage, new = in_page(said.excerpt, pages[key]) if key in pages else (passages[key], None)
        if passage and is_verbatim(said.excerpt, passage.text) and not (repeats and passage.origin not in _OWN):
            return Fact(said.statement, passage, said.excerpt, said.opinion, new)
    return DroppedFact.OWN_WORDS if repeats else DroppedFact.NOT_VERBATIM


def in_page(excerpt: str, page: SourceReport) -> tuple[Passage | None, NewPassage | None]:
    """The sentences of a page that contain an excerpt, as a passage of the run and for the knowledge base."""
    return (page.shown.quoted(excerpt) if page.shown else None) or (None, None)


def is_placeholder(excerpt: str) -> bool:
    """Whether an excerpt holds no words of a source: dots, brackets, or the name of what should stand there."""
    words = excerpt.casefold().strip(" .…<>[]{}()'\"“”‹›*_-:")
    return not any(c.isalnum() for c in words) or words in _PLACEHOLDERS


def _repeats(excerpt: str, claim: Claim, statements: Sequence[Statement]) -> bool:
    """Whether an excerpt is the claim, a statement, or a part of them."""
    words = bare(excerpt)
    return any(words in bare(normalise(text)) for text in (claim.text, *(s.text for s in statements)))


def _in_order(name: str, passages: Mapping[str, Passage], pages: Mapping[str, SourceReport]) -> list[str]:
    """The keys of all sources: the one that is named, then passages and pages, snippets of unread pages last."""
    keys = dict.fromkeys((*passages, *pages))
    return sorted(keys, key=lambda key: (key not in pages and passages[key].snippet, key != name.strip()))
