"""How long claim cards take to find, read and count: ``python -m scripts.time_cards``, two minutes for 10,000.

The cards are made up and rest on real facts of the starter library, two each; the models are the bundled ones.
"""

import argparse
import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from config import load_settings
from ghost.cards import Cards
from ghost.knowledge import KnowledgeBase, key_of
from ghost.records import CardFilter, CardOrder
from ghost.types import CardCitation, CardOrigin, CardSource, CardState, Category, ClaimCard, Label, StanceLabel
from ghost.workbench import build

SEED = 3


def main() -> None:
    """Make the cards, time each kind of read, and print milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="ghost-cards-") as folder:
        settings = load_settings().model_copy(update={"data_dir": Path(folder), "web": False})
        with build(settings, judge="embedded") as workbench:
            claims = fill(workbench.cards, workbench.knowledge, options.cards)
            workbench.cards.start()
            found = timed(workbench.cards, claims)
            workbench.ratings.rate("wikipedia.org", 0.1)
            began = perf_counter()
            workbench.cards.states()
            found["first read after a rating"] = [1000 * (perf_counter() - began)]
            found |= {f"{name}, many rated down": times for name, times in timed(workbench.cards, claims).items()}
    figures = {
        name: {"median": round(median(times), 1), "worst": round(max(times), 1)} for name, times in found.items()
    }
    for name, figure in figures.items():
        print(f"{name:<34} {figure['median']:>7.1f} ms, at worst {figure['worst']:.1f} ms")
    if options.json:
        options.json.write_text(json.dumps({"cards": options.cards, "milliseconds": figures}, indent=2))


def fill(cards: Cards, knowledge: KnowledgeBase, number: int) -> list[str]:
    """Cards with claims that are put together from the facts; returns the claims."""
    draw, now = random.Random(SEED), datetime.now(UTC)
    facts = list(knowledge.each())
    made = []
    for n in range(number):
        one, other = draw.sample(facts, 2)
        claim = f"{' '.join(one.text.split()[:9])} {' '.join(draw.sample(other.text.split(), 4))} {n}"
        cited = [
            CardCitation(i, p.id, p.text, StanceLabel.REFUTES, p.source_url) for i, p in enumerate((one, other), 1)
        ]
        sources = [CardSource(p.id, key_of(p.text, p.source_url), p.source_url, p.credibility) for p in (one, other)]
        card = ClaimCard(
            "", claim, draw.choice(list(Category)), Label.FALSE, "No [1].", 0.9, CardOrigin.RUN, now, (*cited,)
        )
        made.append((card, sources))
    cards.store.add_many(made)
    return [card.claim for card, _ in made]


def timed(cards: Cards, claims: list[str], repeats: int = 20) -> dict[str, list[float]]:
    """Milliseconds of each read, warm, for questions that were not asked before."""
    ids = [card.id for card in cards.browse(limit=repeats)]
    asked = random.Random(SEED).sample(claims, repeats)
    reads: dict[str, Callable[[int], object]] = {
        "search": lambda n: cards.search(f"Is it so that {asked[n]}? {perf_counter()}"),
        "one card": lambda n: cards.get(ids[n]),
        "a page of 25": lambda n: cards.browse(offset=25 * n),
        "a page of the active ones": lambda n: cards.browse(CardFilter(state=CardState.ACTIVE), offset=25 * n),
        "a page of the stale ones": lambda _: cards.browse(CardFilter(state=CardState.STALE)),
        "a page by claim with a word": lambda _: cards.browse(CardFilter(text="moon"), CardOrder.CLAIM),
        "how many in each state": lambda _: cards.states(),
    }
    found: dict[str, list[float]] = {}
    for name, read in reads.items():
        read(0)
        times = found.setdefault(name, [])
        for n in range(repeats):
            began = perf_counter()
            read(n)
            times.append(1000 * (perf_counter() - began))
    return found


if __name__ == "__main__":
    main()
