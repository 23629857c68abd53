"""Who says a thing, taken off: “Critics of the bank complain that X” and “Is it true, as fans insist, that X?” claim X.

Taken off is only a camp, a profession or a group whose saying the author colours (“rightly”, “must admit”), and only
what it says now. What a named source or a party to the matter says (“the unions argue that …”), what somebody once
said, what most of a group says, and what is denied are claims of their own and stay.
"""

import re
from collections.abc import Sequence

from ghost.judges.embedded.claims.words import ADVERB, has_predicate, is_plural, words
from ghost.text import bare

_SAY = words(
    "say claim argue insist maintain allege assert contend complain grumble sneer boast gripe moan jeer note remark "
    "observe state stress emphasise emphasize underline admit concede acknowledge accept grant agree explain warn "
    "remind tell assure repeat confirm mention declare proclaim protest object hold point advise teach report recall "
    "remember recognise recognize realise realize know understand see hear learn ask wonder celebrate honour honor "
    "marvel rejoice lament regret"
)
"""Verbs of saying in the form that a plural has: “critics say”."""
_SAID = words(
    "said claimed argued insisted maintained alleged asserted noted remarked observed stated stressed emphasised "
    "shown emphasized underlined admitted conceded acknowledged accepted explained warned repeated confirmed revealed "
    "known demonstrated pointed taught told understood recognised recognized established documented agreed"
)
"""The same behind “have”."""
_SAYING = words("saying claiming arguing explaining pointing stressing repeating hearing telling noting insisting")
_HELPERS = words(
    "have has must can will may should would to are is be forced right bound quick obliged happy keen proud glad like "
    "love hate tend keep tire of in and with reluctantly but never"
)
"""Words that may stand around the verb of saying."""
_BEHIND = words(
    "us me you everyone anyone their children readers out on with good reason and to the fact idea view claim point "
    "of again time out it so thus quite"
)
"""Words that may stand between the verb of saying and “that”."""
_KEEP = words(
    "not no nor nobody none without deny denies dispute disputes doubt doubts reject rejects refute dismiss wrongly "
    "falsely mistakenly wrong false myth lie lies hoax most half majority minority nearly almost few percent per one "
    "number thirds"
)
"""Words with which a sentence says more than that a group says something."""
_NO_SPEAKERS = words("i we you he she they it law laws rules studies data figures statistics polls surveys numbers")
"""What is no unnamed group, or what a claim rests on."""
_GROUPS = words("people those some many others folk men women children")
_CAMPS = words(
    "critics opponents supporters proponents advocates fans detractors believers unbelievers sceptics skeptics "
    "admirers defenders doubters worriers cynics pedants deniers truthers activists campaigners naysayers followers "
    "adherents experts scholars researchers scientists doctors engineers connoisseurs traditionalists friends rivals "
    "enemies"
)
"""Groups that are named by what they think or know of a matter; so are those in -ists and -ians."""
_PLAIN_HELPERS = words("have has will would can may also now already still is are be to")
"""Words between a group and its saying that do not colour it."""
_PREPOSITIONS = words("of in on at against for from behind with who among near within")
_OWNERS = words("they their them he his him she her it its we our us this these there")
"""Words that point back at who says it, so that it cannot be left out."""
_BACK = words("they them themselves")
_NO_ADVERBS = words("family assembly ally bully italy july supply reply monopoly anomaly fly butterfly")
_MOST_WORDS = 14
_THAT = re.compile(r"\s(?P<word>that|whether)\s")
_COLON = re.compile(r"(?P<head>[^:;,.!?]{3,60}):\s+(?=\S+ \S+ \S)")
_ASIDE = re.compile(
    r"^(?P<lead>(?:is|isn['’]t|was) it (?:not )?(?:really |actually )?(?:true|correct|right|so|the case|a fact))"
    r"\s*,\s*(?:as|whatever|though|although|like|despite what)\s[^,?]{2,80},\s*that\s",
    re.I,
)
_REALLY = re.compile(r"^(?P<asks>is it (?:really |actually )?so|is it not true|isn['’]t it true)(?= that\b)", re.I)
_BELIEVE = re.compile(
    r"^(?:do (?:you|we|people) (?:really |honestly |seriously )?(?:believe|think|accept)|"
    r"is there (?:anything|any truth|something) (?:to|in) the (?:claim|idea|story|view|rumou?r)"
    r"(?: of [^,?]{2,40}?)?) that\s",
    re.I,
)
_AS = re.compile(r"^as (?P<head>[^,:;?]{3,70}),\s+(?=\S+ \S+ \S)", re.I)
_AS_IT_GOES = re.compile(
    r"(?:the|an) (?:old )?(?:saying|proverb|story|legend|rumou?r|theory)(?: \w+ly)? (?:has it|goes|says)", re.I
)
_EVERYONE = re.compile(
    r"^(?:everyone|everybody|no one can deny|nobody can deny|(?:it is|it['’]s) (?:by now |now )?"
    r"(?:well |widely |generally |long |firmly )*"
    r"(?:established|documented|agreed|accepted|recognised|recognized|understood|undeniable|undisputed))"
    r"(?: agrees| accepts| knows| admits| says| concedes| recognises| recognizes)? that\s",
    re.I,
)


def unattributed(text: str) -> str:
    """The sentence without the unnamed group that says it; unchanged where there is none."""
    text = _ASIDE.sub(r"\g<lead> that ", text, count=1)
    text = _REALLY.sub("Is it true", text, count=1)
    for frame in (_BELIEVE, _EVERYONE):
        if found := frame.match(text):
            return _rest(text, found.end()) or text
    if (found := _AS.match(text)) and (_says(found["head"]) or _AS_IT_GOES.fullmatch(found["head"])):
        return _rest(text, found.end()) or text
    if (found := _COLON.match(text)) and _affirms(found["head"]):
        return _rest(text, found.end()) or text
    if (found := _THAT.search(text)) and _says(text[: found.start()], found["word"]):
        return _rest(text, found.end()) or text
    return text


def _rest(text: str, start: int) -> str:
    """What is said, where it stands by itself; else nothing."""
    rest = text[start:].strip()
    plain = [bare(token) for token in rest.split()]
    if len(plain) < 3 or plain[0] in _OWNERS or _points_back(plain) or not has_predicate(plain):
        return ""
    return rest


def _points_back(plain: Sequence[str]) -> bool:
    """Whether a “they” has nothing before it in what is said that it could stand for."""
    at = next((n for n, word in enumerate(plain) if word in _BACK), None)
    return at is not None and not any(is_plural(word) or word in _GROUPS for word in plain[:at])


def _is_manner(word: str) -> bool:
    """Whether a word is an adverb: “rightly”, and not “family”."""
    return word in ADVERB or (word.endswith("ly") and word not in _NO_ADVERBS)


def _says(head: str, link: str = "that") -> bool:
    """Whether the words before “that” are such a group and a verb of saying, and nothing more."""
    tokens = head.split()
    even = bool(tokens) and bare(tokens[0]) == "even"
    tokens = tokens[even:]
    plain = [bare(token) for token in tokens]
    if not 2 <= len(plain) <= _MOST_WORDS or re.search(r"[,;:()\"“”\d]", head) or _KEEP & set(plain):
        return False
    at = _verb(plain)
    if not at or (plain[at] in ("ask", "wonder")) != (link == "whether"):
        return False
    end = _subject_end(plain, at)
    between = {*plain[end:at], plain[at]} & (
        _HELPERS | {"right", "proud"} | {w for w in plain[end:at] if _is_manner(w)}
    )
    coloured = even or link == "whether" or not between <= _PLAIN_HELPERS
    return _is_group(tokens[:end], plain[:end], coloured)


def _verb(plain: Sequence[str]) -> int:
    """Where the verb of saying stands; 0 where there is none with only small words behind it."""
    for at in range(len(plain) - 1, 0, -1):
        word = plain[at]
        behind_have = word in _SAID and "have" in plain[:at]
        if word in _SAY or word in _SAYING or behind_have:
            return at
        if word in ("right", "proud") and "are" in plain[:at]:  # “doctors are right that”
            return at
        if not (word in _BEHIND or _is_manner(word)):
            return 0
    return 0


def _subject_end(plain: Sequence[str], at: int) -> int:
    """Where the subject ends before a verb with its helpers and adverbs."""
    while at > 1 and (plain[at - 1] in _HELPERS | _SAY or _is_manner(plain[at - 1])):
        at -= 1
    return at


def _is_group(tokens: Sequence[str], plain: Sequence[str], coloured: bool) -> bool:
    """Whether the subject is a camp, a profession or, where its saying is coloured, any group; with no name in it."""
    for n, token in enumerate(tokens[1:], 1):
        if token[0].isupper() and plain[n - 1] != "of" and plain[n - 2 : n] != ["of", "the"]:
            return False
    end = next((n for n, word in enumerate(plain) if n and word in _PREPOSITIONS), len(plain))
    head = plain[end - 1]
    if {head, plain[0]} & _NO_SPEAKERS:
        return False
    if plain[0] in _GROUPS or head in _CAMPS or head.endswith(("ists", "ians")):
        return True
    return plain[0] == "any" or (coloured and (head in _GROUPS or is_plural(head)))


def _affirms(head: str) -> bool:
    """Whether the words before a colon say of a group that it is right: “Zoologists have it right”."""
    plain = [bare(token) for token in head.split()]
    right = bool({"right", "rightly", "correctly", "correct"} & set(plain))
    return right and not _KEEP & set(plain) and (is_plural(plain[0]) or plain[0] in _GROUPS)
