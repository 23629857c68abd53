"""Questions: those that assert nothing, and yes/no questions turned into what they ask about."""

import re

from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.words import (
    ADVERB,
    BASE,
    DETERMINER,
    MODAL,
    PARTICIPLE,
    PAST_OF,
    POSSESSIVE_OR_OBJECT,
    PREPOSITION,
    PRONOUN,
    bare,
    is_adjective,
    third_person,
    words,
)

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
_NEGATED = {
    "isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were", "doesn't": "does", "don't": "do",
    "didn't": "did", "hasn't": "has", "haven't": "have", "hadn't": "had", "can't": "can", "couldn't": "could",
    "won't": "will", "wouldn't": "would",
}  # fmt: skip
_UNMARKED = 6
"""Words of a question with “what's” and without its mark: “What's left of Troy lies in Turkey” asks nothing."""
_DOES = {"do", "does", "did"}
_ASKING = words("is are was were do does did has have had can could will would may might must should shall") | {
    *_NEGATED
}
_AMOUNT = words("many much old far long tall big")


def is_open_question(text: str) -> bool:
    """A who/what/why question; the mark may be missing ("what is the capital of france")."""
    if not _OPEN.match(text) or text.endswith("?"):
        return _OPEN.match(text) is not None
    words = [bare(t) for t in text.split()[:_UNMARKED]]
    if words[0] in {"what's", "whats"}:
        return len(text.split()) <= _UNMARKED
    return words[0] in {"what", "how"} and bool({*words[1:2]} & (_ASKING | _AMOUNT))


def declarative(text: str) -> str | None:
    """ "Did Einstein fail maths?" -> "Einstein failed maths."; None when the question asserts nothing.

    A sentence that only carries a question mark is returned without it.
    """
    body = text.rstrip("?! .").strip()
    wrapped = _WRAPPED.match(body)
    if wrapped and len(body) > wrapped.end():
        rest = body[wrapped.end() :]
        return None if _OPEN.match(rest) else capitalised(rest) + "."
    tokens = body.split()
    words = [bare(t) for t in tokens]
    if not words or words[0] not in _ASKING:
        return capitalised(body) + "." if len(words) > 1 else None
    if len(words) < 3 or "or" in words:
        return None
    asking = _NEGATED.get(words[0], words[0])
    at = _predicate_start(asking, tokens[1:], words[1:])
    if at is None:
        return None
    subject, predicate = tokens[1 : at + 1], [t for t in tokens[at + 1 :] if bare(t) not in {"ever", "any"}]
    return capitalised(" ".join([*subject, *_inflected(asking, predicate)])) + "." if predicate else None


def _inflected(asking: str, predicate: list[str]) -> list[str]:
    skip = 1 if bare(predicate[0]) in ADVERB - {"not"} and len(predicate) > 1 else 0
    verb = bare(predicate[skip])
    if asking == "do" and verb != "not":
        return predicate
    # "Sugar does not …"; an unknown verb keeps its helper, which is always correct English.
    if asking not in _DOES or verb in {"not", "be"} or (asking == "did" and verb not in BASE):
        return [asking, *predicate]
    form = PAST_OF[verb] if asking == "did" else third_person(verb)
    return [*predicate[:skip], form, *predicate[skip + 1 :]]


def _predicate_start(asking: str, tokens: list[str], words: list[str]) -> int | None:
    """Index where the subject ends; tokens exclude the helping verb at the front."""
    if words[0] in PRONOUN - {"this", "that", "these", "those"}:
        return 1
    if asking in MODAL or asking in _DOES:
        for i in range(1, len(words)):
            if words[i] in BASE and words[i - 1] not in DETERMINER | PREPOSITION | {"of", "and"}:
                helpers = i
                while helpers > 1 and words[helpers - 1] in ADVERB:
                    helpers -= 1
                return helpers
    if asking in {"has", "have", "had"}:
        for i in range(1, len(words)):
            if words[i] in PARTICIPLE or words[i] in ADVERB or words[i] == "been":
                return i
    return _after_noun_phrase(tokens, words)


def _after_noun_phrase(tokens: list[str], words: list[str]) -> int | None:
    i = 1 if words[0] in DETERMINER | POSSESSIVE_OR_OBJECT else 0
    while i < len(words) - 1 and (is_adjective(words[i]) or words[i] in {"most", "first", "last"}):
        i += 1
    end = _noun_run(tokens, words, i)
    while end < len(words) - 2 and words[end] in {"of", "and"}:
        end = _noun_run(tokens, words, end + (2 if words[end + 1] in DETERMINER else 1))
    return end if 0 < end < len(words) else None


def _noun_run(tokens: list[str], words: list[str], start: int) -> int:
    """End of a noun or a run of names; a plain noun takes a second noun only when a predicate follows it."""
    i = start + 1
    if start < len(tokens) and tokens[start][:1].isupper():
        while i < len(tokens) and (tokens[i][:1].isupper() or tokens[i][:1].isdigit()):
            i += 1
        return i + _is_doing_noun(words, i)
    while i < len(words) - 1 and not _starts_predicate(words[i]) and _starts_predicate(words[i + 1]):
        if words[i] in ADVERB | PREPOSITION | {"of", "and"}:
            break
        i += 1
    return i


def _is_doing_noun(words: list[str], at: int) -> bool:
    """Whether a word in -ing is what something was done to: “the Moon landing faked”."""
    if at >= len(words) - 1 or not words[at].endswith("ing") or words[at] in {"being", "getting"}:
        return False
    return words[at + 1] in PARTICIPLE or words[at + 1].endswith("ed")


def _starts_predicate(word: str) -> bool:
    known = DETERMINER | PREPOSITION | ADVERB | PARTICIPLE | {"more", "less", "as", "one", "made", "of", "and"}
    return word in known or is_adjective(word) or (len(word) > 4 and word.endswith(("er", "ed", "ing")))
