"""What a text only reports, and the verdict on it that may follow: “Posts claim that A. That is wrong.”

Fact-checks are written this way, and a small model believes the first sentence whenever it reads it alone or beside
another. So a verdict on the sentence before it decides how that one counts, a verdict on something that is not in the
text counts for nothing, and what posts, rumours or unnamed people say supports nothing by itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ghost.inference.base import StanceReader
from ghost.judges.ratings import followed
from ghost.knowledge.text import sentences
from ghost.types import Stance
from ghost.web.rating import Meaning, meaning

_SAYS = (
    r"(?:say|claim|alleg|assert|suggest|insist|purport|believ|think|warn|show|stat|predict|spread|blam|nam|speak|convinc|"
    r"appear)(?:s|e|es|ed|ing)?|said|thought|spoke|told|(?:has|have) it"
)
_POSTS = (
    r"(?:posts?|users?|messages?|videos?|clips?|tweets?|memes?|photos?|pictures?|images?|recordings?|rumou?rs?|"
    r"threads?|chain (?:letter|mail)s?|reels?|blogs?|bloggers?|podcast(?:er)?s?|leaflets?|pamphlets?|flyers?|"
    r"screenshots?|gossip|legends?|accounts|websites|sites)"
)
_KIND = (
    r"(?:(?:an?|the|this|that|these|those|such|one|another|two|three|some|several|many|most|multiple|numerous|countless|"
    r"dozens|hundreds|thousands|millions|of|viral|false|fake|anonymous|recent|new|old|social|media|online|internet|web|"
    r"facebook|instagram|tiktok|telegram|whatsapp|twitter|x|youtube|popular|widely|much|shared|circulating|misleading|"
    r"doctored|short|certain|group|chat|text|voice|audio|persistent|wild|unfounded|unnamed|unconfirmed|edited|urban)"
    r"[\s-]+)*"
)
_LEAD = r"^(?:[^,:.]{0,60}[,:]\s+)?"
_THOUGHT = r"(?:claim|rumou?r|myth|allegation|legend|belief|misconception|notion|idea|assertion|theory|story)s?"
_SOME = r"(?:some|many|most|certain|a lot of|lots of|millions of)\s+(?:of (?:us|them)\s+)?"
_PEOPLE = r"(?:people|users|voters|parents|commentators|fans)"
_BELIEVE = r"(?:say|claim|believe|think|insist|suspect|assume|predict|said|claimed|believed|thought)"
_PASSIVE = r"(?:said|claimed|alleged|rumou?red|believed|asserted|thought|whispered)"
_DISPUTED = r"(?:disprov|refut|debunk|den|dismiss|reject)(?:e|es|ed|s|y|ies|ied)?"
_DISTANT = (
    r"(?:(?:claim|alleg|boast|assert|insinuat)(?:s|es|ed|ing)\b(?:[^.;:]{0,40}\b)? that\b|claim(?:s|ed|ing) to\b|"
    r"(?:claimed|claims|alleged|alleges) (?:he|she|it|they|we|there|the|an?|in|during)\b)"
)
"""Verbs that keep their distance: who writes so does not vouch for what follows."""
_HEARSAY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_KIND}{_POSTS}\b[^.;:]{{0,90}}?\b(?:{_SAYS})\b",
        rf"{_LEAD}{_SOME}(?:{_PEOPLE}\s+)?(?:\w+\s+){{0,3}}?{_BELIEVE}\b",
        rf"\bit (?:is|was|has been|had been) (?:\w+ )?{_PASSIVE}\b",
        r"\b(?:one|you) (?:often |sometimes )?hears? that\b|\b(?:so )?the (?:saying|story|legend) goes\b",
        r"\b(?:have|has|had) (?:long|always) (?:believed|thought|assumed)\b",
        rf"\baccording to {_KIND}{_POSTS}\b",
        r"\bthere (?:is|are|was|were|have been|has been) (?:\w+ ){0,2}(?:rumou?rs?|claims?|talk|gossip|speculation)\b",
        rf"^(?:the )?(?:viral |popular )?{_THOUGHT}:\s",
        rf"{_LEAD}(?:the|an?|this|that|\w+['’]s?)\s+(?:\w+\s+){{0,2}}{_THOUGHT}(?:,[^,]*,)? that\b",
        rf"\b{_DISPUTED}\b[^.;]{{0,40}}\b{_THOUGHT}\b",
        rf"\b{_DISTANT}(?! (?:life|lives|victory|responsibility))",
    )
)
_REPORT = re.compile(rf"\b(?:{_SAYS})\s+that\s+(?P<what>\S.{{10,}})$", re.IGNORECASE | re.DOTALL)
"""A report and what is reported."""
_BEGINS = r"^(?:(?:but|yet|and|however|in fact|in truth|in reality|actually|fact)[,:]?\s+)?"
_SUBJECT = (
    r"(?:this|that|it|these|all (?:of )?(?:this|that)|(?:the|this|that|these|those|such)\s+(?:\w+\s+){0,2}?"
    r"(?:claim|statement|story|storie|rumou?r|report|post|allegation|figure|assertion|account|picture|photo|video|message|"
    r"quote|quotation|number|belief|idea|theory|theorie|assumption|notion|recording|footage|clip|screenshot)s?|they|he|she)"
)
_IS = r"(?:is|was|are|were|has been|have been|turned out to be|proved(?: to be)?)"
_HOW = (
    r"(?:\s+(?:simply|completely|entirely|totally|plainly|just|also|demonstrably|largely|mostly|clearly|utterly|quite|"
    r"indeed|however|though|partly))*"
)
_WHAT = (
    r"(?P<what>false|untrue|wrong|incorrect|inaccurate|not\s+(?:true|correct|accurate|right|so|the case)|fake|baseless|"
    r"unfounded|groundless|nonsense|mistaken|fabricated|debunked|without\s+(?:any\s+)?(?:foundation|basis)|"
    r"an?\s+(?:\w+\s+)?(?:myth|hoax|lie|fake|fabrication|misconception|falsehood|forgery|scam)|true|correct|accurate|"
    r"right|genuine|misleading)"
)
_END = r"(?=[\s.,;:!)–—-]|$)(?!\s+(?:of|to|for|about|when|if|in|by|at|on|among|only|but|that|than)\b)"
_VERDICTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEGINS}{_SUBJECT}\s+{_IS}{_HOW}\s+{_WHAT}{_END}",
        rf"{_BEGINS}{_SUBJECT}\s+(?P<neg>(?:is|was|are|were)n['’]t){_HOW}\s+{_WHAT}{_END}",
        rf"^(?:simply\s+|completely\s+|totally\s+)?{_WHAT}[.!]",
        rf"{_BEGINS}{_SUBJECT}\s+(?:has|have|had)\s+(?P<what>no)\s+(?:\w+\s+)?(?:basis|foundation)\b",
        r"\b(?P<what>ruled)\s+(?:this|that|it)\s+out\b",
        rf"^(?:our\s+|the\s+)?(?:verdict|rating|conclusion|ruling|assessment|finding)\s*:{_HOW}\s+{_WHAT}{_END}",
    )
)
_REST = re.compile(r"[:;–—]\s*(?P<rest>\S.{15,})$", re.DOTALL)
"""What a verdict goes on to say: its reasons."""


class HearsayReader:
    """A stance reader that knows what a text says from what it reports. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads the parts."""
        self.name = f"{reader.name} + hearsay"

    @property
    def checksum(self) -> str:
        """Of the weights; this has none."""
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        plans = [_planned(passage, statement) for passage, statement in pairs]
        asked = [(part, statement) for plan, (_, statement) in zip(plans, pairs, strict=True) for part in plan.asked]
        read = iter(self.reader.read(asked))
        return [plan.stance([next(read) for _ in plan.asked]) for plan in plans]


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which parts of a passage are read, and how their stances make that of the passage."""

    whole: str
    reported: tuple[str, ...] = ()
    """What is only reported, or what the verdict is on, in one or two forms of words."""
    own: str = ""
    """What the text says in its own name."""
    means: Meaning | None = None
    """The verdict on what is reported."""
    adrift: bool = False
    """A verdict on something that is not in the text."""

    @property
    def asked(self) -> list[str]:
        """The parts to read, each once: the whole, what is reported, what the text says itself; as far as needed."""
        whole = () if self.means or (self.adrift and self.own) else (self.whole,)
        return [*whole, *self.reported, *([self.own] if self.own else [])]

    def stance(self, read: Sequence[Stance]) -> Stance:
        """That of the passage, from those of ``asked``."""
        first, own = read[0], read[-1]
        if self.means:
            # Small models miss the same claim in other words: the form in which they see it counts.
            seen = max(read[: len(self.reported)], key=lambda s: s.supports)
            judged = followed(seen, self.means)
            return _together(judged, own) if self.own else judged
        if self.adrift:
            return first if self.own else _limited(first, 0.0, 0.0)
        if not self.reported:
            return first
        supports, refutes = (own.supports, own.refutes) if self.own else (0.0, 0.0)
        # What denies the report refutes a statement that is reported, and the report alone refutes none.
        if self.own and read[1].supports >= read[1].refutes:
            refutes = 1.0
        return _limited(first, supports, refutes)


def hearsay(sentence: str) -> bool:
    """Whether a sentence says only what posts, rumours or unnamed people say."""
    return any(pattern.search(sentence) for pattern in _HEARSAY)


def verdict(sentence: str) -> Meaning | None:
    """What a sentence says of the one before it; None for all that is no verdict."""
    for pattern in _VERDICTS:
        if found := pattern.search(sentence):
            return _meant(found)
    return None


def judged(text: str) -> bool:
    """Whether a text brings a verdict on what it says or reports, so that its sentences cannot be read apart."""
    return any(verdict(sentence) for sentence in sentences(text))


def _meant(found: re.Match[str]) -> Meaning | None:
    words = " ".join((found["what"] or "").casefold().split())
    denied = "neg" in found.re.groupindex and bool(found["neg"])
    means = meaning(words)
    if means is Meaning.MISLEADING:
        return None if denied else means
    return (
        Meaning.FALSE if (means is not Meaning.TRUE and words not in ("genuine", "right")) != denied else Meaning.TRUE
    )


def _planned(passage: str, statement: str) -> _Plan:
    parts = sentences(passage)
    if hearsay(statement) or not any(verdict(p) or hearsay(p) for p in parts):
        return _Plan(passage)
    at = next((i for i, part in enumerate(parts) if verdict(part)), None)
    if at is None:
        said = [hearsay(part) for part in parts]
        reported, own = (
            " ".join(p for p, only in zip(parts, said, strict=True) if only is kind) for kind in (True, False)
        )
        return _Plan(passage, (reported,), own)
    more = _REST.search(parts[at])
    after = " ".join(([more["rest"]] if more else []) + parts[at + 1 :])
    if at == 0:
        return _Plan(passage, own=after, adrift=True)
    report = _REPORT.search(parts[at - 1])
    forms = (" ".join(parts[:at]), *([report["what"]] if report else []))
    return _Plan(passage, forms, after, verdict(parts[at]))


def _limited(whole: Stance, supports: float, refutes: float) -> Stance:
    """The stance with no more of either side than this; the rest is open."""
    s, r = min(whole.supports, supports), min(whole.refutes, refutes)
    return Stance(s, r, whole.neutral + whole.supports - s + whole.refutes - r, whole.off_topic)


def _together(verdict: Stance, rest: Stance) -> Stance:
    """What a verdict and what follows it say together: either side as plainly as the plainer of the two says it."""
    supports, refutes = max(verdict.supports, rest.supports), max(verdict.refutes, rest.refutes)
    if (sides := supports + refutes) >= 1.0:
        return Stance(supports / sides, refutes / sides, 0.0, 0.0)
    off_topic = min(verdict.off_topic, rest.off_topic, 1.0 - sides)
    return Stance(supports, refutes, 1.0 - sides - off_topic, off_topic)
