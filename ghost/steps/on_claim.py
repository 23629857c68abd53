"""Whether a sentence of a judge calls the claim true or false."""

import re
from collections.abc import Sequence

_OTHER = "".join(
    f"(?<!{word} )" for word in "another other opposite contrary different related similar earlier".split()
)
_VERDICT = re.compile(
    rf"(?:{_OTHER}\b(?:claim|statement|assertion|allegation|rumou?r)|\b(?P<it>this|that|it))\s+"
    r"(?:is|was|has been|had been|turned out to be|proved(?: to be)?|(?P<isnt>(?:is|was|has|had)n['’]t)(?: been)?)\s+"
    r"(?P<how>(?:(?:\w+ly|and|in fact|quite|just|indeed|also|still|been|not|never|no longer|far from|"
    r"anything but)\s+)*)"
    r"(?:(?P<false>false|untrue|incorrect|inaccurate|wrong|debunked|disprove[dn]|refuted(?! by)|"
    r"an? (?:\w+ )?(?:myth|hoax|lie|fabrication|misconception|falsehood))|"
    r"(?P<true>true|correct|accurate|right|verified|proven|confirmed(?! by)))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:[.,;:!)\[]|$)")
"""A pronoun may stand for the claim where nothing follows: “It is false information about it” is no verdict."""
_DENIED = re.compile(r"\b(?:not|never|no longer|far from|anything but)\b", re.IGNORECASE)
_REVERSED = re.compile(
    r"\b(?:not the case|not true|not correct|false|untrue|wrong|incorrect|mistaken)\b"
    r"(?: to \w+)?(?: that)?(?: the| this)?\s*$",
    re.IGNORECASE,
)
"""“It would be wrong to say that the claim is false.”"""
_SAME = r"(?:(?!\b(?:and|so|but|thus|therefore|hence)\b)[^.;:,])*$"
_LEFT_OPEN = re.compile(
    rf"(?:\b(?:no|none|nobody|nothing|neither|not|never|cannot|whether|if|unless|would|could|might|may)\b|n['’]t\b){_SAME}",
    re.IGNORECASE,
)
"""“No source says that the claim is true” calls it neither."""


def called(text: str, known: Sequence[str] = ()) -> set[bool]:
    """What a text calls the claim: true, false, both or nothing; words that the claim itself has are no verdict."""
    found = set()
    for m in _VERDICT.finditer(text):
        before, verdict = text[: m.start()], m["false"] or m["true"]
        reversed_ = bool(_REVERSED.search(before))
        if m["it"] and not _ENDS.match(text, m.end()):
            continue
        if any(verdict.casefold() in k.casefold() for k in known) or (_LEFT_OPEN.search(before) and not reversed_):
            continue
        denied = bool(m["isnt"] or _DENIED.search(m["how"]))
        found.add(bool(m["true"]) != (denied != reversed_))
    return found
