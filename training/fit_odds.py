"""Fit the embedded judge's odds (``ghost/judges/odds.json``), and show how far they can be believed.

    python -m training.fit_odds --data DIR --out FOLDER [--again] [--show-only]

Steps 2 and 3 of the real pipeline gather the evidence for every claim of ``built_claims.py``; a multinomial logistic
regression on ``odds.FEATURES`` is fitted to it, and judged by cross-validation over claims. Claims of another kind than
the fitted ones are decided less well than that shows, so all scores are divided by a temperature, chosen by deciding
each set with what was fitted on the others. FOLDER keeps claims, corpora and indexes for the next time. Nothing of
``DIR/dev`` is read.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, log_loss
from sklearn.model_selection import cross_val_predict

from bench.library import library
from bench.rows import ClaimRow, DocumentRow, read_claims, read_table
from config import Settings
from ghost.inference.weights import ModelFolder
from ghost.judges.odds import ANSWERS, FEATURES, WEIGHTS, features
from ghost.steps.rerank import rerank
from ghost.steps.retrieve import retrieve
from ghost.types import Label, Statement
from ghost.workbench import Workbench
from training.built_claims import Built, from_contrasts, from_dossiers, from_pairs, from_paraphrases
from training.dossiers import read_dossiers
from training.pairs import read_pairs
from training.written import PARAPHRASES, read_contrasts

READER = Path("ghost/models/evidence-cross-encoder")
SEED = 5
FOLDS = 5
REGULAR = 0.3
"""Inverse strength of the regularisation of standardised features."""
WEIGHT = {"pairs": 1.0, "contrasts": 0.3, "paraphrases": 0.3, "dossiers": 0.15}
"""How much a claim of each set counts: a public one as much as nearly seven on written pages, which are many.

None of those contradicts another: they would teach that sources never do. Contrasts were written to be hard.
"""
CONFLICTS = 1.35
"""How many times a claim counts whose sources contradict each other: nearly all such claims are contrasts, which count
little. With 1 no answer stands out where two equal sources contradict each other, and none is given."""
TEMPERATURES = tuple(round(1 + 0.1 * i, 1) for i in range(11))
CLOSE = 0.01
"""Of temperatures whose log-losses differ by less than this the lowest is taken."""
GOLD = {
    "SUPPORTS": Label.TRUE,
    "REFUTES": Label.FALSE,
    "NEI": Label.NOT_ENOUGH_EVIDENCE,
    "CONFLICT": Label.PARTIALLY_TRUE,
}


@dataclass(frozen=True)
class Examples:
    """The evidence for the claims of one set, as numbers."""

    name: str
    features: np.ndarray
    """Shape (claims, len(FEATURES))."""
    answers: np.ndarray
    """Index in ANSWERS, shape (claims,)."""
    without: int
    """Claims for which nothing was found; no answer is fitted to them."""


def examples(built: Built, folder: Path) -> Examples:
    """Run steps 2 and 3 for every claim of a set; the numbers stay in the folder, for trying things out."""
    claims, corpus = built.write(folder)
    documents = read_table(corpus, DocumentRow)
    with library(Settings(), documents, folder / f"index-{built.name}", 1, _say) as opened:
        rows = list(_evidence(opened.workbench, read_claims(claims).rows))
    kept = [(found, row) for row, found in rows if found]
    x = np.array([found for found, _ in kept])
    y = np.array([ANSWERS.index(GOLD[row.label]) for _, row in kept])
    np.savez(folder / f"{built.name}.npz", x=x, y=y, without=len(rows) - len(kept))
    return Examples(built.name, x, y, len(rows) - len(kept))


def kept_examples(name: str, folder: Path) -> Examples:
    """What ``examples`` left in the folder."""
    kept = np.load(folder / f"{name}.npz")
    return Examples(name, kept["x"], kept["y"], int(kept["without"]))


def _evidence(workbench: Workbench, rows: Sequence[ClaimRow]) -> Iterator[tuple[ClaimRow, tuple[float, ...] | None]]:
    tools = workbench.tools
    for i, row in enumerate(rows):
        if i % 100 == 0:
            _say("Claims", i, len(rows))
        statements = (Statement(1, row.claim),)
        candidates = retrieve(statements, workbench.knowledge, tools.top_k, None).value
        found = rerank(statements, candidates, tools.reader, tools.scorer, tools.rules).value.evidence
        yield row, features(found) if found else None


def fit(sets: Sequence[Examples]) -> tuple[dict[str, Any], list[str]]:
    """The weights as ``odds.json`` keeps them, and what the cross-validation says, as lines."""
    x, y, weight = _joined(sets)
    mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-6
    model = LogisticRegression(C=REGULAR, max_iter=5000)
    guessed = cross_val_predict(
        model, (x - mean) / scale, y, cv=FOLDS, method="predict_proba", params={"sample_weight": weight}
    )
    temperature = best_temperature(sets)
    guessed = tempered(guessed, temperature)
    lines = [f"temperature {temperature:.1f}", f"log loss {log_loss(y, guessed):.4f}"]
    start = 0
    for s in sets:
        lines.append(_report(s, guessed[start : start + len(s.answers)]))
        start += len(s.answers)
    model.fit((x - mean) / scale, y, sample_weight=weight)
    slopes = model.coef_ / scale
    biases = model.intercept_ - slopes @ mean
    answers = {
        str(label): {"bias": round(float(biases[i]) / temperature, 4)}
        | {name: round(float(slopes[i, n]) / temperature, 4) for n, name in enumerate(FEATURES)}
        for i, label in enumerate(ANSWERS)
    }
    return {"answers": answers, "claims": {s.name: len(s.answers) for s in sets}, "temperature": temperature}, lines


def best_temperature(sets: Sequence[Examples]) -> float:
    """The lowest of TEMPERATURES that decides each set, by what the others taught, about as well as the best."""
    losses = np.zeros(len(TEMPERATURES))
    for left_out in sets:
        x, y, weight = _joined([s for s in sets if s is not left_out])
        mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-6
        model = LogisticRegression(C=REGULAR, max_iter=5000).fit((x - mean) / scale, y, sample_weight=weight)
        guessed = np.zeros((len(left_out.answers), len(ANSWERS)))
        guessed[:, model.classes_] = model.predict_proba((left_out.features - mean) / scale)
        rows = np.arange(len(left_out.answers))
        losses += WEIGHT[left_out.name] * np.array(
            [-np.log(np.maximum(tempered(guessed, t)[rows, left_out.answers], 1e-9)).mean() for t in TEMPERATURES]
        )
    close = losses <= losses.min() + CLOSE * sum(WEIGHT[s.name] for s in sets)
    return TEMPERATURES[int(close.argmax())]


def tempered(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities of shape (n, answers) as they are when their scores are divided by a temperature."""
    powers = probabilities ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def _joined(sets: Sequence[Examples]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, answers and weights of all claims of some sets."""
    answers = np.concatenate([s.answers for s in sets])
    weight = np.concatenate([np.full(len(s.answers), WEIGHT[s.name]) for s in sets])
    weight[answers == ANSWERS.index(Label.PARTIALLY_TRUE)] *= CONFLICTS
    return np.concatenate([s.features for s in sets]), answers, weight


def _report(s: Examples, guessed: np.ndarray) -> str:
    found, sure = guessed.argmax(axis=1), guessed.max(axis=1)
    right = found == s.answers
    bins = np.array_split(np.argsort(sure), 10)
    error = sum(len(b) / len(sure) * abs(sure[b].mean() - right[b].mean()) for b in bins)
    f1 = f1_score(s.answers, found, labels=sorted(set(s.answers)), average="macro")
    return (
        f"{s.name}: {len(s.answers)} claims ({s.without} without evidence), accuracy {right.mean():.3f}, "
        f"macro-F1 {f1:.3f}, calibration error {error:.3f}"
    )


def _say(what: str, done: int, total: int) -> None:
    print(f"{what} {done} of {total}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train/stance*.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="folder for claims, corpora and indexes")
    parser.add_argument("--again", action="store_true", help="take the numbers that the last fit left in FOLDER")
    parser.add_argument("--show-only", action="store_true", help="write no weights")
    args = parser.parse_args()
    if args.again:
        sets = [kept_examples(name, args.out) for name in WEIGHT]
    else:
        pairs = from_pairs(read_pairs(args.data), random.Random(SEED))
        contrasts = from_contrasts(read_contrasts(), random.Random(SEED))
        paraphrases = from_paraphrases(read_contrasts(PARAPHRASES), random.Random(SEED))
        dossiers = from_dossiers(read_dossiers(), random.Random(SEED))
        sets = [examples(built, args.out) for built in (pairs, contrasts, paraphrases, dossiers)]
    kept, lines = fit(sets)
    print("\n".join(lines))
    for label, row in kept["answers"].items():
        print(f"{label:20}", row)
    if not args.show_only:
        kept["reader"] = ModelFolder.open(READER).checksum
        WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
