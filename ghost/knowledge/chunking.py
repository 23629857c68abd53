"""Plain text cut into passages."""

import re
from collections.abc import Iterable

from ghost.text import normalise as normalise
from ghost.text import pieces, spans

SENTENCES_PER_PASSAGE = 3
PASSAGE_CHARS = 700
"""A passage grows up to so many characters; a longer sentence is cut at a pause."""

_PARAGRAPH = re.compile(r"\n\s*\n")


def cut(text: str) -> list[str]:
    """Passages of one to three whole sentences, in order; paragraphs are never joined."""
    return [
        passage for paragraph in _PARAGRAPH.split(text) for passage in group_sentences(sentences(normalise(paragraph)))
    ]


def group_sentences(sentences: Iterable[str]) -> list[str]:
    """Normalised sentences that belong together as passages of one to three of them, in order."""
    passages: list[str] = []
    current: list[str] = []
    for sentence in sentences:
        for start, end in pieces(sentence, 0, len(sentence), PASSAGE_CHARS):
            piece = sentence[start:end]
            full = len(current) == SENTENCES_PER_PASSAGE
            if current and (full or len(" ".join([*current, piece])) > PASSAGE_CHARS):
                passages.append(" ".join(current))
                current = []
            current.append(piece)
    if current:
        passages.append(" ".join(current))
    return passages


def sentences(text: str) -> list[str]:
    """The sentences of a normalised text."""
    return [text[start:end] for start, end in spans(text)]
