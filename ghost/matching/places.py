"""The places in a text, and those in which its claim is meant to hold."""

import re
from collections.abc import Iterator

from ghost.matching.mentions import WORDS, Mention, Token, tokens, unlike

_IN = frozenset("in across throughout within inside".split())
_BETWEEN = frozenset(
    "the northern southern eastern western central rural urban most all much parts part some post-war modern mainland "
    "today's present-day inner greater whole rest entire state city province north south east west town former "
    "upper lower both".split()
)
"""Words that may stand between “in” and a place, with the “of” behind them."""
_BEFORE = 4
"""Words between “in” and a place at most."""
_GOVERNED = frozenset(WORDS["words"]["governed"].split())
_NAMED = frozenset(WORDS["words"]["named"].split())
_SAID = frozenset("view views opinion opinions eyes mind words judgment judgement account".split())
"""What stands behind the name of whoever says something, which limits nothing: “in China's view”."""
_GIVEN = frozenset("Jordan Georgia Chad Israel Virginia Sydney Austin Florence Dallas Houston".split())
"""Names of people too: “in Jordan's first season”. Before “'s” they are a place only with a noun that a country has."""
_WITHIN = 3
"""Words from an adjective to the noun that it says the country of."""
_JOINING = re.compile(r"\s*,?\s*(?:and|or|but not|than in|as well as|nor)?\s*(?:in\s+)?(?:the\s+)?")
_BREAK = re.compile(r"[^\s\w'’-]")
_LOOSE = frozenset("us turkey china chad jordan polish guinea java mali georgia states bali oman".split())
"""Names that are something else in small letters."""
_LONGEST = 5


def _known() -> tuple[dict[str, tuple[str, bool]], dict[str, str]]:
    """Every name in small letters with the place and whether it is an adjective; and each part with its country."""
    names: dict[str, tuple[str, bool]] = {}
    country: dict[str, str] = {}

    def add(place: str, others: str, adjectives: str) -> None:
        for is_adjective, listed in ((False, f"{place},{others}"), (True, adjectives)):
            for name in filter(None, map(str.strip, listed.split(","))):
                plain = name.casefold().replace(".", "").removeprefix("the ")
                names.setdefault(plain, (place, is_adjective))

    for place, words in (WORDS["countries"] | WORDS["unions"]).items():
        others, _, adjectives = words.partition(";")
        add(place, others, adjectives)
    for whole, parts in WORDS["parts"].items():
        for part in parts.split(","):
            place, *adjectives = (word.strip() for word in part.split(":"))
            add(place, "", ",".join(adjectives))
            country[place] = whole
    names["nyc"], names["new delhi"] = ("New York City", False), ("Delhi", False)
    return names, country


_NAMES, COUNTRY_OF = _known()


def places(text: str, loose: bool = False) -> list[Mention]:
    """All places that a text names, as nouns or adjectives; with ``loose`` also in small letters."""
    return [mention for mention, *_ in _found(tokens(text), text, loose)]


def jurisdictions(text: str) -> list[Mention]:
    """The places in which the claim holds: after “in”, as an adjective of “unemployment”, in “Ghana's harvest”."""
    words = tokens(text)
    accepted: list[Mention] = []
    lower = text[1:] == text[1:].lower()  # as people type questions
    for mention, at, past, adjective in _found(words, text, loose=lower):
        last = accepted[-1] if accepted else None
        joined = last is not None and _JOINING.fullmatch(text, last.end, mention.start) is not None
        before_noun = _governs(words, past, text)
        if adjective:
            accept = before_noun
        elif words[past - 1].text[-2:] in ("'s", "’s"):
            small = past < len(words) and words[past].text[0].islower() and words[past].plain not in _SAID
            accept = before_noun or (small and mention.key not in _GIVEN)
        elif past < len(words) and _part_of_name(words[past - 1], words[past], text) and not before_noun:
            accept = False
        else:
            accept = joined or before_noun or _placed(words, at)
        if accept:
            accepted.append(mention)
    return unlike(accepted)


def _found(words: list[Token], text: str, loose: bool) -> Iterator[tuple[Mention, int, int, bool]]:
    """Each place with the numbers of its first word and of the word behind it, and whether it is an adjective."""
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            run = words[at : at + size]
            known = _NAMES.get(" ".join(word.plain for word in run))
            if known and (_capital(run) or (loose and run[0].plain not in _LOOSE)):
                end = run[-1].end - (2 if run[-1].text[-2:] in ("'s", "’s") else 0)
                yield Mention(run[0].start, end, text[run[0].start : end], known[0]), at, at + size, known[1]
                at += size
                break
        else:
            at += 1


def _capital(run: list[Token]) -> bool:
    """Whether the words that count have a capital: “us” is not the US, and “Washington dc” is a city."""
    short = len(run) == 1 and len(run[0].plain) == 2
    return run[0].text.isupper() if short else run[0].text[0].isupper() or run[-1].text[0].isupper()


def _placed(words: list[Token], at: int) -> bool:
    """Whether “in”, or “of” behind a common noun, stands before the word with this number."""
    for back in range(1, _BEFORE + 2):
        if at - back < 0:
            return False
        word = words[at - back].plain
        if word in _IN:
            return True
        if word == "of":
            before = words[at - back - 1] if at - back else None
            if before is None or before.plain in _BETWEEN:
                continue
            return before.text[0].islower() and before.plain not in _NAMED
        if word not in _BETWEEN:
            return False
    return False


def _governs(words: list[Token], past: int, text: str) -> bool:
    """Whether a noun that a country has stands behind a place, with at most two words of its own before it."""
    for at in range(past, min(past + _WITHIN, len(words))):
        if _BREAK.search(text, words[at - 1].end, words[at].start):
            return False
        if words[at].plain in _SMALL or words[at].text[0].isupper():  # “the European Parliament” is a name
            return False
        if words[at].plain in _GOVERNED:
            return True
    return False


_SMALL = frozenset(
    "is are was were has have had of in on at to for from by with and or but than as the a an that which who will can "
    "may it its not do does did be been".split()
)


def _part_of_name(last: Token, following: Token, text: str) -> bool:
    """Whether a word with a capital follows at once: “London Bridge”; a month or a year begins something else."""
    if text[last.end : following.start].strip() or not following.text[0].isupper():
        return False
    return following.plain not in _MONTHS and following.plain not in _NAMES


_MONTHS = frozenset("january february march april may june july august september october november december i".split())
