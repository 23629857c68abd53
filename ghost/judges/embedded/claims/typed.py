"""What the claim classifier makes of a claim: its type, and which of its clauses are left to be checked."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from ghost.errors import WeightsDamagedError
from ghost.inference import ClaimHead
from ghost.judges.embedded.claims.sentences import capitalised
from ghost.judges.embedded.claims.words import PRAISE, STOP, content_words, has_predicate, reports, words
from ghost.text import bare
from ghost.types import ClaimType, Classification, ReasonCode, Statement

CLASSES = (ClaimType.FACTUAL, ClaimType.OPINION, ClaimType.MIXED, ClaimType.AMBIGUOUS)
MAX_STATEMENTS = 8
"""More parts than this make no claim but an article; the rest is left out and the reason says so."""
STOPS = 0.52
"""Probability of an opinion, or of saying too little, at which a run ends: in the text as it was pasted, in its clauses
together, and in each of them."""
LEFT_OUT = 0.9
"""A clause among others is left out from this probability of an opinion on: a wrong cut changes the claim, a wrong type
does not."""
CUT = 0.6
"""A clause is cut to its factual part, if it has one, from this probability of judging on."""
_MOST = 24
"""Clauses that are read."""
_NAME = r"[A-ZÀ-Þ]\w+(?:['’-]\w+)*"
_OFFICE = re.compile(rf"({_NAME}(?: (?:(?:d\w|v[ao]n|bin) )?{_NAME})*)( (?:is|are|was|were|has been) .+)", re.DOTALL)
_DATE = r"(?:January|February|March|April|May|June|July|August|September|October|November|December|[A-Z]\w+day)\b"
_PLACE = re.compile(rf"\b((?:of|in|at|from) (?:the )?)(?!{_DATE}){_NAME}(?: {_NAME})*")


@dataclass(frozen=True, slots=True)
class Reading:
    """How likely each claim type is for one text, and how much a check of it is worth."""

    factual: float
    opinion: float
    mixed: float
    ambiguous: float
    check_worthiness: float
    """0 nothing to check … 1 worth checking."""

    @property
    def type(self) -> ClaimType:
        """The most probable type."""
        values = (self.factual, self.opinion, self.mixed, self.ambiguous)
        return CLASSES[values.index(max(values))]

    @property
    def judges(self) -> float:
        """Probability that the text judges, in whole or in part."""
        return self.opinion + self.mixed


class ReadsClaims(Protocol):
    """Tells claim types apart."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """One reading for each text, in the order given; raises ModelError."""
        ...


class ClaimReader:
    """The bundled classifier as step 1 uses it."""

    def __init__(self, head: ClaimHead) -> None:
        """Raises WeightsDamagedError when the weights were fitted for other classes."""
        if head.classes != tuple(c.value for c in CLASSES):
            raise WeightsDamagedError(
                "The claim classifier in ghost/models was fitted for another version of Ghost. Bring it back with "
                "`git checkout -- ghost/models`, or fit it again as training/README.md describes."
            )
        self._head = head
        self.name = head.name

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._head.checksum

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """One reading for each text, in the order given; all texts are encoded at once. Raises ModelError."""
        if not texts:
            return []
        types, worth = self._head.read(texts)
        scores = worth[:, 2] + worth[:, 1] / 2
        rows = zip(types.tolist(), scores.tolist(), strict=True)
        return [Reading(fact, opinion, mixed, vague, score) for (fact, opinion, mixed, vague), score in rows]


def typed(
    text: str, clauses: Sequence[str], reader: ReadsClaims, check: Callable[[], None] = lambda: None
) -> Classification:
    """The type of a text with these clauses, and the statements they make, as ``reader`` reads them.

    Raises ModelError, and what ``check`` raises, which is called between two clauses.
    """
    said = len(clauses)
    clauses = clauses[:_MOST]
    texts = (text, " ".join(clauses), *clauses)
    readings = _readings(texts, reader)
    worth = round(readings[0].check_worthiness, 4)
    if min(r.opinion for r in readings) >= STOPS and (renamed := tuple(map(_with_common_names, texts))) != texts:
        readings = _readings(renamed, reader)
    whole, _, *each = readings
    if (sure := min(r.opinion for r in readings)) >= STOPS:
        return Classification(
            ClaimType.OPINION,
            round(sure, 2),
            (),
            f"“{_short(clauses[0])}” reads as a judgement, not as something that evidence can settle.",
            "Name a measure that others can check: a number, a date, an event, a ranking or a survey.",
            ReasonCode.OPINION,
            check_worthiness=worth,
        )
    if (sure := min(r.ambiguous for r in readings)) >= STOPS:
        return Classification(
            ClaimType.AMBIGUOUS,
            round(sure, 2),
            (),
            "It does not say clearly enough who or what is meant.",
            "Say who or what it is about, what happened, and where or when.",
            ReasonCode.AMBIGUOUS,
            check_worthiness=worth,
        )
    kept: list[str] = []
    left: list[str] = []
    for clause, reading in zip(clauses, each, strict=True):
        check()
        if len(clauses) > 1 and reading.opinion >= LEFT_OUT:
            left.append(_short(clause))
            continue
        cut = reading.judges >= CUT and len(kept) < MAX_STATEMENTS
        core = _factual_part(clause, reader) if cut else ""
        if core:
            left.append(_left_out(clause, core))
        kept.append(core or clause)
    mixed = bool(left) or whole.judges > whole.factual
    if not kept:  # nothing is plainly a fact, and nothing so plainly an opinion that the run would end
        kept, left = list(clauses), []
    return _checkable(kept, left, mixed, max(0.5, whole.judges if mixed else whole.factual), worth, said)


def _readings(texts: Sequence[str], reader: ReadsClaims) -> list[Reading]:
    """One reading for each text. A report of what someone said is never an opinion, even if what they said is."""
    unique = list(dict.fromkeys(texts))
    read = {
        text: replace(one, factual=one.factual + one.opinion, opinion=0.0) if reports(text) else one
        for text, one in zip(unique, reader.read(unique), strict=True)
    }
    return [read[text] for text in texts]


def _with_common_names(text: str) -> str:
    """Who holds an office or belongs to a kind, with names that every reader knows: a name the classifier has never
    seen makes “Mara Linden is the bishop of Brenholt” read as an opinion."""
    name, rest = found.groups() if (found := _OFFICE.fullmatch(text)) else ("", "")
    if not rest or PRAISE.intersection(map(bare, rest.split())):
        return text
    person = " " in name and bare(name.partition(" ")[0]) not in STOP
    return ("John Smith" if person else name) + _PLACE.sub(r"\1London", rest)


def factual(clauses: Sequence[str]) -> Classification:
    """The clauses taken for facts, where no classifier reads them."""
    return _checkable(clauses, (), False, 0.7, None, len(clauses))


def _checkable(
    kept: Sequence[str], left: Sequence[str], mixed: bool, sure: float, worth: float | None, said: int
) -> Classification:
    first: dict[str, str] = {}
    for text in kept:
        first.setdefault(text.casefold(), text)
    texts = list(first.values())
    statements = tuple(Statement(n, text) for n, text in enumerate(texts[:MAX_STATEMENTS], 1))
    what = "one statement" if len(statements) == 1 else f"{len(statements)} statements"
    if left:
        reason = f"It mixes facts and opinion: “{left[0]}” cannot be checked and was left out; {what} can be."
    elif mixed:
        reason = f"It mixes facts and opinion; {what} can be checked, judging words included."
    else:
        reason = f"It makes {what} that evidence can support or refute."
    if len(texts) > MAX_STATEMENTS:
        reason += f" Only the first {MAX_STATEMENTS} of {max(said, len(texts))} statements are checked."
    kind = ClaimType.MIXED if mixed else ClaimType.FACTUAL
    return Classification(kind, round(sure, 2), statements, reason, check_worthiness=worth)


def _left_out(clause: str, core: str) -> str:
    """The words of the clause that the core does not have, as far as they stand together; else the clause."""
    kept = {w.strip(".,;:!?").casefold() for w in core.split()}
    gone = [w for w in clause.split() if w.strip(".,;:!?").casefold() not in kept]
    return _short(" ".join(gone).strip(" ,;:–—-.")) or _short(clause)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"


# The factual part of a clause that judges while it tells: grammar makes the cuts, the classifier picks one.
_AND_NOT = r"(?!(?:not|never|no|nor|without|hardly|rather)\b)"
"""“A, but not B” says one thing: A, and no B."""
_TAIL = re.compile(r"\s+[–—-]\s+|\s*—\s*|:\s+|;\s+|,\s+" + _AND_NOT)
_ASIDE = re.compile(r",\s+[^,]+,(?=\s)|\s+\([^)]*\)|\s+[–—-]\s+[^–—]+\s+[–—-](?=\s)")
_TURN = re.compile(r",?\s+(?:and|but|yet|because|so)\s+" + _AND_NOT)
_FRAME = re.compile(
    # “It is a lie that …” frames the opposite.
    r"^(?![^,:]{0,60}\b(?:not|never|no|false|untrue|lie|myth|hoax|wrong|doubt\w*)\b[^,:]{0,40}\bthat\b)"
    r"(?:it(?:'s| is| was)|isn't it|how|i(?:'m| am)|we(?:'re| are)|what|thank (?:god|goodness|heavens)|"
    r"nobody (?:should|can)|(?:a|the) (?:shame|scandal|disgrace))\b(?:[^,:]{0,40}?\b)that\s+(?=\S+ \S+ \S)",
    re.IGNORECASE,
)
_PLAIN = 0.5
"""Probability of a plain fact from which on a cut is taken."""
_TRIES, _CUTS, _WORDS = 24, 500, 80
"""Cuts that are read, and that are looked at: a clause full of commas has thousands. Longer clauses are not cut."""
_LEANING = words("he she it they this that these those which who and but yet so because as if each")


def _factual_part(clause: str, reader: ReadsClaims) -> str:
    """The longest cut of ``clause`` that reads as a plain fact; "" where none does."""
    if len(clause.split()) > _WORDS:
        return ""
    cuts = dict.fromkeys(_tidy(text, clause) for text in islice(_cuts(clause), _CUTS))
    tries = list(islice((cut for cut in cuts if cut != clause and _stands(cut)), _TRIES))
    good = [(t, r.factual) for t, r in zip(tries, reader.read(tries), strict=True) if r.factual >= _PLAIN]
    return max(good, key=lambda one: (len(one[0]), one[1]), default=("", 0.0))[0]


def _cuts(text: str) -> Iterator[str]:
    yield _FRAME.sub("", text, count=1)
    yield from (text[: m.start()] + text[m.end() :] for m in _ASIDE.finditer(text))
    yield from (text[: m.start()] for m in _TAIL.finditer(text))
    yield from (text[: m.start()] for m in _TURN.finditer(text))
    yield from (text[m.end() :] for m in _TAIL.finditer(text))


def _stands(text: str) -> bool:
    plain = [bare(t) for t in text.split()]
    return len(plain) > 2 and has_predicate(plain) and content_words(plain) >= 2 and plain[0] not in _LEANING


def _tidy(text: str, clause: str) -> str:
    text = text.strip(" ,;:–—-!?.")
    return capitalised(text) + ("." if clause.rstrip().endswith((".", "!", "?")) else "") if text else ""
