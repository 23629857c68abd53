"""Questions: those that assert nothing, and yes/no questions turned into what they ask about."""

import re

from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.words import AUXILIARY
from ghost.text import bare, statement_asked

_OPEN = re.compile(
    r"^(?:(?:so|and|but|ok|okay|well|hey|please|anyone|guys),? )*(?:who|whom|whose|what|what's|whats|where|when|why|"
    r"how|which|in which|in what|at what|to what|for how|on which|from which|who's|how's|where's)\b",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"^(?:is|isn't|was) it (?:really |actually |also )?(?:true|correct|a fact|right|possible|the case|a myth|known|"
    r"proven|confirmed) that |^(?:(?:does|can|could) (?:anyone|anybody|someone|you) (?:know|tell me|confirm)|"
    r"do (?:you|we) know|anyone know|could it be|i wonder|i was wondering|are you sure|do you (?:think|believe))"
    r"(?: if| whether| that)? ",
    re.IGNORECASE,
)
_UNMARKED = 6
"""Words of a question with “what's” and without its mark: “What's left of Troy lies in Turkey” asks nothing."""
_AMOUNT = frozenset("many much old far long tall big".split())


def is_open_question(text: str) -> bool:
    """A who/what/why question; the mark may be missing ("what is the capital of france")."""
    if not _OPEN.match(text) or text.endswith("?"):
        return _OPEN.match(text) is not None
    words = [bare(t) for t in text.split()[:_UNMARKED]]
    if words[0] in {"what's", "whats"}:
        return len(text.split()) <= _UNMARKED
    return words[0] in {"what", "how"} and bool({*words[1:2]} & (AUXILIARY | _AMOUNT))


def declarative(text: str) -> str | None:
    """ "Did Einstein fail maths?" -> "Einstein failed maths."; None when the question asserts nothing.

    A sentence that only carries a question mark is returned without it.
    """
    body = text.rstrip("?! .").strip()
    wrapped = _WRAPPED.match(body)
    if wrapped and len(body) > wrapped.end():
        rest = body[wrapped.end() :]
        return None if _OPEN.match(rest) else capitalised(rest) + "."
    statement = statement_asked(body) if len(body.split()) > 1 else None
    return statement and capitalised(statement) + "."
