"""Whether a page says that its text comes from elsewhere: a news agency, another publisher, another address."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ghost.web.extract.blocks import Block, BlockKind

_AGENCIES: dict[str, str] = {
    "Reuters": r"reuters(?: staff)?|thomson reuters", "Associated Press": r"(?:the )?associated press|ap|ap news",
    "Agence France-Presse": r"afp|agence france[- ]presse", "dpa": r"dpa(?:-afx)?|deutsche presse[- ]agentur",
    "EFE": r"(?:agencia )?efe", "ANSA": r"ansa", "PTI": r"pti|press trust of india", "UPI": r"upi",
    "Xinhua": r"xinhua", "TASS": r"tass", "Kyodo": r"kyodo(?: news)?", "Bloomberg": r"bloomberg(?: news)?",
    "PA Media": r"pa(?: media)?|press association", "ANI": r"ani", "IANS": r"ians", "apa": r"apa",
    "sda": r"sda|keystone-sda",
    "Europa Press": r"europa press", "Anadolu": r"anadolu(?: agency)?|aa", "Lusa": r"lusa", "Belga": r"belga",
    "The Conversation": r"the conversation", "CNN Wire": r"cnn(?: wire)?", "Yonhap": r"yonhap", "PAP": r"pap",
}  # fmt: skip
_ANY = "|".join(_AGENCIES.values())
_DATELINE = re.compile(rf"^[^()]{{0,80}}\((?P<who>{_ANY})(?:/[\w /]{{1,30}})?\)\s*[-–—:.,]", re.I)
_DATELINE_END = re.compile(rf"\(\s*(?:©\s*)?(?P<who>{_ANY})\s*\)\s*\.?$", re.I)
_RIGHTS = re.compile(
    r"(?:©|\(c\)|copyright|alle rechte:?)\s*(?:©\s*)?(?:\d{4}(?:\s*[-–]\s*\d{2,4})?,?\s+)?(?:by\s+)?"
    rf"(?P<who>{_ANY})\b(?!['’]s)",
    re.I,
)
"""“Copyright 2024 The Associated Press. All rights reserved.”, “© AFP”."""
_INPUTS = re.compile(
    r"\b(?:(?:with|and) (?:additional )?(?:input|reporting|report|content|contribution|file|material|information)s? "
    r"(?:by|from)|syndicated (?:news )?feed (?:by|from|of)) (?:the )?(?:news )?(?:agenc(?:y|ies) )?"
    rf"(?P<who>{_ANY})\b(?!['’]s)",
    re.I,
)
"""“(With inputs from PTI)”."""
_PICTURE = re.compile(r"\b(?:photo\w*|foto\w*|image|picture|bild|video|getty)\b", re.I)
"""What such a credit is of, where it is not the text."""
_FROM = "by|from|source|quelle|fuente|fonte|mit material von|con información de|avec"
_CREDIT = re.compile(rf"^(?:{_FROM})\s?:?\s+(?P<who>{_ANY})\s*(?:[|,.–—-].{{0,60}})?$", re.I)
_CAPITAL = r"(?-i:[A-Z\u00c0-\u00de\u0400-\u042f])"
_NAME = rf"((?:the )?{_CAPITAL}[\w.&'’-]*(?: (?:of |the |and |& )?{_CAPITAL}[\w.&'’-]*){{0,5}})"
_DONE = "published|republished|reprinted|appeared|posted|syndicated|reproduced"
_STATED = r"""
    \bth(?:is|e) (?:\w+ ){0,2}?(?:article|story|report|post|piece|essay)(?: (?:was|is|has|been|first|originally))+
        _ (?:DONE)(?: here)? (?:by|in|on|at|from|with permission (?:from|of)) NAME
    ^(?:republished|reprinted|syndicated|reproduced|reposted)(?: with permission)? (?:from|by|of) NAME
    ^(?:originally|first) (?:published|appeared|posted) (?:by|in|on|at) NAME
    \b(?:dieser|der) (?:artikel|text|beitrag) (?:ist|erschien|wurde) (?:zuerst|zunächst|ursprünglich)
        _ (?:bei|in|auf|im|von) NAME
    \b(?:cet article|ce texte) (?:a été|est) (?:initialement |d['’]abord )?(?:publié|republié|paru|repris)
        _ (?:par|dans|sur|à partir de|de) NAME
    \beste art[ií]culo (?:fue|se) (?:publicado|publicó) (?:originalmente |por primera vez )?(?:en|por) NAME
"""
_REPUBLISHED = tuple(
    re.compile(line.strip().replace("DONE", _DONE).replace("NAME", _NAME), re.I)
    for line in re.sub(r"\n\s+_ ", " ", _STATED).strip().splitlines()
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
    for number, block in enumerate([*blocks[:_FIRST], *blocks[-_LAST:]]):
        text = block.text[:_CHARS]
        if (found := _DATELINE.match(text)) and (who := _agency(found["who"])):
            return Syndication(who, "dateline")
        if who := next((found[1] for form in _REPUBLISHED if (found := form.search(text))), ""):
            return Syndication(who.rstrip(".")[:100], "stated")
        found = (_CREDIT.match(text) if len(text) < 100 else None) or _DATELINE_END.search(text)
        if not found and block.kind is not BlockKind.HEADING and not _PICTURE.search(text):
            found = _INPUTS.search(text) or (_RIGHTS.search(text) if number >= len(blocks) - _LAST else None)
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
    return (bool(bare) and bare in re.sub(r"\W", "", host)) or (name == "Associated Press" and "apnews" in host)
