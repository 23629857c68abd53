"""``python -m ghost bench asking``: how long it takes to find and route the answer to a question among many cards.

The embedded models route; the cards are made up, one claim each, and are found like any other.
"""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.results import head, percentile, say
from config import load_settings
from ghost.errors import GhostError
from ghost.events import QuestionAnswered, QuestionRouted
from ghost.types import CardOrigin, Category, ClaimCard, Label, RouteMode, Turn
from ghost.workbench import Workbench, build

TOWNS = ("Aldmere", "Brackwell", "Corvane", "Dunholt", "Eskmoor", "Farnleigh", "Grauwinkel", "Hollin Point", "Irsdal",
         "Jolbeck", "Karsund", "Lindehaven", "Marrow Bay", "Nettlecombe", "Ormsary", "Penhallow", "Quarn", "Rothbeck",
         "Saltgate", "Tresmouth")  # fmt: skip
THINGS = ("harbour", "town hall", "railway station", "library", "lighthouse", "hospital", "school", "brewery", "market",
          "theatre")  # fmt: skip
GOALS = {"exact": 0.3, "contextual": 1.5}
"""Seconds at the median, for a warm workbench."""


def asking(cards: int, questions: int, command: str = "") -> dict[str, Any]:
    """Seconds until the mode is known, and until the answer is there. Raises GhostError when a route is another one."""
    with TemporaryDirectory(prefix="ghost-asking-") as folder:
        settings = load_settings().model_copy(update={"data_dir": Path(folder), "web": False})
        with build(settings, judge="embedded") as workbench:
            say(f"Making {cards:,} cards.")
            claims = _fill(workbench, cards)
            asked = [f"Did the {claim[4:].replace(' opened ', ' open ').rstrip('.')}?" for claim in claims]
            step = max(1, len(claims) // questions)
            list(workbench.asking.ask(asked[0]))  # what opens at the first question is not measured
            exact = [_timed(workbench, question, (), RouteMode.EXACT) for question in asked[::step][:questions]]
            later = [
                _timed(workbench, "What are your sources?", (Turn(question, card.answer, (card.id,)),),
                       RouteMode.CONTEXTUAL)
                for question in asked[::step][:questions]
                if (card := workbench.cards.search(question, 1)[0].card)
            ]  # fmt: skip
            models = workbench.models
    return {
        **head("asking", command, settings, models=models),
        "cards": cards,
        "questions": questions,
        **{
            f"{name}_seconds_{share}": round(percentile([row[1] for row in rows], share), 3)
            for name, rows in (("exact", exact), ("contextual", later))
            for share in (50, 95)
        },
        "goals": GOALS,
        "goals_met": {
            "exact": percentile([row[1] for row in exact], 50) < GOALS["exact"],
            "contextual": percentile([row[1] for row in later], 50) < GOALS["contextual"],
        },
    }


def _fill(workbench: Workbench, number: int) -> list[str]:
    now = datetime.now(UTC)
    claims = [
        f"The {thing} of {town} opened in {year}."
        for year in range(1500, 2020)
        for town in TOWNS
        for thing in THINGS
    ][:number]  # fmt: skip
    for claim in claims:
        card = ClaimCard("", claim, Category.HISTORICAL, Label.TRUE, f"It did: {claim}", 0.9, CardOrigin.RUN, now)
        workbench.cards.store.add(card)
    workbench.cards.start()
    return claims


def _timed(workbench: Workbench, question: str, turns: tuple[Turn, ...], wanted: RouteMode) -> tuple[float, float]:
    """Seconds until the mode is known, and until the answer is there."""
    began, routed = perf_counter(), 0.0
    for event in workbench.asking.ask(question, "", turns):
        if isinstance(event, QuestionRouted):
            routed = perf_counter() - began
            if event.decision.mode is not wanted:
                raise GhostError(f"“{question}” went to {event.decision.mode}: {event.decision.reasoning}")
        elif isinstance(event, QuestionAnswered):
            return routed, perf_counter() - began
    raise GhostError(f"“{question}” was not answered.")
