"""Passages that have a statement word for word, which anyone can see, and what stands beside it, which models overlook.

The stance model reads one sentence in fifty as refuting itself; and where a passage repeats a claim in its words, or
nearly so, only to deny it or to tell who says it, the model takes most for support
(`tests/data/verbatim_passages.jsonl`). So the very words support the statement where they stand alone, or in a fact of
the starter library; among other sentences they do where these do not look as if they spoke of the truth of it; and else
they, and nearly the same ones, decide nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from ghost.judges.polarity import content
from ghost.judges.ratings import bare, followed, rated, rates, said
from ghost.knowledge.text import normalise, sentences
from ghost.types import Evidence, Origin, Stance

AGREES = 0.5
"""The model has to read so much support where other sentences stand beside the very words, and sees no more of it where
they speak of its truth."""
NEARLY = 0.6
"""Sentences that share so many of their content words are one but for a word or two. In a denial the model takes them
for support just as often; in other words it hears the denial."""
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

    The words may be those of the sentences of the ``claim`` that the statement was cut out of. What has them is as near
    to the statement as can be, however much else it says.
    """
    wanted, text, fact = bare(statement), e.passage.text, e.passage.origin is Origin.SEED
    parts = sentences(text) if bare(text) != wanted else [text]
    itself = [part for part in parts if bare(part) == wanted]
    if not itself and rates(text):
        check = rated(text)
        return replace(e, stance=followed(said(), check[1])) if check and bare(check[0]) == wanted else e
    claimed = {bare(part) for part in sentences(normalise(claim))}
    whole = itself or _cut_from([part for part in parts if bare(part) in claimed], statement)
    same = whole or [part for part in parts if _alike(part, statement) >= NEARLY]
    beside = [part for part in parts if part not in same and bare(part) not in claimed]
    if same and beside and not fact and _speaks_of_its_truth(same, beside):
        return replace(e, stance=_at_most(e.stance, AGREES), focus=same[0])
    sure = itself and (fact or not beside)
    if not whole or not (sure or e.stance.supports >= AGREES):
        return e
    return replace(e, stance=said(), nearness=1.0, focus=whole[0] if len(parts) > 1 else e.focus)


def _cut_from(parts: Sequence[str], statement: str) -> Sequence[str]:
    """The sentences, where the statement has no words but theirs."""
    return parts if content(statement) <= content(" ".join(parts)) else ()


def _alike(part: str, statement: str) -> float:
    """Content words that two sentences share, of all that they have (Jaccard), 0..1."""
    one, other = content(part), content(statement)
    return len(one & other) / max(1, len(one | other))


def _speaks_of_its_truth(same: Sequence[str], beside: Sequence[str]) -> bool:
    return any(part.lstrip()[:1] in _QUOTES for part in same) or any(map(_OF_ITS_TRUTH.search, beside))


def _at_most(stance: Stance, supports: float) -> Stance:
    less = min(stance.supports, supports)
    return replace(stance, supports=less, neutral=stance.neutral + stance.supports - less)
