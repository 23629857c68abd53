"""Words of a sentence and where its verb is: as much grammar as the rules of step 1 need, without a tagger."""

import re
import tomllib
from pathlib import Path

_LISTS = {
    name: frozenset(text.split())
    for name, text in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).items()
}
BE, HAVE, DO, MODAL = (_LISTS[name] for name in ("be", "have", "do", "modal"))
AUXILIARY = BE | HAVE | DO | MODAL
"""Words that are verbs wherever they stand; "can" and "will" as nouns are rare enough."""
ADVERB, DETERMINER, PREPOSITION, PRONOUN = (_LISTS[n] for n in ("adverb", "determiner", "preposition", "pronoun"))
INTRANSITIVE_PAST, ONLY_VERBS, PRAISE, STOP = (_LISTS[n] for n in ("intransitive_past", "only_verbs", "praise", "stop"))
POSSESSIVE_OR_OBJECT = _LISTS["possessive_or_object"]


def words(text: str) -> frozenset[str]:
    """A set from a line of words."""
    return frozenset(text.split())


def _past(base: str) -> str:
    if base in _LISTS["doubling"]:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + "ed"


def third_person(base: str) -> str:
    """ "fail" -> "fails", "have" -> "has"; any word is taken, known or not."""
    if base in {"be", "have", "do", "go"}:
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return base[:-1] + "ies"
    return base + "s"


_IRREGULAR = {base: (past, participle) for base, past, participle in (e.split(":") for e in _LISTS["irregular"])}
_FORMS = {base: (_past(base), _past(base)) for base in _LISTS["regular"]} | _IRREGULAR
BASE = frozenset(_FORMS)
PAST_OF = {base: past for base, (past, _) in _FORMS.items()}
PAST = frozenset(PAST_OF.values())
PARTICIPLE = frozenset(participle for _, participle in _FORMS.values())
THIRD = frozenset(map(third_person, BASE))
_VERBS = BASE | PAST | PARTICIPLE | THIRD
_SAME_IN_THE_PAST = words("hit cut cost put set spread beat outbid undercut")
_CONTRACTED = re.compile(r"^(?:it|he|she|that|there|they|we|you|i|who|what|here)'(?:s|re|m|ve|ll|d)$")
_ADJECTIVE_END = re.compile(r"...(?:ous|ful|less|able|ible|ive|ish|proof)$")
_NO_PAST_END = re.compile(r"(?:eed|[^aeiour]red)$")  # "speed", "hundred", "sacred"
_NO_SOURCE = AUXILIARY | PRONOUN | POSSESSIVE_OR_OBJECT | _LISTS["no_source"]


def is_adjective(word: str) -> bool:
    """Whether the word has an ending that only adjectives have, or is an adjective that ends like a past."""
    return word in _LISTS["adjective"] or _ADJECTIVE_END.search(word) is not None


def _is_past(word: str) -> bool:
    """Whether the word is a simple past and not also a base form, with a prefix or without: “opened”, “reopened”."""
    if word in PAST:
        return word not in BASE or word in _SAME_IN_THE_PAST
    stems = (word.removeprefix(prefix) for prefix in _LISTS["prefix"])
    return word not in _LISTS["no_past"] and any(stem in PAST and stem not in BASE for stem in stems)


def bare(token: str) -> str:
    """The token in lower case without the punctuation around it: "(Paris)," -> "paris"."""
    return token.replace("’", "'").strip("\"“”'‘’.,;:!?()[]{}*_…–—-<>/").lower()


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
    return (word in BASE or word in _LISTS["no_past"]) and (previous in _LISTS["plural"] or is_plural(previous))


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
    if word in _VERBS or (previous in ADVERB and len(word) > 3 and word.endswith("s")):
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
    return verb in _LISTS["saying"] and not _NO_SOURCE & set(source) and not any(map(_CONTRACTED.match, source))


def content_words(words: list[str]) -> int:
    """How many words point at something: neither grammar nor empty talk; a number counts."""
    return sum(1 for w in words if w not in STOP and w not in _LISTS["vague"] and any(map(str.isalnum, w)))
