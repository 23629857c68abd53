"""The factual part of a clause that judges while it tells: cuts that a reader would make, the classifier picks."""

import re
from collections.abc import Iterator
from itertools import islice

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.reader import ReadsClaims
from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.wordscan import bare, content_words, has_predicate

_DENIES = r"(?![^,:]{0,60}\b(?:not|never|no|false|untrue|lie|myth|hoax|wrong|doubt\w*)\b[^,:]{0,40}\bthat\b)"
"""“It is a lie that …” frames the opposite."""
_AND_NOT = r"(?!(?:not|never|no|nor|without|hardly|rather)\b)"
"""“A, but not B” says one thing: A, and no B."""
_TAIL = re.compile(r"\s+[–—-]\s+|\s*—\s*|:\s+|;\s+|,\s+" + _AND_NOT)
_FRAME = re.compile(
    r"^"
    + _DENIES
    + r"(?:it(?:'s| is| was)|isn't it|how|i(?:'m| am)|we(?:'re| are)|what|thank (?:god|goodness|heavens)|"
    r"nobody (?:should|can)|(?:a|the) (?:shame|scandal|disgrace))\b(?:[^,:]{0,40}?\b)that\s+(?=\S+ \S+ \S)"
    r"|^thank (?:god|goodness|heavens)\s+(?=\S+ \S+ \S)"
    r"|^(?:what an? \w+|i hate to say it|say what you like(?: about \w+)?)\s*[:,]\s*(?:but )?(?=\S+ \S+ \S)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:[A-Z][a-z]+ly|to (?:\w+ ){1,3}shame|as (?:ever|usual|always)|of course|alas|once again)"
    r"(?: for us all)?,?\s+(?=\S+ \S)"
)
_CONCESSION = re.compile(
    r"^(?:while|although|though|despite|even if)\b[^,]+,\s+(?=\S+ \S+ \S)|,?\s+(?:though|although)\s+.+$", re.IGNORECASE
)
_ASIDE = re.compile(r",\s+[^,]+,(?=\s)|\s+\([^)]*\)|\s+[–—-]\s+[^–—]+\s+[–—-](?=\s)")
_TURN = re.compile(r",?\s+(?:and|but|yet|because|so)\s+" + _AND_NOT)
_PLAIN = 0.5
"""Probability of a plain fact from which on a cut is taken."""
_TRIES = 24
_CUTS = 500
"""Cuts that are looked at; a clause full of commas has thousands."""
_WORDS = 80


def factual_part(clause: str, reader: ReadsClaims) -> str:
    """The longest cut of ``clause`` that reads as a plain fact; "" where none does.

    Raises ModelError.
    """
    if len(clause.split()) > _WORDS:
        return ""
    tries: dict[str, None] = {}
    for text in islice(_cuts(clause, depth=2), _CUTS):
        whole = _tidy(text, clause)
        if whole != clause and _stands(whole):
            tries.setdefault(whole)
        if len(tries) >= _TRIES:
            break
    if not tries:
        return ""
    readings = dict(zip(tries, reader.read(list(tries)), strict=True))
    good = [t for t, r in readings.items() if r.factual >= _PLAIN]
    return max(good, key=lambda t: (len(t), readings[t].factual), default="")


def without_frame(clause: str, reader: ReadsClaims) -> str:
    """What follows “It is a scandal that”, “Thank heavens” and their like, where that reads as a plain fact; else "".

    Raises ModelError.
    """
    core = _tidy(_FRAME.sub("", clause, count=1), clause)
    if core == clause or not _stands(core):
        return ""
    return core if reader.read([core])[0].factual >= _PLAIN else ""


def _cuts(text: str, depth: int) -> Iterator[str]:
    """Shorter versions of ``text``, each by one or two cuts."""
    shorter = [
        _FRAME.sub("", text, count=1),
        _ADVERB.sub("", text, count=1),
        _CONCESSION.sub("", text, count=1),
        *(text[: m.start()] + text[m.end() :] for m in _ASIDE.finditer(text)),
        *(text[: m.start()] for m in _TAIL.finditer(text)),
        *(text[: m.start()] for m in _TURN.finditer(text)),
        *(text[m.end() :] for m in _TAIL.finditer(text)),
    ]
    found = [s.strip() for s in shorter if s.strip() and s != text]
    yield from found
    if depth > 1:
        for each in found:
            yield from _cuts(each, depth - 1)


def _stands(text: str) -> bool:
    words = [bare(t) for t in text.split()]
    return len(words) > 2 and has_predicate(words) and content_words(words) >= 2 and words[0] not in _LEANING


_LEANING = lexicon.words("he she it they this that these those which who and but yet so because as if each")


def _tidy(text: str, clause: str) -> str:
    text = text.strip(" ,;:–—-!?.")
    return capitalised(text) + ("." if clause.rstrip().endswith((".", "!", "?")) else "") if text else ""
