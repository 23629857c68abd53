"""Whether a sentence of a judge turns its quote around.

A sentence that rejects or doubts what it names ("contradicts that A", "no source says that A") says the words of A
without saying A; one that only speaks about it ("sources support that not A") says it.
"""

import re
from collections.abc import Sequence

from ghost.judges.polarity import SAME_WORDS, content, opposed, shared

_REJECTS = (
    r"contradict\w*|refut\w+|disprov\w+|debunk\w*|den(?:y|ies|ied|ying)|reject\w*|disput\w*|dismiss\w*|doubt\w*|"
    r"rul(?:e|es|ed|ing) out|false|untrue|incorrect|inaccurate|wrong|mistaken|unfounded|baseless|unsupported|unproven|"
    r"misleading|myths?|misconceptions?|hoax|fabricat\w+|contrary to|at odds with|whether|unclear|uncertain"
)
_AFFIRMS = (
    r"support\w*|confirm\w*|prov(?:e|es|ed|en)|proof|evidence|show\w*|sa(?:y|ys|id)|stat(?:e|es|ed)|mention\w*|"
    r"report(?:s|ed)?|agree\w*|finds?|found|according to|establish\w*|settl\w+|"
    r"demonstrat\w+|suggest\w*|indicat\w+|true|correct|accurate|right|the case"
)
_NOT = (
    r"(?:(?:\bnot|n['’]t|\bcannot|\bnever|\bhardly)\s+(?:(?:\w+ly|in fact|been|be|quite)\s+)*|"
    r"\b(?:no|none|nothing|nobody|neither)\s+(?:\w+\s+){0,4}?)"
)
_FRAME = re.compile(rf"(?P<neg>{_NOT})?\b(?:(?P<rejects>{_REJECTS})|{_AFFIRMS})\b", re.IGNORECASE)
"""Words that say how it stands with what a sentence names, with the denial that belongs to them."""
_NAMES = re.compile(
    r"\b(?:claims?|statements?|sources?|passages?|texts?|articles?|pages?|ideas?|notions?|beliefs?|allegations?|"
    r"rumou?rs?|assertions?)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"[;:]\s|,?\s+(?:which|because|but|so|thus|therefore|hence|whereas|and (?:so|this|thus|it|that is))\s+|"
    r",\s+(?:(?:as|since|for)\s+|(?=(?:the|it|this|they|he|she|\w+ing)\b))",
    re.IGNORECASE,
)
"""Where the next thing is said: “sources say that A, which contradicts the claim” does not reject A."""
_CLAIM_SAYS = re.compile(
    r"\bclaim\s+(?:says|states|asserts|holds|alleges|suggests|implies|maintains|concerns|is (?:that|about))\b",
    re.IGNORECASE,
)


def turned(quote: str, own: str, known: Sequence[str] = ()) -> bool:
    """Whether a judge's ``own`` words say the opposite of a quote; ``known`` are the claim and what belongs to it."""
    if not _FRAME.search(own):
        return not _tells_the_claim(own, known) and opposed(quote, own) is True
    return any(_turned(quote, clause, known) for clause in _NEXT.split(own))


def _turned(quote: str, clause: str, known: Sequence[str]) -> bool:
    named = _NAMES.sub(" ", _FRAME.sub(" ", clause))
    quote_rejects = any(m["rejects"] for m in _FRAME.finditer(quote))
    if any(bool(m["rejects"]) != bool(m["neg"]) for m in _FRAME.finditer(clause)):
        # To reject the quote itself, in its very words, is the opposite too.
        return not quote_rejects and shared(quote, named) == 1.0 and opposed(quote, named) is not True
    if _tells_the_claim(clause, known):
        return False
    return opposed(quote, clause if quote_rejects else named) is True


def _tells_the_claim(clause: str, known: Sequence[str]) -> bool:
    """Whether it says only what the claim says, and the claim does say so."""
    if not _CLAIM_SAYS.search(clause):
        return False
    told = content(clause)
    return any(
        (words := content(text)) and len(words & told) >= SAME_WORDS * len(words) and opposed(text, clause) is not True
        for text in known
    )
