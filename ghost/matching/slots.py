"""In which respects two claims agree or differ: by their words, without a model.

Each respect is a slot: what either claim says in it, and whether that agrees. A claim that says nothing in a respect
in which the other one says something differs from it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ghost.matching.order import reordered
from ghost.matching.qualifiers import other_time, outranked, qualifiers
from ghost.matching.scopes import KINDS, beyond, limits
from ghost.matching.statements import Asked
from ghost.matching.words import (
    ALIKE_MODALS,
    ALIKE_QUANTIFIERS,
    COMPARED,
    IN_WORDS,
    MODALS,
    MONTHS,
    NEGATIONS,
    NORMS,
    OPPOSITES,
    PASSIVE,
    QUANTIFIERS,
    TOLD,
    WORD,
    content,
    stem,
    words,
)
from ghost.text import Amount, amounts, equal_amounts, plain_numbers, spans
from ghost.types import Slot

NEGATION, NUMBERS, DATES, NAMES = "negation", "numbers", "dates", "names"
QUANTIFIER, MODALITY, COMPARISON, DIRECTION = "quantifier", "modality", "comparison", "direction"
SUBJECT = "law, morals, cause"
ROLES, FORM, ATTRIBUTION, WORDS, CATEGORY = "roles", "question form", "attribution", "words", "category"
QUALIFIERS = "tense, rank, certainty"
NAMES_OF_SLOTS = (
    NEGATION, NUMBERS, DATES, NAMES, QUANTIFIER, MODALITY, SUBJECT, COMPARISON, DIRECTION, ROLES, FORM, ATTRIBUTION,
    WORDS,
)  # fmt: skip
"""Those that the model was fitted on."""
SCOPES = KINDS
"""The slots of scopes: where, when, for whom, how measured."""

_YEAR = re.compile(r"\b(?:1[0-9]\d\d|20\d\d)(?:s\b|\b)|\b\d{1,2}(?:st|nd|rd|th) century\b", re.I)
_DAY = re.compile(
    rf"\b(?:{'|'.join(m for m in MONTHS if m != 'may')})\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I
)
_MAY = re.compile(r"(?<=\b(?:in|of|by) )may\b|\bMay(?= \d)", re.I)
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[^\W\d_a-zß-öø-ÿ][^\W_]*(?:-\w+)*\b")
"""A word with a capital that does not begin a sentence."""
_CAPITALS = re.compile(r"\b[A-Z]\w+(?: (?:of |the |and |for |on )?[A-Z]\w+)+")
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_KNOWN_SHORT = {
    "uk": "britain", "gb": "britain", "usa": "america", "us": "america", "eu": "europe", "un": "nations",
    "british": "britain", "kingdom": "britain", "american": "america", "states": "america", "english": "england",
    "french": "france", "german": "germany", "dutch": "netherlands", "swiss": "switzerland", "danish": "denmark",
    "spanish": "spain", "swedish": "sweden", "irish": "ireland", "scottish": "scotland", "greek": "greece",
    "polish": "poland", "finnish": "finland", "turkish": "turkey", "norwegian": "norway", "welsh": "wales",
    "chinese": "china", "jfk": "kennedy", "fdr": "roosevelt", "mlk": "king", "welshman": "wales",
    "ussr": "soviet", "wwii": "world", "ww2": "world",
}  # fmt: skip
_PLACED = re.compile(r"\b(?:in|at|on) (?:the )?(?-i:[^\W\d_a-z])\w*(?: (?-i:[^\W\d_a-z])\w*){0,4}", re.I)
"""Where and when may stand anywhere in a sentence."""
_PREFIX = 5
"""Letters by which forms of a name are known: Russia and Russian."""
_KNOWN = 4096
_PIVOT = re.compile(r"\b(?:than|before|after|until)\b", re.I)
_QUOTED = re.compile(r"[\"“”'‘’]")
_RANKED = re.compile(r"\b(first|last|only)\s+(\w{1,5})")
"""With the beginning of what is the first or the only one."""
_CLAUSES = re.compile(r"[,;:()–—]\s*|[.!?]\s+|\s*\b(?:and|but|while|whereas|although|because)\s+", re.I)
_LIMITS = re.compile(
    r"(?i)\b(?:only|except|(?-i:may)|might|could|can|some|sometimes|few|many|several|(?<!the )most|mostly|mainly|"
    r"partly|often|usually|rarely|thirds? of|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"for [^,]{1,24}(?:minute|hour|day|week|month|year)s?)\b|(?:(?<=\bper)|(?<=\bper ))cent\b"
)
"""To a share, a possibility or a span of time."""
_CASES = re.compile(
    r"\b(?:if|[Ww]hen|unless|[Dd]uring|[Bb]etween|until|[Aa]mong(?! them| the \w+est))\b(.*)|"
    r"\b(?:[Ii]n|[Ff]or|to) (?!(?:the|all|every|other|an?|its|their|his|her) )((?:[a-z-]+ ){0,2}?(?:people|men|women|"
    r"children|mice|[a-z]{2,}[a-rtv-z]s)\b)(?! of)"
)
"""Limits to a case, or to a group that has no article: “in rats”."""
_STARTS = re.compile(r"(?i:only|except|at least|if|unless|during|between|until|among)\b|When")
"""How a clause starts that limits others; with “, when he …” a further fact starts."""
_NAMING = frozenset("call calls called photo picture image video".split())
"""Words of ``TOLD`` by which a sentence that says more is not yet somebody else's."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot, with how much the claims differ in it."""

    slot: Slot
    missing: int
    """What only one of them says; nothing where the other contradicts it."""
    conflicting: int
    """What both say, and differently."""


def compare(one: Asked, other: Asked) -> tuple[Difference, ...]:
    """All slots of two claims, in the order of ``NAMES_OF_SLOTS``, then the others."""
    a, b = one.statement, other.statement
    return (
        _negation(one, other),
        _amounts_differ(a, b),
        _sets(DATES, *_both(_dates(a), _dates(b))),
        _names(a, b),
        _sets(QUANTIFIER, *_both(_kind(a, QUANTIFIERS, ALIKE_QUANTIFIERS), _kind(b, QUANTIFIERS, ALIKE_QUANTIFIERS))),
        _sets(MODALITY, *_both(_kind(a, MODALS, ALIKE_MODALS), _kind(b, MODALS, ALIKE_MODALS))),
        _sets(SUBJECT, *_both(_norms(a), _norms(b))),
        _sets(COMPARISON, *_both(_compared(a), _compared(b))),
        _direction(a, b),
        _roles(a, b),
        _form(one, other),
        _sets(ATTRIBUTION, *_both(_told(a), _told(b))),
        _words(a, b),
        _qualified(a, b),
        *(_scope(kind, a, b) for kind in SCOPES),
    )


def _both(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str], str, str]:
    return one - other, other - one, ", ".join(sorted(one)), ", ".join(sorted(other))


def _sets(name: str, lacks: Iterable[object], more: Iterable[object], one: str, other: str) -> Difference:
    """``lacks`` is what only the first claim says, ``more`` what only the second one says."""
    left, right = len(list(lacks)), len(list(more))
    conflicting = min(left, right)
    return Difference(Slot(name, one, other, not (left or right)), max(left, right) - conflicting, conflicting)


def _negation(one: Asked, other: Asked) -> Difference:
    found = [
        [*(m.casefold() for m in NEGATIONS.findall(asked.statement)), *(["denied"] if asked.denied else [])]
        for asked in (one, other)
    ]
    odd = len(found[0]) % 2 != len(found[1]) % 2
    return Difference(
        Slot(NEGATION, " ".join(found[0]), " ".join(found[1]), not odd), abs(len(found[0]) - len(found[1])), int(odd)
    )


_TOWARDS = re.compile(r"\b(to|by|from|over|above|under|below) (?:about |around |nearly )?[$€£]?(\d[\d.,]*\b)", re.I)
_BOUNDS = re.compile(
    r"\b(?:than|over|above|under|below|least|most|up to|exceed\w*|m(?:in|ax)imum|or (?:more|less|fewer))\b",
    re.I,
)
"""That a number is a bound, whatever the words: “at least 40” is not 40."""
_STRICT = ("least", "most", "above", "below")
_ONE_IN = re.compile(r"\b1 (?:in|out of)(?: every)? (\d+)\b")
_SHORT_SCALE = re.compile(r"(?<=\d)\s?(m|bn|k)\b")
_SCALES = {"m": " million", "bn": " billion", "k": " thousand"}


@lru_cache(_KNOWN)
def _in_digits(text: str) -> str:
    """The text with its numbers in digits and its fractions in percent."""
    plain = re.sub(
        r"[^\W\d_]+", lambda m: IN_WORDS.get(m[0].casefold(), m[0]), plain_numbers(text).replace("%", " percent")
    )
    plain = _SHORT_SCALE.sub(lambda m: _SCALES[m[1]], plain)
    return _ONE_IN.sub(lambda m: f"{100 / int(m[1]):g} percent" if int(m[1][:6]) > 0 else m[0], plain)


def _amounts(text: str) -> list[Amount]:
    plain = _YEAR.sub(" ", _in_digits(text))
    return [a for a in amounts(plain) if a.value != 1 or a.unit or a.scaled]


def _numbers(text: str) -> str:
    plain = _YEAR.sub(" ", _in_digits(text))
    return ", ".join(plain[a.start : a.end] for a in amounts(plain))


def _amounts_differ(one: str, other: str) -> Difference:
    amounts_one, amounts_other = _amounts(one), _amounts(other)
    lacks, more = _unmatched(amounts_one, amounts_other)
    if not (_BOUNDS.search(one) and _BOUNDS.search(other)):
        lacks, more = (
            lacks or [a for a in amounts_one if a.bound in _STRICT],
            more or [a for a in amounts_other if a.bound in _STRICT],
        )
    mine, its = _towards(one), _towards(other)
    # Sales that fell by 5 percent did not fall to 5 percent.
    turned = [value for value in mine if value in its and mine[value] != its[value]]
    return _sets(NUMBERS, [*lacks, *turned], [*more, *turned], _numbers(one), _numbers(other))


def _towards(text: str) -> dict[str, str]:
    """The word before each number that says which way it counts."""
    return {found[2]: found[1].casefold() for found in _TOWARDS.finditer(_in_digits(text))}


def _unmatched(one: list[Amount], other: list[Amount]) -> tuple[list[Amount], list[Amount]]:
    def lacking(mine: list[Amount], its: list[Amount]) -> list[Amount]:
        there = dict.fromkeys(its)
        alone = {a: not any(_alike(a, b) for b in there) for a in dict.fromkeys(mine)}
        return [a for a in mine if alone[a]]

    return lacking(one, other), lacking(other, one)


def _alike(one: Amount, other: Amount) -> bool:
    """Whether they are equal, or written alike and count things with other names: 23 people and a group of 23."""
    half = one.value == other.value and not one.unit and not other.unit
    return half or equal_amounts(one, other) or equal_amounts(other, one)


def _dates(text: str) -> frozenset[str]:
    plain = _in_digits(text)
    found = [*_YEAR.findall(plain), *_DAY.findall(plain), *_MAY.findall(text)]
    return frozenset(date.casefold() for date in found)


def _names(one: str, other: str) -> Difference:
    mine, its = _names_in(one), _names_in(other)
    lacks, more = _lacking(mine, one, other), _lacking(its, other, one)
    return _sets(NAMES, lacks, more, ", ".join(mine), ", ".join(its))


def has_subject(one: str, other: str, about: str = "") -> bool:
    """Whether a text, or what it is ``about``, has what the other one begins with: mostly what that is about."""
    return all(has_word(content(f"{about} {one}"), word) for word in content(other)[:1])


def names_all(one: str, other: str, about: str = "") -> bool:
    """Whether a text has the numbers of another one, and with what it is ``about`` its subject, names and limits.

    The numbers stand in one sentence of it. Beside a year of the other text it has no more of them: which belongs to
    what would be a guess.
    """
    whole, years = f"{about} {one}", set(_YEAR.findall(one)) if _YEAR.search(other) else set()
    parts, numbers = (one[start:end] for start, end in spans(one)), _amounts(other)
    return (
        has_subject(one, other, about)
        and not _lacking(_names_in(other), other, whole)
        and any(not _unmatched(numbers, _amounts(part))[0] for part in parts)
        and not _dates(other) - _dates(whole)
        and years <= set(_YEAR.findall(other))
        and not any(beyond(other, whole, kind) for kind in SCOPES)
        and not _kind(other, QUANTIFIERS, ALIKE_QUANTIFIERS) - _kind(one, QUANTIFIERS, ALIKE_QUANTIFIERS)
        and set(_RANKED.findall(other.casefold())) <= set(_RANKED.findall(one.casefold()))
    )


def narrows(one: str, other: str) -> bool:
    """Whether a text limits what the other one says without that limit: “in rats”, “only on Monday”, “may”.

    Clauses without a word of the other one are further facts.
    """
    known, limited = content(other), _LIMITS.findall(_in_digits(other).casefold())
    for clause in _CLAUSES.split(_in_digits(one)):
        if _STARTS.match(clause) or any(has_word(content(clause), word) for word in known):
            cases = content(" ".join(text for found in _CASES.findall(clause) for text in found))
            limits = [content(m) for m in _LIMITS.findall(clause) if m.casefold() not in limited]
            if any(not words or not all(has_word(known, word) for word in words) for words in limits):
                return True
            if any(not has_word(known, word) for word in cases):
                return True
    return False


def only_relays(one: str, other: str) -> bool:
    """Whether only the first text is what somebody says."""
    said = [{w.casefold() for w in TOLD.findall(text)} - _NAMING for text in (one, other)]
    return bool(said[0]) and not said[1]


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(name for name in _NAME.findall(text) if name.casefold() not in ("i",)))


def _lacking(names: Sequence[str], text: str, other: str) -> list[str]:
    its = [_known(word) for word in words(_QUOTED.sub(" ", other))]
    have = {word[:_PREFIX] for word in its}
    short = {name.casefold() for name in _ACRONYM.findall(other)} | {w for w in its if 2 <= len(w) <= 5}
    spelled = _initials(text)
    lacking = []
    for name in names:
        known = _known(name.casefold())
        if known[:_PREFIX] in have or any(name in run for run, initials in spelled.items() if initials in short):
            continue
        if _ACRONYM.fullmatch(name) and name.casefold() in _initials(other).values():
            continue
        lacking.append(name)
    return lacking


def _known(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    return _KNOWN_SHORT.get(word, word.removesuffix("s") if len(word) > 4 else word)


def _initials(text: str) -> dict[tuple[str, ...], str]:
    """Runs of words that begin with capitals, small words between them left out, with their initials."""
    runs: dict[tuple[str, ...], str] = {}
    for found in _CAPITALS.finditer(text):
        run = tuple(word for word in found[0].removeprefix("The ").split() if word[0].isupper())
        if len(run) > 1:
            runs[run] = "".join(word[0] for word in run).casefold()
    return runs


def _kind(text: str, wanted: frozenset[str], alike: dict[str, str]) -> frozenset[str]:
    return frozenset(alike.get(word, word) for word in words(text) if word in wanted)


def _norms(text: str) -> frozenset[str]:
    return frozenset(NORMS[word] for word in words(text) if word in NORMS)


def _compared(text: str) -> frozenset[str]:
    return frozenset(re.sub(r"\W+", " ", found[0].casefold()) for found in COMPARED.finditer(text))


def _told(text: str) -> frozenset[str]:
    return frozenset({"reported"}) if TOLD.search(text) else frozenset()


def _direction(one: str, other: str) -> Difference:
    """Words of one that say the opposite of words of the other."""
    mine, its = (list(dict.fromkeys(map(stem, words(text)))) for text in (one, other))
    only, there = set(mine) - set(its), set(its) - set(mine)
    turned = [(w, o) for w in mine if w in only for o in OPPOSITES.get(w, ()) if o in there]
    said = [", ".join(dict.fromkeys(pair[side] for pair in turned)) for side in (0, 1)]
    return Difference(Slot(DIRECTION, said[0], said[1], not turned), 0, len({pair[0] for pair in turned}))


def _roles(one: str, other: str) -> Difference:
    """Whether the same words come in another order that neither a passive nor an opposite explains.

    What differs counts more broadly: the order of all that both name.
    """
    turned = bool(PASSIVE.search(one)) != bool(PASSIVE.search(other))
    texts = [_PLACED.sub(" ", text) for text in (one, other)]
    mine, its = (list(dict.fromkeys(content(text))) for text in texts)
    both = [w for w in mine if w in its]
    order = _unplaced([its.index(w) for w in both])
    exchanged = sum(a > b for n, a in enumerate(order) for b in order[n + 1 :])
    inverted = exchanged > len(order) * (len(order) - 1) / 4
    if (pivoted := _pivoted(one, other)) is not None:
        inverted, turned = pivoted, False
    elif _moved(order) and not turned:
        inverted = False
    # Where nothing is inverted, a passive may only be another way to say it; with the very same words it is not.
    agrees = inverted == turned if inverted or sorted(mine) == sorted(its) else True
    if pivoted is None and not turned and set(mine) == set(its) and not _moved(order):
        names = capitalised(one) | capitalised(other)
        named = [n for n in order if its[n] in names or its[n][0].isdigit()]
        if named != sorted(named):
            agrees, pivoted = False, True
    said = " ".join(both[:6]), " ".join([w for w in its if w in both][:6])
    differs = reordered(one, other) and not _direction(one, other).conflicting
    return Difference(Slot(ROLES, *said, not differs), 0, 0 if agrees else 2 if pivoted else 1)


def capitalised(text: str) -> set[str]:
    """The words with a capital, but for the first one, without endings."""
    return {stem(word.casefold()) for word in WORD.findall(text)[1:] if word[0].isupper()}


def _unplaced(order: list[int]) -> list[int]:
    """The order without what stands first or last in both texts."""
    while order and order[-1] == max(order):
        order = order[:-1]
    while order and order[0] == min(order):
        order = order[1:]
    return order


def _moved(order: Sequence[int]) -> bool:
    """Whether one part has only moved to the other end: “In 2012 the mill closed” and “The mill closed in 2012”."""
    return len(order) > 2 and sum(a > b for a, b in zip(order, [*order[1:], order[0]], strict=True)) <= 1


def _pivoted(one: str, other: str) -> bool | None:
    """Whether what stands before the “than” or “before” of one stands behind that of the other; None without one."""
    parts = [_PIVOT.split(text, maxsplit=1) for text in (one, other)]
    if any(len(part) != 2 for part in parts):
        return None
    mine, its = ([set(content(half)) for half in part] for part in parts)
    # The left side also has what is said of both, so the right sides decide.
    straight = 2 * len((mine[1] & its[1]) - mine[0] - its[0])
    there, back = len((mine[1] & its[0]) - its[1]), len((its[1] & mine[0]) - mine[1])
    if there and back:
        return True
    return there + back > straight if there or back or straight else None


def _qualified(one: str, other: str) -> Difference:
    mine, its = qualifiers(one), qualifiers(other)
    time = ["time"] * (other_time(one, other) or outranked(one, other))
    return _sets(
        QUALIFIERS, [*(mine - its), *time], [*(its - mine), *time], *(", ".join(sorted(q)) for q in (mine, its))
    )


def _scope(kind: str, one: str, other: str) -> Difference:
    """Whether both claims have the same scopes of a kind; a scope that only one names is a difference."""
    said = [", ".join(mention.text for mention in getattr(limits(text), kind)) for text in (one, other)]
    return _sets(kind, beyond(one, other, kind), beyond(other, one, kind), *said)


def _form(one: Asked, other: Asked) -> Difference:
    kinds = ["claim" if asked.form in ("statement", "whether") else asked.form for asked in (one, other)]
    return Difference(Slot(FORM, one.form, other.form, kinds[0] == kinds[1]), 0, int(kinds[0] != kinds[1]))


def _words(one: str, other: str) -> Difference:
    mine, its = content(one), content(other)
    lacks, more = ([w for w in dict.fromkeys(a) if not has_word(b, w)] for a, b in ((mine, its), (its, mine)))
    return _sets(WORDS, lacks, more, " ".join(lacks), " ".join(more))


def has_word(there: Sequence[str], word: str) -> bool:
    """Whether a word is among those of a text, also in another form."""
    return word in there or any(len(word) >= _PREFIX and w[:_PREFIX] == word[:_PREFIX] for w in there)
