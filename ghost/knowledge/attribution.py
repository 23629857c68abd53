"""Who a text credits for what it says: a news agency in its dateline, a newspaper that it repeats."""

import re
from collections.abc import Mapping

from ghost.types import Passage, SourceType

AGENCIES: Mapping[str, tuple[str, ...]] = {
    "Reuters": ("Thomson Reuters", "reuters.com"),
    "AP": ("Associated Press", "AP News", "apnews.com"),
    "AFP": ("Agence France-Presse", "Agence France Presse", "afp.com"),
    "dpa": ("Deutsche Presse-Agentur", "dpa.com"),
    "UPI": ("United Press International", "upi.com"),
    "PA": ("PA Media", "Press Association", "PA news agency"),
    "AAP": ("Australian Associated Press", "aap.com.au"),
    "Canadian Press": ("The Canadian Press", "La Presse Canadienne"),
    "EFE": ("Agencia EFE", "efe.com"),
    "ANSA": ("ansa.it",),
    "APA": ("Austria Presse Agentur", "apa.at"),
    "Kyodo": ("Kyodo News",),
    "PTI": ("Press Trust of India",),
    "ANI": ("Asian News International",),
    "IANS": ("Indo-Asian News Service",),
    "Xinhua": ("Xinhua News Agency",),
    "TASS": ("tass.com",),
    "Interfax": (),
    "Bloomberg": ("Bloomberg News", "bloomberg.com"),
    "PRNewswire": ("PR Newswire",),
    "Business Wire": ("BUSINESS WIRE",),
    "GlobeNewswire": ("GLOBE NEWSWIRE",),
}
"""News agencies and release services, with other names and domains of theirs."""

ECHO = 0.3
"""Share of a text's content words that the credited text must have for the one to repeat the other."""

_NAME = (
    r"(?:the |der |die |das |le |la |el |il )?"
    r"((?-i:[A-Z0-9dÀ-Þ])[\w&'’.-]*(?:\s(?:(?:of|for|and|the|de|la|du|der|von|und|&)\s){0,2}(?-i:[A-Z0-9À-Þ])[\w&'’.-]*){0,5})"
)
_CREDITED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:according to|citing|cited by|reported by|published by|told|laut|selon|según|secondo|segundo)\s+{_NAME}",
        rf"\b(?:reports?|article|story|statement|investigation|interview)\s+(?:in|by|from|with|of)\s+{_NAME}",
        rf"\b(?:appeared|published|reported)\s+(?:in|on|at)\s+{_NAME}",
        rf"(?:^|[\s\"“(])(?:source|quelle|via)\s*:?\s+{_NAME}",
        rf"\b{_NAME},?\s+(?:first\s+|has\s+|had\s+|also\s+)?(?:report(?:s|ed)|writes|wrote|reveal(?:s|ed)|berichtet|meldet|rapporte)\b",
        rf"\b{_NAME}\s+contributed to this (?:report|story)",
    )
)
_CUES = (
    "according to", "citing", "cited by", "report", "published", "told", "laut ", "selon ", "según ", "secondo ",
    "segundo ", "article", "story", "statement", "investigation", "interview", "appeared", "source", "quelle", "via ",
    "writes", "wrote", "reveal", "berichtet", "meldet", "rapporte", "contributed to",
)  # fmt: skip
"""A text without any of these words matches no pattern of ``_CREDITED``. Checking this first is quicker."""
_LETTERS = re.compile(r"[\W_]+")
_AROUND_NAME = re.compile(r"^(?:the|der|die|das|le|la|el|il)\s+|['’]s$|(?<![.,])[.,]++$", re.IGNORECASE)
_AGENCY_NAMES = {
    _LETTERS.sub("", name).casefold(): agency for agency, others in AGENCIES.items() for name in (agency, *others)
}
_ANY_AGENCY = tuple(n for agency, others in AGENCIES.items() for n in (agency, *others) if "." not in n)
_SHORT = "|".join(sorted(map(re.escape, _ANY_AGENCY), key=len, reverse=True))
_DATELINE = re.compile(
    # "LONDON (Reuters) - …", "(AP) — …", "PARIS, March 3 — AFP: …", "/PRNewswire/", and a bare credit at the end.
    # Brackets elsewhere are about something else: "Fetterman (PA) voted no".
    rf"^(?P<place>[^()]{{0,80}})\((?P<a>{_SHORT})(?:/[\w /]{{1,30}})?\)\s*[-–—:]|^\((?P<f>{_SHORT})\)\s"
    rf"|^[^.!?]{{0,60}}?[-–—]\s?(?P<b>{_SHORT})\s?[-–—:]|/(?P<c>{_SHORT})/"
    rf"|[.!?”\"]\s*[-–—©(]\s?(?P<d>{_SHORT})\)?\.?$|^(?P<e>{_SHORT})\s?[-–—:]\s"
)
_CHECKS = (
    r"\bindependently\b|\b(?:confirmed|told|said) (?:to )?(?:us|our)\b|\bwe (?:found|checked|asked|verified|rate)\b|"
    r"\b(?:false|untrue|incorrect|inaccurate|misleading|baseless|debunk\w*|no evidence|not true|"
    r"fact[- ]check\w*|falsch|faux|falso)\b"
)
_OWN_WORK = re.compile(
    rf"{_CHECKS}|\b(?:wrong(?:ly)?|den(?:y|ies|ied)|retract\w*|disput\w+|contradict\w*|contrary to|however)\b",
    re.IGNORECASE,
)
"""Words of a text that does more than repeat: it looked itself, or says that the other is wrong."""
_CHECKING = re.compile(_CHECKS, re.IGNORECASE)
_COMMON = frozenset(
    "about after again also been before being could does during each from further have having into more most much only "
    "other over same should some such than that their them then there these they this those through under until very "
    "were what when where which while whom will with would your said says according reported".split()
)


def key_of_name(name: str) -> str:
    """A name in the form in which names are compared; all names of an agency have one."""
    plain = _AROUND_NAME.sub("", name.strip())
    squeezed = _LETTERS.sub("", plain).casefold()
    return _AGENCY_NAMES.get(squeezed, squeezed)


def own_names(passage: Passage) -> frozenset[str]:
    """The names by which others credit the publisher of a passage: its own, its domain, the domain's first part."""
    names = {key_of_name(passage.publisher), key_of_name(passage.domain), key_of_name(passage.domain.partition(".")[0])}
    return frozenset(n for n in names if len(n) > 1)


def agency_of(passage: Passage) -> str:
    """The agency whose text this is by its own credit, or whose site it is from; empty when there is none."""
    for name in (passage.publisher, passage.domain):
        if (agency := key_of_name(name)) in AGENCIES:
            return agency
    if not any(name in passage.text for name in _ANY_AGENCY):
        return ""
    match = _DATELINE.search(passage.text)
    if match is None or _is_acronym_of(match["place"] or "", match["a"] or ""):
        return ""
    return key_of_name(next(match[group] for group in "abcdef" if match[group]))


def _is_acronym_of(words: str, short: str) -> bool:
    """Whether ``words`` end with what ``short`` stands for: "American Academy of Pediatrics (AAP) - a group of"."""
    initials = "".join(word[0] for word in re.findall(r"\w+", words) if word[0].isupper())
    return len(short) > 1 and initials.endswith(short)


def credited_names(passage: Passage) -> frozenset[str]:
    """The names that a passage gives as the source of what it says.

    Empty for a text that does more than repeat, and for fact-checkers, whose work it is to quote what they check.
    """
    low = passage.text.casefold()
    if passage.source_type is SourceType.FACT_CHECKER or not any(cue in low for cue in _CUES):
        return frozenset()
    if _OWN_WORK.search(passage.text):
        return frozenset()
    found = {key_of_name(m.group(1)) for pattern in _CREDITED for m in pattern.finditer(passage.text)}
    return frozenset(n for n in found if len(n) > 1) - own_names(passage)


def is_fact_check(passage: Passage) -> bool:
    """Whether a passage looks into what others say, for which it has to quote them at length."""
    return passage.source_type is SourceType.FACT_CHECKER or _CHECKING.search(passage.text) is not None


def content_words(text: str, names: frozenset[str] = frozenset()) -> frozenset[str]:
    """The words that carry what a text says, cut to their beginnings; without those of the ``names`` it credits."""
    found = {w[:5] for w in re.findall(r"\d[\d.,]*\d|\d|[^\W\d_]{4,}", text.casefold()) if w not in _COMMON}
    return frozenset(w for w in found if not any(w in name.casefold() for name in names))


def repeats_content(text: str, original: str, names: frozenset[str]) -> bool:
    """Whether a text that credits ``names`` says what ``original`` says."""
    mine = content_words(text, names)
    return bool(mine) and len(mine & content_words(original, names)) >= ECHO * len(mine)
