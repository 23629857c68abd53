"""Whether the same words come in another order that says something else.

“Exports from Velmark to Karsovia” are not “exports from Karsovia to Velmark”, and “the old mill by the new mine” is not
“the new mill by the old mine”. What may move is a phrase with its preposition, an adverb, and the parts of “A and B”;
“is” and a passive turn their sides round.
"""

import re
from collections import Counter
from collections.abc import Sequence

from ghost.matching.words import STOP, content, words
from ghost.text import ENGLISH, PARTICIPLES

_PREPOSITIONS = ENGLISH["preposition"] | {"of", "as", "off", "among"}
_REBUILT = frozenset(("of", "by", "'s"))
"""Where only one of two sentences has these, it is built in another way, and its order says little."""
_MOST_SMALL, _MOST_LACKING = 1, 2
_MUTUAL = frozenset("border bord meet met marri wed equal resembl neighbour differ collid agre relat twin".split())
"""Without endings: who meets somebody is met by them."""
_BE = r"\b(?:is|are|was|were|be|been|being|get|gets|got)\b"
_COPULA = re.compile(r"\b(?:is|are|was|were)\b", re.I)
_PASSIVE = re.compile(
    rf"{_BE}(?: \w+ly| not| also| first| still| never)?(?: being)? (?:\w+ed|{'|'.join(PARTICIPLES)})\b", re.I
)
_AGENT = re.compile(
    rf"{_BE}(?: \w+){{1,8}}? by (?!\d|th\w+|him\b|her\b|its?\b|his\b|our\b)(?:the |an? )?(?P<doer>\w+(?: \w+)?)", re.I
)


def reordered(one: str, other: str) -> bool:
    """Whether two statements of nearly the same words have them in an order that nothing explains."""
    passives = [bool(_PASSIVE.search(text)) for text in (one, other)]
    if passives[0] != passives[1]:
        return _same_sides(*(one, other) if passives[0] else (other, one))
    mine, its = content(one), content(other)
    lacks, more = (sum((Counter(a) - Counter(b)).values()) for a, b in ((mine, its), (its, mine)))
    if max(lacks, more) > _MOST_LACKING or not _MUTUAL.isdisjoint(mine) or _about_is(one, other):
        return False
    if _rebuilt(one, other, _REBUILT if max(lacks, more) < _MOST_LACKING else _PREPOSITIONS | _REBUILT):
        return False
    return _differs(_tokens(one), _tokens(other))


def in_order(one: str, other: str) -> bool:
    """Whether the words that two statements share have one order, but for what may move, or one is a passive."""
    passives = {bool(_PASSIVE.search(text)) for text in (one, other)}
    return len(passives) == 2 or _about_is(one, other) or not _differs(_tokens(one), _tokens(other))


def _same_sides(passive: str, active: str) -> bool:
    """Whether what stands before a passive stands before the active, too: “A was beaten by B” and “A beat B”."""
    found = _AGENT.search(passive)
    if not found or re.search(rf"\bby (?:the )?{found['doer'].split()[0]}\b", active, re.I):
        return False
    subject = re.split(r",| that ", passive[: found.start()])[-1]
    done = content(re.split(r" (?:in|on|at|from|with|for|by|near) ", subject)[0])
    doer = content(found["doer"])
    order = [word for word in content(active) if word in done or word in doer]
    return len(order) > 1 and order[0] in done and order[0] not in doer and not set(order) <= set(done)


def _rebuilt(one: str, other: str, signs: frozenset[str]) -> bool:
    bags = []
    for text in (one, other):
        small = [word for word in words(text) if word in STOP | _PREPOSITIONS and word not in ("the", "a", "an")]
        bags.append(Counter(small + ["'s"] * len(re.findall(r"['’]s\b|s['’]", text))))
    only = bags[0] - bags[1], bags[1] - bags[0]
    return any(sum(bag.values()) > _MOST_SMALL or not signs.isdisjoint(bag) for bag in only)


def _about_is(one: str, other: str) -> bool:
    """“The capital of France is Paris” and “Paris is the capital of France”."""
    parts = [[Counter(content(side)) for side in _COPULA.split(text, maxsplit=1)] for text in (one, other)]
    the = re.search(r"(?:^|\b(?:is|are|was|were) )the ", one, re.I)
    return bool(the) and len(parts[0]) == 2 and parts[0] == parts[1][::-1] and " than " not in one


def _tokens(text: str) -> list[str]:
    """Content words without endings; prepositions and “and” with a mark before them."""
    found: list[str] = []
    for word in words(text):
        if word in _PREPOSITIONS or word in ("and", "or"):
            found.append(f"_{word}")
        elif word not in ENGLISH["adverb"] and not word.endswith("ly"):
            found += content(word)
    return found


def _differs(one: list[str], other: list[str]) -> bool:
    (mine, moved), (its, there) = _parted(one, other), _parted(other, one)
    if any(moved[p] != there[p] for p in moved.keys() & there.keys()):
        return True
    return [word for word in mine if word in its] != [word for word in its if word in mine]


def _parted(tokens: list[str], others: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The words that stay in their order, and by its preposition each phrase that may move: the other text has it too.

    A year may change places with another phrase, “in 2012 in Rome”, but not across “than”.
    """
    kept: list[str] = []
    moved: dict[str, list[str]] = {}
    at = 0
    while at < len(tokens):
        token, length = tokens[at], 1
        if token in ("_and", "_or") and kept and [*tokens[at + 1 : at + 2], token, kept[-1]] in _threes(others):
            kept[-1:] = sorted((kept[-1], tokens[at + 1]))
            length = 2
        elif not token.startswith("_"):
            kept.append(token)
        elif phrase := _shared(tokens, at, others):
            length += len(phrase)
            if not phrase[0].isdigit() or "_than" in tokens:
                moved.setdefault(token, []).append(" ".join(phrase))
        at += length
    return kept, moved


def _threes(tokens: Sequence[str]) -> list[list[str]]:
    return [list(three) for three in zip(tokens, tokens[1:], tokens[2:], strict=False)]


def _shared(tokens: list[str], at: int, others: list[str]) -> list[str]:
    """The longest run of words behind a preposition that also stands behind one like it in the other text."""
    best: list[str] = []
    for start in (n for n, token in enumerate(others) if token == tokens[at]):
        run: list[str] = []
        for word, its in zip(tokens[at + 1 :], others[start + 1 :], strict=False):
            if word != its or word.startswith("_"):
                break
            run.append(word)
        best = max(best, run, key=len)
    return best
