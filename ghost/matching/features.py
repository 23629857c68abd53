"""A pair of claims as numbers, which the decision is made from: what two small models and the slots say of it."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ghost.matching.slots import DIRECTION, FORM, NAMES_OF_SLOTS, NEGATION, ROLES, WORDS, Difference, capitalised
from ghost.matching.statements import Asked
from ghost.matching.words import PASSIVE, content
from ghost.types import Stance

_SIDES = ("supports", "refutes", "neutral", "off_topic")
_CLIP = 0.001
_MOST_MISSING, _MOST_CONFLICTING = 3, 2
NAMES = (
    *(f"{end} {side}" for side in _SIDES for end in ("least", "most")),
    "cosine",
    "cosine of the rest",
    "rest in one only",
    *(f"{kind} {slot}" for slot in NAMES_OF_SLOTS for kind in ("missing", "conflicting")),
    "words of the shorter",
    "words of the longer",
    "length",
    "odd turns",
    "turned and denied",
    "exchanged places",
    "words exchanged",
    "order of words",
    "order of neighbours",
    "same words",
    "order of names",
    "asks whether",
)
"""The features in their order."""


def vector(
    claims: tuple[Asked, Asked],
    differences: Sequence[Difference],
    stances: tuple[Stance, Stance],
    cosine: float,
    rest_cosine: float,
) -> np.ndarray:
    """The features of one pair. The stances are those of either statement towards the other one.

    ``rest_cosine`` is of the words that only one of the claims has; 1 where neither has any.
    """
    by_name = {d.slot.name: d for d in differences}
    one, other = (set(content(claim.statement)) for claim in claims)
    shared = len(one & other)
    turns = (
        by_name[NEGATION].conflicting,
        min(by_name[DIRECTION].conflicting, 1),
        int(by_name[ROLES].conflicting == 2),
    )
    rest = by_name[WORDS].slot
    return np.array(
        [
            *_read(claims, stances),
            cosine,
            rest_cosine,
            float(bool(rest.one) != bool(rest.other)),
            *_slots(differences),
            shared / max(1, min(len(one), len(other))),
            shared / max(1, len(one), len(other)),
            min(abs(len(one) - len(other)), 12) / 6,
            sum(turns) % 2,
            turns[0] * turns[1],
            by_name[ROLES].conflicting,
            exchanged(claims[0].statement, claims[1].statement),
            *_order(claims[0].statement, claims[1].statement),
            float(by_name[FORM].slot.other == "whether" or by_name[FORM].slot.one == "whether"),
        ],
        dtype=np.float64,
    )


def _read(claims: tuple[Asked, Asked], stances: tuple[Stance, Stance]) -> list[float]:
    """The lower and the higher log-odds of each side; exchanged where one text denies its statement as a whole."""
    odds = []
    for stance in stances:
        sides = [getattr(stance, side) for side in _SIDES]
        if claims[0].denied != claims[1].denied:
            sides[0], sides[1] = sides[1], sides[0]
        odds.append([_log_odds(side) for side in sides])
    return [end(pair) for pair in zip(*odds, strict=True) for end in (min, max)]


def _log_odds(probability: float) -> float:
    inside = min(max(probability, _CLIP), 1 - _CLIP)
    return float(np.log(inside / (1 - inside)))


def _slots(differences: Sequence[Difference]) -> list[float]:
    return [
        value
        for d in differences
        if d.slot.name in NAMES_OF_SLOTS
        for value in (min(d.missing, _MOST_MISSING), float(min(d.conflicting, _MOST_CONFLICTING)))
    ]


def exchanged(one: str, other: str) -> float:
    """1 where one has other words than the other in a single place, one or two; 0.5 for three or four; else 0."""
    mine, its = list(content(one)), list(content(other))
    if sorted(mine) == sorted(its):
        return 0.0
    while mine and its and mine[0] == its[0]:
        mine, its = mine[1:], its[1:]
    while mine and its and mine[-1] == its[-1]:
        mine, its = mine[:-1], its[:-1]
    longest = max(len(mine), len(its))
    if not (mine and its) or longest > 4:
        return 0.0
    return 1.0 if longest <= 2 else 0.5


def _order(one: str, other: str) -> tuple[float, float, float, float]:
    """How much of the order of the shared words is turned round, how many neighbours are kept, whether the words are
    the same, and whether the names come in another order where neither or both are passives (or not, where one is)."""
    mine, its = content(one), content(other)
    places = {word: n for n, word in reversed(list(enumerate(its)))}
    order = [places[word] for word in dict.fromkeys(mine) if word in places]
    turned = sum(a > b for n, a in enumerate(order) for b in order[n + 1 :])
    neighbours = [set(pairwise(words)) for words in (mine, its)]
    kept = len(neighbours[0] & neighbours[1]) / max(1, min(map(len, neighbours)))
    names = [n for n in order if its[n] in capitalised(one) | capitalised(other)]
    exchanged = names != sorted(names)
    passive = bool(PASSIVE.search(one)) != bool(PASSIVE.search(other))
    return (
        2 * turned / max(1, len(order) * (len(order) - 1)),
        kept,
        float(set(mine) == set(its)),
        float(exchanged != passive) if len(names) > 1 else 0.5,
    )
