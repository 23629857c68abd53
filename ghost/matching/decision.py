"""The fitted part of the claim match: from features to probabilities, and from those to a relation."""

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from ghost.errors import ModelError, WeightsDamagedError
from ghost.inference import HEAD, Encoder, ModelFolder, StanceReader
from ghost.matching.features import NAMES as FEATURES
from ghost.matching.features import exchanged
from ghost.matching.measure import Measured
from ghost.matching.order import in_order
from ghost.matching.slots import (
    ATTRIBUTION,
    DATES,
    DIRECTION,
    FORM,
    MODALITY,
    NAMES,
    NEGATION,
    NUMBERS,
    QUALIFIERS,
    QUANTIFIER,
    ROLES,
    SCOPES,
    SUBJECT,
    WORDS,
    Difference,
    compare,
)
from ghost.matching.statements import Asked, asked
from ghost.matching.words import content
from ghost.types import Category, Relation

KIND = "claim-match"
RELATIONS = (Relation.SAME, Relation.OPPOSITE, Relation.RELATED, Relation.DIFFERENT)
"""In the order of the probabilities."""
NEVER_SAME = (NUMBERS, DATES, FORM, ROLES, QUALIFIERS, *SCOPES)
"""Claims with other numbers, dates or limits, or of which one asks why, are not the same whatever the model thinks."""
NEVER_SAME_IF_NEAR = (QUANTIFIER, MODALITY, ATTRIBUTION)
MOST_APART = 3
"""Words that two claims differ in: with more of them another name may be the other claim's name for the same."""
SURE = 0.65
"""From this probability, read either way, one claim says what the other says, where no slot differs."""
SURELY = 0.95
"""What such a pair is given at least: of 149 fitted pairs 148 were the same."""
MOST_WORDS = 13
"""Content words of the longest claim that was fitted on. Longer ones are the same in the same words only: two long
sentences can exchange a role or a name and share all their words."""
MOST_CHARS = 2_000
"""A longer text says more than one thing, and no card, question or reviewed claim is that long."""
CATEGORY_SURE = 0.4
"""A category is named from this probability on."""


def barred(differences: Sequence[Difference]) -> bool:
    """Whether two claims are not the same whatever a model thinks."""
    by_name = {d.slot.name: d for d in differences}
    if by_name[SUBJECT].conflicting or any(not by_name[name].slot.agrees for name in NEVER_SAME):
        return True
    apart = by_name[WORDS].missing + by_name[WORDS].conflicting
    return turned(differences) or (by_name[NAMES].conflicting > 0 and apart <= MOST_APART)


def turned(differences: Sequence[Difference]) -> bool:
    """Whether a small difference turns one of two claims into another.

    In claims that share all words but one, it is what somebody wants to know: “some mills closed” is not “all mills
    closed”. A small model reads such a pair as support.
    """
    by_name = {d.slot.name: d for d in differences}
    turns = (
        (by_name[NEGATION].conflicting > 0) + (by_name[DIRECTION].conflicting > 0) + (by_name[ROLES].conflicting > 1)
    )
    near = by_name[WORDS].missing + by_name[WORDS].conflicting <= 1
    return near and (any(not by_name[name].slot.agrees for name in NEVER_SAME_IF_NEAR) or turns % 2 == 1)


def may_be_same(one: str, other: str) -> bool:
    """Whether nothing in the words of two claims makes them different ones; needs no model and is strict."""
    if max(len(one), len(other)) > MOST_CHARS:
        return False
    claims = asked(one), asked(other)
    return _no_slot_differs(claims, compare(*claims))


def _no_slot_differs(claims: tuple[Asked, Asked], differences: Sequence[Difference]) -> bool:
    one, other = claims
    if not (content(one.statement) and content(other.statement)) or one.denied != other.denied:
        return False
    texts = one.statement, other.statement
    agree = all(d.slot.agrees for d in differences if d.slot.name != WORDS)
    return agree and not exchanged(*texts) and in_order(*texts)


def surely_same(measured: Measured) -> bool:
    """Whether no slot differs and either claim supports the other: then the fitted model need not agree.

    A word that only one of them has is a difference: polar bears are not black for having black skin.
    """
    supported = min(stance.supports for stance in measured.stances)
    more = any(d.missing for d in measured.differences if d.slot.name == WORDS)
    return supported >= SURE and not more and _no_slot_differs(measured.claims, measured.differences)


class MatchModel:
    """The weights in ``ghost/models/claim-match``, fitted on the readings of one encoder and one stance model.

    Safe to share between threads.
    """

    def __init__(self, folder: Path, encoder: Encoder, reader: StanceReader) -> None:
        """Reads the manifest only.

        Raises WeightsMissingError, or WeightsDamagedError when the weights were fitted on other models than these.
        """
        self._folder = ModelFolder.open(folder)
        manifest = self._folder.manifest
        if manifest.kind != KIND:
            raise WeightsDamagedError(f"{folder} describes the kind {manifest.kind}, not {KIND}.")
        for what, model, wanted in (("encoder", encoder, manifest.encoder), ("stance model", reader, manifest.reader)):
            if model.checksum != wanted:
                raise WeightsDamagedError(
                    f"The model in {folder} was fitted on another {what} than {model.name}. Bring both back with "
                    "`git checkout -- ghost/models`, or fit it again as training/README.md describes."
                )
        self.name = manifest.name
        self._lock = threading.Lock()

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights."""
        return self._folder.checksum

    @property
    def same_from(self) -> float:
        """The probability from which a pair is called the same."""
        return float(self._stored["bounds"][0])

    def probabilities(self, vectors: Sequence[np.ndarray]) -> np.ndarray:
        """Of ``RELATIONS``, one row for each vector of features; raises ModelError."""
        stored = self._stored
        if stored["feature"].max() >= len(FEATURES):
            raise ModelError(f"The model in {self._folder.path} was fitted on other features. Fit it again.")
        return np.array([self._row(np.asarray(vector, dtype=np.float32)) for vector in vectors])

    def _row(self, vector: np.ndarray) -> np.ndarray:
        """All trees at once, level by level: each is full, with its nodes in the order of a heap."""
        stored = self._stored
        feature, threshold, leaf = stored["feature"], stored["threshold"], stored["leaf"]
        at = np.zeros((*feature.shape[:-1], 1), dtype=np.intp)
        for _ in range(leaf.shape[-1].bit_length() - 1):
            value = vector[np.take_along_axis(feature, at, -1)]
            at = 2 * at + 1 + (value > np.take_along_axis(threshold, at, -1))
        logits = np.take_along_axis(leaf, at - feature.shape[-1], -1)[..., 0].sum(axis=1, dtype=np.float64)
        return np.asarray(_softmax(logits + stored["prior"]).mean(axis=0))

    def decide(self, probabilities: np.ndarray, measured: Measured) -> tuple[Relation, float, float]:
        """What a row of probabilities amounts to, how likely that is, and how likely the same; in doubt neither same
        nor opposite."""
        least, opposite = self._stored["bounds"]
        long = any(len(content(claim.statement)) > MOST_WORDS for claim in measured.claims)
        same = 0.0 if long or barred(measured.differences) else float(probabilities[0])
        if surely_same(measured) and not long:
            return Relation.SAME, max(same, SURELY), max(same, SURELY)
        if same >= least:
            relation = Relation.SAME
        elif probabilities[1] >= opposite:
            relation = Relation.OPPOSITE
        else:
            relation = Relation.DIFFERENT if probabilities[3] > 0.5 else Relation.RELATED
        return relation, float(probabilities[RELATIONS.index(relation)]), same

    def categories(self, vectors: np.ndarray) -> list[Category]:
        """The category of each vector of the encoder; OTHER where none is likely enough. Raises ModelError."""
        weights = self._stored["categories"]
        chances = _softmax(vectors @ weights[:-1] + weights[-1])
        names = self._folder.manifest.classes or ()
        return [Category(names[int(row.argmax())]) if row.max() >= CATEGORY_SURE else Category.OTHER for row in chances]

    @cached_property
    def _stored(self) -> dict[str, np.ndarray]:
        with self._lock:
            self._folder.verify()
            try:
                with np.load(self._folder.path / HEAD, allow_pickle=False) as stored:
                    return dict(stored)
            except (OSError, ValueError) as error:
                raise ModelError(f"{self._folder.path / HEAD} cannot be read as weights ({error}).") from error


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))
