"""A question that yes or no answers, in the order of a statement: “Did a flood cover it?” as “A flood covered it”.

What may follow a noun, and what may not, shows where the subject ends. Where nothing does there is no statement: a
broken sentence is worse than a question.
"""

import re
from collections.abc import Sequence

from ghost.text.english import ENGLISH, PARTICIPLES, VERBS, bare, is_adjective, third_person

_AUXILIARIES = ENGLISH["be"] | ENGLISH["have"] | ENGLISH["do"] | ENGLISH["modal"]
_POSSESSIVES = ENGLISH["possessive_or_object"] - set("them us me mine yours theirs".split())
_DETERMINERS = ENGLISH["determiner"] | _POSSESSIVES
_PREPOSITIONS = ENGLISH["preposition"] - {"like"} | set("of off as among throughout beside despite onto".split())
_SUBORDINATE = frozenset("what how where when while if because although".split())
_RELATIVES = frozenset("who which that whom whose".split()) | _SUBORDINATE
_JOINS = frozenset("and or nor to but than".split())
_PARTICLES = frozenset("up out down away back together along apart".split())
_PRONOUNS = ENGLISH["pronoun"]
_GRAMMAR = _DETERMINERS | _PREPOSITIONS | _RELATIVES | _JOINS | _AUXILIARIES | _PRONOUNS | _PARTICLES
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fifteen sixteen eighteen twenty thirty forty "
    "fifty sixty seventy eighty ninety half".split()
)
_INSIDE = _GRAMMAR - _PRONOUNS - _PARTICLES - {"all", "each"} | {"that", "those", "be", "having"}
"""Behind these no predicate begins."""
_BEHIND_VERBS = (
    ENGLISH["determiner"] - {"that", "all", "both", "each"}
    | ENGLISH["possessive_or_object"]
    | _NUMBERS
    | set("it you themselves itself himself herself".split())
)
"""What never follows a noun."""
_OF_TIME = frozenset("every each this these some no".split())
"""With these a time may follow a noun: “every year”."""
_DEGREES = frozenset("more less too so very better worse farther further".split())
_NO_ADVERBS = frozenset("family italy july ally assembly anomaly bully belly jelly lily butterfly".split())
_NOUNS_IN_ING = frozenset("building landing evening morning".split())
_SOMEBODY = {"anyone": "someone", "anybody": "somebody", "anything": "something", "any": "some"}
_ASK = "|".join(sorted(_AUXILIARIES))
_PLACED_FIRST = re.compile(
    rf"(?P<first>[^,?]{{2,80}}(?=,)|[^,?]{{2,40}}?),?\s+(?P<rest>(?:{_ASK})\s\S.*)", re.IGNORECASE
)
_ASKED_TOO = re.compile(rf",? and (?=(?:{_ASK}) \S+ \S)", re.IGNORECASE)


def statement_asked(question: str) -> str | None:
    """What a question asks, as a statement without its full stop. What has no verb in front stays as it is.

    None where the words do not show where the subject ends, and for a choice of two. “Isn't it?” asks what “is it?”
    does.
    """
    text = question.rstrip("?!. ").strip()
    first, *more = _ASKED_TOO.split(text, maxsplit=1)
    words = [bare(token) for token in first.split()]
    if words and words[0] in _AUXILIARIES:
        said = None if "or" in words else _turned(first.split(), words)
    elif words and words[0] in _PREPOSITIONS | {"when", "if"} and (found := _PLACED_FIRST.fullmatch(first)):
        said = _joined(f"{found['first']}, ", found["rest"])
    else:
        return text
    return _joined(f"{said} and ", more[0]) if said and more else said


def _joined(start: str, question: str) -> str | None:
    """What a further question asks, behind the start of a sentence: its first word is written as in the question."""
    statement, subject = statement_asked(question), question.split()[1]
    if statement and statement.casefold().startswith(subject.casefold()):
        statement = subject + statement[len(subject) :]
    return statement and start + statement


def _turned(tokens: list[str], words: list[str]) -> str | None:
    asking = re.sub(r"n'?t$", "", words[0])
    asking = {"ca": "can", "wo": "will"}.get(asking, asking)
    tokens, words = tokens[1:], words[1:]
    end = _subject_end(asking, tokens, words) if len(words) > 1 else None
    if end is None:
        return None
    kept = [t for n, t in enumerate(tokens) if n >= end and ("not" in words or not _only_asks(words, n))]
    text = " ".join([_SOMEBODY.get(words[0], tokens[0]), *tokens[1:end], *_inflected(asking, kept)])
    return text[:1].upper() + text[1:]


def _only_asks(words: Sequence[str], at: int) -> bool:
    """Whether a word stands in questions only: “any”, but not in “than any other”."""
    free = words[at] == "any" and words[at - 1] not in _PREPOSITIONS | _JOINS and words[at + 1 : at + 2] != ["other"]
    return free or (words[at] == "ever" and words[at - 1] not in ("for", "than", "if"))


def _inflected(asking: str, predicate: list[str]) -> list[str]:
    """The predicate with its helping verb, or with that in its verb. An unknown verb keeps it: that is never wrong."""
    words = [bare(token) for token in predicate]
    at = next((n for n, word in enumerate(words) if not _is_adverb(word)), len(words))
    if asking not in ENGLISH["do"] or "not" in words[:at]:
        return [asking, *predicate]
    if asking == "do" or at == len(words):
        return predicate
    if asking == "did" and words[at] not in VERBS:
        return [*predicate[:at], asking, *predicate[at:]]
    form = VERBS[words[at]][0] if asking == "did" else third_person(words[at])
    return [*predicate[:at], form, *predicate[at + 1 :]]


def _subject_end(asking: str, tokens: list[str], words: list[str]) -> int | None:
    """How many of the words are the subject: up to where the predicate most likely begins, or None."""
    if words[0] in _PRONOUNS and (words[0] not in ("this", "that", "these", "those") or not _is_noun(words[1])):
        return 1 + (words[1] == "else")
    judge = _as_complement if asking in ENGLISH["be"] else _as_participle if asking in ENGLISH["have"] else _as_base
    scored = [(judge(tokens, words, n), -n) for n in range(1, len(words)) if _may_begin(words, n)]
    best, before = max(scored, default=(0, 0))
    end = -before
    while end > 1 and _is_adverb(words[end - 1]):
        end -= 1
    return end if best > 0 and not tokens[end - 1].endswith(",") else None


def _may_begin(words: Sequence[str], at: int) -> bool:
    """Whether a predicate may begin at a word: not in a noun phrase, right behind “to”, or in a clause with “when”."""
    before = at - 1
    while before > 0 and _is_adverb(words[before]):
        before -= 1
    last = words[before]
    subordinate = not _SUBORDINATE.isdisjoint(words[1:at])
    return not (subordinate or last in _INSIDE or last.endswith(("'s", "s'")) or (before and last in _PRONOUNS))


def _as_base(tokens: Sequence[str], words: Sequence[str], at: int) -> int:
    """How likely a word is the verb behind “did”; 0 where it is none."""
    word, following, then = [*words[at : at + 3], "", ""][:3]
    known, ends = word in VERBS, _ends_noun_phrase(tokens, words, at)
    if tokens[at][0].isupper() or _is_adverb(word) or sum(token.count('"') for token in tokens[: at + 1]) % 2:
        return 0
    if not known and (not ends or word in _GRAMMAR or following in _OF_TIME or word.endswith(("s", "ing"))):
        return 0
    if word == "last" and following not in _PREPOSITIONS and not ends:
        return 0
    noun = word in ENGLISH["noun_too"]
    leads_on = following in _PARTICLES | {"off"} or (following == "to" and then in VERBS and not noun)
    score = 4 * known + 4 * ends + 3 * (known and leads_on) - noun
    if following == "of" and word not in ENGLISH["takes_of"]:
        score -= 6
    if noun and following in VERBS and _ends_noun_phrase(tokens, words, at + 1):
        score -= 4
    if noun and (words[at - 1].endswith(("al", "ic", "ary")) or _is_quality(words[at - 1]) or _is_adverb(following)):
        score -= 2
    return score if score > 3 or not _in_clause(words, at) else 0


def _as_participle(tokens: Sequence[str], words: Sequence[str], at: int) -> int:
    """How likely a word is the verb behind “has”."""
    if words[at] == "been":
        return 9
    if not _is_past(words[at]) or _is_quality(words[at]):
        return 0
    return 2 + 3 * _ends_noun_phrase(tokens, words, at) + (at + 1 == len(words))


def _as_complement(tokens: Sequence[str], words: Sequence[str], at: int) -> int:
    """How likely what “is” says of its subject begins at a word."""
    word, rest = words[at], words[at + 1 :]
    following = rest[0] if rest else ""
    ends = not following or following in _PREPOSITIONS | _JOINS | _RELATIVES | _PARTICLES | {"enough"}
    if _in_clause(words, at):
        return 4 if not following and (_is_past(word) or _is_quality(word)) else 0
    if word in _DEGREES or _is_adverb(word) or (word.endswith("er") and "than" in rest[:4]):
        return 6
    if word == "as":
        return 6 * ("as" in rest)
    before = words[at - 1]
    if word in ("a", "an", "the"):
        titled = rest[1:2] and rest[1] in _DETERMINERS and tokens[at + 1][0].isupper()  # “Ivan the Terrible”
        object_of = before.endswith("ing") or before in VERBS.keys() - ENGLISH["noun_too"] or _is_past(before)
        return 0 if titled or object_of else 6
    if word in _NUMBERS or (word == "one" and following == "of"):
        return 6
    described = (
        ends or following in _DETERMINERS | _DEGREES | _NUMBERS or _is_adverb(following) or _is_quality(following)
    )
    if before in ENGLISH["quality"] and (at == 1 or words[at - 2] in _DETERMINERS):
        return 0
    if _is_past(word):
        return 6 if described else 3
    if _is_quality(word):
        return 6 if ends else 0
    if word.endswith("ing") and word not in _NOUNS_IN_ING:
        doing = at == 1 and tokens[0].islower() and not words[0].endswith("s")  # “rock climbing”
        return 0 if _is_past(following) or doing else 6 if described else 5
    if not following and (len(words) == 2 or tokens[at][0].isdigit() or _is_kind(tokens[at], len(words) == 3)):
        return 4
    if word not in _PREPOSITIONS - {"of"}:
        return 0
    return 2 if word in words[:at] else _is_placed(tokens, words, at)


def _is_placed(tokens: Sequence[str], words: Sequence[str], at: int) -> bool:
    """Whether a first preposition says where or when the subject is: nothing before it or in it can be an adjective."""
    before = [n for n in range(at) if words[n] in _DETERMINERS | _PREPOSITIONS or words[n].endswith(("'s", "s'"))]
    noun = tokens[before[-1] + 1 if before else 0 : at]
    whole = len(noun) == 1 or words[0].endswith("ing") or all(token[0].isupper() for token in noun)
    named = [n for n in range(at, len(words) - 1) if tokens[n][0].isupper() and tokens[n + 1][0].islower()]
    first = all(word == "of" or word not in _PREPOSITIONS for word in words[:at])
    return first and whole and all(words[n + 1] in _GRAMMAR for n in named)


def _is_kind(token: str, short: bool) -> bool:
    """Whether a last word says what the subject is: “Greek”, “bears”."""
    if token[0].isupper():
        return token.endswith(("ian", "ean", "ese", "ish", "ican"))
    return short and token.endswith("s")


def _ends_noun_phrase(tokens: Sequence[str], words: Sequence[str], at: int) -> bool:
    """Whether a word is followed by what never follows a noun; a name does not follow one in small letters."""
    if at + 1 >= len(words):
        return False
    token = tokens[at + 1]
    return words[at + 1] in _BEHIND_VERBS or token[0].isdigit() or (token[0].isupper() and tokens[at][0].islower())


def _in_clause(words: Sequence[str], at: int) -> bool:
    """Whether a relative clause began before a word; it may have ended."""
    return any(word in ("who", "which", "that") for word in words[1:at])


def _is_noun(word: str) -> bool:
    return not (word in _GRAMMAR or word in _DEGREES or _is_adverb(word) or _is_quality(word) or _is_past(word))


def _is_past(word: str) -> bool:
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 4) or word == "proven"


def _is_quality(word: str) -> bool:
    return word in ENGLISH["quality"] or is_adjective(word)


def _is_adverb(word: str) -> bool:
    if word in ENGLISH["adverb"] - {"both", "all"} or word in ("indeed", "yet", "not"):
        return True
    return word.endswith("ly") and len(word) > 4 and word not in VERBS and word not in _NO_ADVERBS
