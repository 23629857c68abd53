"""What a model says about a claim, held against the claim: a model may sort it and cut it, never rewrite it."""

import re
from collections.abc import Sequence

from ghost.judges.embedded.polarity import content, opposed
from ghost.judges.language import foreign_language
from ghost.judges.llm.prompts import MAX_STATEMENTS
from ghost.judges.llm.replies import BadReply, ClassifyReply
from ghost.text import visible
from ghost.types import Claim, ClaimType, Classification, ReasonCode, Statement

OWN_WORDS = 0.5
"""Share of a statement's content words that the claim or its context must have."""
MAX_QUERIES = 3
QUERY_CHARS = 120

_REASONS = {
    ClaimType.FACTUAL: "It states something about the world that evidence can settle.",
    ClaimType.MIXED: "It mixes a judgement with something that evidence can settle.",
    ClaimType.OPINION: "It is a judgement, a wish or a prediction that evidence cannot settle.",
    ClaimType.AMBIGUOUS: "It does not say clearly enough what is meant.",
}
_REPHRASE = {
    ClaimType.OPINION: "Name a measure that others can check: a number, a date, a ranking, an award or a survey.",
    ClaimType.AMBIGUOUS: "Say who or what is meant, where and when, in one sentence.",
}
_CODES = {ClaimType.OPINION: ReasonCode.OPINION, ClaimType.AMBIGUOUS: ReasonCode.AMBIGUOUS}
_FIGURE = re.compile(r"\d+")


def classification(reply: ClassifyReply, claim: Claim) -> Classification:
    """The model's answer for this claim; raises BadReply where it has statements that the claim does not make."""
    code = _CODES.get(reply.type)
    reason = _own(reply.reason, claim) or _REASONS[reply.type]
    if code:
        rephrase = _own(reply.rephrase, claim) or _REPHRASE[reply.type]
        return Classification(reply.type, reply.confidence, (), reason, rephrase, code)
    texts = list(dict.fromkeys(t for t in (tidy(s, 600) for s in reply.statements) if t))[:MAX_STATEMENTS]
    if not texts:
        raise BadReply("no_statement", f"The type is {reply.type} but there is no statement to check.")
    for text in texts:
        _ensure_claimed(text, claim)
    statements = tuple(Statement(number, text) for number, text in enumerate(texts, start=1))
    return Classification(reply.type, reply.confidence, statements, reason)


def queries(said: Sequence[str], statement: Statement, claim: Claim) -> tuple[str, ...]:
    """Search words that have to do with the statement: what leaves the machine must not be a model's invention."""
    about = content(f"{statement.text} {claim.text} {claim.context}")
    found = (tidy(q, QUERY_CHARS) for q in said)
    return tuple(dict.fromkeys(q for q in found if content(q) & about))[:MAX_QUERIES]


def tidy(text: str, longest: int = 2000) -> str:
    """A model's text on one line, without control characters, cut at a word."""
    line = " ".join(visible(" ".join(text.split())).split())
    if len(line) <= longest:
        return line
    return line[:longest].rpartition(" ")[0] + " …"


def _ensure_claimed(text: str, claim: Claim) -> None:
    said = f"{claim.text} {claim.context}"
    if set(_FIGURE.findall(text)) - set(_FIGURE.findall(said)):
        raise BadReply("invented_statement", "A statement has a number that the claim does not have.")
    if foreign_language(claim.text):  # translated, so its words cannot be compared
        return
    words = content(text)
    if not words or len(words & content(said)) < OWN_WORDS * len(words):
        raise BadReply("invented_statement", "A statement says something that the claim does not say.")
    # Clauses are compared, so a part of the claim in its own words may look turned around to it.
    if _plain(text) not in _plain(said) and opposed(claim.text, text):
        raise BadReply("invented_statement", "A statement says the opposite of the claim.")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")


def _own(text: str, claim: Claim) -> str:
    """A model's remark on a claim, where it brings no figures of its own and can be read by whoever wrote the claim."""
    line = tidy(text, 300)
    if set(_FIGURE.findall(line)) - set(_FIGURE.findall(f"{claim.text} {claim.context}")):
        return ""
    language = foreign_language(line)
    return line if language is None or language == foreign_language(claim.text) else ""
