"""Whether a fact-checker's text says that the claim deceives, though it may be true to the letter.

The word alone says nothing: a firm may have been fined "over misleading labels", and a claim may be called "not
misleading". Only a verdict counts: a rating, or a sentence whose predicate says so of the claim or of what shows it.
"""

import re
from collections.abc import Iterator

from ghost.judges.hearsay import verdict
from ghost.judges.polarity import opposed
from ghost.judges.ratings import Meaning, rated
from ghost.knowledge.text import sentences

_CLAIM = r"(?:claim|post|statement|message|tweet|meme|rumou?r|assertion|allegation|headline|caption)s?"
_SHOWN = (
    r"(?:figure|number|statistic|comparison|graph|graphic|chart|map|photo|photograph|picture|image|video|clip|footage|"
    r"quote|quotation|wording|framing)s?"
)
_IT = r"(?:(?<=^)|(?<=[,;:] )|(?<=\bbut )|(?<=\band )|(?<=\bso ))(?:it|this|that)"
_ABOUT = re.compile(rf"(?:\b(?P<claim>{_CLAIM})|\b{_SHOWN}|{_IT})\b", re.IGNORECASE)
"""What a verdict is on: the claim, or what shows it."""
_IS = r"(?:is|are|was|were|be|been|being|seems?|remains?|but|yet|though|although|and|or|as)"
_HOW = r"(?:(?:\w+ly|also|therefore|thus|still|quite|very|rather|at best|just|only)\s+)*"
_ENDS = (
    r"(?=\s*(?:[.,;:!)–—]|$)|\s+(?:because|as|since|when|if|at|in|and|or|but|to|without|on|about|for|due|given|though|"
    r"although|by)\b)"
)
"""What may follow an adjective that is the predicate: “is misleading because”, but not “misleading labels”."""
_SAYS = re.compile(
    rf"\b{_IS}\s+{_HOW}(?P<is>misleading|deceptive){_ENDS}|"
    r"\b(?:gives?|gave|creates?|created|leaves?|left|paints?|painted)\s+(?:an?|the)\s+(?:\w+\s+)?"
    r"(?P<gives>misleading|deceptive)\s+(?:impression|picture|idea)\b|"
    r"\b(?P<does>misleads?|misled|deceives?)\s*(?=[.,;:!]|$)|"
    r"\b(?P<from>out of context)\b|"
    r"\b(?:lack(?:s|ed|ing)?|need(?:s|ed)?|omit(?:s|ted)?|without|missing)\s+(?:\w+\s+){0,2}(?P<lacks>context)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[;:]\s")
_ELSEWHERE = re.compile(r"\b(?:because|since|while|when|where|after|before|who|whose|over)\b", re.IGNORECASE)
"""Behind these another subject may stand, but not in what the claim is said to say."""
_DENIED = re.compile(
    r"\b(?:not|never|no longer|hardly|nor|neither)\b(?!\s+(?:just|only|merely|simply)\b)|n['’]t\b", re.IGNORECASE
)
_TURNS = re.compile(r"\b(?:but|yet)\b", re.IGNORECASE)
_DOUBTED = re.compile(
    r"\b(?:no(?!\s+(?:doubt|question)\b)|nobody|none|nothing|not|never|whether|if|den(?:y|ies|ied)|dispute[sd]?|"
    r"reject(?:s|ed)?)\b[^,;:]*$",
    re.IGNORECASE,
)
"""What stands before what it denies or leaves open: “Nobody says that the claim is misleading.”"""


def called_deceptive(text: str, statement: str) -> bool:
    """Whether a text says that what the statement says deceives."""
    if check := rated(text):
        return check[1] is Meaning.MISLEADING and not opposed(check[0], statement)
    parts = sentences(text)
    return any(
        verdict(part, before) is Meaning.MISLEADING or any(_predicates(part, statement))
        for before, part in zip(["", *parts], parts, strict=False)
    )


def _predicates(sentence: str, statement: str) -> Iterator[bool]:
    """For each predicate of a sentence that calls something deceptive, whether it calls the claim so."""
    for piece in _PIECE.split(sentence):
        for said in _SAYS.finditer(piece):
            about = list(_ABOUT.finditer(piece, 0, said.start()))
            if about:
                yield _on_the_claim(piece, said, about[-1], statement)


def _on_the_claim(piece: str, said: re.Match[str], about: re.Match[str], statement: str) -> bool:
    word = next(w for w in said.groupdict().values() if w).casefold()
    # A word of the statement is what happened: only of the claim as such, and of none that it speaks of, a verdict.
    if word in statement.casefold() and (not about["claim"] or re.search(rf"\b{_CLAIM}\b", statement, re.IGNORECASE)):
        return False
    reported = re.match(r"\s+that\b", piece[about.end() :]) is not None
    # What stands in the reported claim denies something else.
    start = max(about.end(), said.start() - len("never ")) if reported else about.end()
    between = _TURNS.split(piece[start : said.end()])[-1]
    if _DENIED.search(between) or _DOUBTED.search(piece[: about.start()]):
        return False
    return reported or not _ELSEWHERE.search(between)
