"""The close reading of step 3: sentence by sentence, and with rules for passages that repeat the statement.

A cross-encoder of this size misses a plain sentence between two others, but sees it alone. A sentence apart from its
neighbours can also mislead, so it counts a quarter beside the passage (``WHOLE``). A passage that takes no side cannot
come to one by its sentences: they are read only where the decision could show anything else for them.

A sentence that is the statement, on its own or in a fact of the starter library, supports it: no model is needed, and
the stance model reads one such sentence in fifty as a denial. Next to sentences that may deny or attribute it, the same
words prove nothing, but models believe what they see word for word: a page that repeats a claim only to deny it makes
most of them say "supports" (`tests/data/verbatim_passages.jsonl`). There it counts for less than taking a side.

What the model reads against the very words of a sentence is no reading, and settles nothing.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import product

from ghost.inference import StanceReader
from ghost.judges import (
    QUOTE_CHARS,
    TAKES_SIDE,
    bare,
    content,
    followed,
    frame_for,
    opposed,
    rated,
    rates,
    read_framed,
    repeats,
    said,
)
from ghost.knowledge import normalise, sentences
from ghost.text import aligned
from ghost.types import Evidence, FrameKind, Origin, Stance, StanceLabel, Statement
from ghost.web import asks, kinds_of


def read_by_sentence(
    evidence: Sequence[Evidence],
    statements: Sequence[Statement],
    reader: StanceReader,
    claim: str = "",
    shown: Callable[[Sequence[Evidence]], Hashable] = lambda _: None,
) -> list[Evidence]:
    """The same evidence with the stance of passage and sentences combined, and its plainest sentence named.

    ``claim`` is the text that the statements come from; a passage may repeat it word for word. Where ``shown``, what a
    run would show of the decision on some evidence, stays the same whatever the sentences say of passages that take no
    side, they are not read; None says that it cannot be known.
    """
    close = _CloseReading(evidence, statements, reader, claim)
    telling = [i for i in close.parts if _leaves_room(evidence[i])]
    close.read(telling)
    rest = [i for i in close.parts if i not in telling]
    if rest and close.may_change(rest, shown):
        close.read(rest)
    return close.found()


class _CloseReading:
    """The sentences of some passages, those that were read, and what follows from them."""

    def __init__(
        self, evidence: Sequence[Evidence], statements: Sequence[Statement], reader: StanceReader, claim: str
    ) -> None:
        self._evidence, self._reader = evidence, reader
        self._texts = {s.number: s.text for s in statements}
        self._claimed = claim_sentences(claim)
        self._framed = [frame_for(e.passage, self._texts[e.statement]).kind for e in evidence]
        # A fact-check is read as a whole: part of it would be the claim without the rating. So is what is framed.
        whole = [bool(kind) or rates(e.passage.text) for e, kind in zip(evidence, self._framed, strict=True)]
        parts = {i: sentences(e.passage.text) for i, e in enumerate(evidence) if not whole[i]}
        self.parts = {i: found for i, found in parts.items() if len(found) > 1}
        """Place of a passage -> its sentences, where it has more than one and they can be read apart."""
        self._read: dict[int, list[tuple[str, Stance]]] = {}

    def read(self, places: Sequence[int]) -> None:
        """Read the sentences of the passages at these places."""
        rows = [(i, part) for i in places for part in self.parts[i]]
        alone = [(replace(self._evidence[i].passage, text=part), self._text_for(i)) for i, part in rows]
        for (i, part), stance in zip(rows, read_framed(self._reader, alone) if rows else [], strict=True):
            contrary = _contrary(part, self._text_for(i), stance.label)
            self._read.setdefault(i, []).append((part, stance.at_most(0.0, 0.0) if contrary else stance))

    def may_change(self, places: Sequence[int], shown: Callable[[Sequence[Evidence]], Hashable]) -> bool:
        """Whether what is shown may depend on the sentences at these places.

        What they add to a side is between nothing and all that a sentence counts. Tried are nothing, half and all, for
        each side and for all passages together, and all for one passage alone.
        """
        first = shown(self.found(dict.fromkeys(places, (0.0, 0.0))))
        if first is None:
            return True
        ends = [dict.fromkeys(places, added) for added in product(ADDED, ADDED) if any(added)]
        ends += [dict.fromkeys(places, (0.0, 0.0)) | {i: (ADDED[-1], ADDED[-1])} for i in places if len(places) > 1]
        return any(shown(self.found(end)) != first for end in ends)

    def found(self, added: Mapping[int, tuple[float, float]] | None = None) -> list[Evidence]:
        """The evidence as it was read. ``added``: what sentences that were not read would add to either side."""
        return [self._found(i, e, (added or {}).get(i)) for i, e in enumerate(self._evidence)]

    def _found(self, i: int, e: Evidence, added: tuple[float, float] | None) -> Evidence:
        kind, statement, before = self._framed[i], self._text_for(i), e
        if i in self._read:
            e = _merged(e, self._read[i])
        elif added:
            supports, refutes = (
                WHOLE * side + more for side, more in zip((e.stance.supports, e.stance.refutes), added, strict=True)
            )
            e = replace(e, stance=_stance(supports, refutes, e.stance))
        if kind:
            # A rated claim is as sure as its rating. Other words that stand in a frame are only repeated.
            return e if kind is FrameKind.CLAIM else replace(e, stance=e.stance.at_most(REPEATED))
        matched = apply_verbatim_match(e, before.stance, statement, self._claimed)
        parts = self._read.get(i, [(e.passage.text, e.stance)])
        if matched.stance != said() and _is_unreadable(before, parts, statement, self._claimed):
            matched = replace(matched, stance=e.stance.at_most(0.0, 0.0), unreadable=True)
        return matched

    def _text_for(self, i: int) -> str:
        return self._texts[self._evidence[i].statement]


def _leaves_room(e: Evidence) -> bool:
    """Whether a passage may take a side once its sentences are read, or is quoted by one of them."""
    most = WHOLE * max(e.stance.supports, e.stance.refutes) + (1 - WHOLE)
    return most >= TAKES_SIDE or len(e.passage.text) > QUOTE_CHARS


_AGAINST = {StanceLabel.REFUTES: True, StanceLabel.SUPPORTS: False}
"""What ``repeats`` says of a sentence that cannot be read this way."""


def _contrary(part: str, statement: str, side: StanceLabel) -> bool:
    """Whether a sentence is the statement in its own words, or its denial, and this side says the opposite."""
    return side in _AGAINST and not asks(part) and repeats(aligned(part, statement), statement) is _AGAINST[side]


def _is_unreadable(
    e: Evidence, parts: Sequence[tuple[str, Stance]], statement: str, claimed: Set[str] = frozenset()
) -> bool:
    """Whether the words of a passage say the opposite of its reading, and nothing beside them can be meant.

    Another sentence that takes the same side may be, or one that doubts, and so may quotation marks.
    """
    side, text = e.stance.label, e.passage.text
    own = [part for part, _ in parts if _contrary(part, statement, side)]
    rest = [(part, stance) for part, stance in parts if part not in own and bare(part) not in claimed]
    if not own or rates(text) or any(_quoted(part, text) for part in own):
        return False
    return not any(stance.label is side or _doubts(part) for part, stance in rest)


def _merged(e: Evidence, parts: Sequence[tuple[str, Stance]]) -> Evidence:
    plainest, _ = max(parts, key=lambda part: max(part[1].supports, part[1].refutes))
    supports = WHOLE * e.stance.supports + (1 - WHOLE) * max(s.supports for _, s in parts)
    refutes = WHOLE * e.stance.refutes + (1 - WHOLE) * max(s.refutes for _, s in parts)
    return replace(e, stance=_stance(supports, refutes, e.stance), focus=plainest)


def _stance(supports: float, refutes: float, whole: Stance) -> Stance:
    """A distribution with these two sides; the rest is split as the whole passage splits it."""
    if (sides := supports + refutes) >= 1.0:
        return Stance(supports / sides, refutes / sides, 0.0, 0.0)
    rest = whole.neutral + whole.off_topic
    neutral = (1.0 - sides) * (whole.neutral / rest if rest else 1.0)
    return Stance(supports, refutes, neutral, 1.0 - sides - neutral)


WHOLE = 0.75
"""What a passage as a whole counts beside its plainest sentence."""
ADDED = (0.0, (1 - WHOLE) / 2, 1 - WHOLE)
"""What sentences that were not read are tried with: what they may add to a side."""
AGREES = 0.5
"""The support that the model must read in the whole passage, and more than it reads against, where other sentences
stand beside the statement's words."""
REPEATED = 0.35
"""The most support that is left to words that may only be repeated: too little to be cited for a side."""
_QUOTES = "\"'“”‘’„«»"
_DOUBTS = re.compile(
    r"\b(?:not|no|never|nothing|none|nobody|hardly|false\w*|untrue|wrong\w*|incorrect|inaccura\w+|mistake[ns]?|"
    r"myths?|misconcept\w+|misinform\w+|hoax(?:es)?|bogus|pranks?|fakes?|doctored|fabricat\w+|invent\w+|"
    r"made[ -]up|nonsense|absurd|ridiculous|disput\w+|discredit\w*|disprov\w+|debunk\w+|refut\w+|deny(?:ing)?|"
    r"den(?:ies|ied|ials?)|opposite|contrary|contradict\w*|exaggerat\w+|mislead\w*|errors?|fiction\w*|"
    r"fictitious|lies?|lying|jokes?|satir\w+|parod\w+|reject\w*|dismiss\w*|baseless|unfounded|unproven|"
    r"unsubstantiat\w+|unconfirmed|conspir\w+|retract\w*|withdr\w+|correct(?:ed|ion)|sa(?:y|ys|id|ying)|"
    r"t(?:ell|ells|old)|stated|statements?|report\w*|announc\w+|argu\w+|warn\w*|recall\w*|claim\w*|rumou?r\w*|"
    r"belie(?:f|fs|ves?|ved)|think\w*|thought|suppos\w+|alleg\w+|accus\w+|assert\w*|insist\w*|tweet\w*|"
    r"writ(?:e|es|ten)|wrote|posts?|posted|shar(?:ed|es|ing)|viral|messages?|circulat\w+|notions?|ideas?|"
    r"stor(?:y|ies)|tales?|legends?|novels?|films?|movies?|books?|plays?|series|episodes?|songs?|verses?|poems?|"
    r"dream\w*|imagin\w+|fear\w*|hop(?:e|es|ed)|whether|unknown|unclear|investigat\w+|examin\w+|doubt\w*|"
    r"according|headlines?|leaflets?|chapters?|scenes?|characters?|games?|theor(?:y|ies)|sentences?|words?|"
    r"know[sn]?|quot\w+|read(?:s|ers?)?|ask(?:s|ed)?|question\w*|answer\w*|convinced|swears?|predict\w*)\b"
    r"|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words that deny something or say who claims it. Most of them are harmless most of the time: the cost is a statement
that stays open."""
_KINDS = frozenset({"not", "false", "misleading", "unproven", "satire"})
"""The same in ten other languages, from the vocabulary of ratings."""


def claim_sentences(claim: str) -> frozenset[str]:
    """The sentences of a claim in the form in which they are compared."""
    return frozenset(bare(part) for part in sentences(normalise(claim)))


def apply_verbatim_match(e: Evidence, whole: Stance, statement: str, claimed: Set[str] = frozenset()) -> Evidence:
    """The evidence with the stance that its words alone give it, where it repeats or rates the statement word for word.

    ``whole`` is the stance of the whole passage. The words may also be those of the claim's sentence (``claimed``, from
    ``claim_sentences``) that the statement was taken from. A passage that has them gets cosine 1.
    """
    wanted, text, fact = bare(statement), e.passage.text, e.passage.origin is Origin.SEED
    if bare(text) == wanted:
        return replace(e, stance=said(), nearness=1.0)
    parts = sentences(text)
    itself = [part for part in parts if wanted in (bare(part), bare(part.strip(_QUOTES)))]
    if not itself and rates(text):
        check = rated(text)
        return replace(e, stance=followed(said(), check[1])) if check and bare(check[0]) == wanted else e
    same = itself or [part for part in parts if bare(part) in claimed and _is_in(statement, part)]
    if not same:
        return e
    if not fact and (_quoted(same[0], text) or any(map(_doubts, _beside(parts, same, statement, claimed)))):
        return replace(e, stance=e.stance.at_most(REPEATED), focus=same[0])
    if (fact and (itself or whole.refutes < AGREES)) or whole.supports >= max(AGREES, whole.refutes):
        return replace(e, stance=said(), nearness=1.0, focus=same[0] if len(parts) > 1 else e.focus)
    return e


def _is_in(statement: str, part: str) -> bool:
    """Whether a sentence has all content words of a statement that was taken from it, and does not negate it."""
    return content(statement) <= content(part) and opposed(part, statement) is not True


def _beside(parts: Sequence[str], same: Sequence[str], statement: str, claimed: Set[str]) -> list[str]:
    """What a passage says besides the statement and the rest of the claim, within its sentence and around it."""
    have = {word.strip(".,;:!?").casefold() for word in statement.split()}
    around = [" ".join(w for w in part.split() if w.strip(".,;:!?").casefold() not in have) for part in same]
    return around + [part for part in parts if part not in same and bare(part) not in claimed]


def _doubts(part: str) -> bool:
    return bool(_DOUBTS.search(part)) or asks(part) or bool(_KINDS & set(kinds_of(part)))


def _quoted(part: str, text: str) -> bool:
    """Whether a sentence is in quotation marks, its own or those of a longer quotation."""
    before = text.partition(part)[0]
    own = part[:1] in _QUOTES and part.rstrip(" .!")[-1:] in _QUOTES
    return own or before.count("“") > before.count("”") or before.count('"') % 2 == 1
