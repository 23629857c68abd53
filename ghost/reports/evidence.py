"""The evidence of a run by passage and by side, and what was found but not used."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ghost.reports.formatting import on_topic, percent, source
from ghost.reports.trace import step_rows
from ghost.types import Citation, DropCode, Evidence, StanceLabel, TraceStep

SIDES = (
    (StanceLabel.REFUTES, "Contradicts"),
    (StanceLabel.SUPPORTS, "Supports"),
    (StanceLabel.NEUTRAL, "Related, not decisive"),
)
_WORDS = dict(SIDES) | {StanceLabel.NEUTRAL: "Related", StanceLabel.OFF_TOPIC: "Off topic"}
NOT_USED = "Found but not used"
"""What this is called on pages and in reports."""
UNNAMED = "An unnamed source"
DROP_REASONS: dict[str, str] = {
    DropCode.OFF_TOPIC: "It is about something else",
    DropCode.RELEVANCE: "It is too far from the claim",
    DropCode.PLACES: "Stronger passages were used",
    DropCode.ORIGIN: "Its source is used already",
    DropCode.DOMAIN: "Enough was used from this site",
    DropCode.FOUND_PAGE: "The claim was found on this page",
    DropCode.RETRACTED: "The page was retracted",
}
"""Why a candidate was dropped, in words for whoever reads a report."""


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """One passage of a run with all statements that it bears on."""

    number: int
    main: Evidence
    """The statement that it is cited for, else the one on which it says most."""
    all: tuple[Evidence, ...]
    cited: tuple[Citation, ...] = ()
    """The accepted citations of it."""

    @property
    def stances(self) -> tuple[StanceLabel, ...]:
        """How the verdict cites it, in the order of SIDES; what is not cited, as the stance model reads it."""
        return _stances(self.main, self.cited)

    @property
    def words(self) -> str:
        """``Contradicts 92%``; without a share where the stance model does not read it that way."""
        return _in_words(self.main, self.stances)

    def stances_for(self, row: Evidence) -> tuple[StanceLabel, ...]:
        """The stances of one of its statements."""
        if row is self.main:
            return self.stances
        return _stances(row, [c for c in self.cited if c.statement == row.statement])

    def reading(self, row: Evidence) -> str:
        """The words for one of its statements."""
        return _in_words(row, self.stances_for(row))


@dataclass(frozen=True, slots=True)
class EvidenceSide:
    """The passages of one stance."""

    stance: StanceLabel
    words: str
    cards: tuple[EvidenceCard, ...]
    """The weightiest first."""

    @property
    def origins(self) -> int:
        """How many of them are independent of one another."""
        return len({card.main.group for card in self.cards})


def evidence_cards(evidence: Sequence[Evidence], citations: Sequence[Citation] = ()) -> list[EvidenceCard]:
    """One card per number, the weightiest first; what is off topic has none."""
    evidence = on_topic(evidence)
    numbers = dict.fromkeys(e.number for e in evidence)
    made = []
    for number in numbers:
        rows = tuple(e for e in evidence if e.number == number)
        cited = tuple(c for c in citations if c.accepted and c.n == number)
        for_these = {c.statement for c in cited}
        main = max(rows, key=lambda e: (e.statement in for_these, max(e.stance.supports, e.stance.refutes)))
        made.append(EvidenceCard(number, main, rows, cited))
    return sorted(made, key=lambda card: (-card.main.final, card.number))


def _in_words(e: Evidence, stances: Sequence[StanceLabel]) -> str:
    words = " and ".join(_WORDS[stance] for stance in stances)
    share = max(e.stance.supports, e.stance.refutes, e.stance.neutral, e.stance.off_topic)
    as_read = tuple(stances) == (e.stance.label,) and not (e.correction or e.unreadable)
    return f"{words} {percent(share)}" if as_read else words


def _stances(main: Evidence, cited: Sequence[Citation]) -> tuple[StanceLabel, ...]:
    found = {c.stance for c in cited} or {main.stance.label}
    sides = found - {StanceLabel.NEUTRAL} or found
    return tuple(stance for stance in _WORDS if stance in sides)


def evidence_sides(made: Sequence[EvidenceCard], citations: Sequence[Citation]) -> list[EvidenceSide]:
    """The cards by stance, the side that the verdict cites most first; stances without any are left out.

    A passage that is cited for both sides is on both.
    """
    cited = [c.stance for c in citations if c.accepted]
    order = sorted(SIDES, key=lambda side: -cited.count(side[0]))
    by_stance = {stance: tuple(card for card in made if stance in card.stances) for stance, _ in SIDES}
    return [EvidenceSide(stance, words, by_stance[stance]) for stance, words in order if by_stance[stance]]


@dataclass(frozen=True, slots=True)
class UnusedSource:
    """Passages of one page that became no evidence for one reason. Its words come from outside."""

    source: str
    title: str
    why: str
    passages: int = 1

    @property
    def words(self) -> str:
        """The reason, and of how many passages it holds."""
        return self.why if self.passages == 1 else f"{self.why} · {self.passages} passages"


def decisive_cards(made: Sequence[EvidenceCard], citations: Sequence[Citation]) -> list[EvidenceCard]:
    """What the verdict cites, in the order of its citations; without any, the strongest two that take a side."""
    by_number = {card.number: card for card in made}
    cited = [by_number[n] for n in dict.fromkeys(c.n for c in citations if c.accepted) if n in by_number]
    return cited or [card for card in made if StanceLabel.NEUTRAL not in card.stances][:2]


def unused_sources(evidence: Sequence[Evidence], steps: Sequence[TraceStep]) -> list[UnusedSource]:
    """What is off topic in the stored evidence first, then what was dropped, the weightiest first."""
    used = {e.passage.id for e in on_topic(evidence)}
    found: dict[str, UnusedSource] = {}
    for e in evidence:
        if e.stance.label is StanceLabel.OFF_TOPIC:
            why = DROP_REASONS[DropCode.OFF_TOPIC]
            found.setdefault(e.passage.id, UnusedSource(source(e.passage), e.passage.title, why))
    for row in sorted(_dropped(steps), key=_weight):
        one = UnusedSource(str(row.get("domain") or UNNAMED), str(row.get("title") or ""), _why(row))
        found.setdefault(str(row.get("passage_id") or ""), one)
    pages = Counter(one for passage_id, one in found.items() if passage_id not in used)
    return [replace(one, passages=number) for one, number in pages.items()]


def _dropped(steps: Sequence[TraceStep]) -> list[Mapping[str, Any]]:
    """The rows of the last round of step 3, with all that is known of them."""
    last = next((s for s in reversed(steps) if s.name == "rerank"), None)
    if last is None:
        return []
    rows = [row for name in ("dropped", "candidates") for row in step_rows((last,), "rerank", name)]
    return list({(row.get("statement"), row.get("passage_id")): row for row in rows if not row.get("kept")}.values())


def _weight(row: Mapping[str, Any]) -> float:
    final = row.get("final")
    return -float(final) if isinstance(final, int | float) else 0.0


def _why(row: Mapping[str, Any]) -> str:
    """The reason in plain words; in those of the trace where the version that made the run kept no code."""
    code, why = str(row.get("code") or ""), str(row.get("why") or "")
    if row.get("stance") == StanceLabel.OFF_TOPIC and code not in (DropCode.FOUND_PAGE, DropCode.RETRACTED):
        code = DropCode.OFF_TOPIC
    return DROP_REASONS.get(code, why[:1].upper() + why[1:])
