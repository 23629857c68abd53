"""Words of a sentence and where its verb is: as much grammar as the rules of step 1 need, without a tagger."""

import re

from ghost.judges.embedded.claims import lexicon

ADVERB = lexicon.words(
    "also often never always only actually really still already usually sometimes just even rarely mostly nearly "
    "almost "
    "mainly once first officially ever now not probably likely naturally both all simply currently commonly"
)
_CONTRACTED = re.compile(r"^(?:it|he|she|that|there|they|we|you|i|who|what|here)'(?:s|re|m|ve|ll|d)$")
_PLURAL = lexicon.words(
    "people men women children mice fish cattle goldfish sheep deer teeth feet geese police humans they we you i who "
    "that"
)


def bare(token: str) -> str:
    """The token in lower case without the punctuation around it: "(Paris)," -> "paris"."""
    return token.replace("’", "'").strip("\"“”'‘’.,;:!?()[]{}*_…–—-<>/").lower()


def is_verb_at(words: list[str], i: int) -> bool:
    """Whether ``words[i]`` (bare words) reads as a finite verb where it stands."""
    word = words[i]
    if word in lexicon.AUXILIARY or _CONTRACTED.match(word):
        # "the can", "a will" are nouns, "to have" is no finite verb.
        return i == 0 or words[i - 1] not in {"a", "an", "the", "to"}
    if i == 0:
        return False
    before = i - 1
    while before > 0 and (words[before] in ADVERB or words[before].endswith("ly")):
        before -= 1
    previous, following = words[before], words[i + 1] if i + 1 < len(words) else ""
    if previous in lexicon.PREPOSITION or (previous in lexicon.DETERMINER and previous not in {"that", "this", "all"}):
        return False
    if following in lexicon.AUXILIARY and word not in lexicon.PAST:
        return False
    if word in lexicon.PAST and (word not in lexicon.BASE or word in {"hit", "cut", "cost", "put", "set", "spread"}):
        return True
    if word in lexicon.THIRD:
        return previous not in {"of", "and", "or"} and not lexicon.is_adjective(previous)
    if word in lexicon.BASE:
        return previous in _PLURAL or (previous.endswith("s") and not previous.endswith(("ss", "us", "'s", "is")))
    return False


def first_verb(words: list[str]) -> int | None:
    """Index of the first finite verb."""
    return next((i for i in range(len(words)) if is_verb_at(words, i)), None)


def has_predicate(words: list[str]) -> bool:
    """Whether anything in the text can be its verb; generous, because a verb we miss would end a run for nothing."""
    if first_verb(words) is not None:
        return True
    for i in range(1, len(words)):
        word, previous = words[i], words[i - 1]
        if previous in lexicon.DETERMINER or (previous in lexicon.PREPOSITION and previous != "to"):
            continue
        known = word in lexicon.BASE or word in lexicon.PAST or word in lexicon.PARTICIPLE or word in lexicon.THIRD
        # "EU to ban cars", "Man bitten by dog"; an adjective before the last word says noun ("a long walk").
        if known and (not lexicon.is_adjective(previous) or i + 1 < len(words)):
            return True
        if previous in ADVERB and len(word) > 3 and word.endswith("s"):
            return True
        # Verbs that no list has: "Aspirin thins blood", "Volcano engulfed village".
        inner = i + 1 < len(words) and words[i + 1] not in lexicon.PREPOSITION | {"and", "or"}
        ends = word.endswith("ed") or (word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")))
        if inner and len(word) > 4 and ends and not lexicon.is_adjective(previous):
            return True
    return False


def content_words(words: list[str]) -> int:
    """How many words point at something: neither grammar nor empty talk; a number counts."""
    return sum(1 for w in words if w and w not in lexicon.STOP and w not in lexicon.VAGUE and any(map(str.isalnum, w)))
