"""The claim match: whether two claims say the same. In doubt they do not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from ghost.errors import ModelError
from ghost.inference import BUNDLED_ENCODER, BUNDLED_MODELS, Encoder, StanceReader, load_encoder, load_stance_reader
from ghost.matching.decision import KIND, MOST_CHARS, MatchModel
from ghost.matching.measure import Measured, measure
from ghost.matching.slots import CATEGORY, WORDS
from ghost.matching.statements import asked
from ghost.matching.words import content
from ghost.types import Category, ClaimMatch, Relation, Slot

VERBATIM = 0.999
"""The probability that two claims in the same words are the same."""
NEAR = 0.8
"""Claims of a list with a lower cosine are not held against each other."""
MOST_PAIRS = 100
"""Of a list; reading them takes some seconds."""
LEAST_WORDS = 1
"""A text with fewer content words says too little to be compared."""


class Matcher(Protocol):
    """Whatever says how claims stand to each other."""

    def match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        """How the two texts of each pair stand to each other, in the order given."""
        ...


class ClaimMatcher:
    """Compares claims and questions by two small models and by their words. Safe to share between threads."""

    def __init__(self, encoder: Encoder, reader: StanceReader, model: MatchModel) -> None:
        """``encoder`` and ``reader`` are the ones that ``model`` was fitted on."""
        self._encoder = encoder
        self._reader = reader
        self._model = model

    @property
    def name(self) -> str:
        """Name of the fitted model."""
        return self._model.name

    @property
    def checksum(self) -> str:
        """SHA-256 of the fitted model's weights."""
        return self._model.checksum

    @property
    def same_from(self) -> float:
        """The probability from which a pair is called the same; raises ModelError."""
        return self._model.same_from

    def match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        """How the two texts of each pair stand to each other, in the order given; claims or questions, either way.

        All pairs are read at once. A pair that cannot be compared (empty, far too long, a model that fails) is
        different, with the reason in ``why`` and a probability of 0.
        """
        unusable = [_unusable(one) or _unusable(other) for one, other in pairs]
        asked_pairs = [pair for pair, why in zip(pairs, unusable, strict=True) if not why]
        try:
            found = iter(self._match(asked_pairs))
        except ModelError as error:
            return [_failed(why or f"A model failed: {error}") for why in unusable]
        return [_failed(why) if why else next(found) for why in unusable]

    def repeats(self, claims: Sequence[str]) -> dict[int, int]:
        """For each claim that surely says what an earlier one says, by number: the earliest such one.

        Only the nearest pairs are read, at most ``MOST_PAIRS`` of them. Empty where a model fails.
        """
        try:
            vectors = self._encoder.encode([asked(claim[:MOST_CHARS]).statement or claim for claim in claims])
        except ModelError:
            return {}
        near = np.triu(vectors @ vectors.T, 1) if len(claims) else np.zeros((0, 0))
        pairs = sorted(zip(*np.nonzero(near >= NEAR), strict=True), key=lambda pair: -near[pair])[:MOST_PAIRS]
        matches = self.match([(claims[later], claims[earlier]) for earlier, later in pairs])
        found: dict[int, int] = {}
        for (earlier, later), match in sorted(zip(pairs, matches, strict=True), key=lambda row: row[0]):
            # Never by way of a third one: what is the same as the same may be something else.
            if match.relation is Relation.SAME and earlier not in found:
                found.setdefault(int(later), int(earlier))
        return found

    def category_of(self, texts: Sequence[str]) -> list[Category]:
        """What kind of knowledge each claim asks for; OTHER where that is unclear or a model fails."""
        try:
            vectors = self._encoder.encode([asked(text[:MOST_CHARS]).statement for text in texts])
            return self._model.categories(vectors) if len(texts) else []
        except ModelError:
            return [Category.OTHER] * len(texts)

    def _match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        if not pairs:
            return []
        measured = measure(pairs, self._encoder, self._reader)
        rows = self._model.probabilities([m.vector for m in measured])
        texts = [claim.statement for m in measured for claim in m.claims]
        categories = iter(self._model.categories(self._encoder.encode(texts)))
        matches = []
        for found, row in zip(measured, rows, strict=True):
            relation, probability, same = self._model.decide(row, found)
            if found.verbatim:  # the stance model reads one identical sentence in fifty as a denial
                relation, probability, same = Relation.SAME, VERBATIM, VERBATIM
            slots = (*(d.slot for d in found.differences), _category(next(categories), next(categories)))
            matches.append(ClaimMatch(relation, probability, found.cosine, slots, _why(relation, found), same))
        return matches


def load_matcher(
    models: Path = BUNDLED_MODELS, threads: int = 0, encoder: Encoder | None = None, reader: StanceReader | None = None
) -> ClaimMatcher:
    """The bundled matcher, from the folder of bundled models; weights are read at the first match.

    It shares ``encoder`` and the bundled stance model ``reader``, where they are given. An encoder named in the
    settings is not the one it was fitted on, so it then has its own. Raises WeightsMissingError or WeightsDamagedError.
    """
    if encoder is None or encoder.name not in BUNDLED_ENCODER:
        encoder = load_encoder(BUNDLED_ENCODER[0], models, threads)
    reader = reader or load_stance_reader(models, threads)
    return ClaimMatcher(encoder, reader, MatchModel(models / KIND, encoder, reader))


def _unusable(text: str) -> str:
    if len(text) > MOST_CHARS:
        return f"A text is longer than {MOST_CHARS:,} characters."
    if len(content(asked(text).statement)) < LEAST_WORDS:
        return "A text says too little to be compared."
    return ""


def _failed(why: str) -> ClaimMatch:
    return ClaimMatch(Relation.DIFFERENT, 0.0, 0.0, (), why)


def _category(one: Category, other: Category) -> Slot:
    return Slot(CATEGORY, one.value, other.value, one is other)


def _why(relation: Relation, found: Measured) -> str:
    """What the relation rests on, in a sentence."""
    differing = [d.slot.name for d in found.differences if not d.slot.agrees and d.slot.name != WORDS]
    apart = f"They differ in {', '.join(differing)}." if differing else "No slot differs but the words."
    there, back = found.stances
    match relation:
        case Relation.SAME:
            return f"Each supports the other ({there.supports:.2f} and {back.supports:.2f}). {apart}"
        case Relation.OPPOSITE:
            turned = any(claim.denied for claim in found.claims)
            how = "One denies the other as a whole." if turned else (
                f"Each refutes the other ({there.refutes:.2f} and {back.refutes:.2f})."
            )  # fmt: skip
            return f"{how} {apart}"
        case Relation.RELATED:
            return f"On one matter, and not surely the same. {apart}"
        case _:
            return f"Little in common (cosine {found.cosine:.2f}). {apart}"
