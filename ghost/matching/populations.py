"""The groups of people of whom a claim is meant."""

import re

from ghost.matching.mentions import WORDS, Mention, unlike
from ghost.matching.words import IN_WORDS, stem

_LISTS = WORDS["populations"]
_NOUNS = frozenset(_LISTS["nouns"].split())
_ALIKE = {stem(word): name for name, words in _LISTS["alike"].items() for word in [name, *words.split()]}
"""Words without endings, each with the one that stands for it."""
_MODIFIER = "|".join(sorted(set(_LISTS["modifiers"].split()), key=len, reverse=True))
_NOUN = "|".join(sorted(_NOUNS, key=len, reverse=True))
_ANYONE = r"people|persons|those|individuals|anyone|everyone|residents|households|families|citizens|men and women"
_OTHER_UNIT = r" (?:percent|per cent|hours|minutes|times|million|days|kilo|miles|euros|dollars|pounds)"
_AGE = (
    r"(?:(?:who are )?(?:over|under|above|below|older than|younger than|at least|up to)(?: the age of)? "
    rf"(?P<limit>\d{{1,3}})(?: years(?: old| of age)?)?(?!{_OTHER_UNIT})(?![\d%.,]\d)|"
    r"aged? (?:between )?(?P<from>\d{1,3})(?: ?(?:to|and|-|–) ?(?P<to>\d{1,3})|"
    r" (?:and|or) (?P<open>over|older|above|under|younger|below)| ?\+)?|"
    r"in their (?:early |mid-|late )?(?P<decade>\d0|twenties|thirties|forties|fifties|sixties)s?)"
)
_CONDITION = "|".join(sorted(set(_LISTS["conditions"].split()), key=len, reverse=True))
_FAMILY = (
    r"(?:poor|rich|low-income|migrant|immigrant|single-parent|working-class|university|college|high school)"
    r"(?: (?:families|backgrounds|households|homes|degree|degrees|diploma|neighbourhoods))?"
)
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_WITH = (
    r"(?:(?:living )?with (?:an? )?(?!(?-i:[A-Z][a-z]+ [A-Z]))"
    rf"(?:(?:{_WORD} ){{0,3}}?(?:{_CONDITION})\b|{_WORD})|"
    rf"(?:without|from) (?:an? )?{_FAMILY}|from (?-i:[A-Z]\w+)|in (?:poverty|prison|care|work|debt))"
)
_NO_NOUN = (
    r"(?=\s*(?:[.,;:!?)]|$)|\s(?:are|have|were|had|who|with|in|and|or|of|from|live|get|do|don|can|will|may|should|pay|need|"
    r"fall|die|than|to|is|has)\b)"
)
"""What may follow “the elderly”, which is no group in “the elderly woman”."""
_GROUP = re.compile(
    rf"(?<![\w’'-])(?:(?P<collective>{'|'.join(part.strip() for part in _LISTS['collectives'].split(';'))})\b{_NO_NOUN}"
    rf"|(?P<hyphen>(?:over|under)-\d{{1,2}}s)|"
    rf"(?P<modified>(?:(?:{_MODIFIER}) ){{0,2}})(?:(?P<noun>{_NOUN})|(?P<anyone>{_ANYONE}))(?![\w’'-])"
    rf"(?P<age> {_AGE})?(?P<with> {_WITH})?)",
    re.I,
)
_NO_LIMIT = re.compile(
    r"(?:\d|['’]s|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|dozen|hundred|"
    r"thousand|million|several|these|those|his|her|their|its|both|had|have|has|having|is|are|was|were|be|became|become))\s+$",
    re.I,
)
"""Before a group that is counted, pointed at or said of somebody: “five children”, “they are Christians”."""
_LOOKED_BACK = 12


def populations(text: str) -> list[Mention]:
    """Each group in the words of the text: “women over 50”, “people with diabetes”, “nurses”."""
    found = []
    for match in _GROUP.finditer(text):
        if _NO_LIMIT.search(text[max(0, match.start() - _LOOKED_BACK) : match.start()]):
            continue
        # “Left-handed people” are a group; “people” and “rich families” are none.
        group = match["modified"] and (match["anyone"] or "").casefold() == "people"
        if match["anyone"] and not (match["age"] or match["with"] or group):
            continue
        found.append(Mention(match.start(), match.end(), match[0], _key(match)))
    return unlike(found)


def _key(match: re.Match[str]) -> str:
    """What the group is called, by age and by what it has; people of an age are known by the age alone."""
    parts = [known_as(match["noun"])] if match["noun"] and match["noun"].casefold() != "adults" else []
    if match["collective"]:
        parts.append(known_as(match["collective"].split()[-1]))
    if match["noun"] and not (match["age"] or match["with"] or parts):
        parts.append("adults")
    parts += [known_as(word) for word in (match["modified"] or "").casefold().split() if known_as(word) not in parts]
    if match["hyphen"]:
        sense, number = match["hyphen"].rstrip("s").split("-")
        parts.append(f"{'>' if sense.casefold() == 'over' else '<'}{number}")
    if match["age"]:
        parts.append(_age(match))
    if match["with"]:
        words = re.findall(r"[^\W\d_]+", match["with"].casefold())
        parts += [stem(word) for word in words if word not in ("with", "living", "a", "an", "from", "in", "without")]
    return " ".join(parts)


def _age(match: re.Match[str]) -> str:
    said = match["age"].casefold()
    if match["limit"]:
        return f"{'<' if re.search('under|below|younger|up to', said) else '>'}{match['limit']}"
    if match["decade"]:
        decade = IN_WORDS.get(match["decade"][:-3] + "y", match["decade"])
        return f"{decade}s"
    if match["to"]:
        return f"{match['from']}-{match['to']}"
    older = match["open"] and not re.search("under|below|younger", match["open"], re.I)
    return f"{'>' if older or '+' in said else '<' if match['open'] else '='}{match['from']}"


def known_as(word: str) -> str:
    """The word that stands for a group: “kids” is “children”; other words lose their ending."""
    plain = stem(word.casefold())
    return _ALIKE.get(plain, plain)
