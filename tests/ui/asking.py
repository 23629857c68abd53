"""Claim cards, a claim match and a router that need no weights, over the database of a scripted workbench."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from ghost.budget import Limits
from ghost.cards import Asking, Found, Router
from ghost.records import CardStore, Database, DecisionStore
from ghost.testing import OFF_TOPIC, ScriptedReader
from ghost.types import (
    CardCitation,
    CardOrigin,
    Category,
    ClaimCard,
    ClaimMatch,
    Label,
    Relation,
    RouteCandidate,
    RouteMode,
    RouterDecision,
    Slot,
    StanceLabel,
)
from ghost.workbench import new_run_id
from tests.ui.samples import AT, HOSTILE, WALL

SURE = 0.99
LIMITS = Limits(100, 100, 1_000_000, 1.0, 60.0)


class ScriptedMatcher:
    """Calls texts in the same words the same, and others what ``says`` has for the question and the claim."""

    name, checksum = "scripted-match", "scripted"
    same_from = 0.9

    def __init__(self) -> None:
        self.says: dict[tuple[str, str], Relation] = {}

    def match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        return [ClaimMatch(self._relation(*pair), SURE, 0.93) for pair in pairs]

    def category_of(self, texts: Sequence[str]) -> list[Category]:
        return [Category.OTHER] * len(texts)

    def repeats(self, claims: Sequence[str]) -> dict[int, int]:
        return {}

    def _relation(self, question: str, claim: str) -> Relation:
        same = question.casefold().strip(" ?.") == claim.casefold().strip(" ?.")
        return self.says.get((question, claim), Relation.SAME if same else Relation.DIFFERENT)


class ScriptedCards(CardStore):
    """The cards of a database; a search finds all of them."""

    @property
    def store(self) -> CardStore:
        return self

    def search(self, question: str, limit: int = 5, as_of: date | None = None) -> list[Found]:
        now = datetime.now(UTC)
        return [Found(card, card.state(now), 0.93) for card in self.browse(limit=limit) if not card.retired]


def scripted_asking(database: Database, runs: Any, verify: Any, matcher: Any) -> Asking:
    """The real router and the real store of decisions, between scripted parts."""
    cards: Any = ScriptedCards(database)
    return Asking(
        Router(cards, matcher), cards, DecisionStore(database), runs, verify, lambda: None,
        ScriptedReader(lambda *_: OFF_TOPIC), lambda: LIMITS, new_run_id,
    )  # fmt: skip


def wall_card(**changes: Any) -> ClaimCard:
    """The answer to whether the wall can be seen from the Moon, with its source and its limits."""
    cited = CardCitation(1, "", WALL.text, StanceLabel.REFUTES, WALL.source_url, WALL.title, date(2024, 3, 2))
    made = ClaimCard(
        "", "The Great Wall of China is visible from the Moon", Category.SCIENTIFIC, Label.FALSE,
        "NASA says that it cannot be seen from there [1].", 0.93, CardOrigin.RUN, AT, (cited,),
        limitations="Only for the unaided eye.", would_change="A photograph that shows it.",
    )  # fmt: skip
    return replace(made, **changes)


def hostile_card(**changes: Any) -> ClaimCard:
    """Markup in every text that comes from outside."""
    cited = CardCitation(1, "", HOSTILE, StanceLabel.REFUTES, "javascript:alert(4)", HOSTILE)
    hostile = dict.fromkeys(("claim", "answer", "publisher", "limitations", "would_change"), HOSTILE)
    origin = CardOrigin.FACT_CHECK
    return wall_card(**(hostile | {"citations": (cited,), "url": "javascript:alert(5)", "origin": origin} | changes))


def decision(number: int = 0, mode: RouteMode = RouteMode.EXACT, **changes: Any) -> RouterDecision:
    """A question of a conversation; later ones were asked later."""
    match = ClaimMatch(Relation.OPPOSITE, 0.9, 0.95, (Slot("negation", "", "not", False),), "One denies it.")
    made = RouterDecision(
        f"{number:032x}", f"Question {number}?", f"Question {number}?", "talk", mode, (),
        (RouteCandidate("c_1", "The wall cannot be seen", match),), "They say the same.", 0.2,
        AT + timedelta(minutes=number),
    )  # fmt: skip
    return replace(made, **changes)
