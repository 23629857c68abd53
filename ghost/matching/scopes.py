"""Within which limits a statement is meant, by its words: where, when, of whom, measured how. English only.

Precision comes before recall: a limit that is shown, searched for and compared must be one. Nothing here needs a model.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from ghost.matching.mentions import WORDS, Mention, unlike
from ghost.matching.places import COUNTRY_OF, jurisdictions, places
from ghost.matching.populations import known_as, populations
from ghost.matching.times import times
from ghost.matching.words import MONTHS, content, stem, words
from ghost.text import visible
from ghost.types import NO_SCOPES, Scopes, Statement

KINDS = tuple(field.name for field in fields(Scopes))
"""The kinds of scopes, in the order of their slots."""
MOST_CHARS = 2_000
"""What stands behind so many characters limits no claim, and is not read."""
_METHODS = re.compile(
    "|".join(
        rf"(?P<m{n}>(?<![\w-])(?:{pattern.replace(' ', '[ -]')})(?![\w-]))"
        for n, pattern in enumerate(WORDS["methods"].values())
    ),
    re.I,
)
_METHOD_NAMES = tuple(WORDS["methods"])
_KNOWN = 4096
_LEADS = re.compile(
    r"\W*(?:(?:in|during|since|between|from|before|after|until|by|among|according to|per|for|adjusted)\b|$)", re.I
)
"""How a claim begins whose first words hold for all of it: “In Germany, …”."""
_ENGLISH = frozenset(
    "the of and is are was were has have had that than for by with from to an it its not more less most who which will "
    "can does did do their his her this these be been at on as or but no all there per fell rose".split()
)
_FOREIGN = frozenset(
    "der das und ist nicht ein eine einen dem des von für auf zu zum zur sich auch sind wird wurde hat haben seit "
    "im le les une est et dans du qui que pour pas sur avec sont au aux ont en el los las y por con para más pero "
    "il gli di della dei nel nella sono che os uma é do da dos das em na não het een van niet zijn met voor op och "
    "att det som på för av inte jest nie się na że ve bir bu için la lo i".split()
)
_OTHER_LETTERS = 0.3
"""A text with a larger share of letters outside the Latin alphabet is in another language."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What limits a text, by kind; each with the key by which paraphrases of it are known."""

    jurisdiction: tuple[Mention, ...] = ()
    time: tuple[Mention, ...] = ()
    population: tuple[Mention, ...] = ()
    method: tuple[Mention, ...] = ()


def scopes_of(text: str) -> Scopes:
    """The limits that a text names, each in its own words; none where it is not English."""
    found = limits(text)
    if found == _UNLIMITED:
        return NO_SCOPES
    return Scopes(*(tuple(mention.text for mention in getattr(found, kind)) for kind in KINDS))


def with_scopes(statements: Sequence[Statement], claim: str) -> tuple[Statement, ...]:
    """The statements of a claim with their scopes. Those that a judge has found stay.

    What the claim says first, before all of its statements, limits those too that name nothing of the kind: in “In
    Germany, rents rose and wages fell” both are meant of Germany.
    """
    everywhere = _claim_wide(claim) if len(statements) > 1 else NO_SCOPES
    return tuple(replace(s, scopes=_filled(s.scopes, scopes_of(s.text), everywhere)) for s in statements)


def unnamed(scopes: Scopes, text: str) -> tuple[str, ...]:
    """The scopes that a text does not name, not even in other words; for a search query that should."""
    lacking = []
    for kind in KINDS:
        for said in getattr(scopes, kind):
            meant = _meant(said, kind)
            named = bool(meant) and all(_names(text, mention, kind) for mention in meant)
            if not named and not _has_all(text, content(said)):
                lacking.append(said)
    return tuple(dict.fromkeys(lacking))


def _meant(scope: str, kind: str) -> list[Mention]:
    """What a scope means that stands alone, without the sentence around it."""
    match kind:
        case "jurisdiction":
            return places(scope)
        case "time":
            return times(scope) or times(f"in {scope}")
        case "population":
            return populations(scope)
    return list(_methods(scope))


def beyond(one: str, other: str, kind: str) -> list[str]:
    """The limits of a kind that the first text names and the second one does not, in the words of the first."""
    mine = getattr(limits(one), kind)
    return [mention.text for mention in mine if not _names(other, mention, kind, beside=one)]


@lru_cache(_KNOWN)
def limits(text: str) -> Limits:
    """The limits of a text with their keys."""
    plain = " ".join(visible(text[:MOST_CHARS]).split())
    if not _is_english(plain):
        return _UNLIMITED
    return Limits(
        tuple(jurisdictions(plain)), tuple(times(plain)), tuple(populations(plain)), tuple(unlike(_methods(plain)))
    )


_UNLIMITED = Limits()


def _methods(text: str) -> Iterator[Mention]:
    for match in _METHODS.finditer(text):
        name = _METHOD_NAMES[int(str(match.lastgroup)[1:])]
        # What a claim is ranked by, counted per, or adjusted for is part of the method.
        exact = name in ("per so many", "adjusted", "by measure", "as share")
        words = re.sub(r"[ ,-]+", " ", match[0].casefold())
        yield Mention(match.start(), match.end(), match[0], f"{name}: {words}" if exact else name)


def _is_english(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    if sum(not (c.isascii() or "À" <= c <= "ɏ") for c in letters) > _OTHER_LETTERS * len(letters):
        return False
    # A capital inside a sentence begins a name: “Los Angeles”, “La Paz”.
    small = [w.casefold() for n, w in enumerate(re.findall(r"[^\W\d_]+", text)) if not n or w[0].islower()]
    english, foreign = (sum(word in known for word in small) for known in (_ENGLISH, _FOREIGN))
    return english > foreign or (english == foreign == 0 and all(c.isascii() for c in letters))


def _claim_wide(claim: str) -> Scopes:
    """The scopes in the first words of a claim, up to its first comma or to what is no such scope."""
    plain = " ".join(visible(claim[:MOST_CHARS]).split())
    if not _LEADS.match(plain):
        return NO_SCOPES
    head, comma, _ = plain.partition(",")
    found = limits(plain)
    wide = [tuple(m.text for m in getattr(found, kind) if comma and m.end <= len(head)) for kind in KINDS]
    return Scopes(*wide)


def _filled(*scopes: Scopes) -> Scopes:
    """Of each kind what the first one names that names any."""
    return Scopes(*(next(filter(None, (getattr(one, kind) for one in scopes)), ()) for kind in KINDS))


def _names(text: str, mention: Mention, kind: str, beside: str = "") -> bool:
    """Whether a text names what a mention in the text ``beside`` it means, as a limit or otherwise."""
    key = mention.key
    if any(other.key == key for other in getattr(limits(text), kind)):
        return True
    match kind:
        case "jurisdiction":
            return _names_place(text, key, beside)
        case "time":
            return key == "today" or _names_time(text, mention)
        case "population":
            return _names_group(text, key)
    return key in _COMMON_METHODS and _has_all(text, content(mention.text))


_COMMON_METHODS = frozenset({"average", "polls", "statistics"})
"""Methods that the same words name in any form: “on average” and “the average wage”."""


def _names_place(text: str, key: str, beside: str) -> bool:
    """Whether the place is in the text by any name, or a part of it that both texts name: Paris is in France."""
    there = {mention.key for mention in places(text, loose=True)}
    parts = there & {mention.key for mention in places(beside, loose=True)} if beside else there
    if key in there or any(COUNTRY_OF.get(part) == key for part in parts):
        return True
    return key == "European Union" and "Europe" in there  # “European election”; “in Europe” is no part of the EU


def _names_time(text: str, mention: Mention) -> bool:
    """Whether the text has the same years or words, where it does not say of them “since” for “before”."""
    sense, period = _sense(mention.key)
    for other in limits(text).time:
        its, there = _sense(other.key)
        if there == period and its != sense:
            return False
    if years := re.findall(r"\d{4}s?", period):
        months = [stem(MONTHS[int(month) - 1]) for month in re.findall(r"\d{4}-(\d\d)", period)]
        return all(re.search(rf"(?<!\d){year}(?![\ds])", text) for year in years) and _has_all(text, months)
    return _has_all(text, content(mention.text.replace("-", " ")))


def _sense(key: str) -> tuple[str, str]:
    """“since 2010” in two; the sense of a plain year is empty."""
    sense, _, period = key.partition(" ")
    return (sense, period) if sense in ("since", "before", "by") else ("", key)


def _names_group(text: str, key: str) -> bool:
    """Whether all that makes up a group is named: “women” and “over 50” of “women over 50”."""
    there = {known_as(word) for word in words(text)}
    groups = " ".join(mention.key for mention in limits(text).population).split()
    return all(part in groups or part in there or _has_all(text, (part,)) for part in key.split())


def _has_all(text: str, wanted: Sequence[str]) -> bool:
    there = {stem(word) for word in words(text)} | set(content(text.replace("-", " ")))
    return all(any(w == word or (len(w) > 4 and w[:5] == word[:5]) for w in there) for word in wanted)
