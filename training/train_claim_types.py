"""Fit the claim classifier on the hand-written examples and write ``ghost/models/claim-types``.

    python -m training.train_claim_types [--out ghost/models/claim-types]

Needs the light requirements only: the two models are linear and fitted with numpy. Everything is chosen on folds of
the training examples that keep topics together. Prints the ablation and the figures, and keeps them in the manifest
and the card; ``training.measure_claim_types --write`` adds those on public sets.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ghost.inference import HEAD, MANIFEST, Manifest, OnnxEncoder, sha256
from ghost.judges import CLASSES, GROUPS, NAMES, style
from training.claim_card import card

DATA = Path(__file__).parent / "data"
MODELS = Path(__file__).parents[1] / "ghost" / "models"
ENCODER = MODELS / "all-minilm-l6-v2"
LICENCE = Path(__file__).parents[1] / "LICENSE"
FOLDS = 5
CALIBRATION = 6
"""One topic in so many is kept out of fitting and used for the temperature alone."""
GRID = ((5.0, 1.5, 4.0), (5.0, 2.0, 8.0), (5.0, 2.5, 12.0), (5.0, 3.0, 16.0))
"""Scale of the vector, scale of the style, penalty."""
LINES = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Probabilities of OPINION at which the judge could stop a run."""
STEPS = 120
ENOUGH = 1e-3
"""Fitting ends early when no weight moves further than this in a step."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts as numbers, with what is right about them."""

    vectors: np.ndarray
    style: np.ndarray
    types: np.ndarray
    worth: np.ndarray
    topics: list[str]

    def pick(self, mask: np.ndarray) -> "Examples":
        """The examples where ``mask`` is true."""
        topics = [t for t, m in zip(self.topics, mask, strict=True) if m]
        return Examples(self.vectors[mask], self.style[mask], self.types[mask], self.worth[mask], topics)

    def design(self, scale: tuple[float, float], without: tuple[str, ...] = ()) -> np.ndarray:
        """The matrix to fit on; ``without`` names rule groups whose columns are set to zero, or ``vector``."""
        style_ = self.style.copy()
        style_[:, [NAMES.index(name) for group in without if group in GROUPS for name in GROUPS[group]]] = 0
        vectors = self.vectors * (0 if "vector" in without else scale[0])
        return np.hstack([vectors, style_ * scale[1], np.ones((len(style_), 1))]).astype(np.float64)


def read(file: Path) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def examples(rows: list[dict[str, Any]], encoder: OnnxEncoder) -> Examples:
    """Rows of the hand-written files as numbers."""
    names = [c.value for c in CLASSES]
    return Examples(
        encoder.encode([r["text"] for r in rows]),
        np.stack([style(r["text"]) for r in rows]),
        np.array([names.index(r["type"]) for r in rows]),
        np.array([r["checkworthy"] for r in rows]),
        [r["topic"] for r in rows],
    )


def fit(design: np.ndarray, right: np.ndarray, classes: int, penalty: float) -> np.ndarray:
    """Multinomial logistic regression, L2-penalised but for the constant.

    Each step is the exact minimum of Böhning's quadratic upper bound of the loss, with Nesterov's momentum: no step
    size to choose, and the same result on every run.
    """
    target = np.eye(classes)[right]
    weight = np.full(design.shape[1], penalty)
    weight[-1] = 1e-3
    inverse = np.linalg.inv(0.5 * design.T @ design + np.diag(weight))
    found = ahead = np.zeros((design.shape[1], classes))
    momentum = 1.0
    for _ in range(STEPS):
        gradient = design.T @ (softmax(design @ ahead) - target) + weight[:, None] * ahead
        new = ahead - inverse @ gradient
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - found)
        moved = float(np.abs(new - found).max())
        found, momentum = new, following
        if moved < ENOUGH:
            break
    return np.asarray(found)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Rows of probabilities."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def crossed(
    data: Examples, scale: tuple[float, float], penalty: float, without: tuple[str, ...] = ()
) -> dict[str, float]:
    """Figures over folds that keep topics together."""
    order = sorted(set(data.topics))
    fold = np.array([order.index(t) % FOLDS for t in data.topics])
    design = data.design(scale, without)
    types, worth = np.zeros((len(fold), len(CLASSES))), np.zeros((len(fold), 3))
    for part in range(FOLDS):
        rest, mine = fold != part, fold == part
        types[mine] = softmax(design[mine] @ fit(design[rest], data.types[rest], len(CLASSES), penalty))
        worth[mine] = softmax(design[mine] @ fit(design[rest], data.worth[rest], 3, penalty))
    factual = data.types == 0
    return {
        **figures(data, types, worth),
        **{f"stopped_{line}": round(float((types[factual, 1] >= line).mean()), 4) for line in LINES},
        **{f"caught_{line}": round(float((types[data.types == 1, 1] >= line).mean()), 4) for line in LINES},
    }


def figures(data: Examples, types: np.ndarray, worth: np.ndarray) -> dict[str, float]:
    """Macro-F1, log loss, calibration error of the types; AUC of the check-worthiness (2 against 0 and 1)."""
    return {
        "macro_f1": round(float(np.mean(f1(data.types, types.argmax(axis=1)))), 4),
        "log_loss": round(float(-np.log(types[np.arange(len(types)), data.types]).mean()), 4),
        "calibration_error": round(calibration_error(data.types, types), 4),
        "worth_auc": round(auc(data.worth == 2, worth[:, 2] + worth[:, 1] / 2), 4),
    }


def f1(right: np.ndarray, said: np.ndarray) -> list[float]:
    """F1 of each class."""
    both = [((right == c) & (said == c)).sum() for c in range(len(CLASSES))]
    return [2 * b / max(1, (right == c).sum() + (said == c).sum()) for c, b in enumerate(both)]


def calibration_error(right: np.ndarray, probabilities: np.ndarray) -> float:
    """Mean distance of certainty and accuracy over ten bins of certainty."""
    sure, hit = probabilities.max(axis=1), probabilities.argmax(axis=1) == right
    bins = np.minimum((sure * 10).astype(int), 9)
    return float(sum(abs(sure[bins == b].mean() - hit[bins == b].mean()) * (bins == b).mean() for b in set(bins)))


def auc(positive: np.ndarray, score: np.ndarray) -> float:
    """Area under the ROC curve; ties count half."""
    _values, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n = positive.sum()
    return float((rank[positive].sum() - n * (n + 1) / 2) / (n * (~positive).sum()))


def temperature(logits: np.ndarray, right: np.ndarray) -> float:
    """What the logits are divided by so that the probabilities fit texts that were not fitted on."""
    tries = np.arange(0.5, 3.01, 0.05)
    loss = [-np.log(softmax(logits / t)[np.arange(len(right)), right]).mean() for t in tries]
    return round(float(tries[int(np.argmin(loss))]), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS / "claim-types")
    options = parser.parse_args()
    encoder = OnnxEncoder(ENCODER)
    data = examples(read(DATA / "claim_types.train.jsonl"), encoder)
    held = examples(read(DATA / "claim_types.held.jsonl"), encoder)
    order = sorted(set(data.topics))
    kept_out = np.array([order.index(t) % CALIBRATION == CALIBRATION - 1 for t in data.topics])
    fitted, apart = data.pick(~kept_out), data.pick(kept_out)

    choice = {(a, b, p): crossed(fitted, (a, b), p) for a, b, p in GRID}
    for key, found in choice.items():
        print("vector {}, style {}, penalty {}:".format(*key), found, flush=True)
    *scale_, penalty = min(choice, key=lambda key: choice[key]["log_loss"])
    scale = (scale_[0], scale_[1])
    whole = choice[(*scale, penalty)]
    ablation = {"nothing": whole}
    for group in ("vector", *GROUPS):
        ablation[group] = crossed(fitted, scale, penalty, (group,))
        print(f"without {group}:", ablation[group], flush=True)

    design = fitted.design(scale)
    types = fit(design, fitted.types, len(CLASSES), penalty)
    worth = fit(design, fitted.worth, 3, penalty)
    warmth = temperature(apart.design(scale) @ types, apart.types)

    apart_figures = figures(apart, softmax(apart.design(scale) @ types / warmth), softmax(apart.design(scale) @ worth))
    # The temperature is set: the part kept out for it joins the others for the weights that are written.
    design = data.design(scale)
    types = fit(design, data.types, len(CLASSES), penalty)
    worth = fit(design, data.worth, 3, penalty)

    def probabilities(of: Examples) -> tuple[np.ndarray, np.ndarray]:
        return softmax(of.design(scale) @ types / warmth), softmax(of.design(scale) @ worth)

    result: dict[str, Any] = {
        "examples": {"fitted": len(data.types), "calibration": len(apart.types), "held_back": len(held.types)},
        "scale": list(scale),
        "penalty": penalty,
        "ablation": ablation,
        "calibration_part": apart_figures,
        "held_back": figures(held, *probabilities(held)),
        "held_back_f1": {
            c.value: round(float(v), 4)
            for c, v in zip(CLASSES, f1(held.types, probabilities(held)[0].argmax(axis=1)), strict=True)
        },
    }
    options.out.mkdir(parents=True, exist_ok=True)
    np.savez(
        options.out / HEAD,
        types=types.astype(np.float32),
        worth=worth.astype(np.float32),
        scale=np.array(scale, dtype=np.float32),
    )
    write(options.out, result, warmth, encoder.checksum)
    print(json.dumps({k: v for k, v in result.items() if k != "ablation"}, indent=2), flush=True)


def write(folder: Path, result: dict[str, Any], warmth: float, encoder: str) -> None:
    """The manifest, the card and the licence beside the weights."""
    manifest = Manifest(
        name="claim-types",
        kind="claim-types",
        upstream="none: fitted on examples written for Ghost (training/data)",
        licence="MIT",
        max_tokens=256,
        classes=tuple(c.value for c in CLASSES),
        inputs=NAMES,
        encoder=encoder,
        temperature=warmth,
        files={HEAD: sha256(folder / HEAD)},
        figures=result,
    )
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card(manifest, (folder / HEAD).stat().st_size), encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())


if __name__ == "__main__":
    main()
