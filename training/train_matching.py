"""Fit the claim match on the written pairs and write ``ghost/models/claim-match``.

    python -m training.train_matching [--out ghost/models/claim-match]

Needs requirements-training.txt (scikit-learn, for fitting only). The bounds are drawn on folds that keep the pairs of
a card together. The pairs in ``bench/data/matching.jsonl`` are held back: ``python -m ghost bench matching`` reports on
them and nothing here reads them. Prints the figures and keeps them in the manifest and the card.
"""

import argparse
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from ghost.inference import HEAD, MANIFEST, STANCE_FOLDER, Manifest, OnnxCrossEncoder, OnnxEncoder, sha256
from ghost.matching import KIND, NAMES, RELATIONS, asked, barred, measure, surely_same
from ghost.types import Category, Relation
from training.matching_card import card
from training.matching_made import made

DATA = Path(__file__).parent / "data" / "matching" / "pairs.jsonl"
REVIEWS = Path(__file__).parents[1] / "tests" / "data" / "same_claims.jsonl"
"""Reviewed claims beside statements. The half that is ``kept`` apart stays apart."""
MODELS = Path(__file__).parents[1] / "ghost" / "models"
LICENCE = Path(__file__).parents[1] / "LICENSE"
FOLDS = 6
SEEDS, ROUNDS, DEPTH, RATE = 4, 120, 3, 0.06
"""Boosted trees: so many models with different draws, the rounds of each, and how deep a tree is."""
FALSE_SAME = 0.007
"""Share of the pairs that are not the same which may be called so on unseen cards. The promise is 2% with the upper end
of its interval, and a few hundred held-back pairs make that interval a percent wide."""
FALSE_OPPOSITE = 0.01
WEIGHTS = {"made": 0.5, "reviews": 2.0}
"""How much a pair counts in fitting; a written one counts 1."""
CATEGORY_PENALTY = 10.0
AT_ONCE = 64


@dataclass(frozen=True)
class Pairs:
    """Pairs as numbers."""

    design: np.ndarray
    right: np.ndarray
    fold: np.ndarray
    """Number of the fold that all pairs of a card are in."""
    made: np.ndarray
    """Whether a rule has made the pair, or it is of a review: no bound is drawn on it."""
    weight: np.ndarray
    barred: np.ndarray
    """Whether the pair is never called the same, whatever the model thinks."""
    sure: np.ndarray
    """Whether it is called the same, whatever the model thinks."""

    def crossed(self) -> np.ndarray:
        """Probabilities by models that have not seen the card."""
        found = np.zeros((len(self.right), len(RELATIONS)))
        for fold in range(FOLDS):
            mine = self.fold == fold
            found[mine] = probabilities(self.fit(~mine), self.design[mine])
        return found

    def fit(self, mask: np.ndarray) -> list[GradientBoostingClassifier]:
        """The models from the pairs where ``mask`` is true."""
        return fit(self.design[mask], self.right[mask], self.weight[mask])


def rows() -> list[dict[str, Any]]:
    """The pairs that may be fitted on, the written ones first."""
    written, reviews = (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for file in (DATA, REVIEWS)
    )
    return written + made() + [_reviewed(row) for row in reviews if row["half"] == "written"]


def _reviewed(row: dict[str, Any]) -> dict[str, Any]:
    relation = Relation.SAME if row["same"] else Relation.RELATED
    return {"card": row["review"], "question": row["statement"], "relation": relation.value, "source": "reviews"}


def fold_of(text: str) -> int:
    """The fold of a card."""
    return int(hashlib.sha256(f"fold {text}".encode()).hexdigest(), 16) % FOLDS


def read(found: list[dict[str, Any]], encoder: OnnxEncoder, reader: OnnxCrossEncoder) -> Pairs:
    """Every pair measured as the product measures it; takes a few minutes."""
    pairs = [(row["card"], row["question"]) for row in found]
    measured = [m for at in range(0, len(pairs), AT_ONCE) for m in measure(pairs[at : at + AT_ONCE], encoder, reader)]
    names = [relation.value for relation in RELATIONS]
    return Pairs(
        np.array([m.vector for m in measured]),
        np.array([names.index(row["relation"]) for row in found]),
        np.array([fold_of(row["card"]) for row in found]),
        np.array([row["source"] in ("made", "reviews") for row in found]),
        np.array([WEIGHTS.get(row["source"], 1.0) for row in found]),
        np.array([barred(m.differences) for m in measured]),
        np.array([surely_same(m) for m in measured]),
    )


def fit(design: np.ndarray, right: np.ndarray, weight: np.ndarray) -> list[GradientBoostingClassifier]:
    """Boosted trees by several draws of pairs and features."""
    return [
        GradientBoostingClassifier(
            n_estimators=ROUNDS, max_depth=DEPTH, learning_rate=RATE, subsample=0.6, max_features=0.3,
            min_samples_leaf=5, random_state=seed,
        ).fit(design, right, weight)
        for seed in range(SEEDS)
    ]  # fmt: skip


def probabilities(models: list[GradientBoostingClassifier], design: np.ndarray) -> np.ndarray:
    """The mean of what the models say."""
    return np.asarray(np.mean([model.predict_proba(design) for model in models], axis=0))


def trees(models: list[GradientBoostingClassifier]) -> dict[str, np.ndarray]:
    """The models as arrays (model, round, relation, node): every tree full, its nodes in the order of a heap.

    A leaf higher up sends everything to the left, down to a last leaf with its value.
    """
    shape = (len(models), ROUNDS, len(RELATIONS))
    inner, leaves = 2**DEPTH - 1, 2**DEPTH
    feature = np.zeros((*shape, inner), dtype=np.uint8)
    threshold = np.full((*shape, inner), np.inf, dtype=np.float32)
    leaf = np.zeros((*shape, leaves), dtype=np.float32)
    for place in np.ndindex(shape):
        tree = models[place[0]].estimators_[place[1], place[2]].tree_
        waiting = [(0, 0)]
        while waiting:
            node, at = waiting.pop()
            if at >= inner:
                leaf[(*place, at - inner)] = tree.value[node][0][0] * RATE
            elif tree.children_left[node] < 0:
                waiting.append((node, 2 * at + 1))
            else:
                feature[(*place, at)], threshold[(*place, at)] = tree.feature[node], tree.threshold[node]
                waiting += [(tree.children_left[node], 2 * at + 1), (tree.children_right[node], 2 * at + 2)]
    prior = np.array([np.log(model.init_.class_prior_) for model in models], dtype=np.float32)
    return {"feature": feature, "threshold": threshold, "leaf": leaf, "prior": prior}


def bound(chances: np.ndarray, right: np.ndarray, share: float) -> float:
    """The lowest probability over which at most ``share`` of the pairs are for which it is not right."""
    wrong = np.sort(chances[~right])[::-1]
    return float(np.nextafter(wrong[int(share * len(wrong))], 2.0))


def categories(found: list[dict[str, Any]], encoder: OnnxEncoder) -> tuple[np.ndarray, tuple[str, ...], float]:
    """Weights of the category head, its classes, and its accuracy on unseen cards."""
    cards = {row["card"]: row["category"] for row in found if "category" in row}
    vectors = encoder.encode([asked(text).statement for text in cards])
    classes = tuple(c.value for c in Category if c is not Category.OTHER)
    right = np.array([classes.index(c) for c in cards.values()])
    fold = np.array([fold_of(text) for text in cards])

    def fitted(mask: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=CATEGORY_PENALTY, max_iter=2000, class_weight="balanced").fit(
            vectors[mask], right[mask]
        )

    hits = [(fitted(fold != n).predict(vectors[fold == n]) == right[fold == n]).sum() for n in range(FOLDS)]
    model = fitted(np.ones(len(right), dtype=bool))
    weights = np.zeros((vectors.shape[1] + 1, len(classes)))
    weights[-1] = -20.0  # a class without an example is never named
    weights[:, model.classes_] = np.vstack([model.coef_.T, model.intercept_])
    return weights, classes, round(float(sum(hits) / len(right)), 4)


def figures(
    right: np.ndarray, chances: np.ndarray, allowed: np.ndarray, bounds: tuple[float, float]
) -> dict[str, float]:
    """What the decision comes to on unseen cards, with the bounds that were drawn on them.

    ``allowed`` is the probability of being the same, 0 for a pair that is barred from it and 1 for one that is sure.
    """
    same, opposite = (right == n for n in (0, 1))
    said_same = allowed >= bounds[0]
    said_opposite = ~said_same & (chances[:, 1] >= bounds[1])

    def share(mask: np.ndarray) -> float:
        return round(float(mask.mean()), 4) if len(mask) else 0.0

    return {
        "pairs": len(right),
        "likeliest_right": share(chances.argmax(axis=1) == right),
        "log_loss": round(float(-np.log(chances[np.arange(len(chances)), right].clip(1e-6)).mean()), 4),
        "same_found": share(said_same[same]),
        "false_same": share(said_same[~same]),
        "opposite_found": share(said_opposite[opposite]),
        "false_opposite": share(said_opposite[~opposite]),
    }


def main() -> None:
    """Fit, draw the bounds, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS / KIND)
    options = parser.parse_args()
    encoder, reader = OnnxEncoder(MODELS / "all-minilm-l6-v2"), OnnxCrossEncoder(MODELS / STANCE_FOLDER)
    found = rows()
    data = read(found, encoder, reader)
    chances = data.crossed()
    allowed = np.where(data.sure, 1.0, np.where(data.barred, 0.0, chances[:, 0]))
    written = ~data.made
    right = data.right[written]
    bounds = (
        bound(allowed[written], right == 0, FALSE_SAME),
        bound(chances[written, 1], right == 1, FALSE_OPPOSITE),
    )
    models = data.fit(np.ones(len(data.right), dtype=bool))
    weights, classes, category_accuracy = categories(found, encoder)
    result: dict[str, Any] = {
        "unseen_cards": figures(right, chances[written], allowed[written], bounds),
        "made": figures(data.right[~written], chances[~written], allowed[~written], bounds),
        "bounds": {"same": round(bounds[0], 4), "opposite": round(bounds[1], 4)},
        "cards": len({row["card"] for row in found if "category" in row}),
        "features": len(NAMES),
        "categories_right": category_accuracy,
    }
    print(json.dumps(result, indent=2))
    arrays = {**trees(models), "bounds": np.array(bounds), "categories": weights.astype(np.float32)}
    write(options.out, arrays, classes, result, (encoder.checksum, reader.checksum))


def write(
    folder: Path, arrays: dict[str, np.ndarray], classes: tuple[str, ...], result: dict[str, Any],
    checksums: tuple[str, str],
) -> None:  # fmt: skip
    """The weights, the manifest, the card and the licence."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / HEAD, **arrays)
    manifest = Manifest(
        name=KIND,
        kind=KIND,
        upstream="none: fitted on pairs written for Ghost (training/data/matching)",
        licence="MIT",
        max_tokens=192,
        classes=classes,
        encoder=checksums[0],
        reader=checksums[1],
        files={HEAD: sha256(folder / HEAD)},
        figures=result,
    )
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card(manifest, (folder / HEAD).stat().st_size), encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())


if __name__ == "__main__":
    main()
