"""Words that make another claim of one with few letters: of its time, its rank, its share, how sure it is.

“One of the longest” is not “the longest”, “was the mayor” is not “is the mayor”, and plans are no deeds. A small model
reads such a pair as support.
"""

import re
from functools import lru_cache

from ghost.text import ENGLISH, PARTICIPLES, VERBS, third_person

_KNOWN = 4096
_MOST = r"(?:most|least|best|worst|top|first|last|\w{3,}est)\b"
_QUALIFIERS = {
    "one of": r"(?:(?:one|some|two|three|many|several|few|most) of|among) (?:the|its|his|her|their|our)",
    "next": rf"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))[ -]{_MOST}|runner-up",
    "part": r"(?:parts?|portions?|sections?|pieces?|wings?|corners?|sides?|edges?|fractions?|bits?|branch|unit|arm|"
    r"subsidiary|division|suburbs?|outskirts) of",
    "deputy": r"(?:deputy|vice|assistant|acting|interim|caretaker|honorary|junior)(?! versa)",
    "ended": r"(?:former(?:ly)?|ex|no longer(?! than)|not any more|used to)",
    "to come": r"(?:future|incoming|designate|elect|(?-i:will)|shall|going to|set to|due to(?! the| an?)|about to)",
    "plan": r"(?:plan(?:s|ned|ning)?|intend(?:s|ed)?|propos(?:es?|ed)|considers?|want(?:s|ed)?|hop(?:es?|ed)|"
    r"aim(?:s|ed)?|promis(?:es?|ed)|threaten(?:s|ed)?|pledg(?:es?|ed)|vow(?:s|ed)?|expected|scheduled|supposed) to",
    "try": r"(?:tr(?:y|ies|ied)|attempt(?:s|ed)?|sought|seeks?|fail(?:s|ed)?|refus(?:es?|ed)|asked) to|nearly|almost",
    "may": r"(?:(?-i:may)|might|perhaps|maybe|possibly)",
    "said": r"(?:allegedly|reportedly|supposedly|apparently|(?:alleged|believed|reported) to|(?:accused|suspected) of)",
    "likely": r"(?:(?<!more )(?<!less )(?<!as )likely|probably)",
}
_FOUND = re.compile("|".join(rf"(?P<q{n}>\b(?:{words})\b)" for n, words in enumerate(_QUALIFIERS.values())), re.I)
_NAMES = tuple(_QUALIFIERS)
_HELPER = re.compile(
    r"\b(is|are|was|were|has|have|had|does|do|did)\b(?:n['’]t)?(?: not| ever| never| also| \w+ly)?(?: (\w+))?", re.I
)
_NOUNS = ENGLISH["noun_too"] - {"lead"}
_SIMPLE = {third_person(base): past for base, (past, _) in VERBS.items() if base not in _NOUNS}
"""“leads” and “led”, but not “falls”, which may be a noun."""


@lru_cache(_KNOWN)
def qualifiers(text: str) -> frozenset[str]:
    """Which of them a statement has, whatever its words."""
    return frozenset(_NAMES[int(str(found.lastgroup)[1:])] for found in _FOUND.finditer(text))


def other_time(one: str, other: str) -> bool:
    """Whether one statement is is of the past only and the other of the present only: “was” and “is”."""
    if {_tenses(one), _tenses(other)} == {frozenset({"past"}), frozenset({"present"})}:
        return True
    led, leads = ({*text.casefold().strip(".").split()} if not _tenses(text) else set() for text in (one, other))
    return any(_SIMPLE.get(word) in led for word in leads - led) or any(_SIMPLE.get(w) in leads for w in led - leads)


def outranked(one: str, other: str) -> bool:
    """Whether one has a superlative and the other somebody who is more: “the largest lake”, “a lake is larger”."""
    if re.search(r"\b(?:no|not|never|none|nothing|nobody|other|else|rest|all|any)\b|n['’]t\b", f"{one} {other}", re.I):
        return False
    most, more = (
        {w.casefold() for text in (one, other) for w in re.findall(rf"\b(\w{{3,}}){end}\b", text)}
        for end in ("est", "er")
    )
    return not most.isdisjoint(more)


@lru_cache(_KNOWN)
def _tenses(text: str) -> frozenset[str]:
    found = set()
    for helper, after in _HELPER.findall(text.casefold()):
        perfect = helper in ("has", "have") and (after in PARTICIPLES or after.endswith("ed"))
        found.add("perfect" if perfect else "past" if helper in ("was", "were", "had", "did") else "present")
    return frozenset(found)
