"""Fit the injection model on the written texts and write ``ghost/models/injection``.

    python -m training.train_injection [--out ghost/models/injection]

Needs requirements-training.txt (scikit-learn, for fitting only). The line is drawn on folds that keep neighbours in the
file together, since many harmless texts mirror the injection beside them. Prints the figures and keeps them in the
manifest and the card.
"""

import argparse
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from ghost.inference import HEAD, MANIFEST, Manifest, sha256
from ghost.inference.heads import (
    BITS,
    CUE_BITS,
    Weights,
    bare,
    char_ngrams,
    cues,
    damped,
    ngram_score,
    word_ngrams,
)
from ghost.knowledge.deobfuscation import plain, readings
from seed_kb import SEED_FACTS
from training.injection_card import card
from training.injection_made import made

DATA = Path(__file__).parent / "data"
MODELS = Path(__file__).parents[1] / "ghost" / "models"
LICENCE = Path(__file__).parents[1] / "LICENSE"
BLOCK = 65
"""Neighbours in the file of written texts that stay in one part: both authors wrote in longer runs than that."""
PARTS = 5
FIRST_AUTHOR = 1300
"""So many rows are by one author, the others by another."""
PACK_FACTS, PROSE = 1500, 3000
"""Ordinary texts of ours among the harmless ones: facts of the library, and prose written for the other models."""
RARE = 3
"""N-grams in fewer texts have no weight: they name the subject of a text."""
FEW = 5
"""The same for cues."""
CUE_SCALE = 0.6
PENALTY = 60.0
"""Inverse of the L2 penalty."""
HARMLESS_WEIGHT, WRITTEN_WEIGHT = 2.0, 2.0
"""How much harmless texts, and texts written as a whole, count against the other ones."""
FALSE_ALARMS = 0.01


@dataclass(frozen=True)
class Texts:
    """Texts as matrices, with what is right about them; ``part`` is -1 for those that are always fitted on."""

    texts: list[str]
    injection: np.ndarray
    part: np.ndarray
    whole: np.ndarray
    """Which of them were written as a whole for this model."""
    chars: Any
    words: Any
    cues: Any
    disguised: list[tuple[int, str]]
    """Of the written texts that have another reading: the row and the reading. Not fitted on."""


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file in ``training/data``."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def prose(seed: int = 0) -> list[str]:
    """Ordinary sentences and passages of ours, shuffled."""
    found = {text for row in rows("dossiers.jsonl") for text in row["page"]}
    pairs = rows("contrasts.jsonl") + rows("paraphrases.jsonl")
    found |= {row[side] for row in pairs for side in "ab" if row.get(side)}
    found |= {row["passage"] for name in ("reported.jsonl", "aspects.jsonl") for row in rows(name)}
    found |= {row["text"] for row in rows("claim_types.train.jsonl")}
    return random.Random(seed).sample(sorted(found), len(found))


def stems() -> dict[str, str]:
    """The beginnings of telling words, each with the letters of its kinds."""
    found: dict[str, str] = {}
    for row in rows("injection.cues.jsonl"):
        for word in row["words"]:
            stem = bare(plain(word))
            found[stem] = found.get(stem, "") + (row["code"] if row["code"] not in found.get(stem, "") else "")
    return found


def read() -> Texts:
    """The written texts first, in the order of their file, then the others, the composed and the ordinary ones."""
    written, more = rows("injection.jsonl"), rows("injection.more.jsonl")
    hand = [(row["text"], bool(row["injection"])) for row in written + more]
    facts = random.Random(0).sample([fact["text"] for fact in SEED_FACTS], PACK_FACTS)
    harmless = [(text, False) for text in facts + prose()[:PROSE]]
    every = hand + [(text, injection) for text, injection, _ in made()] + harmless
    texts = [plain(text) for text, _ in every]
    part = [at // BLOCK % PARTS for at in range(len(written))] + [-1] * (len(texts) - len(written))
    others = [(at, other) for at, row in enumerate(written) for other in readings(row["text"]) if other != texts[at]]
    known = stems()
    return Texts(
        texts, np.array([injection for _, injection in every]), np.array(part), np.arange(len(every)) < len(hand),
        _matrix([char_ngrams(text) for text in texts], BITS), _matrix([word_ngrams(text) for text in texts], BITS),
        _matrix([cues(known, text) for text in texts], CUE_BITS), others,
    )  # fmt: skip


def _matrix(hashes: list[np.ndarray], bits: int) -> Any:
    """One row a text, divided as the sums are."""
    values = np.concatenate([np.full(len(h), 1 / damped(len(h))) for h in hashes])
    starts = np.cumsum([0] + [len(h) for h in hashes])
    return csr_matrix((values, np.concatenate(hashes), starts), shape=(len(hashes), 2**bits))


def fit(data: Texts, mask: np.ndarray) -> Weights:
    """The model from the texts where ``mask`` is true; the line is not drawn yet."""
    blocks = [data.chars[mask], data.words[mask], data.cues[mask]]
    idf = [_idf(block, least) for block, least in zip(blocks, (RARE, RARE, FEW), strict=True)]
    idf[2] *= CUE_SCALE
    design = hstack([block @ diags(weight) for block, weight in zip(blocks, idf, strict=True)]).tocsr()
    model = LogisticRegression(C=PENALTY, solver="liblinear", tol=1e-3, random_state=0)
    right = data.injection[mask]
    counts = np.where(data.whole[mask], WRITTEN_WEIGHT, 1.0) * np.where(right, 1.0, HARMLESS_WEIGHT)
    model.fit(design, right, sample_weight=counts)
    parts = np.split(model.coef_[0], np.cumsum([len(weight) for weight in idf])[:-1])
    grams = [found * weight for found, weight in zip(parts, idf, strict=True)]
    scale = [np.abs(found).max() / 127 for found in grams]
    known = stems()
    chars, words, kinds = (np.rint(found / by).astype(np.int8) for found, by in zip(grams, scale, strict=True))
    return Weights(
        chars, words, kinds, np.array(list(known)), np.array(list(known.values())),
        np.array(scale, dtype=np.float32), np.array(np.inf, dtype=np.float32),
    )  # fmt: skip


def _idf(matrix: Any, least: int) -> np.ndarray:
    """Rarer n-grams weigh more, those in hardly any text nothing; scaled to a size that suits the penalty."""
    texts = np.asarray((matrix > 0).sum(axis=0)).ravel()
    return np.where(texts >= least, np.log((1 + matrix.shape[0]) / (1 + texts)) + 1, 0) / 5


def crossed(data: Texts, groups: np.ndarray) -> np.ndarray:
    """Scores of the written texts by models that have not seen their group. Of several readings the highest counts."""
    score = np.full(len(groups), -np.inf)
    rest, known = np.ones(len(data.texts) - len(groups), dtype=bool), stems()
    for group in np.unique(groups):
        weights = fit(data, np.append(groups != group, rest))
        mine = [(at, data.texts[at]) for at in np.flatnonzero(groups == group)]
        for at, text in mine + [other for other in data.disguised if groups[other[0]] == group]:
            score[at] = max(score[at], ngram_score(weights, known, text))
    return score


def line(score: np.ndarray, injection: np.ndarray, share: float = FALSE_ALARMS) -> float:
    """The lowest score over which at most ``share`` of the harmless texts are."""
    harmless = np.sort(score[~injection])[::-1]
    return float(np.nextafter(np.float32(harmless[int(share * len(harmless))]), np.float32(np.inf)))


def caught(score: np.ndarray, injection: np.ndarray, over: float) -> dict[str, float]:
    """Share of the injections and of the harmless texts over a line."""
    return {
        "caught": round(float((score[injection] >= over).mean()), 4),
        "false_alarms": round(float((score[~injection] >= over).mean()), 4),
    }


def _held(weights: Weights, sealed: bool) -> dict[str, float]:
    """The same for the texts that are kept for measuring."""
    mine, known = [row for row in rows("injection.held.jsonl") if row["sealed"] == sealed], stems()
    scores = [max(ngram_score(weights, known, reading) for reading in readings(row["text"])) for row in mine]
    return caught(np.array(scores), np.array([row["injection"] for row in mine]), float(weights.line))


def main() -> None:
    """Fit, draw the line, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS / "injection")
    options = parser.parse_args()
    data = read()
    part = data.part[data.part >= 0]
    right = data.injection[: len(part)]
    score = crossed(data, part)
    figures: dict[str, Any] = {
        "texts": {
            "written": len(part), "injections": int(right.sum()), "harmless": int((~right).sum()),
            "more": len(rows("injection.more.jsonl")), "made": len(list(made())), "ordinary": PACK_FACTS + PROSE,
        }
    }  # fmt: skip
    figures["unseen_blocks"] = {
        str(share): caught(score, right, line(score, right, share)) for share in (0.005, FALSE_ALARMS, 0.02, 0.03)
    }
    # The line of one half of the parts, on the other half: what the line costs where it was not drawn.
    figures["line_of_other_parts"] = [
        caught(score[part % 2 == half], right[part % 2 == half], line(score[part % 2 != half], right[part % 2 != half]))
        for half in (0, 1)
    ]
    author = (np.arange(len(part)) >= FIRST_AUTHOR).astype(int)
    strange = crossed(data, author)
    figures["unseen_author"] = [
        caught(strange[author == a], right[author == a], line(strange[author == a], right[author == a])) for a in (0, 1)
    ]
    over = line(score, right)
    weights = fit(data, np.ones(len(data.texts), dtype=bool))
    weights = replace(weights, line=np.array(over, dtype=np.float32))
    figures |= {"line": over, "held": {half: _held(weights, half == "sealed") for half in ("open", "sealed")}}
    print(json.dumps(figures, indent=2))
    write(options.out, weights, figures)


def write(folder: Path, weights: Weights, figures: dict[str, Any]) -> None:
    """The weights, the manifest, the card and the licence."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / HEAD, **{name: getattr(weights, name) for name in Weights.__slots__})
    manifest = Manifest(
        name="injection", kind="injection", upstream="none: fitted on texts written for Ghost (training/data)",
        licence="MIT", max_tokens=256, files={HEAD: sha256(folder / HEAD)}, figures=figures,
    )  # fmt: skip
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card(manifest, (folder / HEAD).stat().st_size), encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())


if __name__ == "__main__":
    main()
