"""Passages that report what somebody says: ``data/reported.jsonl``, one passage a row.

Each row has its kind, a topic, a passage of one to three sentences and three or four claims with the label that the
passage gives them. ``denied``: it says itself that what it reports is not so; ``open``: it neither confirms nor denies
it; ``confirmed``: it says that it is so; ``authority``: it reports what can be taken at its word, often with the words
of the other kinds. A model that never saw such passages takes what they report for what they say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.pairs import Pair
from training.written import kept_out, read_rows

REPORTED = Path(__file__).parent / "data" / "reported.jsonl"
SOURCE = "reported"
KINDS = ("denied", "open", "confirmed", "authority")
LABELS = {"SUPPORTS": "SUPPORTS", "REFUTES": "REFUTES", "NEI": "NEUTRAL"}
HELD_BACK = 4
"""One topic in so many is never trained on; it measures."""


@dataclass(frozen=True)
class Reported:
    """A passage, and claims with their class of ``training.pairs.CLASSES``."""

    kind: str
    topic: str
    passage: str
    claims: tuple[tuple[str, str], ...]

    @property
    def held_back(self) -> bool:
        """Whether this topic is kept out of training; depends on the topic's name alone."""
        return kept_out(self.topic, HELD_BACK)


def read_reported(file: Path = REPORTED) -> list[Reported]:
    """All rows; a malformed one raises ValueError that names its line."""
    return read_rows(file, _row)


def _row(row: dict[str, Any]) -> Reported:
    claims = tuple((text.strip(), LABELS[label]) for text, label in row["claims"])
    passage = row["passage"].strip()
    if row["kind"] not in KINDS or not passage or not claims or not all(text for text, _ in claims):
        raise ValueError("the kind, the passage or the claims")
    return Reported(row["kind"], row["topic"], passage, claims)


def reported_pairs(rows: Sequence[Reported]) -> Iterator[Pair]:
    """Each claim with its passage; the sentences alone have labels that nobody has told."""
    for row in rows:
        for claim, label in row.claims:
            yield Pair(row.passage, claim, label, SOURCE)
