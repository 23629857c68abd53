"""Fit the injection model on the written texts and write ``ghost/models/injection``.

    python -m training.train_injection [--out ghost/models/injection]

Needs requirements-training.txt (scikit-learn, for fitting only). The line is drawn on folds that keep neighbours in the
file together, since many harmless texts mirror the injection beside them. Prints the figures and keeps them in the
manifest and the card.
"""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from ghost.inference import HEAD, MANIFEST, Manifest, OnnxEncoder, sha256
from ghost.inference.heads import BITS, Weights, char_ngrams, damped, ngram_score, vector_score, word_ngrams
from ghost.knowledge.deobfuscation import plain, readings
from seed_kb import SEED_FACTS
from training.injection_card import card

DATA = Path(__file__).parent / "data"
MODELS = Path(__file__).parents[1] / "ghost" / "models"
LICENCE = Path(__file__).parents[1] / "LICENSE"
BLOCK = 65
"""Neighbours in the file of written texts that stay in one part: both authors wrote in longer runs than that."""
PARTS = 10
FIRST_AUTHOR = 1300
"""So many rows are by one author, the others by another."""
PACK_FACTS, PROSE = 600, 500
"""Ordinary texts of ours among the harmless ones: facts of the library, and prose written for the other models."""
RARE = 3
"""N-grams in fewer texts have no weight: they name the subject of a text."""
VECTOR_SCALE = 0.7
PENALTY = 30.0
"""Inverse of the L2 penalty."""
FALSE_ALARMS = 0.01
FORGONE = 0.005
"""The encoder is left out where the n-grams alone score less than all but this share of the injections caught."""


@dataclass(frozen=True)
class Texts:
    """Texts as matrices, with what is right about them; ``part`` is -1 for those that are always fitted on."""

    texts: list[str]
    injection: np.ndarray
    part: np.ndarray
    chars: Any
    words: Any
    vectors: np.ndarray
    disguised: list[tuple[int, str, np.ndarray]]
    """Of the written texts that have another reading: the row, the reading and its vector. Not fitted on."""


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


def read(encoder: OnnxEncoder) -> Texts:
    """The written texts first, in the order of their file, then the others and the ordinary ones."""
    written, more = rows("injection.jsonl"), rows("injection.more.jsonl")
    facts = random.Random(0).sample([fact["text"] for fact in SEED_FACTS], PACK_FACTS)
    ordinary = facts + prose()[:PROSE]
    texts = [plain(row["text"]) for row in written + more] + [plain(text) for text in ordinary]
    right = [bool(row["injection"]) for row in written + more] + [False] * len(ordinary)
    part = [at // BLOCK % PARTS for at in range(len(written))] + [-1] * (len(texts) - len(written))
    others = [(at, other) for at, row in enumerate(written) for other in readings(row["text"]) if other != texts[at]]
    vectors = encoder.encode([other for _, other in others])
    chars, words = (_matrix([hashes(text) for text in texts]) for hashes in (char_ngrams, word_ngrams))
    return Texts(
        texts, np.array(right), np.array(part), chars, words,
        encoder.encode(texts), [(*other, vector) for other, vector in zip(others, vectors, strict=True)],
    )  # fmt: skip


def _matrix(hashes: list[np.ndarray]) -> Any:
    """One row a text, divided as the sums are."""
    values = np.concatenate([np.full(len(h), 1 / damped(len(h))) for h in hashes])
    starts = np.cumsum([0] + [len(h) for h in hashes])
    return csr_matrix((values, np.concatenate(hashes), starts), shape=(len(hashes), 2**BITS))


def fit(data: Texts, mask: np.ndarray) -> Weights:
    """The model from the texts where ``mask`` is true; the line is not drawn yet."""
    idf = [_idf(matrix[mask]) for matrix in (data.chars, data.words)]
    grams = [data.chars[mask] @ diags(idf[0]), data.words[mask] @ diags(idf[1])]
    design = hstack([*grams, csr_matrix(data.vectors[mask] * VECTOR_SCALE)])
    model = LogisticRegression(C=PENALTY, max_iter=3000).fit(design.tocsr(), data.injection[mask])
    found = model.coef_[0]
    chars, words = found[: 2**BITS] * idf[0], found[2**BITS : 2 * 2**BITS] * idf[1]
    scale = np.array([np.abs(chars).max() / 127, np.abs(words).max() / 127])
    vector = np.append(found[2 * 2**BITS :] * VECTOR_SCALE, model.intercept_[0])
    return Weights(
        np.rint(chars / scale[0]).astype(np.int8), np.rint(words / scale[1]).astype(np.int8),
        vector.astype(np.float32), scale.astype(np.float32), np.array([np.inf, -np.inf], dtype=np.float32),
    )  # fmt: skip


def _idf(matrix: Any) -> np.ndarray:
    """Rarer n-grams weigh more, those in hardly any text nothing; scaled to the size that the vector has."""
    texts = np.asarray((matrix > 0).sum(axis=0)).ravel()
    return np.where(texts >= RARE, np.log((1 + matrix.shape[0]) / (1 + texts)) + 1, 0) / 18


def crossed(data: Texts, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the written texts by models that have not seen their group: of the n-grams, and in all.

    Of a text with several readings the highest counts.
    """
    grams, whole = np.zeros(len(groups)), np.full(len(groups), -np.inf)
    rest = np.ones(len(data.texts) - len(groups), dtype=bool)
    for group in np.unique(groups):
        weights = fit(data, np.append(groups != group, rest))
        mine = [(at, data.texts[at], data.vectors[at]) for at in np.flatnonzero(groups == group)]
        for at, text, vector in mine + [other for other in data.disguised if groups[other[0]] == group]:
            score = ngram_score(weights, text)
            if score + vector_score(weights, vector) > whole[at]:
                grams[at], whole[at] = score, score + vector_score(weights, vector)
    return grams, whole


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


def main() -> None:
    """Fit, draw the line, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODELS / "injection")
    options = parser.parse_args()
    encoder = OnnxEncoder(MODELS / "all-minilm-l6-v2")
    data = read(encoder)
    part = data.part[data.part >= 0]
    right = data.injection[: len(part)]
    grams, score = crossed(data, part)
    figures: dict[str, Any] = {
        "texts": {
            "written": len(part), "injections": int(right.sum()), "harmless": int((~right).sum()),
            "more": int((data.part < 0).sum()) - PACK_FACTS - PROSE, "ordinary": PACK_FACTS + PROSE,
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
    _, strange = crossed(data, author)
    figures["unseen_author"] = [
        caught(strange[author == a], right[author == a], line(strange[author == a], right[author == a])) for a in (0, 1)
    ]
    over = line(score, right)
    weights = fit(data, np.ones(len(data.texts), dtype=bool))
    floor = float(np.quantile(grams[right & (score >= over)], FORGONE))
    weights.line[:] = over, floor
    figures |= {"line": over, "floor": floor, "below_floor": round(float((grams[~right] < floor).mean()), 4)}
    print(json.dumps(figures, indent=2))
    write(options.out, weights, figures, encoder.checksum)


def write(folder: Path, weights: Weights, figures: dict[str, Any], encoder: str) -> None:
    """The weights, the manifest, the card and the licence."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / HEAD, **{name: getattr(weights, name) for name in Weights.__slots__})
    manifest = Manifest(
        name="injection", kind="injection", upstream="none: fitted on texts written for Ghost (training/data)",
        licence="MIT", max_tokens=256, encoder=encoder, files={HEAD: sha256(folder / HEAD)}, figures=figures,
    )  # fmt: skip
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card(manifest, (folder / HEAD).stat().st_size), encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())


if __name__ == "__main__":
    main()
