"""What a run looked at and did not use: candidates that were dropped, and what older versions kept though off topic."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ghost.reports.plain import on_topic, source
from ghost.types import DropCode, Evidence, StanceLabel, TraceStep

NAME = "Looked at, not used"
"""What this is called on pages and in reports."""
UNNAMED = "An unnamed source"
REASONS: dict[str, str] = {
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
class Unused:
    """Passages of one page that became no evidence for one reason. Its words come from outside."""

    source: str
    title: str
    why: str
    passages: int = 1

    @property
    def words(self) -> str:
        """The reason, and of how many passages it holds."""
        return self.why if self.passages == 1 else f"{self.why} · {self.passages} passages"


def unused(evidence: Sequence[Evidence], steps: Sequence[TraceStep]) -> list[Unused]:
    """What is off topic in the stored evidence first, then what was dropped, the weightiest first."""
    used = {e.passage.id for e in on_topic(evidence)}
    found: dict[str, Unused] = {}
    for e in evidence:
        if e.stance.label is StanceLabel.OFF_TOPIC:
            found.setdefault(e.passage.id, Unused(source(e.passage), e.passage.title, REASONS[DropCode.OFF_TOPIC]))
    for row in sorted(_dropped(steps), key=_weight):
        one = Unused(str(row.get("domain") or UNNAMED), str(row.get("title") or ""), _why(row))
        found.setdefault(str(row.get("passage_id") or ""), one)
    pages = Counter(one for passage_id, one in found.items() if passage_id not in used)
    return [replace(one, passages=number) for one, number in pages.items()]


def _dropped(steps: Sequence[TraceStep]) -> list[Mapping[str, Any]]:
    """The rows of the last round of step 3, with all that is known of them."""
    last = next((s for s in reversed(steps) if s.name == "rerank"), None)
    if last is None:
        return []
    rows: dict[object, Mapping[str, Any]] = {}
    for name in ("dropped", "candidates"):
        kept = last.outputs.get(name)
        for row in kept if isinstance(kept, list | tuple) else ():
            if isinstance(row, Mapping) and not row.get("kept"):
                rows[row.get("statement"), row.get("passage_id")] = row
    return list(rows.values())


def _weight(row: Mapping[str, Any]) -> float:
    final = row.get("final")
    return -float(final) if isinstance(final, int | float) else 0.0


def _why(row: Mapping[str, Any]) -> str:
    """The reason in plain words; in those of the trace where the version that made the run kept no code."""
    code, why = str(row.get("code") or ""), str(row.get("why") or "")
    if row.get("stance") == StanceLabel.OFF_TOPIC and code not in (DropCode.FOUND_PAGE, DropCode.RETRACTED):
        code = DropCode.OFF_TOPIC
    return REASONS.get(code, why[:1].upper() + why[1:])
