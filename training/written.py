"""Pairs written for this project: ``contrasts.jsonl`` and ``paraphrases.jsonl`` in ``training/data``.

Each row has a topic, one passage (``a``) or two (``b``) and some claims, each with its stance towards either passage: S
supported, R refuted, N on the topic but not settled, O off topic. With two passages most claims are supported by one
and refuted by the other, so that the claim alone tells nothing and the passage must be read. The contrasts have two
passages of one to three sentences; the paraphrases mostly have one, of one sentence, and claims that say it in other
words, or something else in the same words.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from training.pairs import Pair

Row = TypeVar("Row")
CONTRASTS = Path(__file__).parent / "data" / "contrasts.jsonl"
PARAPHRASES = CONTRASTS.with_name("paraphrases.jsonl")
STANCES = {"S": "SUPPORTS", "R": "REFUTES", "N": "NEUTRAL", "O": "OFF-TOPIC"}
PASSAGES = ("a", "b")
SOURCE = "written"
HELD_BACK = 10
"""One topic in so many is never trained on; it measures, and fits what comes after the model."""


@dataclass(frozen=True)
class Contrast:
    """One passage, or two that disagree, and what is claimed about them."""

    topic: str
    passages: tuple[str, ...]
    claims: tuple[tuple[str, ...], ...]
    """Text, and its class of ``training.pairs.CLASSES`` towards each passage."""

    @property
    def claim_texts(self) -> tuple[str, ...]:
        """What is claimed about it."""
        return tuple(text for text, *_ in self.claims)

    @property
    def held_back(self) -> bool:
        """Whether this topic is kept out of training; depends on the topic's name alone."""
        return kept_out(self.topic, HELD_BACK)


def kept_out(topic: str, one_in: int) -> bool:
    """Whether a topic is among the ``one_in``-th part that is kept out of training."""
    return int(hashlib.sha256(topic.casefold().encode()).hexdigest(), 16) % one_in == 0


def read_contrasts(file: Path = CONTRASTS) -> list[Contrast]:
    """All rows; a malformed one raises ValueError that names its line."""
    return read_rows(file, _contrast)


def read_rows(file: Path, read: Callable[[dict[str, Any]], Row]) -> list[Row]:
    """What ``read`` makes of each line of a file of JSON lines; raises ValueError that names a malformed one."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found.append(read(json.loads(line)))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file.name}, line {number}: {type(error).__name__}: {error}") from error
    return found


def _contrast(row: dict[str, Any]) -> Contrast:
    names = [name for name in PASSAGES if name in row]
    claims = tuple((c["text"].strip(), *(STANCES[c[name]] for name in names)) for c in row["claims"])
    return Contrast(row["topic"], tuple(row[name].strip() for name in names), claims)


def contrast_pairs(contrasts: Sequence[Contrast]) -> Iterator[Pair]:
    """Each claim with every passage of its row."""
    for row in contrasts:
        for claim, *stances in row.claims:
            for passage, stance in zip(row.passages, stances, strict=True):
                yield Pair(passage, claim, stance, SOURCE)


def crossed_pairs(contrasts: Sequence[Contrast], rng: random.Random, share: float) -> Iterator[Pair]:
    """Claims with a passage of another row, OFF-TOPIC; about ``share`` of all claims."""
    for i, row in enumerate(contrasts):
        for claim, *_ in row.claims:
            if rng.random() < share:
                j = rng.randrange(len(contrasts) - 1)
                other = contrasts[j if j < i else j + 1]
                yield Pair(rng.choice(other.passages), claim, "OFF-TOPIC", SOURCE + "_crossed")
