"""Short passages with claims about each: ``data/reported.jsonl`` and ``data/aspects.jsonl``, one passage a row.

Each row has its kind, a topic, a passage of one to three sentences and three to five claims with the label that the
passage gives them. Public sets have few of either sort, and a model that never saw them takes what a passage reports
for what it says, and a sentence on another aspect of an event for a denial.

``REPORTED`` reports what somebody says. ``denied``: it says itself that what it reports is not so; ``open``: it neither
confirms nor denies it; ``confirmed``: it says that it is so; ``authority``: it reports what can be taken at its word,
often with the words of the other kinds.

``ASPECTS`` is about one aspect of an event. ``nearby``: most claims are about another one, in the passage's own words;
``contrast``: claims that differ in little and have different labels; ``inference``: claims one plain step of thinking
away; ``support``: most claims say what the passage says, in very different words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from training.pairs import Pair
from training.written import kept_out, read_rows

DATA = Path(__file__).parent / "data"
LABELS = {"SUPPORTS": "SUPPORTS", "REFUTES": "REFUTES", "NEI": "NEUTRAL"}
HELD_BACK = 4
"""One topic in so many is never trained on; it measures."""


@dataclass(frozen=True)
class Sort:
    """One of the two files, with the kinds of its rows."""

    name: str
    kinds: tuple[str, ...]

    @property
    def file(self) -> Path:
        return DATA / f"{self.name}.jsonl"


REPORTED = Sort("reported", ("denied", "open", "confirmed", "authority"))
ASPECTS = Sort("aspects", ("nearby", "contrast", "inference", "support"))
SORTS = {sort.name: sort for sort in (REPORTED, ASPECTS)}


@dataclass(frozen=True)
class Passage:
    """A passage, and claims with their class of ``training.pairs.CLASSES``."""

    kind: str
    topic: str
    text: str
    claims: tuple[tuple[str, str], ...]

    @property
    def claim_texts(self) -> tuple[str, ...]:
        """What is claimed about it."""
        return tuple(text for text, _ in self.claims)

    @property
    def held_back(self) -> bool:
        """Whether this topic is kept out of training; depends on the topic's name alone."""
        return kept_out(self.topic, HELD_BACK)


def read_passages(sort: Sort, file: Path | None = None) -> list[Passage]:
    """All rows of a sort; a malformed one raises ValueError that names its line."""
    return read_rows(file or sort.file, partial(_row, sort.kinds))


def _row(kinds: Sequence[str], row: dict[str, Any]) -> Passage:
    claims = tuple((text.strip(), LABELS[label]) for text, label in row["claims"])
    passage = row["passage"].strip()
    if row["kind"] not in kinds or not passage or not claims or not all(text for text, _ in claims):
        raise ValueError("the kind, the passage or the claims")
    return Passage(row["kind"], row["topic"], passage, claims)


def passage_pairs(sort: Sort, rows: Sequence[Passage]) -> Iterator[Pair]:
    """Each claim with its passage; the sentences alone have labels that nobody has told."""
    for row in rows:
        for claim, label in row.claims:
            yield Pair(row.text, claim, label, sort.name)
