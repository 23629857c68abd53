"""Who says it, in a sentence that tells what somebody says: “The senator” in “The senator said that crime has doubled.”

A verdict on what was said leaves open neither who said it nor that it was said.
"""

import re
from functools import lru_cache

from ghost.judges.polarity import content

_KNOWN = 4096
"""Sentences that are remembered: one is read for many statements."""
_TELLING = re.compile(
    r"\baccording to (?P<source>[^,.;:]+)|"
    r"\b(?:sa(?:y|ys|id|ying)|t(?:ell|ells|old|elling)|w(?:rites?|rote)|th(?:inks?|ought)|tweet(?:s|ed)|posted|reports|reported|"
    r"stated|misled|lied|quotes?d?|den(?:y|ies|ied)|admit(?:s|ted)|testif(?:y|ies|ied)|maintain(?:s|ed)|"
    r"(?:claim|assert|insist|boast|purport|predict|suggest|warn|confirm|publish)(?:s|es|ed)?|"
    r"(?:alleg|announc|believ|promis|accus|blam|argu|estimat|declar)(?:e|es|ed))\b",
    re.IGNORECASE,
)


@lru_cache(_KNOWN)
def teller(sentence: str) -> frozenset[str]:
    """Content words of what comes before the first verb of saying, or after “according to”; empty where neither is."""
    found = _TELLING.search(sentence)
    return frozenset(content(found["source"] or sentence[: found.start()])) if found else frozenset()
