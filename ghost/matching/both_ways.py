"""Whether a sentence of a page says what another sentence says: read both ways, with equal numbers and names.

Unlike the claim match it needs no fitted model, and it reads sentences of any length.
"""

from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.matching.decision import SURE, barred
from ghost.matching.slots import DATES, compare, same_names
from ghost.matching.statements import asked
from ghost.matching.words import content
from ghost.text import aligned
from ghost.types import Relation, Stance

SURELY_NOT = 0.8
"""From this probability, read either way, one sentence denies the other. A page has many sentences, and what is right
for one pair is too little for the plainest of a page."""
_PREFIX = 5
"""Letters by which forms of a word are known."""


def read_both_ways(
    pairs: Sequence[tuple[str, str]], reader: StanceReader, about: str = ""
) -> list[tuple[Relation, float]]:
    """For each pair of a sentence of a page and another sentence: same, opposite, or related, and how sure that is.

    ``about`` is the title of the page: a sentence may leave it to that whom it is about, so it is read with it too.
    """
    texts = [(one, one if about.casefold() in one.casefold() else f"{about}. {one}") for one, _ in pairs]
    asked_pairs = [
        (text, other) for forms, (_, other) in zip(texts, pairs, strict=True) for text in dict.fromkeys(forms)
    ]
    ways = [(aligned(a, b), b) for one, other in asked_pairs for a, b in ((one, other), (other, one))]
    read = iter(reader.read(ways) if ways else [])
    stances = {pair: (next(read), next(read)) for pair in asked_pairs}
    return [
        _relation(*pair, [stances[text, pair[1]] for text in forms], about)
        for pair, forms in zip(pairs, texts, strict=True)
    ]


def _relation(one: str, other: str, readings: Sequence[tuple[Stance, Stance]], about: str) -> tuple[Relation, float]:
    claims = asked(one), asked(other)
    differences = compare(*claims)
    slots = {d.slot.name: d for d in differences}
    if claims[0].denied != claims[1].denied or not _about_it(f"{about} {one}", other):
        return Relation.RELATED, 0.0
    supports = max(min(there.supports, back.supports) for there, back in readings)
    supports = 1.0 if _bare(one) == _bare(other) else supports
    if supports >= SURE and same_names(one, other, about) and not barred(differences):
        return Relation.SAME, supports
    refutes = max(min(there.refutes, back.refutes) for there, back in readings)
    if refutes >= SURELY_NOT and slots[DATES].slot.agrees:
        return Relation.OPPOSITE, refutes
    return Relation.RELATED, 0.0


def _about_it(text: str, other: str) -> bool:
    """Whether a text names what a sentence begins with, which mostly is what it is about."""
    first = content(other)[:1]
    return not first or any(word[:_PREFIX] == first[0][:_PREFIX] for word in content(text))


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!")
