"""Passages and claims for measurements of speed: as varied as real ones, made up, and always the same for a seed.

Nothing here says anything about the world: places, people and figures are invented from the words in ``corpus.json``,
and the text only ever enters a temporary knowledge base.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from ghost.types import NewPassage, Origin

_FILE = Path(__file__).with_suffix(".json")
_ENDINGS = (
    "", "", ".", ", as the {institute} reported", ". {person2} called it the most important change in a decade",
    ". The figures come from the statistical office of {region}", "; a final report is expected in {month}",
    ". Local newspapers in {town2} had first reported on it",
)  # fmt: skip
_SHORT = 0.25
"""Share of facts that a passage tells as briefly as a claim would."""
_WORDS = range(12, 41)
"""How many words a passage may have."""


@dataclass(frozen=True, slots=True)
class Template:
    """How one kind of fact is told, and how somebody would claim it; both have gaps such as ``{town}``."""

    topic: str
    passage: str
    claim: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One made-up fact: as a passage tells it, and as somebody claims it."""

    topic: str
    text: str
    claim: str


class Inventor:
    """Fills the gaps of templates with names and figures that it makes up."""

    def __init__(self, words: dict[str, list[str]], rng: random.Random) -> None:
        self._words = words
        self._rng = rng

    def gaps(self) -> dict[str, str]:
        """A new filling for every gap."""
        rng = self._rng
        return {
            "town": self._name("town"),
            "town2": self._name("town"),
            "region": self._name("region"),
            "river": self._one("heads") + self._one("middles"),
            "person": f"{self._one('first_names')} {self._name('person')}",
            "person2": f"{self._one('first_names')} {self._name('person')}",
            "company": f"{self._name('person')} {rng.choice(('Works', 'Group', 'Industries', 'and Daughters'))}",
            "institute": f"{self._one('subjects')} Institute of {self._name('town')}",
            "material": self._one("materials"),
            "animal": self._one("animals"),
            "illness": self._one("illnesses"),
            "month": self._one("months"),
            "year": str(rng.randint(1921, 2024)),
            "n": f"{int(10 ** rng.uniform(2.5, 6)):,}",
            "m": str(rng.randint(3, 400)),
            "pct": f"{rng.uniform(1, 99):.1f}".removesuffix(".0"),
        }

    def _name(self, kind: str) -> str:
        return self._one("heads") + self._one("middles") + self._one(f"{kind}_tails")

    def _one(self, words: str) -> str:
        return self._rng.choice(self._words[words])


def facts(seed: int) -> Iterator[Fact]:
    """Made-up facts without end; no two have the same text, each text has 12 to 40 words."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    templates = [Template(**template) for template in data["templates"]]
    rng = random.Random(seed)
    inventor = Inventor(data["words"], rng)
    told: set[str] = set()
    while True:
        template, gaps = rng.choice(templates), inventor.gaps()
        telling = template.claim if rng.random() < _SHORT else template.passage
        text = _sentence((telling + rng.choice(_ENDINGS)).format(**gaps))
        if text not in told and len(text.split()) in _WORDS:
            told.add(text)
            yield Fact(template.topic, text, _sentence(template.claim.format(**gaps)))


def endless_passages(seed: int) -> Iterator[NewPassage]:
    """Passages without end, three to a made-up page; some have a date of publication."""
    rng = random.Random(f"sources/{seed}")
    for number, fact in enumerate(facts(seed)):
        yield _passage(fact, number, rng)


def claims(count: int, seed: int) -> list[str]:
    """``count`` different claims: facts of this seed as told, with another figure, or two in one; facts nobody told."""
    rng = random.Random(f"claims/{seed}")
    known, unknown = facts(seed), facts(seed + 1)
    made: list[str] = []
    while len(made) < count:
        claim = next(known).claim
        match len(made) % 5:
            case 1 | 3:
                claim = _other_figure(claim, rng)
            case 2:
                claim = f"{claim[:-1]}, and {_continued(next(known).claim)}"
            case 4:
                claim = next(unknown).claim
        if claim not in made:
            made.append(claim)
    return made


def _passage(fact: Fact, number: int, rng: random.Random) -> NewPassage:
    published = date(2004, 1, 1) + timedelta(days=rng.randrange(7_500)) if rng.random() < 0.6 else None
    page = number // 3
    return NewPassage(
        text=fact.text,
        source_url=f"https://site-{page % 400}.example/{fact.topic}/{page}",
        title=f"{fact.topic.capitalize()}: {' '.join(fact.text.split()[:6])}",
        origin=Origin.IMPORT,
        topic=fact.topic,
        published_at=published,
        note="made up for a measurement",
    )


def _other_figure(claim: str, rng: random.Random) -> str:
    """The claim with its last figure changed; unchanged when it has none."""
    figures = list(re.finditer(r"\d[\d,.]*\d|\d", claim))
    if not figures:
        return claim
    last = figures[-1]
    changed = int(float(last.group().replace(",", ""))) + rng.randint(3, 40)
    return f"{claim[: last.start()]}{changed}{claim[last.end() :]}"


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def _continued(sentence: str) -> str:
    """The sentence as it goes on after "and": a small first letter unless it is that of a name."""
    plain = sentence.startswith(("The ", "A ", "Samples ", "Hunting ", "Unemployment "))
    return sentence[0].lower() + sentence[1:] if plain else sentence
