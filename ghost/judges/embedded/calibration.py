"""Calibrations: which odds belong to a stance model, and how they are fitted.

The odds of the bundled stance model come with Ghost (``odds.json``). ``python -m ghost calibrate`` fits those of any
other model on the written claims that come with Ghost and keeps them in the data folder, by the model's checksum. A
model without a calibration is used with cautious odds, and says so.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ghost.errors import ModelError
from ghost.judges.embedded.odds import ANSWERS, FEATURES, TAKES_SIDE, Odds
from ghost.judges.shares import LEAST_SHARE
from ghost.text import write_whole
from ghost.types import BOUND, Label

SHIPPED = Path(__file__).with_name("odds.json")
CAUTION = 1.6
"""Temperature of the odds for a model that was never calibrated: those of the bundled one, less sure."""
RIGHT = 0.9
"""So many verdicts above the bound have to be right."""
MISREAD = 0.03
"""At most so many of the readings that a verdict may rest on are wrong."""
PLAINEST = 0.98
"""The highest bound for readings: a model that is still wrong above it settles next to nothing."""
STEP = 0.005
"""Steps in which it is looked for: readings crowd just below 0.95."""
FOLDS = 5
ORDERS = 10
"""Times that the claims are dealt out to the folds: a single split moves the bound by several hundredths."""
RIDGE = 1.0
"""Strength of the regularisation of standardised features, in claims."""
ROUNDS = 200
NEAREST = 50
"""Verdicts just above the bound, of which ``LEAST_SHARE`` have to be right: most may be much surer."""
FEWEST = 20
"""Decided claims above a bound without which nothing can be said of it."""


class _Weights(BaseModel):
    bias: float
    support: float
    refute: float
    nearness: float


class Calibration(BaseModel):
    """What is kept of a fit."""

    model_config = ConfigDict(frozen=True)

    answers: dict[Label, _Weights]
    bound: float = Field(ge=BOUND, le=1.0)
    reader: str
    """SHA-256 of the stance model."""
    name: str = ""
    claims: int = 0
    decided: int = 0
    """Claims that were decided above the bound when the fold they are in was left out."""
    right: int = 0
    """So many of them rightly."""
    reading: float = Field(default=0.0, ge=0.0, le=1.0)
    """Readings below this settle nothing; see ``reading_bound``."""

    @property
    def odds(self) -> Odds:
        """The weights as the decision uses them."""
        return Odds(
            {label: row.bias for label, row in self.answers.items()},
            {label: tuple(getattr(row, name) for name in FEATURES) for label, row in self.answers.items()},
            self.bound,
            self.reader,
            self.reading,
        )


@cache
def shipped() -> Calibration:
    """The calibration of the bundled stance model."""
    return Calibration.model_validate_json(SHIPPED.read_bytes())


def calibration_for(checksum: str, folder: Path | None = None) -> Calibration | None:
    """The calibration of a stance model: that of ``folder`` before the one that comes with Ghost; None without one.

    Raises ModelError when the file in the folder cannot be read.
    """
    if folder and (file := _file(folder, checksum)).exists():
        try:
            return Calibration.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise ModelError(
                f"The calibration {file} cannot be read. Delete it, or run `python -m ghost calibrate` again."
            ) from error
    return shipped() if shipped().reader == checksum else None


def odds_for(checksum: str, folder: Path | None = None) -> Odds:
    """The odds of a stance model; cautious ones, which name no model, where it was never calibrated."""
    found = calibration_for(checksum, folder)
    return found.odds if found else shipped().odds.cooled(CAUTION)


def kept_odds(settings: Mapping[str, Any]) -> Odds | None:
    """The odds that a run was decided with, from what it keeps of its settings; None for runs that kept none."""
    try:
        return TypeAdapter(Odds).validate_python(settings["odds"]) if settings.get("odds") else None
    except ValidationError:
        return None


def keep(calibration: Calibration, folder: Path) -> Path:
    """Keep a calibration in the folder, whole or not at all; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = _file(folder, calibration.reader)
    write_whole(file, [(calibration.model_dump_json(indent=2) + "\n").encode()])
    return file


def fit(
    features: np.ndarray, answers: Sequence[Label], reader: str, name: str, kinds: Sequence[str] = ()
) -> Calibration:
    """Multinomial logistic regression on the features of each claim's evidence, shape (claims, len(FEATURES)).

    The bound is the lowest, from ``BOUND`` on, above which nine verdicts in ten, and three in four of those just above
    it, are right when the fold that a claim is in was left out of the fit. Where the claims are of several ``kinds``,
    each kind counts the same, however many of it there are. Raises ModelError when there are too few claims, or no
    bound is high enough.
    """
    y = np.array([ANSWERS.index(label) for label in answers])
    if len(y) < FOLDS * len(ANSWERS):
        raise ModelError(f"A calibration needs more than {len(y)} claims.")
    guessed = np.mean([_left_out(features, y, order) for order in range(ORDERS)], axis=0)
    bound, decided, right = _bound(guessed, y, np.array(kinds or [""] * len(y)))
    slopes, biases = _fitted(features, y)
    rows = {
        label: _Weights(
            bias=round(float(biases[i]), 4), **{f: round(float(slopes[i, n]), 4) for n, f in enumerate(FEATURES)}
        )
        for i, label in enumerate(ANSWERS)
    }
    return Calibration(answers=rows, bound=bound, reader=reader, name=name, claims=len(y), decided=decided, right=right)


def reading_bound(plainest: Sequence[float], right: Sequence[bool], kinds: Sequence[str]) -> float:
    """The lowest bound above which at most ``MISREAD`` of the readings are wrong, chance allowed for.

    ``plainest`` has what the plainest passage says of each claim that would be decided (``says``), ``right`` whether
    its side is the claim's. Each of the ``kinds`` counts the same, and one standard error is added to their share.
    """
    said, wrong, sort = np.array(plainest), ~np.array(right), np.array(kinds)
    for bound in np.arange(TAKES_SIDE, PLAINEST, STEP):
        above = said >= bound
        if (count := int(above.sum())) < FEWEST:
            break
        share = np.mean([np.mean(wrong[above & (sort == kind)]) for kind in np.unique(sort[above])])
        if share + np.sqrt(share * (1 - share) / count) <= MISREAD:
            return round(float(bound), 3)
    return PLAINEST


def left_out_odds(features: np.ndarray, answers: Sequence[Label], made: Calibration) -> list[Odds]:
    """For each claim the odds that come of a fit without the fold it falls into: what they decide, they never saw."""
    y = np.array([ANSWERS.index(label) for label in answers])
    folds = _folds(len(y), 0)
    fitted = [_fitted(features[folds != fold], y[folds != fold]) for fold in range(FOLDS)]
    odds = [
        Odds(
            dict(zip(ANSWERS, biases.tolist(), strict=True)),
            dict(zip(ANSWERS, map(tuple, slopes.tolist()), strict=True)),
            made.bound,
            reading=made.reading,
        )
        for slopes, biases in fitted
    ]
    return [odds[fold] for fold in folds]


def _folds(claims: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(claims) % FOLDS


def _left_out(features: np.ndarray, answers: np.ndarray, seed: int) -> np.ndarray:
    """The probabilities of each claim when the fold that it falls into is left out, shape (claims, answers)."""
    folds = _folds(len(answers), seed)
    guessed = np.zeros((len(answers), len(ANSWERS)))
    for fold in range(FOLDS):
        slopes, biases = _fitted(features[folds != fold], answers[folds != fold])
        guessed[folds == fold] = _softmax(features[folds == fold] @ slopes.T + biases)
    return guessed


def _bound(guessed: np.ndarray, answers: np.ndarray, kinds: np.ndarray) -> tuple[float, int, int]:
    """The lowest bound that is good enough, with how many claims are decided above it and how many rightly."""
    label, sure = guessed.argmax(axis=1), guessed.max(axis=1)
    taken, good = label != ANSWERS.index(Label.NOT_ENOUGH_EVIDENCE), label == answers
    for bound in np.arange(BOUND, 1.0, 0.01):
        above = taken & (sure >= bound)
        decided, right = int(above.sum()), int(good[above].sum())
        shares = [np.mean(good[above & (kinds == kind)]) for kind in np.unique(kinds[above])]
        nearest = good[above][np.argsort(sure[above], kind="stable")][:NEAREST]
        if decided >= FEWEST and np.mean(shares) >= RIGHT and np.mean(nearest) >= LEAST_SHARE:
            return round(float(bound), 2), decided, right
    raise ModelError("This stance model cannot be calibrated: at no bound are nine verdicts in ten right.")


def _fitted(features: np.ndarray, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes (answers, features) and biases of a ridge-regularised softmax regression, by Newton's method."""
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    x = np.hstack([(features - mean) / scale, np.ones((len(features), 1))])
    y = np.eye(len(ANSWERS))[answers]
    size, width = x.shape[1], len(ANSWERS)
    penalty = np.tile(np.array([RIDGE] * (size - 1) + [1e-3]), width)
    weights = np.zeros((width, size))
    for _ in range(ROUNDS):
        p = _softmax(x @ weights.T)
        slope = ((p - y).T @ x).ravel() + penalty * weights.ravel()
        curve = np.einsum("nij,nk,nl->ikjl", _covariance(p), x, x, optimize=True).reshape(width * size, width * size)
        step = np.linalg.solve(curve + np.diag(penalty), slope)
        weights -= step.reshape(width, size)
        if float(np.abs(step).max()) < 1e-8:
            break
    slopes = weights[:, :-1] / scale
    return slopes, weights[:, -1] - slopes @ mean


def _covariance(p: np.ndarray) -> np.ndarray:
    return np.einsum("ni,ij->nij", p, np.eye(p.shape[1])) - np.einsum("ni,nj->nij", p, p)


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _file(folder: Path, checksum: str) -> Path:
    return folder / f"{checksum[:16]}.json"
