"""Words of a sentence and where its verb is: as much grammar as the rules of step 1 need, without a tagger."""

import re

from ghost.text import ENGLISH, PARTICIPLES, VERBS, bare, is_adjective, third_person

BE, HAVE, DO, MODAL = (ENGLISH[name] for name in ("be", "have", "do", "modal"))
AUXILIARY = BE | HAVE | DO | MODAL
"""Words that are verbs wherever they stand; "can" and "will" as nouns are rare enough."""
ADVERB, DETERMINER, PREPOSITION, PRONOUN = (ENGLISH[n] for n in ("adverb", "determiner", "preposition", "pronoun"))
INTRANSITIVE_PAST, ONLY_VERBS, PRAISE, STOP = (
    ENGLISH[n] for n in ("intransitive_past", "only_verbs", "praise", "stop")
)
POSSESSIVE_OR_OBJECT = ENGLISH["possessive_or_object"]


def words(text: str) -> frozenset[str]:
    """A set from a line of words."""
    return frozenset(text.split())


BASE = frozenset(VERBS)
PAST = frozenset(past for past, _ in VERBS.values())
THIRD = frozenset(map(third_person, BASE))
_FORMS = BASE | PAST | PARTICIPLES | THIRD
_SAME_IN_THE_PAST = words("hit cut cost put set spread beat outbid undercut")
_CONTRACTED = re.compile(r"^(?:it|he|she|that|there|they|we|you|i|who|what|here)'(?:s|re|m|ve|ll|d)$")
_NO_PAST_END = re.compile(r"(?:eed|[^aeiour]red)$")  # "speed", "hundred", "sacred"
_NO_SOURCE = AUXILIARY | PRONOUN | POSSESSIVE_OR_OBJECT | ENGLISH["no_source"]


def _is_past(word: str) -> bool:
    """Whether the word is a simple past and not also a base form, with a prefix or without: “opened”, “reopened”."""
    if word in PAST:
        return word not in BASE or word in _SAME_IN_THE_PAST
    stems = (word.removeprefix(prefix) for prefix in ENGLISH["prefix"])
    return word not in ENGLISH["no_past"] and any(stem in PAST and stem not in BASE for stem in stems)


def is_verb_at(words: list[str], i: int) -> bool:
    """Whether ``words[i]`` (bare words) reads as a finite verb where it stands."""
    word = words[i]
    if word in AUXILIARY or _CONTRACTED.match(word):
        # "the can", "a will" are nouns, "to have" is no finite verb.
        return i == 0 or words[i - 1] not in {"a", "an", "the", "to"}
    if i == 0:
        return False
    before = i - 1
    while before > 0 and (words[before] in ADVERB or words[before].endswith("ly")):
        before -= 1
    previous = words[before]
    if previous in PREPOSITION or (previous in DETERMINER and previous not in {"that", "this", "all"}):
        return False
    if _is_past(word):
        return True
    if word in THIRD:
        return previous not in {"of", "and", "or"}
    # "Stocks rebound", but "a quick rebound"
    return (word in BASE or word in ENGLISH["no_past"]) and (previous in ENGLISH["plural"] or is_plural(previous))


def is_plural(word: str) -> bool:
    """Whether the word ends as a plural does."""
    return word.endswith("s") and not word.endswith(("ss", "us", "'s", "is"))


def first_verb(words: list[str]) -> int | None:
    """Index of the first finite verb."""
    return next((i for i in range(len(words)) if is_verb_at(words, i)), None)


def has_predicate(words: list[str]) -> bool:
    """Whether anything in the text can be its verb; generous, because a verb we miss would end a run for nothing."""
    return first_verb(words) is not None or any(_may_be_verb(words, i) for i in range(1, len(words)))


def _may_be_verb(words: list[str], i: int) -> bool:
    word, previous, last = words[i], words[i - 1], i + 1 == len(words)
    if previous in DETERMINER or (previous in PREPOSITION and previous != "to"):
        return False
    if previous == "to" and last and words[0] in DETERMINER:  # "The speed to beat"
        return False
    # "EU to ban cars", "Man bitten by dog", "The average American now owes over $6,000"
    if word in _FORMS or (previous in ADVERB and len(word) > 3 and word.endswith("s")):
        return True
    # Verbs that no list has: "Aspirin thins blood", "Volcano engulfed village", "The ferry capsized in May".
    inner = not last and words[i + 1] not in PREPOSITION | {"and", "or"}
    past = word.endswith("ed") and not is_adjective(word) and (inner or not _NO_PAST_END.search(word))
    return len(word) > 4 and (past or (inner and is_plural(word))) and not is_adjective(previous)


def reports(text: str) -> bool:
    """Whether the text cites a source: “The treaty states that …”, not “I'd say that …” or “Most people say that …”."""
    head, that, _ = text.partition(" that ")
    *source, verb = [bare(token) for token in head.split()] or [""]
    if not that or not source or source[-1] in DETERMINER | {"to"} or "," in head:
        return False
    return verb in ENGLISH["saying"] and not _NO_SOURCE & set(source) and not any(map(_CONTRACTED.match, source))


def content_words(words: list[str]) -> int:
    """How many words point at something: neither grammar nor empty talk; a number counts."""
    return sum(1 for w in words if w not in STOP and w not in ENGLISH["vague"] and any(map(str.isalnum, w)))
