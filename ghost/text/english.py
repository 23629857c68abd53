"""English words by what they are, and the forms of verbs: as much grammar as rules need that have no tagger."""

import re
import tomllib
from pathlib import Path

ENGLISH = {
    name: frozenset(text.split())
    for name, text in tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8")).items()
}
"""The lists of ``english.toml``."""
_ADJECTIVE_END = re.compile(r"...(?:ous|ful|less|able|ible|ive|ish|proof)$")


def _past(base: str) -> str:
    if base in ENGLISH["doubling"]:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + "ed"


VERBS = {base: (_past(base), _past(base)) for base in ENGLISH["regular"]} | {
    base: (past, participle) for base, past, participle in (entry.split(":") for entry in ENGLISH["irregular"])
}
"""Simple past and past participle by the base form."""
PARTICIPLES = frozenset(participle for _, participle in VERBS.values())


def third_person(base: str) -> str:
    """ "fail" -> "fails", "have" -> "has"; any word is taken, known or not."""
    if base in {"be", "have", "do", "go"}:
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return base[:-1] + "ies"
    return base + "s"


def is_adjective(word: str) -> bool:
    """Whether the word has an ending that only adjectives have, or is an adjective that ends like a past."""
    return word in ENGLISH["adjective"] or _ADJECTIVE_END.search(word) is not None


def bare(token: str) -> str:
    """The token in lower case without the punctuation around it: "(Paris)," -> "paris"."""
    return token.replace("’", "'").strip("\"“”'‘’.,;:!?()[]{}*_…–—-<>/").lower()
