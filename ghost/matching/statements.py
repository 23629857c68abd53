"""What a question asks, as a statement: the stance model was trained on statements.

People wrap a claim in talk (“my uncle says that …, is that right?”), ask it (“did Vikings settle in Newfoundland?”) or
deny it as a whole (“it is a myth that …”). The claim inside is what two texts are compared by. Rules put it into the
order of a statement; where they fail, the words stay in the order of the question.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ghost.matching.words import IN_WORDS, MONTHS
from ghost.text import plain_numbers, statement_asked, visible

_KNOWN = 4096
"""Texts whose claim is remembered: a question is compared with many."""
_TRUE = r"(?:true|right|correct|so|a fact|the case|accurate)"
_FALSE = (
    r"(?:(?:not|n['’]t) (?:true|right|correct|so|a fact|the case|accurate)|(?:just |only |simply )?(?:an? |the )?"
    r"(?:wrong|false|untrue|incorrect|inaccurate|nonsense|rubbish|myth|fable|legend|lie|hoax|error|misconception|"
    r"mistake|falsehood|fiction|fairy tale|old wives['’] tale|urban legend|invention))"
)
_VIEW = (
    r"(?:says?|said|saying|claim(?:s|ed)?|thinks?|thought|reckons?|insist(?:s|ed)?|tells?|told|telling|"
    r"keeps? (?:telling|saying)|swears?|believes?|read|heard?|saw|gather|learned|learnt|understand|wonder(?:ed|ing)?|"
    r"was taught|was told|remember)"
)
_I = r"(?:i|we)(?:['’]ve)?(?: have| just| once| always| recently)?"
_PLACE = r"(?: (?:on|in|at|from) (?:the |a |my )?[a-z]+)?(?: always| just| once)?"
_SOMEBODY = r"(?:someone|somebody|people|everyone|everybody|they|some)"
_GREETING = (
    r"(?:hi|hello|hey|please|so|and|but|well|ok|okay|um|quick question|just checking|question|serious question|"
    r"asking (?:as|for) [^:,]{1,30}|honestly|actually|also|wait|contrary to (?:popular|common) belief)"
)
_CHECK = (
    r"(?:do you know|(?:can|could|would) you (?:please )?(?:tell me|check|confirm|say)(?: please)?|tell me|"
    r"please check|i (?:wonder|want to know|['’]d like to know|would like to know)|does anyone know|check)"
)
_LEADS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_GREETING}\b\s*[,:!.–-]*\s+(?=\S)",
        rf"(?:is|was)(?:n['’]t)? it (?:really |actually |indeed |still )?{_TRUE},? (?:that|to say that)\b,?\s*",
        rf"is it (?:really |actually )?{_TRUE},? (?=\S)(?!to\b|for\b|in\b|on\b)",
        rf"(?:it(?:['’]s| is) |is it )?{_TRUE} that\b,?\s*",
        r"(?:am i|are we|is s?he|are they) (?:right|correct)(?: in (?:thinking|saying|believing))?(?: that)?\b,?\s*",
        rf"{_CHECK}[,:]? (?:if|whether|that)\b\s*",
        rf"{_I} {_VIEW}(?: \w+){{0,3}}? (?:that|whether|if)\b\s*",
        rf"{_I} {_VIEW},? (?=\S+ \S+ \S+)",
        rf"(?:my|our) [a-z]+{_PLACE} {_VIEW}(?: (?:me|us|everyone|people))?(?: that|:)?\s+(?=\S+ \S+)",
        rf"{_SOMEBODY}{_PLACE} {_VIEW}(?: (?:me|us))?(?: that)?\s+(?=\S+ \S+)",
        r"(?:heard|read|saw|seen)(?: \w+){0,4}?(?: that\b|:)\s*",
        r"[^:?.]{0,60}\b(?:i|my|our|me|we)\b[^:?.\"“]{0,40}:\s+(?=\S+ \S+ \S+)",
    )
)
"""Talk before a claim. “It is possible that” is none: what is possible need not be so."""
_WHAT = r"(?:claim|idea|notion|belief|rumou?r|story|theory|statement|legend|tale)"
_DENIALS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:is it|was it|it(?:['’]s| is| was)?|so it(?:['’]s| is)) ?(?:really |actually )?{_FALSE},? that\b,?\s*",
        rf"(?:the|this) {_WHAT} that (?P<said>.+?) (?:is|was) {_FALSE}(?=[.?!]*$)",
        rf"(?:there is|there['’]s) no truth in the {_WHAT} that\b\s*",
    )
)
_HE = r"(?:that|this|it|he|she|he or she)"
_HELPS = (
    r"(?:do|does|did|don['’]t|doesn['’]t|didn['’]t|has|have|hasn['’]t|haven['’]t|can|can['’]t|will|won['’]t|had|"
    r"hadn['’]t)"
)
_TAIL = re.compile(
    r"(?:[,;:?!.–-]\s*(?:right|correct|true|yes|no|true or (?:false|not)|yes or no|false|or not|true in reality|"
    r"please)|"
    r"[\s,;:?!.–-]+(?:thank you|thanks(?: in advance)?|thx|pls(?: check)?|please check|(?:or )?am i (?:right|wrong)|"
    r"(?:can|could) that be(?: right| true)?|true or (?:false|not)|yes or no|"
    rf"(?:is|was|isn['’]t|wasn['’]t) {_HE}(?: really| actually)?(?: (?:right|true|so|correct|a fact|the case|wrong))?|"
    rf"are they(?: right)?|aren['’]t they|{_HELPS} (?:it|he|she|they|you|we|there|one)|what do you think|"
    r"any truth (?:in|to) (?:that|this|it)))(?:, please)?[\s?!.]*$",
    re.I,
)
"""Talk behind a claim. “The report is true” has none."""
_AUXILIARY = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|must|may|might|shall)(?:n['’]t)?|"
    r"can['’]t|won['’]t"
)
_ASKED = re.compile(rf"(?P<aux>{_AUXILIARY})\s+(?P<rest>\S.*)", re.I | re.S)
_PLACED_FIRST = re.compile(rf"(?P<first>[^,?]{{2,80}}),?\s+(?P<aux>{_AUXILIARY})\s+(?P<rest>\S.*)", re.I | re.S)
_LAST_ASKED = re.compile(rf"(?<=[.!?] )(?P<asked>(?:{_AUXILIARY}|is it true that)\s+(?:\S+\s+){{2,}}\S+\?)$", re.I)
"""A question after talk in a sentence of its own: “Saw a map online. Is Africa bigger than China?”"""
_PREPOSED = frozenset(
    "in on at by under during after before since until from for with between among according if when as over within "
    "despite throughout per through".split()
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text claims or asks, as a statement."""

    statement: str
    form: str
    """``statement``, ``whether`` for a question answered by yes or no, or the word that asks: why, how, who, ..."""
    denied: bool
    """Whether the text denies the statement as a whole: “it is a myth that ...”."""


@lru_cache(_KNOWN)
def asked(text: str) -> Asked:
    """The claim in a text, without the talk around it."""
    plain = " ".join(visible(text).split())
    bare, denied = _unwrapped(plain)
    form = _form(bare, plain.endswith("?") or plain[:1].islower() or plain != bare)
    if form != "whether":
        return Asked(_sentence(bare), form, denied)
    return Asked(_sentence(statement_asked(bare) or bare), form, denied)


def _unwrapped(text: str) -> tuple[str, bool]:
    """The text without talk before and behind the claim, and whether the talk denies it."""
    denied = False
    for _ in range(4):
        before = text
        if found := _TAIL.search(text):
            rest = text[: found.start()].strip()
            if len(rest.split()) >= 3:
                text = rest
        for frame in _DENIALS:
            if found := frame.match(text):
                inner = found.groupdict().get("said") or text[found.end() :]
                if len(inner.split()) >= 2:
                    text, denied = inner.strip(), not denied
        for lead in _LEADS:
            if (found := lead.match(text)) and len(text[found.end() :].split()) >= 3:
                text = text[found.end() :].strip()
        if found := _LAST_ASKED.search(text):
            text = found["asked"]
        if text == before:
            break
    return text, denied


def _form(text: str, asks: bool) -> str:
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold())
    if not words:
        return "statement"
    for n, word in enumerate(words[:4]):
        if word in _WH and (n == 0 or (words[0] in _PREPOSED and asks)):
            if word == "how" and n + 1 < len(words) and words[n + 1] in ("many", "much", "long", "far", "old", "often"):
                return "how many"
            if n or word not in ("when", "where") or (words[1:2] and re.fullmatch(_AUXILIARY, words[1])):
                return word
    if _ASKED.match(text) and (asks or words[0] not in ("may", "will", "must", "might", "can")):
        return "whether"
    found = _PLACED_FIRST.match(text)
    return "whether" if found and asks and _first(found["first"]) else "statement"


_WH = frozenset("why how who whom whose what which when where".split())


def _first(words: str) -> bool:
    return words.split()[0].casefold() in _PREPOSED


_MONTH = f"(?:{'|'.join(m for m in MONTHS if m not in ('march', 'may'))}|(?-i:March|May))"
_DATES = (
    (re.compile(rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(,? (?=\d{{4}}\b))?", re.I), r"\1 \2"),
    (re.compile(rf"\b({_MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)(,? (?=\d{{4}}\b))?", re.I), r"\2 \1"),
)
_ISO = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])-(\d\d)\b")
_SPELLED = re.compile(rf"\b({'|'.join(word for word, n in IN_WORDS.items() if n.isdigit())})(?= [mb]illion\b)", re.I)
_MILLIONS = re.compile(r"\b\d{1,3}(?:,\d{3})*,\d\d0,000\b(?!\.\d)")
_SHORT = re.compile(
    r"([$€£]\d+(?:\.\d+)?|(?<![\w.,])\d+(?:\.\d+)?(?=\s?(?:bn|mn)\b|\s?m (?:people|dollars|euros|pounds|voters|users|"
    r"jobs|copies|tonnes|inhabitants|viewers)\b))\s?(m|mn|bn)\b"
)


def _uniform(text: str) -> str:
    """The text with its dates as “3 April 2020” and its millions as “3 million”, however they were written."""
    text = _ISO.sub(lambda m: f"{int(m[3])} {MONTHS[int(m[2]) - 1].title()} {m[1]}", text)
    for pattern, form in _DATES:
        text = pattern.sub(lambda m, form=form: m.expand(form) + " " * bool(m[3]), text)  # type: ignore[misc]
    text = _SPELLED.sub(lambda m: IN_WORDS[m[1].casefold()], plain_numbers(text))
    text = _SHORT.sub(lambda m: f"{m[1]} {'billion' if m[2] == 'bn' else 'million'}", text)
    return _MILLIONS.sub(lambda m: f"{int(m[0].replace(',', '')) / 1e6:.9g} million", text)


def _sentence(text: str) -> str:
    text = _uniform(text.strip(" \t?!.,;:"))
    return f"{text[:1].upper()}{text[1:]}." if text else ""
