"""Whether two claims say the same; in doubt they do not.

Two claims on one event share nearly all words, and a small model reads one as support for the other. So numbers, names,
negation, how much and how surely something is said, and the order of who does what must agree before the model is
asked, and it must read each as support for the other.

A fact-checker who has rated the very claim that is being checked has examined it with more than a model of this size
can read: such a rating decides between sources that contradict one another, and what it calls misleading is not simply
false.
"""

import re
from collections.abc import Sequence

from ghost.inference import StanceReader
from ghost.judges.embedded.odds import says
from ghost.judges.embedded.polarity import content
from ghost.types import Evidence, SourceType, Stance, StanceLabel
from ghost.web import Meaning, rated

SURE = 0.65
"""From this probability, read either way, one claim says what the other says.

Chosen for the bundled stance model on the half of tests/data/same_claims.jsonl that the rules were written with: a
tenth above the surest pair that is not the same.
"""
SAME_CLAIM = 0.7
"""Cosine of a fact-checker's passage and the statement from which it may be on this claim and not on another one."""
NEAR_CLAIM = 0.8
"""The same from which it may well be this claim in other words."""
ALIKE = 0.7
"""Part of the content words of the rated claim and of the statement that the other has too, where they are one."""
PLAINLY = 0.75
"""From this probability x relevance on a rating decides between the sides."""
_NO_SIDE = (Meaning.MISLEADING, Meaning.MIXED, Meaning.UNPROVEN)
SIDES = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)
_GROUPED = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}\b)")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_BEFORE_NUMBERS = frozenset("to by from over under above below until before after since than least most".split())
_IN_WORDS = {
    word: str(n)
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {word: str(10 * n) for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W_]+(?:['’-][^\W_]+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[^\W\d_a-zß-öø-ÿ][^\W_]*(?:-\w+)*\b")
"""A word with a capital that does not begin a sentence."""
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|none|nothing|neither|nor|cannot|without|false|untrue|"
    r"(?:stop(?:s|ped)?|ceas(?:e|es|ed)|quit) \w+ing)\b|n['’]t\b",
    re.I,
)
_HOW_MUCH = frozenset(
    "all every each most majority some few many several only just half both mainly mostly entirely always often "
    "sometimes rarely more less fewer least nearly almost about around over under first second third last "
    "former".split()
)
_HOW_SURELY = frozenset(
    "will would may might could should must if unless plan plans planned wants want wanted intends likely possibly "
    "probably reportedly allegedly".split()
)
_WHEN = frozenset("before after during".split())
_EXCHANGED = 2
"""Words in the same place of two claims that are otherwise one: so few make a television of a radio."""
_TOLD = re.compile(
    r"\b(?:sa(?:y|ys|id)|t(?:ells?|old)|w(?:rote|arn(?:s|ed)?)|according to|predict(?:s|ed)?|announce[sd]?|"
    r"promise[sd]?|(?:claim|report|suggest)(?:s|ed)?(?= (?:that|to)\b)|believe[sd]?|den(?:y|ies|ied)|prove[sdn]?|"
    r"photo|picture|image|video)\b",
    re.I,
)
"""That somebody says it, or that a picture shows it, is another claim."""
_PLACED = re.compile(r"\b(?:in|at|on) (?:the )?(?-i:[^\W\d_a-z])\w*(?: (?-i:[^\W\d_a-z])\w*){0,4}", re.I)
"""Where and when may stand anywhere in a sentence."""
_AUXILIARY = frozenset("a an the that is are was were be been being has have had do does did".split())
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|be|being) (?:\w+ ){0,2}?\w+(?:ed|en|wn|ht|ld|un|ll|ead|it) by\b", re.I
)
"""In it who does something comes last."""


def same_claims(pairs: Sequence[tuple[str, str]], reader: StanceReader) -> list[bool]:
    """Whether the two of each pair surely say the same."""
    asked = [pair for pair in pairs if may_be_same(*pair)]
    read = reader.read([*asked, *((other, one) for one, other in asked)]) if asked else []
    sure = {
        pair for pair, there, back in zip(asked, read, read[len(asked) :], strict=False) if _surely(pair, there, back)
    }
    return [pair in sure for pair in pairs]


def may_be_same(one: str, other: str) -> bool:
    """Whether nothing in the words of two claims makes them different ones."""
    mine, its = _words(one), _words(other)
    return (
        bool(mine and its)
        and _numbers(one) == _numbers(other)
        and _names_agree(one, other)
        and len(_DENIAL.findall(one)) == len(_DENIAL.findall(other))
        and bool(_TOLD.search(one)) == bool(_TOLD.search(other))
        and not _one_exchanged(mine, its)
        and all(kind & {*mine} == kind & {*its} for kind in (_HOW_MUCH, _HOW_SURELY, _WHEN))
        and _roles_agree(one, other)
    )


def _surely(pair: tuple[str, str], there: Stance, back: Stance) -> bool:
    one, other = pair
    return _words(one) == _words(other) or min(there.supports, back.supports) >= SURE


def _words(text: str) -> list[str]:
    return [w.casefold() for w in _WORD.findall(text)]


def _one_exchanged(mine: Sequence[str], its: Sequence[str]) -> bool:
    """Whether the claims are one but for a word or two in the same place, or for two parts that changed places."""
    plain = [[_IN_WORDS.get(w) or next(iter(content(w)), w) for w in words] for words in (mine, its)]
    one, other = ([w for w in words if w not in _AUXILIARY] for words in plain)
    if sorted(one) == sorted(other):
        return one != other and not _turned_around(one, other)
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return 0 < len(one) <= _EXCHANGED and 0 < len(other) <= _EXCHANGED


def _turned_around(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one only begins elsewhere: “In 2012 the mill closed” and “The mill closed in 2012”."""
    return f" {' '.join(other)} " in f" {' '.join(one)} {' '.join(one)} "


def _numbers(text: str) -> list[tuple[str, str, str]]:
    """Each number with what it counts and with the “to” or “by” before it; years count nothing."""
    words = _words(_GROUPED.sub("", text).replace("%", " percent"))
    found = []
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        number = _IN_WORDS.get(word, word)
        if number[0].isdigit():
            unit = "" if _YEAR.fullmatch(number) else next(iter(content(after)), "")
            found.append((number, unit, before if before in _BEFORE_NUMBERS else ""))
    return sorted(found)


def _names_agree(one: str, other: str) -> bool:
    """Whether each has the names of the other; one may leave out a first name or a title that stands before a name."""
    lacks, more = _lacking(one, other), _lacking(other, one)
    if lacks and more:
        return False
    return not (lacks or more) or _before_names(one if lacks else other, lacks or more)


def _lacking(one: str, other: str) -> set[str]:
    have = {w[:5] for w in _words(other)}  # “Russia” and “Russian”
    return {name for name in _NAME.findall(one) if name.casefold()[:5] not in have}


def _before_names(text: str, lacking: set[str]) -> bool:
    """Whether every name that is lacking stands before another one, which is not."""
    words = _WORD.findall(text)
    ahead = ""
    for word in reversed(words):
        if word in lacking and not ahead:
            return False
        if word not in lacking:
            ahead = word if word[0].isupper() else ""
    return True


def _roles_agree(one: str, other: str) -> bool:
    """Whether the names come in the same order, or in the other one where only one is a passive; of comparisons too."""
    turned = bool(_PASSIVE.search(one)) != bool(_PASSIVE.search(other))
    texts = [_PLACED.sub(" ", text) for text in (one, other)]
    names = {name.casefold() for text in texts for name in _NAME.findall(text)}
    both = names.intersection(*(_words(text) for text in texts))
    first, last = ([w for w in dict.fromkeys(_words(text)) if w in both] for text in texts)
    if len(both) > 1 and (first != last) != turned:
        return False
    compared = [content(text.split(" than ")[0]) for text in (one, other) if " than " in text]
    if len(compared) == 2 and compared[0] != compared[1]:
        return False
    mine, its = ([w for word in _words(text) for w in content(word)] for text in (one, other))
    if len(mine) < 2 or len(its) < 2:
        return True
    return (mine[0], mine[-1]) != ((its[0], its[-1]) if turned else (its[-1], its[0]))


def rated_side(statement: str, evidence: Sequence[Evidence]) -> StanceLabel | None:
    """The side that fact-checkers' ratings of this claim take; None where there is none or they differ."""
    ratings = [e for e, _ in _ratings(statement, evidence)]
    sides = {stance for stance in SIDES if any(says(e, stance) >= PLAINLY for e in ratings)}
    return sides.pop() if len(sides) == 1 else None


def misleading(statement: str, evidence: Sequence[Evidence]) -> Evidence | None:
    """A fact-checker's rating of this claim as misleading, where none rates it as false."""
    ratings = _ratings(statement, evidence)
    if any(means is Meaning.FALSE for _, means in ratings):
        return None
    return next((e for e, means in ratings if means is Meaning.MISLEADING), None)


def doubted(evidence: Sequence[Evidence]) -> bool:
    """Whether a fact-checker calls misleading, mixed or unproven what may be this claim in other words."""
    return any(means in _NO_SIDE for _, _, means in _checks(evidence, NEAR_CLAIM))


def _ratings(statement: str, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Meaning]]:
    """Fact-checkers' ratings of what the statement says, with what they mean."""
    return [(e, means) for e, claim, means in _checks(evidence, SAME_CLAIM) if _alike(claim, statement)]


def _checks(evidence: Sequence[Evidence], near: float) -> list[tuple[Evidence, str, Meaning]]:
    """Fact-checkers' ratings of claims that come so near to the statement, with the claims and what they mean."""
    checkers = [e for e in evidence if e.passage.source_type is SourceType.FACT_CHECKER]
    rows = [(e, rated(e.passage.text)) for e in checkers if (SAME_CLAIM if e.nearness is None else e.nearness) >= near]
    return [(e, *check) for e, check in rows if check]


def _alike(claim: str, statement: str) -> bool:
    """Whether both say the same in nearly the same words."""
    mine, its = content(statement), content(claim)
    shared = len(mine & its)
    return shared >= ALIKE * max(len(mine), len(its)) and may_be_same(claim, statement)
