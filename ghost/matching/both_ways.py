"""Whether a sentence of a page says what another sentence says: read both ways, with equal numbers and names.

Unlike the claim match it needs no fitted model, and it reads sentences of any length.
"""

from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.matching.decision import SURE, barred
from ghost.matching.slots import DATES, compare, has_word, same_names
from ghost.matching.statements import asked
from ghost.matching.words import content
from ghost.text import aligned
from ghost.types import Relation, Stance

SURELY_NOT = 0.8
"""From this probability, read either way, one sentence denies the other. A page has many sentences, and what is right
for one pair is too little for the plainest of a page."""


def read_both_ways(
    other: str, sentences: Sequence[str], abouts: Sequence[str], reader: StanceReader
) -> list[tuple[Relation, float]]:
    """What each sentence of a page is to another sentence: same, opposite, or related, and how sure that is.

    ``abouts`` are the words, such as the title, that may have to say whom a sentence is about. It is read with and
    without them.
    """
    forms = [(one, f"{about} {one}") for one, about in zip(sentences, abouts, strict=True)]
    ways = [way for both in forms for one in both for way in ((aligned(one, other), other), (aligned(other, one), one))]
    read = reader.read(ways) if ways else []
    return [
        _relation(one, other, about, ((read[n], read[n + 1]), (read[n + 2], read[n + 3])))
        for n, one, about in zip(range(0, len(read), 4), sentences, abouts, strict=True)
    ]


def _relation(one: str, other: str, about: str, readings: Sequence[tuple[Stance, Stance]]) -> tuple[Relation, float]:
    claims = asked(one), asked(other)
    differences = compare(*claims)
    slots = {d.slot.name: d for d in differences}
    # What a sentence begins with is mostly what it is about.
    about_it = all(has_word(content(f"{about} {one}"), word) for word in content(other)[:1])
    if claims[0].denied != claims[1].denied or not about_it:
        return Relation.RELATED, 0.0
    verbatim = one.casefold().rstrip(" .!") == other.casefold().rstrip(" .!")
    supports = 1.0 if verbatim else max(min(there.supports, back.supports) for there, back in readings)
    if supports >= SURE and same_names(one, other, about) and not barred(differences):
        return Relation.SAME, supports
    refutes = max(min(there.refutes, back.refutes) for there, back in readings)
    if refutes >= SURELY_NOT and slots[DATES].slot.agrees:
        return Relation.OPPOSITE, refutes
    return Relation.RELATED, 0.0
