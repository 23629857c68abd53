"""Whether a sentence of a page says what another sentence says: read both ways, with equal numbers and names.

Unlike the claim match it needs no fitted model, and it reads sentences of any length.
"""

from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.matching.decision import SURE, barred
from ghost.matching.slots import DATES, NAMES, NUMBERS, compare
from ghost.matching.statements import asked
from ghost.matching.words import content
from ghost.text import aligned
from ghost.types import Relation, Stance

SURELY_NOT = 0.8
"""From this probability, read either way, one sentence denies the other. A page has many sentences, and the model is
wrong about one in some twenty: what would be right for one pair is too little for the plainest of a page."""
_PREFIX = 5


def read_both_ways(
    pairs: Sequence[tuple[str, str]], reader: StanceReader, about: str = ""
) -> list[tuple[Relation, float]]:
    """For each pair of a sentence of a page and another sentence: same, opposite, or related, and how sure that is.

    ``about`` is the title of the page, which a sentence may leave it to whom it is about.
    """
    there = reader.read([(aligned(one, other), other) for one, other in pairs]) if pairs else []
    back = reader.read([(aligned(other, one), one) for one, other in pairs]) if pairs else []
    return [_relation(*pair, (s, r), about) for pair, s, r in zip(pairs, there, back, strict=True)]


def _relation(one: str, other: str, stances: tuple[Stance, Stance], about: str) -> tuple[Relation, float]:
    claims = asked(one), asked(other)
    differences = compare(*claims)
    slots = {d.slot.name: d for d in differences}
    if claims[0].denied != claims[1].denied or not _about_it(f"{about} {one}", other):
        return Relation.RELATED, 0.0
    supports = 1.0 if _bare(one) == _bare(other) else min(s.supports for s in stances)
    equal = slots[NUMBERS].slot.agrees and slots[NAMES].slot.agrees and not barred(differences)
    if supports >= SURE and equal:
        return Relation.SAME, supports
    refutes = min(s.refutes for s in stances)
    if refutes >= SURELY_NOT and slots[DATES].slot.agrees:
        return Relation.OPPOSITE, refutes
    return Relation.RELATED, 0.0


def _about_it(text: str, other: str) -> bool:
    """Whether a text names what a sentence begins with, which mostly is what it is about."""
    first = content(other)[:1]
    return not first or any(word[:_PREFIX] == first[0][:_PREFIX] for word in content(text))


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!")
