"""How the embedded judge says what it found: plain sentences, each around one verbatim quote."""

import re
from collections.abc import Sequence

from ghost.types import DraftCitation, DraftSentence, Evidence, StanceLabel, Statement

QUOTE_CHARS = 320
"""A passage up to this length is quoted whole."""
DECEIVES = "which says how to read"
"""The ending for a fact-check that rates the claim as misleading."""
_ENDINGS = {
    StanceLabel.SUPPORTS: "which supports",
    StanceLabel.REFUTES: "which contradicts",
    StanceLabel.NEUTRAL: "which is related but does not settle",
}
_FRAME = re.compile(rf"\bsays\W+(?:{'|'.join(_ENDINGS.values())}|{DECEIVES})(?: the claim)?[\s.]*$", re.IGNORECASE)


def is_frame(own: str) -> bool:
    """Whether this is all that ``sentence`` says around its quotation: whose it is, and which side it takes."""
    return _FRAME.search(own) is not None


def sentence(
    e: Evidence, stance: StanceLabel, statement: Statement, only_statement: bool, ending: str = ""
) -> DraftSentence:
    """``[1] NASA says “…”, which contradicts the claim.``; ``ending`` replaces the words for the stance."""
    quote = quote_from(e.passage.text, statement.text, e.focus)
    target = "the claim" if only_statement else f"“{statement.text.rstrip('.')}”"
    text = f"[{e.number}] {e.passage.source_name} says “{quote.rstrip('.')}”, {ending or _ENDINGS[stance]} {target}."
    return DraftSentence(text, (DraftCitation(e.number, quote, stance, statement.number),))


def quote_from(text: str, statement: str, focus: str = "") -> str:
    """The whole passage when it is short, else ``focus``, else the sentence with most words of the statement."""
    if len(text) <= QUOTE_CHARS:
        return text
    if focus and len(focus) <= QUOTE_CHARS and focus in text:
        return focus
    wanted = _words(statement)
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'(])", text)
    best = max(sentences, key=lambda s: len(wanted & _words(s)))
    if len(best) <= QUOTE_CHARS:
        return best
    cut, space, _ = best[:QUOTE_CHARS].rpartition(" ")
    return cut if space else best


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


def sides_first(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Evidence of distinct origins before further evidence of the same origin, otherwise in the order given."""
    seen: set[int] = set()
    first: list[Evidence] = []
    rest: list[Evidence] = []
    for e in evidence:
        (rest if e.group in seen else first).append(e)
        seen.add(e.group)
    return first + rest
