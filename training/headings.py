"""Headings written for the pages of ``dossiers.jsonl``: ``data/headings.jsonl``, the headings of one page a row.

Each row has the topic of its page and headings (``heads``), each with the claims of that page which it settles by
itself, counted from 0: ``S`` supported, ``R`` refuted; all others it leaves open. Every fourth heading only names its
subject: what a page is about is no evidence, and a model that never saw headings takes it for such.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.dossiers import Dossier
from training.pairs import Pair
from training.written import read_rows

HEADINGS = Path(__file__).parent / "data" / "headings.jsonl"
SOURCE = "heading"
KNOWN = 13
"""Claims of a page that its headings were written for; what they say of later ones nobody has told."""


@dataclass(frozen=True)
class Heading:
    """What stands over a page, and which of the page's claims it settles."""

    text: str
    supports: frozenset[int]
    refutes: frozenset[int]

    def says(self, claim: int) -> str:
        """SUPPORTS, REFUTES or NEUTRAL."""
        return "SUPPORTS" if claim in self.supports else "REFUTES" if claim in self.refutes else "NEUTRAL"


def read_headings(file: Path = HEADINGS) -> dict[str, tuple[Heading, ...]]:
    """The headings of each page, by its topic; a malformed row raises ValueError that names its line."""
    return dict(read_rows(file, _row))


def _row(row: dict[str, Any]) -> tuple[str, tuple[Heading, ...]]:
    heads = tuple(Heading(h["text"].strip(), frozenset(h["S"]), frozenset(h["R"])) for h in row["heads"])
    for heading in heads:
        if heading.supports & heading.refutes:
            raise ValueError(f"the claims of {heading.text!r}")
    return row["topic"], heads


def heading_pairs(
    dossiers: Sequence[Dossier], headings: dict[str, tuple[Heading, ...]], rng: random.Random, left_open: int = 0
) -> Iterator[Pair]:
    """Each heading with the claims of its page; of those that it leaves open only ``left_open``, 0: all."""
    for dossier in dossiers:
        for heading in headings.get(dossier.topic, ()):
            rest = [i for i in range(min(KNOWN, len(dossier.claims))) if heading.says(i) == "NEUTRAL"]
            kept = rng.sample(rest, min(left_open, len(rest))) if left_open else rest
            for i in sorted({*kept, *heading.supports, *heading.refutes}):
                yield Pair(heading.text, dossier.claims[i].text, heading.says(i), SOURCE)
