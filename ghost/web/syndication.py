"""Whether a page says that its text comes from elsewhere: a news agency, another publisher, another address."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ghost.web.lines import Block

_AGENCIES: dict[str, str] = {
    "Reuters": r"reuters(?: staff)?|thomson reuters", "Associated Press": r"(?:the )?associated press|ap|ap news",
    "Agence France-Presse": r"afp|agence france[- ]presse", "dpa": r"dpa(?:-afx)?|deutsche presse[- ]agentur",
    "EFE": r"(?:agencia )?efe", "ANSA": r"ansa", "PTI": r"pti|press trust of india", "UPI": r"upi",
    "Xinhua": r"xinhua", "TASS": r"tass", "Kyodo": r"kyodo(?: news)?", "Bloomberg": r"bloomberg(?: news)?",
    "PA Media": r"pa(?: media)?|press association", "ANI": r"ani", "IANS": r"ians", "apa": r"apa", "sda": r"sda|keystone-sda",
    "Europa Press": r"europa press", "Anadolu": r"anadolu(?: agency)?|aa", "Lusa": r"lusa", "Belga": r"belga",
    "The Conversation": r"the conversation", "CNN Wire": r"cnn(?: wire)?", "Yonhap": r"yonhap", "PAP": r"pap",
}  # fmt: skip
_ANY = "|".join(_AGENCIES.values())
_DATELINE = re.compile(rf"^[^()]{{0,80}}\((?P<who>{_ANY})(?:/[\w /]{{1,30}})?\)\s*[-–—:.,]", re.I)
_DATELINE_END = re.compile(rf"\(\s*(?:©\s*)?(?P<who>{_ANY})\s*\)\s*\.?$", re.I)
_CREDIT = re.compile(
    rf"^(?:by|from|source|quelle|fuente|fonte|source\s?:|mit material von|con información de|avec)\s?:?\s+(?P<who>{_ANY})"
    r"\s*(?:[|,.–—-].{0,60})?$",
    re.I,
)
_CAPITAL = r"(?-i:[A-Z\u00c0-\u00de\u0400-\u042f])"
_NAME = rf"(?P<who>(?:the )?{_CAPITAL}[\w.&'’-]*(?: (?:of |the |and |& )?{_CAPITAL}[\w.&'’-]*){{0,5}})"
_REPUBLISHED = re.compile(
    r"\bth(?:is|e) (?:\w+ ){0,2}?(?:article|story|report|post|piece|essay|column)(?: (?:was|is|has been|has|first|originally))+"
    rf" (?:(?:published|republished|reprinted|appeared|posted|syndicated|reproduced)(?: here)?)"
    rf" (?:by|in|on|at|from|with permission (?:from|of)) {_NAME}"
    rf"|^(?:republished|reprinted|syndicated|reproduced|reposted)(?: with permission)? (?:from|by|of) {_NAME.replace('who', 'who2')}"
    rf"|^(?:originally|first) (?:published|appeared|posted) (?:by|in|on|at) {_NAME.replace('who', 'who3')}"
    rf"|\b(?:dieser|der) (?:artikel|text|beitrag) (?:ist|erschien|wurde) (?:zuerst|zunächst|ursprünglich)(?: (?:bei|in|auf|im|von))"
    rf" {_NAME.replace('who', 'who4')}"
    rf"|\b(?:cet article|ce texte) (?:a été|est) (?:initialement |d['’]abord )?(?:publié|republié|paru|repris)"
    rf" (?:par|dans|sur|à partir de|de) {_NAME.replace('who', 'who5')}"
    rf"|\beste art[ií]culo (?:fue|se) (?:publicado|publicó) (?:originalmente |por primera vez )?(?:en|por) "
    rf"{_NAME.replace('who', 'who6')}",
    re.I,
)
_FIRST, _LAST, _CHARS = 12, 6, 600
_SMALL = frozenset(("dpa", "apa", "sda"))
"""Agencies that write themselves small; any other short name is one only in capitals ("Ani" is a person)."""


@dataclass(frozen=True, slots=True)
class Syndication:
    """What a page says of where its text was first."""

    source: str
    """The agency, publisher or host named; outside text."""
    how: str
    """``dateline``, ``credit``, ``stated`` or ``canonical address``."""


def syndication_of(blocks: Sequence[Block], author: str, host: str, canonical_host: str) -> Syndication | None:
    """What the page says; None when it says nothing, or names only itself."""
    said = _said(blocks, author)
    if said and not _is_host(said.source, host):
        return said
    return Syndication(canonical_host, "canonical address") if canonical_host else None


def _said(blocks: Sequence[Block], author: str) -> Syndication | None:
    ends = [*blocks[:_FIRST], *blocks[-_LAST:]]
    for block in ends:
        text = block.text[:_CHARS]
        if (found := _DATELINE.match(text)) and (who := _agency(found["who"])):
            return Syndication(who, "dateline")
        if found := _REPUBLISHED.search(text):
            return Syndication(next(name for name in found.groups() if name).rstrip(".")[:100], "stated")
        found = (_CREDIT.match(text) if len(text) < 100 else None) or _DATELINE_END.search(text)
        if found and (who := _agency(found["who"])):
            return Syndication(who, "credit")
    who = _agency(re.sub(r"^by ", "", author, flags=re.I))
    return Syndication(who, "credit") if who else None


def _agency(written: str) -> str:
    if len(written) <= 4 and not written.isupper() and written not in _SMALL:
        return ""
    return next((name for name, words in _AGENCIES.items() if re.fullmatch(words, written, re.I)), "")


def _is_host(name: str, host: str) -> bool:
    """Whether the source is the site itself: reuters.com credits Reuters on every page."""
    bare = re.sub(r"\W|^the ", "", name.lower())
    return bool(bare) and bare in re.sub(r"\W", "", host) or (name == "Associated Press" and "apnews" in host)
