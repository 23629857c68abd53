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

TOWNS = tuple(
    first + last
    for first in "Ald Brack Cor Dun Esk Farn Grau Holl Irs Jol Kar Linde Mar Nettle Orm Pen Quar Roth Salt Tres".split()
    for last in "mere well moor leigh holt".split()
)
THINGS = (
    "harbour, town hall, railway station, library, lighthouse, hospital, school, brewery, market, theatre, "
    "castle, mill, bridge, church, airport, cinema, museum, prison, bakery, tower, canal, factory, quarry, "
    "cemetery, zoo, observatory, stadium, swimming pool, university, court, mint, embassy, fish market, tram "
    "line, power station, waterworks, opera house, botanical garden, concert hall, hotel, bank, post office, "
    "fire station, orphanage, monastery, synagogue, mosque, barracks, shipyard, dam, reservoir, weather "
    "station, telephone exchange, printing house, glassworks, brickworks, sawmill, tannery, distillery, "
    "vineyard, racecourse, golf course, ice rink, skating hall, chess club, art gallery, archive, "
    "planetarium, aquarium, arboretum, cable car, funicular, ferry terminal, bus depot, car park, tunnel, "
    "viaduct, aqueduct, windmill, watermill, granary, slaughterhouse, dairy, nursery, playground, bandstand, "
    "fountain, statue, monument, city wall, gatehouse, almshouse, poorhouse, workhouse, laundry, bathhouse, "
    "spa, clinic, pharmacy, laboratory"
).split(", ")
GOALS = {"exact": 0.3, "contextual": 1.5}
"""Seconds at the median, for a warm workbench."""


def asking(cards: int, questions: int, command: str = "") -> dict[str, Any]:
    """Seconds until answers are there, and how many questions were answered from cards."""
    with TemporaryDirectory(prefix="ghost-asking-") as folder:
        settings = load_settings().model_copy(update={"data_dir": Path(folder), "web": False})
        with build(settings, judge="embedded") as workbench:
            say(f"Making {cards:,} cards.")
            claims = _fill(workbench, cards)
            asked = [f"Did the {claim[4:].replace(' opened ', ' open ').rstrip('.')}?" for claim in claims]
            step = max(1, len(claims) // questions)
            _timed(workbench, asked[0])  # what opens at the first question is not measured
            exact, later = [], []
            for question in asked[::step][:questions]:
                exact.append(_timed(workbench, question))
                card = workbench.cards.search(question, 1)[0].card
                later.append(_timed(workbench, "What are your sources?", (Turn(question, card.answer, (card.id,)),)))
            models = workbench.models
    return {
        **head("asking", command, settings, models=models),
        "cards": cards,
        "questions": questions,
        "answered_exactly": sum(mode is RouteMode.EXACT for mode, _ in exact),
        "answered_contextually": sum(mode is RouteMode.CONTEXTUAL for mode, _ in later),
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
    places = [(thing, town) for town in TOWNS for thing in THINGS]
    claims = [f"The {t} of {town} opened in {1500 + 7 * n % 500}." for n, (t, town) in enumerate(places)][:number]
    made = [ClaimCard("", c, Category.HISTORICAL, Label.TRUE, f"It did: {c}", 0.9, CardOrigin.RUN, now) for c in claims]
    workbench.cards.store.add_many([(card, ()) for card in made])
    workbench.cards.start()
    return claims


def _timed(workbench: Workbench, question: str, turns: tuple[Turn, ...] = ()) -> tuple[RouteMode, float]:
    """The mode, and the seconds until the answer is there, or until it is known that there is none."""
    began = perf_counter()
    for event in workbench.asking.ask(question, "", turns):
        if isinstance(event, QuestionAnswered):
            return event.decision.mode, perf_counter() - began
        if isinstance(event, QuestionRouted) and event.decision.mode is RouteMode.NOVEL:
            return RouteMode.NOVEL, perf_counter() - began
    raise GhostError(f"“{question}” was not answered.")
