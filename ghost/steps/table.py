"""Small number words that count what lies on the table, sources and what they say, and nothing of the world."""

import re

_SPEAKS = (
    r"(?:sources?|passages?|reports?|articles?|pages?|texts?|documents?|papers?|studies|reviews?|websites?|outlets?|"
    r"media|newspapers?|publishers?|fact[-\s]check(?:s|ers?)?|citations?|quotes?|quotations?|statements?|claims?|"
    r"sentences?|readings?|versions?|accounts?|origins?|reasons?|things|questions?|figures|numbers|dates|evidence|"
    r"pieces of evidence|parts of (?:it|the (?:claim|statement)))"
)
_KIND = (
    r"(?:independent|other|different|separate|further|more|such|reliable|credible|trusted|unrelated|distinct|similar|"
    r"cited|given|quoted|listed|named|unnamed|news|official|scientific|academic|government|published|local|main|recent|"
    r"older|newer|earlier|later|contradictory|conflicting|contradicting|competing|opposing|supporting|refuting|or|to|"
    r"two|three|four|five|six|seven|eight|nine)"
)
_COUNTED = re.compile(
    rf"(?:[-\s]+{_KIND})*(?:\s+of\s+(?:the|these|those|its|their)(?:\s+{_KIND})*)?[-\s]+{_SPEAKS}\b|"
    r"\s+of\s+(?:them|these|those|which)\b(?!\s+\w+s\b)",
    re.IGNORECASE,
)
"""What follows such a number: “two independent sources”, “three of the four reports”, “two of them”."""
_REFERS_BACK = re.compile(r"\b(?:the|these|those|all|other|both|between)\s+$", re.IGNORECASE)
_ALONE = re.compile(
    r"\s*(?:[.,;:!?)\[]|$)|\s+(?:are|do|don|say|agree|differ|disagree|contradict|support|report|confirm|give|put|cite|"
    r"name)\b",
    re.IGNORECASE,
)
"""“The two differ”, but not “the two drivers”."""
_MIXES_UP = re.compile(
    r"\b(?:mix|confus|conflat|compar|combin|merg|blend|join)\w*\s+(?:up\s+|together\s+)?(?:the(?:se)?\s+)?$",
    re.IGNORECASE,
)
"""What a claim does to two things that nobody has counted."""
_NAMES_A_PART = re.compile(r"\b(?:first|second|other|latter|former|later|earlier|this|that)\s+$", re.IGNORECASE)
_HALF_WORD = re.compile(
    r"[-\s](?:true|truths?|false|right|wrong|correct)\b|-(?!million|billion|dozen|hour|century)\w", re.IGNORECASE
)
"""“Half true” is a rating, and “a half-brother” is none of two."""


def on_the_table(word: str, before: str, after: str) -> bool:
    """Whether a small number word between these counts something that the reader has before him."""
    if _COUNTED.match(after):
        return True
    if word == "half":
        return bool(_NAMES_A_PART.search(before) or _HALF_WORD.match(after))
    if _MIXES_UP.search(before):
        return True
    return bool(_REFERS_BACK.search(before) and _ALONE.match(after))
