"""Whether sentences of a page say the same as another sentence, or deny it. They may also state further facts.

Unlike the claim match it needs no fitted model, and it reads sentences of any length.
"""

from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.matching.decision import turned
from ghost.matching.slots import DATES, compare, has_subject, has_word, names_all, narrows, only_relays
from ghost.matching.statements import asked
from ghost.matching.words import content
from ghost.text import aligned
from ghost.types import Relation, Stance

SAYS = 0.7
"""From this probability a text says another one, where it also names all that the other one names."""
IN_OTHER_WORDS = 0.9
"""From this one where it lacks a word of the other one: a small model overlooks what is not there."""
SURELY_NOT = 0.8
"""From this probability, read either way, one text denies the other. A page has many sentences, and what is right
for one pair is too little for the plainest of a page."""


def read_page_sentences(
    other: str, texts: Sequence[str], abouts: Sequence[str], reader: StanceReader
) -> list[tuple[Relation, float]]:
    """What each text of a page is to another sentence: same, opposite, or related, and how sure that is.

    ``abouts`` are the words, such as the title, that have to say whom a text is about; empty where it says so itself.
    It is read with and without them.
    """
    forms = [(one, f"{about} {one}".strip()) for one, about in zip(texts, abouts, strict=True)]
    ways = [way for both in forms for one in both for way in ((aligned(one, other), other), (aligned(other, one), one))]
    read = reader.read(ways) if ways else []
    return [
        _relation(one, other, about, ((read[n], read[n + 1]), (read[n + 2], read[n + 3])))
        for n, one, about in zip(range(0, len(read), 4), texts, abouts, strict=True)
    ]


def _relation(one: str, other: str, about: str, readings: Sequence[tuple[Stance, Stance]]) -> tuple[Relation, float]:
    claims = asked(one), asked(other)
    differences = compare(*claims)
    if claims[0].denied != claims[1].denied or not has_subject(one, other, about):
        return Relation.RELATED, 0.0
    verbatim = one.casefold().rstrip(" .!") == other.casefold().rstrip(" .!")
    supports = 1.0 if verbatim else max(there.supports for there, _ in readings)
    lacks = any(not has_word(content(f"{about} {one}"), word) for word in content(other))
    if (
        supports >= (IN_OTHER_WORDS if lacks else SAYS)
        and names_all(one, other, about)
        and not only_relays(one, other)
        and not narrows(one, other)
        and not turned(differences)
    ):
        return Relation.SAME, supports
    refutes = max(min(there.refutes, back.refutes) for there, back in readings)
    if refutes >= SURELY_NOT and all(d.slot.agrees for d in differences if d.slot.name == DATES):
        return Relation.OPPOSITE, refutes
    return Relation.RELATED, supports
