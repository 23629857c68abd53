"""The pairs the evidence cross-encoder learns from: the public stance pairs, and off-topic pairs that we make.

A stance data set holds only pairs in which the evidence was chosen for the claim. A retrieval system meets
mostly passages that were not, so pairs of a claim with evidence that belongs to another claim are added:
far ones as OFF-TOPIC, near ones (same subject, other question) as NEUTRAL.
"""

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CLASSES = ("SUPPORTS", "REFUTES", "NEUTRAL", "OFF-TOPIC")
"""Order of the logits of the evidence cross-encoder."""

_FROM_STANCE = {"SUPPORTS": "SUPPORTS", "REFUTES": "REFUTES", "NEI": "NEUTRAL"}

SHARES = {
    "conjnli": 0.40,  # nearly copied sentences; more of it teaches word counting
    # Captions of one picture: what is merely about something else counts as a contradiction there, and a model that
    # learns it calls every foreign passage REFUTES.
    "snli": 0.0,
    "cf_snli": 0.0,
    "fever_nei_derived": 0.75,  # picked by nearness, so nearness gives them away
}
"""Part of each source that is kept; sources not named are kept whole."""

REPEATS = {"fever_symmetric": 3, "scifact": 3, "fm2": 2}
"""Small sources that are worth more than their size."""

KNOWLEDGE_SOURCES = ("fever_gold", "feverous", "fm2", "scifact", "citint", "evidence_inference")
"""Sources whose evidence reads like a passage of a knowledge base; off-topic pairs are built from them."""


@dataclass(frozen=True)
class Pair:
    """One training example."""

    evidence: str
    claim: str
    label: str
    """One of CLASSES."""
    source: str


def read_pairs(data: Path) -> list[Pair]:
    """Read every ``train/stance*.jsonl.gz`` below ``data``; rows with an unknown label raise KeyError."""
    files = sorted((data / "train").glob("stance*.jsonl.gz"))
    if not files:
        raise FileNotFoundError(f"no train/stance*.jsonl.gz below {data}")
    pairs = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            pairs += [
                Pair(tidy(row["evidence"]), tidy(row["claim"]), _FROM_STANCE[row["label"]], row["file"])
                for row in map(json.loads, lines)
            ]
    return drop_contradictory(p for p in pairs if p.evidence and p.claim)


def tidy(text: str) -> str:
    """Undo the spacing that tokenised corpora leave around punctuation and brackets."""
    text = re.sub(r"\s+([,.;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[])\s+", r"\1", text)
    text = text.replace("``", '"').replace("''", '"').replace("` `", '"').replace("-LRB-", "(").replace("-RRB-", ")")
    return " ".join(text.split())


def drop_contradictory(pairs: Iterable[Pair]) -> list[Pair]:
    """Keep one copy of each pair, and none of those that occur with two labels."""
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    first: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        key = (pair.evidence.lower(), pair.claim.lower())
        labels[key].add(pair.label)
        first.setdefault(key, pair)
    return [pair for key, pair in first.items() if len(labels[key]) == 1]


def balance(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """Thin out and repeat sources as SHARES and REPEATS say."""
    kept = []
    for pair in pairs:
        name = pair.source.split(".")[0]
        if rng.random() < SHARES.get(name, 1.0):
            kept.extend([pair] * REPEATS.get(name, 1))
    return kept


def evened(pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """So many of the pairs that how many words a claim shares with its evidence tells nothing of the side.

    In each tenth of shared words as many supported as refuted pairs are kept, drawn at random; all others are kept.
    """
    cells: dict[tuple[int, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        cells[int(10 * shared_words(pair)), pair.label].append(pair)
    kept = []
    for (tenth, label), mine in cells.items():
        other = {"SUPPORTS": "REFUTES", "REFUTES": "SUPPORTS"}.get(label)
        count = len(mine) if other is None else min(len(mine), len(cells.get((tenth, other), ())))
        kept += rng.sample(mine, count)
    return kept


def shared_words(pair: Pair) -> float:
    """Part of the words of the claim that stand in the evidence too, 0..1."""
    words = _words(pair.claim)
    return len(words & _words(pair.evidence)) / len(words) if words else 0.0


def off_topic_pairs(
    pairs: list[Pair], encode: Callable[[list[str]], np.ndarray], rng: random.Random, claims: int
) -> list[Pair]:
    """Pair claims with evidence that was written for other claims.

    ``encode`` maps n texts to unit vectors of shape (n, d). For each of ``claims`` claims up to three pairs come
    back: one random and one lexically or semantically close but still foreign (cosine 0.2 to 0.42) as OFF-TOPIC,
    and one on the same subject (0.5 to 0.75) as NEUTRAL. Near pairs whose own claims resemble this claim are left
    out, since such evidence may well settle it.
    """
    pool = [p for p in pairs if p.source.startswith(KNOWLEDGE_SOURCES)]
    texts = sorted({p.evidence for p in pool if len(p.evidence.split()) >= 6})
    row = {text: i for i, text in enumerate(texts)}
    own_claims: dict[int, set[str]] = defaultdict(set)
    for p in pool:
        if p.evidence in row:
            own_claims[row[p.evidence]].add(p.claim)
    chosen = sorted({p.claim for p in pool})
    rng.shuffle(chosen)
    chosen = chosen[:claims]
    claim_vectors, text_vectors = encode(chosen), encode(texts)
    claim_row = {claim: i for i, claim in enumerate(chosen)}
    rare = _rare_words(texts)
    made = []
    for start in range(0, len(chosen), 256):
        block = claim_vectors[start : start + 256] @ text_vectors.T
        for offset, similarity in enumerate(block):
            claim = chosen[start + offset]
            made.append(Pair(texts[rng.randrange(len(texts))], claim, "OFF-TOPIC", "random"))
            far = np.flatnonzero((similarity > 0.2) & (similarity < 0.42))
            if len(far):
                picks = [int(far[rng.randrange(len(far))]) for _ in range(40)]
                best = max(picks, key=lambda i: len(rare[i] & _words(claim)))
                made.append(Pair(texts[best], claim, "OFF-TOPIC", "foreign"))
            near = [int(i) for i in np.flatnonzero((similarity > 0.5) & (similarity < 0.75))]
            rng.shuffle(near)
            for i in near[:10]:
                rows = [claim_row[c] for c in own_claims[i] if c in claim_row]
                known = len(rows) == len(own_claims[i])
                if known and max(float(claim_vectors[start + offset] @ claim_vectors[r]) for r in rows) < 0.6:
                    made.append(Pair(texts[i], claim, "NEUTRAL", "near"))
                    break
    return made


def foreign_pairs(pairs: list[Pair], rng: random.Random, count: int) -> list[Pair]:
    """``count`` claims of any source, each with evidence drawn at random from all of them: plainly OFF-TOPIC."""
    claims, texts = [p.claim for p in pairs], [p.evidence for p in pairs]
    return [Pair(rng.choice(texts), rng.choice(claims), "OFF-TOPIC", "any") for _ in range(count)]


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]{3,}", text.lower()))


def _rare_words(texts: list[str]) -> list[set[str]]:
    words = [_words(text) for text in texts]
    count: dict[str, int] = defaultdict(int)
    for found in words:
        for word in found:
            count[word] += 1
    return [{w for w in found if count[w] < len(texts) / 50} for found in words]
