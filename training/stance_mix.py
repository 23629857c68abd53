"""What the stance model learns from: groups of pairs, and how much of each goes into every block.

The public sets outnumber what was written for this project ten to one, and some of them carry one label only, so that
pairs are not drawn from one heap: every block has the same part of each group (``SHARES``).
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ghost.inference import load_encoder
from training.contrast_sets import pairs_of, read_contrast_sets
from training.dossiers import crossed_dossier_pairs, dossier_pairs, plain_pairs, read_dossiers
from training.headings import heading_pairs, read_headings
from training.pairs import Pair, evened, foreign_pairs, off_topic_pairs, read_pairs
from training.passages import ASPECTS, REPORTED, passage_pairs, read_passages
from training.unseen import MODELS, unseen
from training.written import PARAPHRASES, contrast_pairs, crossed_pairs, read_contrasts

SHARES = {
    "contrasts": 0.45,
    "everyday": 0.17,
    "library": 0.12,
    "project": 0.06,
    "checking": 0.08,
    "inference": 0.06,
    "neutral": 0.02,
    "off_topic": 0.04,
}
"""Part of each group in a block."""
FAR = 0.22
"""Part of the library's off-topic candidates that is kept: three in four of its candidates are off topic."""

CHECKING = (
    "fever_gold", "feverous_sent", "fever_nli", "fever_symmetric", "fm2", "scifact", "citint",
    "evidence_inference_tmpl", "vitaminc_synth", "fever_train_1sent", "sufficient_fever", "wice", "fever_nei_derived",
)  # fmt: skip
"""Claims against evidence that was chosen for them."""
ONE_LABEL = ("wfc_cannot", "wfc_refuted", "wfc_verbatim", "wikisplit", "factcg_doc", "entbank", "scitail", "disco_e2n")
"""Sources in which the style of a pair gives its label away; they go with the neutrals, each label in equal parts."""
THINNED = {"snli": 0.1, "cf_snli": 0.15, "conjnli": 0.3, "fever_nei_derived": 0.5, "mnli": 0.8}
"""Part of these sources that is kept: captions of pictures, copied sentences, evidence picked by nearness alone."""


@dataclass(frozen=True)
class Mix:
    """The groups, each of which is gone through in its own shuffled order, again and again."""

    groups: Mapping[str, list[Pair]]

    def blocks(self, size: int, seed: int) -> Iterator[list[Pair]]:
        """Blocks of about ``size`` pairs without end, with SHARES of each group; the same for the same seed."""
        streams = {name: _endless(pairs, f"{seed}/{name}") for name, pairs in self.groups.items()}
        while True:
            yield [next(streams[name]) for name, share in SHARES.items() for _ in range(round(share * size))]


def read_mix(data: Path, cache: Path, seed: int, off_topic_claims: int) -> Mix:
    """All groups; cached in a file, since the off-topic pairs need tens of thousands of texts encoded."""
    if cache.exists():
        return Mix({name: [Pair(*row) for row in rows] for name, rows in json.loads(cache.read_text()).items()})
    rng = random.Random(seed)
    public = [p for p in read_pairs(data) if not p.source.startswith(("written_", "contrast_"))]
    public = [p for p in public if rng.random() < THINNED.get(_name(p), 1.0)]
    everyday = [pair for pair, _ in pairs_of(data / "train" / "stance.written.jsonl.gz")]
    groups = {
        "contrasts": read_contrast_sets(data),
        "everyday": everyday,
        "library": read_library(data, rng),
        "project": project_pairs(rng),
        "checking": [p for p in public if _name(p) in CHECKING],
        "neutral": _equal_parts([p for p in public if p.source.startswith("neutral_") or _name(p) in ONE_LABEL], rng),
        "inference": [
            p for p in public if _name(p) not in CHECKING + ONE_LABEL and not p.source.startswith("neutral_")
        ],
        "off_topic": [
            *off_topic_pairs(public, _encode, rng, off_topic_claims),
            *foreign_pairs(everyday, rng, off_topic_claims),
        ],
    }
    cache.parent.mkdir(parents=True, exist_ok=True)
    rows = {name: [[p.evidence, p.claim, p.label, p.source] for p in pairs] for name, pairs in groups.items()}
    cache.write_text(json.dumps(rows))
    return Mix(groups)


def read_library(data: Path, rng: random.Random) -> list[Pair]:
    """Claims with what a search of the starter library finds for them, without the pairs whose label is doubtful."""
    found = []
    for pair, row in pairs_of(data / "train" / "library.jsonl.gz"):
        off_topic = bool(row.get("off_topic"))
        if row.get("unsure") or (off_topic and rng.random() > FAR):
            continue
        found.append(replace(pair, label="OFF-TOPIC") if off_topic else pair)
    return found


def project_pairs(rng: random.Random) -> list[Pair]:
    """What was written for this project before, those rows apart that are held back or near to what measures."""
    contrasts = unseen([c for file in (None, PARAPHRASES) for c in _contrasts(file) if not c.held_back])
    pages = unseen([d for d in read_dossiers() if not d.held_back])
    sided = [
        *dossier_pairs(pages, rng, 1),
        *plain_pairs(pages, rng),
        *heading_pairs(pages, read_headings(), rng, 2),
    ]
    passages = [
        pair
        for sort in (REPORTED, ASPECTS)
        for pair in passage_pairs(sort, unseen([p for p in read_passages(sort) if not p.held_back]))
    ]
    pages_part = evened(sided, rng)
    return [
        *contrast_pairs(contrasts),
        *crossed_pairs(contrasts, rng, 0.1),
        *rng.sample(pages_part, len(pages_part) // 2),
        *list(crossed_dossier_pairs(pages, rng))[::6],
        *passages,
    ]


def _contrasts(file: Path | None) -> list:
    return read_contrasts(file) if file else read_contrasts()


def _equal_parts(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """As many pairs of each label as the rarest has."""
    by_label: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_label.setdefault(pair.label, []).append(pair)
    count = min(len(rows) for rows in by_label.values())
    return [pair for rows in by_label.values() for pair in rng.sample(rows, count)]


def _endless(pairs: list[Pair], seed: str) -> Iterator[Pair]:
    rng = random.Random(seed)
    order = list(pairs)
    while True:
        rng.shuffle(order)
        yield from order


def _encode(texts: list[str]) -> np.ndarray:
    return load_encoder("all-MiniLM-L6-v2", MODELS).encode(texts)


def _name(pair: Pair) -> str:
    return pair.source.split(".")[0]
