"""Questions that lean on what was asked before: what they mean by themselves, and what kind of question they are.

Rules for the embedded router. They mend only what is plain, such as “And in Germany?”; anything else stays as it was
asked, and the question before it goes along as context.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ghost.judges import content
from ghost.types import Turn


class QuestionKind(StrEnum):
    """What a question asks for."""

    CLAIM = "claim"
    """Whether something is so: it can be matched with claims."""
    CLARIFYING = "clarifying"
    """More about an answer that was given: why, how sure, which sources."""
    COMPARING = "comparing"
    """How several answers stand to each other."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it can be understood without the conversation."""

    text: str
    kind: QuestionKind
    context: str = ""
    """The question before it, where it could not be made self-contained."""


_COMPARING = re.compile(
    r"\b(?:compared? (?:to|with)|comparison|difference between|differ(?:s|ent)? from|versus|vs\.?|"
    r"both (?:claims|answers|of (?:these|those|them))|(?:these|those) (?:two|three|claims|answers)|"
    r"which (?:one )?of (?:the(?:se|m)?|those)|contradict (?:each other|one another)|consistent with)\b",
    re.IGNORECASE,
)
_IT = "(?:that|this|it)"
_CLARIFYING = re.compile(
    r"(?:(?:and|but|so|ok|okay),? )?(?:"
    + "|".join([
        r"why(?: not| so)?|why (?:is|was) that(?: so)?|why do you (?:say|think) (?:so|that)|how so|how come",
        rf"how (?:sure|certain|confident) (?:are you|is {_IT})|how (?:do|did|can) you know(?: {_IT})?",
        r"says who|who says (?:so|that)|according to whom",
        rf"what (?:does|do|did) (?:{_IT}|you) mean|(?:(?:can|could) you |please )?(?:explain|clarify)(?: {_IT})?",
        r"what (?:are|were|is|was) (?:the|your|its|that) (?:sources?|evidence|limitations?|reasons?)",
        rf"(?:which|what) (?:sources?|evidence)(?: .*)?|where (?:is|does|did) {_IT} (?:come )?from",
        rf"what would change (?:{_IT}|the answer|your mind)|when was {_IT} checked|is {_IT} still (?:true|so|current)",
    ])
    + r")\W*",
    re.IGNORECASE,
)  # fmt: skip
_FOLLOWS = re.compile(
    r"^(?:and|or|but|what about|how about|and what about|same for)\s+(?P<rest>[^?]{1,80}?)\s*\?*$", re.I
)
_PLACED = re.compile(r"\b(?P<preposition>in|at|on|for|of|from|to|by|during|since|before|after) (?P<rest>.+)$", re.I)
_NAME = re.compile(
    r"\b[A-Z][\w'’.-]*(?: (?:of|the|de|van|von|al) (?=[A-Z])| (?=[A-Z]))?(?:[A-Z][\w'’.-]*)?(?: [A-Z][\w'’.-]*)*"
)
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_ASKS = r"(?:is|was|are|were|does|did|do|has|had|have|can|could|will|would|should|might)"
_LEANS = re.compile(
    r"\b(?:he|she|they|them|him|his|hers?|their|theirs|this|these|those)\b|"
    rf"^(?:(?:and|but|so|then)\b|{_ASKS} (?:it|that)\b(?! (?:\w+ )?(?:that|to)\b))",
    re.IGNORECASE,
)
_AT_END = re.compile(r"\b(?:it|that|so)\W*$", re.IGNORECASE)
_BACK = re.compile(r"\bit\b(?! (?:\w+ )?(?:that|to)\b)", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:and|or|but|(?:what|how) about|same for|und|et|y|(?:so|then)\b.*\?$)(?!\w)", re.IGNORECASE)
_OF_ANSWERS = content(
    "evidence proof prove source study fact say said tell claim answer sure certain confident know true false correct "
    "right wrong real really reason mean explain clarify support confirm check verify when since happen again else "
    "one ones come example change mind reliable limitation more detail"
)
"""Words that ask about an answer, and are about nothing by themselves."""
_OF_A_PERSON = re.compile(rf"^(?P<asks>{_ASKS}) (?:he|she)\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"^(?i:{_ASKS}) (?P<name>{_NAME.pattern})(?= [a-z])")
_FIRST_WORDS = frozenset(
    "is are was were do does did has have had can could will would should may might what which who whom whose where "
    "when why how and or but if the a an in on at".split()
)


def understand(question: str, turns: Sequence[Turn]) -> Understood:
    """The question by itself, as far as that is plain from the conversation."""
    last = turns[-1].question if turns else ""
    if _COMPARING.search(question):
        return Understood(question, QuestionKind.COMPARING, last)
    if last and _CLARIFYING.fullmatch(question.strip()):
        return Understood(question, QuestionKind.CLARIFYING, last)
    if last and (follows := _FOLLOWS.match(question.strip())):
        if whole := _put_into(follows["rest"], last):
            return Understood(whole, QuestionKind.CLAIM)
        return Understood(question, QuestionKind.CLAIM, last)
    if (person := _OF_A_PERSON.match(question)) and (subject := _SUBJECT.match(last)):
        return Understood(f"{person['asks']} {subject['name']}{question[person.end() :]}", QuestionKind.CLAIM)
    leans = _LEANS.search(question)
    named_before = leans and _names(question[: leans.start()])
    return Understood(question, QuestionKind.CLAIM, last if leans and not named_before else "")


def leans_on_others(question: str) -> bool:
    """Whether a question says nothing without those before it, as “And in Luke?” and “Which sources say so?” do."""
    question = question.strip()
    points = min((m.start() for m in (_LEANS.search(question), _BACK.search(question)) if m), default=len(question))
    asks = question.endswith("?") or re.match(rf"(?:{_ASKS}|wh\w+|how)\b", question, re.IGNORECASE)
    subject = content(question[:points]) - _OF_ANSWERS - _FIRST_WORDS
    return bool(_GOES_ON.match(question) or (asks and (not subject or _AT_END.search(question))))


def _put_into(rest: str, question: str) -> str:
    """The question with ``rest`` in the place of what is of its kind there; empty where more than one place fits."""
    placed = _PLACED.fullmatch(rest)
    new = (placed["rest"] if placed else rest).strip()
    if years := _YEAR.findall(question) if _YEAR.fullmatch(new) else []:
        return question.replace(years[0], new) if len(set(years)) == 1 else ""
    if not _NAME.fullmatch(new):
        return ""
    names = _names(question)
    if placed:
        before = rf"(\b{placed['preposition']} )(?:the )?"
        behind = [name for name in names if re.search(before + re.escape(name), question, re.IGNORECASE)]
        if len(behind) != 1:
            return ""
        return re.sub(
            before + re.escape(behind[0]), lambda found: found[1] + new, question, count=1, flags=re.IGNORECASE
        )
    return question.replace(names[0], new, 1) if len(names) == 1 else ""


def _names(text: str) -> list[str]:
    """Runs of words with a capital, without a first word that only begins the sentence."""
    found = []
    for match in _NAME.finditer(text):
        name = match.group()
        while name.partition(" ")[0].casefold() in _FIRST_WORDS:
            name = name.partition(" ")[2]
        if name:
            found.append(name)
    return found
