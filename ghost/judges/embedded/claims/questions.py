"""Questions: those that assert nothing, and yes/no questions turned into what they ask about."""

import re

from ghost.judges.embedded.claims import lexicon
from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.wordscan import ADVERB, bare

_OPEN = re.compile(
    r"^(?:(?:so|and|but|ok|okay|well|hey|please|anyone|guys),? )*(?:who|whom|whose|what|what's|whats|where|when|"
    r"why|how|"
    r"which|in which|in what|at what|to what|for how|on which|from which|who's|how's|where's)\b",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"^(?:is|isn't|was) it (?:really |actually |also )?(?:true|correct|a fact|right|possible|the case|a myth|known|"
    r"proven|confirmed) that |^(?:does anyone know|do you know|can anyone tell me|can you tell me|can someone tell me|"
    r"could you tell me|anyone know|do we know|can someone confirm|can you confirm|can anyone confirm|could it be|"
    r"i wonder|i was wondering|does anybody know|are you sure|do you think|do you believe)(?: if| whether| that)? ",
    re.IGNORECASE,
)
_NEGATED = {
    "isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were", "doesn't": "does", "don't": "do",
    "didn't": "did", "hasn't": "has", "haven't": "have", "hadn't": "had", "can't": "can", "couldn't": "could",
    "won't": "will", "wouldn't": "would",
}  # fmt: skip
_SOMEONE = {"anyone": "someone", "anybody": "somebody", "anything": "something"}
_UNMARKED = 6
"""Words of a question with “what's” and without its mark: “What's left of Troy lies in Turkey” asks nothing."""
_LONG = 12
"""The same for other questions."""
_DOES = {"do", "does", "did"}
_ASKING = lexicon.words(
    "is are was were do does did has have had can could will would may might must should shall"
) | frozenset(_NEGATED)


def is_open_question(text: str) -> bool:
    """A who/what/why question; the mark may be missing ("what is the capital of france")."""
    match = _OPEN.match(text)
    if not match:
        return False
    words = [bare(t) for t in text.split()]
    # "What we eat affects the climate" and "When water freezes, it expands" assert; a question inverts.
    opening = match.group(0).lower().split()[-1]
    inverted = any(w in _ASKING for w in words[1:4]) and opening not in {"when", "where", "whose"}
    if text.endswith("?"):
        return True
    if "'" in words[0] and len(words) > _UNMARKED:
        return False
    return (inverted and len(words) <= _LONG and words[0] not in {"what", "how"}) or (
        words[0] in {"what", "how", "what's", "whats"}
        and len(words) > 1
        and (
            words[1] in _ASKING or words[1] in {"many", "much", "old", "far", "long", "tall", "big"} or "'" in words[0]
        )
    )


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
    if len(words) < 3 or ("or" in words and not _harmless_or(words)):
        return None
    asking = _NEGATED.get(words[0], words[0])
    asked = tokens[1:]
    at = _predicate_start(asking, asked, words[1:])
    if at is None:
        return None
    subject, predicate = asked[:at], [t for t in asked[at:] if bare(t) != "ever"]
    if bare(subject[0]) in _SOMEONE:
        subject = [_SOMEONE[bare(subject[0])], *subject[1:]]
    if bare(subject[0]) == "there":
        predicate = [t for t in predicate if bare(t) != "any"]
    if not predicate:
        return None
    return capitalised(" ".join([*subject, *_inflected(asking, predicate)])) + "."


def _harmless_or(words: list[str]) -> bool:
    """ "or" inside a list at the end of a yes/no question still asks for a yes or no when "any" introduces it."""
    return "any" in words or "either" in words


def _inflected(asking: str, predicate: list[str]) -> list[str]:
    if asking not in _DOES:
        return [asking, *predicate]
    skip = 1 if bare(predicate[0]) in ADVERB and len(predicate) > 1 and bare(predicate[0]) != "not" else 0
    verb = bare(predicate[skip])
    if verb == "not" or (verb not in lexicon.BASE and asking == "did"):
        # "Sugar does not …"; an unknown verb keeps its helper, which is always correct English.
        return [asking, *predicate]
    if asking == "do":
        return predicate
    form = lexicon.PAST_OF[verb] if asking == "did" else lexicon.third_person(verb)
    if asking == "did" and verb == "be":
        return [asking, *predicate]
    return [*predicate[:skip], form, *predicate[skip + 1 :]]


def _predicate_start(asking: str, tokens: list[str], words: list[str]) -> int | None:
    """Index where the subject ends; tokens exclude the helping verb at the front."""
    if words[0] in lexicon.PRONOUN - {"this", "that", "these", "those"} or words[0] in _SOMEONE:
        return 1
    if asking in _DOES or asking in lexicon.MODAL:
        for i in range(1, len(words)):
            if words[i] in lexicon.BASE and words[i - 1] not in lexicon.DETERMINER | lexicon.PREPOSITION | {
                "of",
                "and",
            }:
                helpers = i
                while helpers > 1 and words[helpers - 1] in ADVERB:
                    helpers -= 1
                return helpers
    if asking in {"has", "have", "had"}:
        for i in range(1, len(words)):
            if words[i] in lexicon.PARTICIPLE or words[i] in ADVERB or words[i] == "been":
                return i
    return _after_noun_phrase(tokens, words)


def _after_noun_phrase(tokens: list[str], words: list[str]) -> int | None:
    i = 1 if words[0] in lexicon.DETERMINER or words[0] in lexicon.POSSESSIVE_OR_OBJECT else 0
    while i < len(words) - 1 and (lexicon.is_adjective(words[i]) or words[i] in {"most", "first", "last"}):
        i += 1
    end = _noun_run(tokens, words, i)
    while end < len(words) - 2 and words[end] in {"of", "and"}:
        nxt = end + 1
        if words[nxt] in lexicon.DETERMINER:
            nxt += 1
        end = _noun_run(tokens, words, nxt)
    # A place after the noun may belong to it: "Is the coffee in Italy stronger than …?"
    if end < len(words) - 3 and words[end] in {"in", "on", "at", "from", "with"}:
        nxt = end + (2 if words[end + 1] in lexicon.DETERMINER else 1)
        after = _noun_run(tokens, words, nxt)
        if after < len(words) and _starts_predicate(words[after]):
            end = after
    return end if 0 < end < len(words) else None


def _noun_run(tokens: list[str], words: list[str], start: int) -> int:
    """End of a noun or a run of names; a plain noun takes a second noun only when a predicate follows it."""
    i = start + 1
    if start < len(tokens) and tokens[start][:1].isupper():
        while i < len(tokens) and (tokens[i][:1].isupper() or tokens[i][:1].isdigit()):
            i += 1
        return i
    while i < len(words) - 1 and not _starts_predicate(words[i]) and _starts_predicate(words[i + 1]):
        if words[i] in ADVERB or words[i] in lexicon.PREPOSITION or words[i] in {"of", "and"}:
            break
        i += 1
    return i


def _starts_predicate(word: str) -> bool:
    return (
        word in lexicon.DETERMINER
        or word in lexicon.PREPOSITION
        or word in ADVERB
        or word in lexicon.PARTICIPLE
        or word in lexicon.GERUND
        or word in {"more", "less", "as", "one", "made", "of", "and"}
        or lexicon.is_adjective(word)
        or (len(word) > 4 and word.endswith(("er", "ed", "ing")))
    )
