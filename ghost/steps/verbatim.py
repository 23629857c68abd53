"""Passages that have a statement word for word, which anyone can see, and what stands beside it, which models overlook.

The stance model reads one sentence in fifty as refuting itself; and where a passage repeats a claim only to deny it, or
to tell who says so, it takes two in three for support (`tests/data/verbatim_passages.jsonl`). So the very words support
the statement where they stand alone, or in a fact of the starter library; among other sentences they do where these do
not look as if they spoke of the truth of it; and else they decide nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from ghost.judges.polarity import content
from ghost.judges.ratings import followed, rated, rates
from ghost.knowledge.text import normalise, sentences
from ghost.types import Evidence, Origin, Stance

VERBATIM = 0.99
"""Probability that a passage supports a statement that is one of its sentences."""
AGREES = 0.5
"""The model has to read so much support where other sentences stand beside the very words, and sees no more of it where
they speak of its truth."""
_QUOTES = "\"'“”‘’„«»"
_OF_ITS_TRUTH = re.compile(
    r"\b(?:not|no|never|nothing|none|nobody|false|untrue|wrong|incorrect|mistaken?s?|myths?|hoax(?:es)?|fakes?|"
    r"fabricat\w+|invent\w+|made[ -]up|nonsense|absurd|ridiculous|disprov\w+|debunk\w+|refut\w+|den(?:y|ies|ied|ials?)|"
    r"opposite|contrary|contradict\w*|exaggerat\w+|mislead\w*|errors?|fiction\w*|fictitious|lies?|lying|jokes?|satir\w+|"
    r"parod\w+|reject\w*|dismiss\w*|baseless|unfounded|retract\w*|withdr\w+|correct(?:ed|ion)|"
    r"sa(?:y|ys|id|ying)|t(?:ell|ells|old)|claim\w*|rumou?r\w*|belie(?:f|fs|ves?|ved)|think\w*|thought|suppos\w+|alleg\w+|"
    r"accus\w+|assert\w*|insist\w*|writ(?:e|es|ten)|wrote|posts?|posted|shar(?:ed|es|ing)|viral|messages?|circulat\w+|"
    r"notions?|ideas?|stor(?:y|ies)|tales?|legends?|novels?|films?|movies?|books?|plays?|series|episodes?|songs?|verses?|"
    r"poems?|dream\w*|imagin\w+|fear\w*|hop(?:e|es|ed)|whether|unknown|unclear|unconfirmed|investigat\w+|examin\w+|"
    r"doubt\w*|according to|headlines?|leaflets?|chapters?|scenes?|characters?|games?|theor(?:y|ies)|sentences?|words?|"
    r"know[sn]?|quot\w+|read(?:s|ers?)?|ask(?:s|ed)?|question\w*|answer\w*|convinced|swears?|predict\w*)\b"
    r"|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words with which people deny something or tell who says it. Most of them mean nothing of the kind most of the time:
what they cost is a statement left open."""


def word_for_word(e: Evidence, statement: str, claim: str = "") -> Evidence:
    """The evidence with the stance that its words alone give it, where it has or rates the statement word for word.

    The words may be those of the sentences of the ``claim`` that the statement was cut out of.
    """
    wanted, text = _plain(statement), e.passage.text
    if check := rated(text):
        return replace(e, stance=followed(_sure(), check[1])) if _plain(check[0]) == wanted else e
    if rates(text):
        return e
    if _plain(text) == wanted:
        return replace(e, stance=_sure())
    parts = sentences(text)
    claimed = {_plain(part) for part in sentences(normalise(claim))}
    same = [part for part in parts if _plain(part) == wanted]
    itself = bool(same)
    if not itself:
        same = [part for part in parts if _plain(part) in claimed]
        if not same or not content(statement) <= content(" ".join(same)):
            return e
    beside = [part for part in parts if _plain(part) not in claimed | {wanted}]
    focus = same[0] if len(parts) > 1 else e.focus
    if itself and (not beside or e.passage.origin is Origin.SEED):
        return replace(e, stance=_sure(), focus=focus)
    if beside and e.passage.origin is not Origin.SEED and _speaks_of_its_truth(same, beside):
        return replace(e, stance=_at_most(e.stance, AGREES), focus=focus)
    return e if e.stance.supports < AGREES else replace(e, stance=_sure(), focus=focus)


def _speaks_of_its_truth(same: Sequence[str], beside: Sequence[str]) -> bool:
    return any(part.lstrip()[:1] in _QUOTES for part in same) or any(map(_OF_ITS_TRUTH.search, beside))


def _sure() -> Stance:
    rest = (1.0 - VERBATIM) / 3
    return Stance(VERBATIM, rest, rest, rest)


def _at_most(stance: Stance, supports: float) -> Stance:
    less = min(stance.supports, supports)
    return replace(stance, supports=less, neutral=stance.neutral + stance.supports - less)


def _plain(text: str) -> str:
    return normalise(text).casefold().strip(f" .!?{_QUOTES}")
