"""Whether a sentence names a publisher, and whether it lets it speak."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from functools import cache, lru_cache

_GENERIC = frozenset("the encyclopaedia encyclopedia news newspaper magazine online website".split())
"""Words of a publisher's name that people leave out."""
_SMALL = frozenset("a an and at by de der des die du et for in la le of on the to und von".split())
_COMMON = frozenset(
    "source sources site sites outlet publication entry reference quelle quellen seite artikel fuente fuentes sitio "
    "artículo fonte fonti sito articolo bron źródło".split()
)
"""What a page may be called that is a word of other matters too: the source of a river, the site of a battle."""
PAGES = _COMMON.union("encyclopaedia encyclopedia newspaper magazine website webpage page article broadcaster".split())
"""What the page of a note may be called instead of its name."""
_TELLING = (
    "say|says|said|state|states|stated|report|reports|reported|write|writes|wrote|notes|noted|note that|confirm|"
    "confirms|confirmed|explain|explains|explained|describe|describes|described|claim|claims|claimed|"
    "declare|declares|declared|assert|asserts|asserted|maintain|maintains|affirm|affirms|affirmed|tell|tells|told|"
    "point out|points out|make clear|makes clear|quote|quotes|quoted|mention|mentions|mentioned|conclude|concludes|"
    "concluded|suggest|suggests|argue|argues|argued|announce|announces|announced|reads|"
    "sagt|schreibt|berichtet|meldet|erklärt|bestätigt|zufolge|dit|écrit|affirme|indique|précise|confirme|explique|"
    "dice|escribe|afirma|indica|señala|confirma|explica|scrive|afferma|conferma|spiega|diz|escreve|mówi|pisze|podaje|"
    "zegt|meldt|schrijft"
)
_SAYING = (
    f"{_TELLING}|list|lists|listed|show|shows|showed|shown|indicate|indicates|indicated|give|gives|gave|put|puts|call|"
    "calls|called|record|records|recorded|identify|identifies|identified|publish|published|document|documents|"
    "documented|define|defines|defined|add|adds|added|find|finds|found|verify|verifies|verified|cite|cites|cited"
)
_CREDITING = (
    "according to|as per|per|citing|quoting|in the words of|sources?:|via|thanks to|laut|gemäß|nach angaben|"
    "selon|d'après|según|de acuerdo con|secondo|segundo|według"
)

_TOLD = (
    "said|stated|reported|written|noted|confirmed|explained|described|claimed|declared|quoted|told|gesagt|geschrieben|"
    "berichtet|bestätigt|écrit|confirmé|escrito|scritto"
)
_SAID = (
    f"{_TOLD}|listed|shown|put|recorded|published|documented|defined|concluded|found|verified|cited|given|publié|"
    "publicado|pubblicato"
)
_PASSIVE = "is|are|was|were|be|been|being"
"""Before a verb of saying these make a name what is spoken of: "The Guardian was first published in 1821"."""
_WHERE = "by|in|on|at|from|von|bei|in der|par|dans|por|en|da|przez"
_ALIKE = 0.85
"""From this similarity on, a word is a name with a slip of the pen: two letters of ten may be wrong."""
_LEAST_CHARS = 6
"""Shorter names are a letter or two from many words."""


@lru_cache(maxsize=2048)
def publisher_names(publisher: str, domain: str) -> frozenset[str]:
    """What a publisher may be called: its name, that without what people leave out, its initials, its site."""
    plain = re.sub(r"\([^)]*\)", " ", publisher)
    words = re.findall(r"[\w'’&.-]+", plain)
    short = " ".join(word for word in words if word.casefold() not in _GENERIC)
    telling = [word for word in words if word.casefold() not in _SMALL]
    initials = "".join(word[0] for word in telling if word[0].isupper()) if len(telling) > 1 else ""
    label = domain.partition(".")[0].replace("-", " ")
    names = (" ".join(words), short, initials, domain, label, *re.findall(r"\(([^)]*)\)", publisher))
    return frozenset(name.strip() for name in names if len(name.strip()) > 1)


def name_in(text: str, names: Collection[str]) -> str:
    """The first of these names that stands in a text as a name; empty where none does."""
    for name in _longest_first(names):
        plain = " " in name or "." in name
        if any(plain or found[0][0].isupper() for found in re.finditer(_name(name), text, re.IGNORECASE)):
            return name
    return ""


def speaker_in(text: str, names: Collection[str]) -> str:
    """The first of these names that a text lets speak; empty where it lets none."""
    return next((name for name in _longest_first(names) if _lets_speak(text, name)), "")


def lookalikes(text: str, names: Collection[str], known: str) -> frozenset[str]:
    """What in a text nearly is one of these names; what ``known`` has too is a word of its own, and so is a plural."""
    words = [word.rstrip(".'’-") for word in re.findall(r"[^\W_](?:(?!['’]s\b)[\w'’&.-])*", text)]
    found = set[str]()
    for name in names:
        wanted, size = name.casefold(), len(name.split())
        for at in range(len(words) - size + 1) if len(wanted) >= _LEAST_CHARS else ():
            has = (run := " ".join(words[at : at + size])).casefold()
            if abs(len(has) - len(wanted)) > 2 or has.rstrip("s") == wanted.rstrip("s") or has in known.casefold():
                continue
            if SequenceMatcher(None, has, wanted).ratio() >= _ALIKE:
                found.add(run)
    return frozenset(found)


_MARK = "\ue000"
"""Stands for the name, so that the patterns of speaking are the same for all names."""


def _lets_speak(text: str, name: str) -> bool:
    marked = re.sub(_name(name), _MARK, text.replace(_MARK, " "), flags=re.IGNORECASE)
    return _MARK in marked and _speaking(name in _COMMON).search(marked) is not None


@cache
def _speaking(common: bool) -> re.Pattern[str]:
    """What lets the marked name speak. ``common``: it is a word of other matters too."""
    it, word = _MARK, r"(?!notes?\b)[\w'’-]+"  # "the note says" between them: then the note speaks
    active = rf"(?!(?:{_PASSIVE})\b){word}"
    said, saying = _SAID, rf"(?:{_SAYING})\b"
    if common:
        it, said, saying = rf"{it}(?!\s+of\b)", _TOLD, rf"(?:{_TELLING})\b(?!\s+(?:{_WHERE}|as)\b)"
    return re.compile(
        rf"\b(?:{_CREDITING})\s*(?:{word}\s+){{0,4}}?{it}"
        rf"|\b(?:{said})\s+(?:{_WHERE})\s+(?:{word}\s+){{0,4}}?{it}"
        rf"|{it}(?:['’]s?)?(?:[,\s(]+{active}){{0,4}}?[,\s)]+{saying}"
        rf"|{it}['’]?\s*:",
        re.IGNORECASE,
    )


def _name(name: str) -> str:
    """A name as a pattern. Short ones are words too ("who", "us") and count in capitals only."""
    words = r"[\s-]+".join(map(re.escape, name.split()))
    return rf"(?<!\w)(?-i:{words.upper()})(?!\w)" if len(name) < 4 and name.isalnum() else rf"(?<!\w){words}(?!\w)"


def _longest_first(names: Collection[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))
