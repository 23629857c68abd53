"""Pages written for this project: ``data/dossiers.jsonl``, one invented page a row and claims about it.

Each row has a topic, the sentences of a page in order (``page``), and claims, each with the sentences that support it
(``S``) and that refute it (``R``); every other sentence of the page leaves it open. Most sentences about an event say
nothing of a given claim on it, which is what pairs that were chosen for a claim do not show.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.pairs import Pair
from training.written import kept_out, read_rows

DOSSIERS = Path(__file__).parent / "data" / "dossiers.jsonl"
SOURCE = "dossier"
_BE = {"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't"}
_CAN = {"can": "can't", "could": "couldn't", "will": "won't", "would": "wouldn't", "must": "mustn't"}
_NEGATED = re.compile(
    r"\b(?:not|never|no|none|n't|cannot|nobody|nothing|neither|nor|without|only|false|myth)\b|n't\b", re.I
)
MIN_PART = 7
"""Words of a part of a sentence that is taken for a claim."""
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d.,]*\d)|(?<![\d.,])\d+(?![\d.,]*\d)")
ALONE = 0.5
"""Part of the sentences that settle a claim which are read without the one before them as well."""
HELD_BACK = 6
"""One topic in so many is never trained on; it measures, and fits what comes after the model."""


@dataclass(frozen=True)
class DossierClaim:
    """What is claimed about a page, and the sentences that settle it."""

    text: str
    supported_by: frozenset[int]
    refuted_by: frozenset[int]

    @property
    def label(self) -> str:
        """SUPPORTS, REFUTES, or NEI; where a page reports what it then denies, what it denies."""
        return "REFUTES" if self.refuted_by else "SUPPORTS" if self.supported_by else "NEI"


@dataclass(frozen=True)
class Dossier:
    """A page and claims about it."""

    topic: str
    page: tuple[str, ...]
    claims: tuple[DossierClaim, ...]

    @property
    def claim_texts(self) -> tuple[str, ...]:
        """What is claimed about it."""
        return tuple(claim.text for claim in self.claims)

    @property
    def held_back(self) -> bool:
        """Whether this topic is kept out of training; depends on the topic's name alone."""
        return kept_out(self.topic, HELD_BACK)


def read_dossiers(file: Path = DOSSIERS) -> list[Dossier]:
    """All rows; a malformed one raises ValueError that names its line."""
    return read_rows(file, _dossier)


def _dossier(row: dict[str, Any]) -> Dossier:
    page = tuple(s.strip() for s in row["page"])
    claims = tuple(DossierClaim(c["text"].strip(), frozenset(c["S"]), frozenset(c["R"])) for c in row["claims"])
    places = set(range(len(page)))
    for claim in claims:
        if not claim.supported_by | claim.refuted_by <= places or claim.supported_by & claim.refuted_by:
            raise ValueError(f"the sentences of {claim.text!r}")
    return Dossier(row["topic"], page, claims)


def dossier_pairs(dossiers: Sequence[Dossier], rng: random.Random, left_open: int = 0) -> Iterator[Pair]:
    """Each claim with the sentences of its page as a page is read, each with the one before it.

    Of those that leave it open only ``left_open``, drawn anew, and half of those alone; then every other one that
    settles it is read alone as well. 0: all, none alone.
    """
    for dossier in dossiers:
        for claim in dossier.claims:
            rest = []
            for i in range(len(dossier.page)):
                says = {_says(claim, n) for n in (i - 1, i)} - {"NEUTRAL"}
                if not says:
                    rest.append(i)
                elif len(says) == 1:
                    yield Pair(window(dossier.page, i), claim.text, *says, SOURCE)
                if left_open and i and (alone := _says(claim, i)) != "NEUTRAL" and rng.random() < ALONE:
                    yield Pair(dossier.page[i], claim.text, alone, SOURCE)
            drawn = rng.sample(rest, min(left_open, len(rest))) if left_open else rest
            for n, i in enumerate(drawn):
                text = dossier.page[i] if left_open and n % 2 else window(dossier.page, i)
                yield Pair(text, claim.text, "NEUTRAL", SOURCE)


def plain_pairs(dossiers: Sequence[Dossier], rng: random.Random, each: int = 4) -> Iterator[Pair]:
    """Claims in the page's own words, ``each`` of a page: sentences and their first parts, which it supports and most
    of it leaves open; the same negated or with another number, which it refutes; and written claims negated.

    The written claims say the truth in other words and errors in the page's own; these hinder that sameness of words is
    taken for error, or a negation for either.
    """
    for dossier in dossiers:
        page = dossier.page
        for i in rng.sample(range(len(page)), min(each, len(page))):
            claim = _first_part(page[i]) if rng.random() < 0.5 else page[i]
            around = [window(page, n) for n in (i, i + 1) if n < len(page)]
            yield from (Pair(text, claim, "SUPPORTS", SOURCE + "_plain") for text in around)
            apart = [window(page, n) for n in range(len(page)) if not {n, n - 1} & {i}]
            yield from (
                Pair(text, claim, "NEUTRAL", SOURCE + "_plain") for text in rng.sample(apart, min(2, len(apart)))
            )
            for turned in (negate(claim, rng), renumber(claim, rng)):
                if turned:
                    yield from (Pair(text, turned, "REFUTES", SOURCE + "_plain") for text in around)
        for claim in rng.sample(dossier.claims, min(each, len(dossier.claims))):
            if turned := negate(claim.text, rng):
                for i in claim.supported_by ^ claim.refuted_by:
                    says = "REFUTES" if i in claim.supported_by else "SUPPORTS"
                    yield Pair(window(page, i), turned, says, SOURCE + "_turned")


def negate(sentence: str, rng: random.Random) -> str | None:
    """The sentence with its first auxiliary negated, or None when there is none or it is negated already."""
    if _NEGATED.search(sentence):
        return None
    words = sentence.split()
    for i, word in enumerate(words[:-1]):
        if i == 0:
            continue
        if word in _BE or word in _CAN:
            style = rng.random()
            if style < 0.55:
                new = [word, "not"]
            elif style < 0.75:
                new = [(_BE | _CAN)[word]]
            else:
                new = [word, "never"]
            return " ".join(words[:i] + new + words[i + 1 :])
        if word in ("has", "have", "had") and re.fullmatch(r"been|won|\w{3,}ed|\w{2,}en", words[i + 1]):
            return " ".join([*words[: i + 1], rng.choice(("not", "never")), *words[i + 1 :]])
        if word == "has":
            return " ".join([*words[:i], "does not have", *words[i + 1 :]])
        if re.fullmatch(r"[a-z]{3,}ed", word) and i + 1 < len(words) and words[i - 1][-1:].isalpha():
            base = _base(word)
            if base:
                return " ".join([*words[:i], "did not", base, *words[i + 1 :]])
    return None


def _base(past: str) -> str | None:
    """The base form of a few regular verbs, where the rule is safe."""
    known = {"starred": "star", "directed": "direct", "played": "play", "appeared": "appear", "died": "die",
             "received": "receive", "worked": "work", "released": "release", "served": "serve", "married": "marry",
             "produced": "produce", "performed": "perform", "attended": "attend", "started": "start", "lived": "live",
             "ended": "end", "helped": "help", "featured": "feature", "debuted": "debut", "moved": "move"}  # fmt: skip
    return known.get(past)


def renumber(sentence: str, rng: random.Random) -> str | None:
    """The sentence with one of its numbers changed plainly, or None when it has none."""
    found = list(_NUMBER.finditer(sentence))
    if not found:
        return None
    at = rng.choice(found)
    value = int(at[0].replace(",", ""))
    year = 1500 <= value <= 2100 and "," not in at[0]
    new = (
        value + rng.choice((-1, 1)) * rng.randint(2, 30)
        if year
        else round(value * rng.choice((0.3, 0.5, 1.6, 2, 4))) + 1
    )
    return sentence[: at.start()] + (f"{new:,}" if "," in at[0] else str(new)) + sentence[at.end() :]


def _first_part(sentence: str) -> str:
    """The sentence up to its last comma, where that is a statement of its own length."""
    head, comma, _ = sentence.rpartition(", ")
    return f"{head}." if comma and len(head.split()) >= MIN_PART else sentence


def crossed_dossier_pairs(dossiers: Sequence[Dossier], rng: random.Random) -> Iterator[Pair]:
    """Each claim with some sentence of another page, OFF-TOPIC."""
    for i, dossier in enumerate(dossiers):
        for claim in dossier.claims:
            j = rng.randrange(len(dossiers) - 1)
            page = dossiers[j if j < i else j + 1].page
            yield Pair(window(page, rng.randrange(len(page))), claim.text, "OFF-TOPIC", SOURCE + "_crossed")


def window(page: Sequence[str], i: int) -> str:
    """A sentence with the one before it, where there is one."""
    return " ".join(page[max(0, i - 1) : i + 1])


def _says(claim: DossierClaim, i: int) -> str:
    return "SUPPORTS" if i in claim.supported_by else "REFUTES" if i in claim.refuted_by else "NEUTRAL"
