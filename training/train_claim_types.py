"""Fit the claim classifier on the hand-written examples and write ``ghost/models/claim-types``.

    python -m training.train_claim_types [--out ghost/models/claim-types]

Needs requirements-training.txt (scikit-learn, for fitting only). The scales and the penalty were chosen on folds of the
training examples that keep topics together. Prints the figures and keeps them in the manifest and the card;
``training.measure_claim_types --write`` adds those on public sets.
"""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ghost.inference import HEAD, MANIFEST, Manifest, OnnxEncoder, sha256
from ghost.inference.heads import BITS, DAMPING, word_ngrams
from ghost.judges import CLASSES
from seed_kb import SEED_FACTS
from training.claim_card import card

DATA = Path(__file__).parent / "data"
MODELS = Path(__file__).parents[1] / "ghost" / "models"
ENCODER = MODELS / "all-minilm-l6-v2"
LICENCE = Path(__file__).parents[1] / "LICENSE"
FOLDS = 5
CALIBRATION = 6
"""One topic in so many is kept out of fitting and used for the temperature alone."""
VECTOR_SCALE, WORD_SCALE = 5.0, 8.0
PENALTY = 8.0
ADDED_WEIGHT = 0.3
"""How much an example around a judging word, or a fact of the library, counts beside a written one."""
FACTS = 600
MEASURED = 7
"""Every seventh fact of the library is left to the tests."""
THINGS = (
    "Pineapple on pizza", "The new town hall", "This song", "Our mayor", "Jazz", "His last film", "The budget", "Golf",
    "The city of Lyon", "That tax", "The national team", "Her novel", "Watching tennis", "The reform",
)  # fmt: skip
DEEDS = (
    "council closed 12 libraries in 2019.", "stadium cost 340 million euros.", "minister resigned in March.",
    "airline cancelled 2,300 flights last week.", "harbour was sold to a Swiss firm in 2011.",
    "law was passed by 212 votes to 180.", "company cut 4,000 jobs.", "museum opened in Bilbao in 1997.",
)  # fmt: skip
RARE = 3
"""N-grams in fewer texts have no weight: they name the subject of a text."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts as a matrix, with what is right about them."""

    design: Any
    types: np.ndarray
    worth: np.ndarray
    topics: np.ndarray
    """Numbers of topics; 0 for added examples, which are always fitted on and never measured on."""

    def pick(self, mask: np.ndarray) -> "Examples":
        """The examples where ``mask`` is true."""
        return Examples(self.design[mask], self.types[mask], self.worth[mask], self.topics[mask])


@dataclass(frozen=True, slots=True)
class Weights:
    """A row for each column of the design, one column for each class and each check-worthiness; then the constants."""

    slopes: np.ndarray
    constants: np.ndarray

    def probabilities(self, design: Any, temperature: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Of the types, and of the check-worthiness."""
        logits = design @ self.slopes + self.constants
        return softmax(logits[:, : len(CLASSES)] / temperature), softmax(logits[:, len(CLASSES) :])


def read(file: Path) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def judging_rows() -> list[dict[str, Any]]:
    """Examples around words that judge, most of which are in too few written examples to be learnt from them."""
    words = json.loads((DATA / "judging_words.json").read_text(encoding="utf-8"))
    rows = []
    for n, word in enumerate(words["adjectives"].split()):
        thing, deed = THINGS[n % len(THINGS)], DEEDS[n % len(DEEDS)]
        rows += [(f"{thing} is {word}.", "OPINION", 0), (f"{thing} is {word}", "OPINION", 0)]
        rows += [(f"The {word} {deed}", "MIXED", 2), (f"The {deed}", "FACTUAL", 2), (f"The {deed}", "FACTUAL", 2)]
    for n, word in enumerate(words["adverbs"].split()):
        for deed in (DEEDS[n % len(DEEDS)], DEEDS[(n + 3) % len(DEEDS)]):
            rows += [(f"{word.capitalize()}, the {deed}", "MIXED", 2), (f"The {deed}", "FACTUAL", 2)]
    for n, word in enumerate(words["nouns"].split()):
        article, deed = "an" if word[0] in "aeiou" else "a", DEEDS[n % len(DEEDS)]
        rows += [(f"It is {article} {word} that the {deed}", "MIXED", 2), (f"The {deed}", "FACTUAL", 2)]
        rows += [(f"The {deed[:-1]}, which is {article} {word}.", "MIXED", 2), (f"The {deed}", "FACTUAL", 2)]
        rows += [(f"{THINGS[n % len(THINGS)]} is {article} {word}.", "OPINION", 0)]
    return [{"text": text, "type": kind, "checkworthy": worth, "topic": ""} for text, kind, worth in rows]


def library_rows() -> list[dict[str, Any]]:
    """Plain facts: the written examples that are facts have few sentences of the kind that people look up."""
    facts = [fact["text"] for n, fact in enumerate(SEED_FACTS) if n % MEASURED]
    chosen = random.Random(0).sample(facts, FACTS)
    return [{"text": text, "type": "FACTUAL", "checkworthy": 2, "topic": ""} for text in chosen]


def examples(rows: list[dict[str, Any]], encoder: OnnxEncoder) -> Examples:
    """Rows of the hand-written files as numbers: the vector, then a column for each hash of a word n-gram."""
    from scipy.sparse import csr_matrix, hstack

    hashes = [word_ngrams(row["text"]) for row in rows]
    values = np.concatenate([np.full(len(h), WORD_SCALE / len(h) ** DAMPING) for h in hashes])
    starts = np.cumsum([0] + [len(h) for h in hashes])
    words = csr_matrix((values, np.concatenate(hashes), starts), shape=(len(rows), 2**BITS))
    vectors = csr_matrix(encoder.encode([row["text"] for row in rows]) * VECTOR_SCALE)
    names = [c.value for c in CLASSES]
    return Examples(
        hstack([vectors, words]).tocsr(),
        np.array([names.index(row["type"]) for row in rows]),
        np.array([row["checkworthy"] for row in rows]),
        np.unique(["", *(row["topic"] for row in rows)], return_inverse=True)[1][1:],
    )


def fit(data: Examples) -> Weights:
    """Two multinomial logistic regressions over the columns that enough texts have."""
    from sklearn.linear_model import LogisticRegression

    used = np.asarray((data.design != 0).sum(axis=0)).ravel() >= RARE
    weight = np.where(data.topics > 0, 1.0, ADDED_WEIGHT)
    models = [
        LogisticRegression(C=1 / PENALTY, max_iter=400, tol=1e-3).fit(data.design[:, used], right, weight)
        for right in (data.types, data.worth)
    ]
    slopes = np.zeros((len(used), sum(len(m.coef_) for m in models)))
    slopes[used] = np.vstack([m.coef_ for m in models]).T
    return Weights(slopes, np.concatenate([m.intercept_ for m in models]))


def softmax(logits: np.ndarray) -> np.ndarray:
    """Rows of probabilities."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def crossed(data: Examples) -> dict[str, float]:
    """Figures over folds that keep topics together."""
    types, worth = np.zeros((len(data.types), len(CLASSES))), np.zeros((len(data.types), 3))
    written = data.topics > 0
    for part in range(FOLDS):
        mine = written & (data.topics % FOLDS == part)
        types[mine], worth[mine] = fit(data.pick(~mine)).probabilities(data.design[mine])
    return figures(data.pick(written), types[written], worth[written])


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


def temperature(weights: Weights, data: Examples) -> float:
    """What the logits are divided by so that the probabilities fit texts that were not fitted on."""
    tries = np.arange(0.5, 3.01, 0.05)
    chances = [weights.probabilities(data.design, t)[0][np.arange(len(data.types)), data.types] for t in tries]
    return round(float(tries[int(np.argmin([-np.log(c).mean() for c in chances]))]), 2)


def main() -> None:
    """Fit, measure, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS / "claim-types")
    options = parser.parse_args()
    encoder = OnnxEncoder(ENCODER)
    data = examples(read(DATA / "claim_types.train.jsonl") + judging_rows() + library_rows(), encoder)
    held = examples(read(DATA / "claim_types.held.jsonl"), encoder)
    kept_out = (data.topics > 0) & (data.topics % CALIBRATION == CALIBRATION - 1)
    apart, part = data.pick(kept_out), fit(data.pick(~kept_out))
    warmth = temperature(part, apart)
    # The temperature is set: the part kept out for it joins the others for the weights that are written.
    weights = fit(data)
    types, worth = weights.probabilities(held.design, warmth)
    each = zip(CLASSES, f1(held.types, types.argmax(axis=1)), strict=True)
    result: dict[str, Any] = {
        "examples": {
            "fitted": int((data.topics > 0).sum()),
            "calibration": len(apart.types),
            "held_back": len(held.types),
        },
        "crossed": crossed(data),
        "calibration_part": figures(apart, *part.probabilities(apart.design, warmth)),
        "held_back": figures(held, types, worth),
        "held_back_f1": {c.value: round(float(v), 4) for c, v in each},
    }
    options.out.mkdir(parents=True, exist_ok=True)
    size = encoder.dimensions
    words = weights.slopes[size:]
    ngrams = np.flatnonzero(words.any(axis=1))
    np.savez_compressed(
        options.out / HEAD,
        vector=np.vstack([weights.slopes[:size] * VECTOR_SCALE, weights.constants]).astype(np.float32),
        ngrams=ngrams.astype(np.int32),
        weights=(words[ngrams] * WORD_SCALE).astype(np.float16),
    )
    write(options.out, result, warmth, encoder.checksum)
    print(json.dumps(result, indent=2), flush=True)


def write(folder: Path, result: dict[str, Any], warmth: float, encoder: str) -> None:
    """The manifest, the card and the licence beside the weights."""
    manifest = Manifest(
        name="claim-types",
        kind="claim-types",
        upstream="none: fitted on examples written for Ghost (training/data)",
        licence="MIT",
        max_tokens=256,
        classes=tuple(c.value for c in CLASSES),
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
