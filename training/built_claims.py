"""Claims with a verdict, and a corpus to check them over, built out of the training evidence.

Four sets: claims of the public training pairs over the evidence of all of them; the held-back claims of the written
contrasts over the passages of all contrasts; claims of the written paraphrases, none of which is trained on; and the
held-back claims of the written pages over all of them. For a part of the claims the evidence is taken away, so that
abstaining is right; of some contrasts both passages are in the corpus, so that the sources disagree.
"""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.dossiers import Dossier
from training.pairs import Pair
from training.written import Contrast

FAMILIES = {
    "fever_gold": 500,
    "feverous": 150,
    "fm2": 200,
    "scifact": 180,
    "citint": 150,
    "evidence_inference": 150,
    "fever_nei_derived": 150,
}
"""How many claims of each source of the public pairs."""
DOCUMENTS = 14_000
EVERY = 4
"""One in so many of the written paraphrases gives claims; all of them would take long."""
TAKEN_AWAY = 0.3
"""Part of the decided claims whose evidence is left out of the corpus."""
SENTENCE_TAKEN_AWAY = 0.2
"""Part of the sentences of a written page that are left out of it."""
SIDES = ("SUPPORTS", "REFUTES")


@dataclass(frozen=True)
class Built:
    """A set as the rows that the benchmark reads."""

    name: str
    claims: list[dict[str, Any]]
    documents: list[dict[str, str]]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write ``NAME.claims.jsonl`` and ``NAME.corpus.jsonl``; returns both."""
        folder.mkdir(parents=True, exist_ok=True)
        files = folder / f"{self.name}.claims.jsonl", folder / f"{self.name}.corpus.jsonl"
        for file, rows in zip(files, (self.claims, self.documents), strict=True):
            file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return files


def from_pairs(pairs: Sequence[Pair], rng: random.Random) -> Built:
    """Claims of FAMILIES over the evidence of all of their sources."""
    mine = [p for p in pairs if _family(p.source)]
    by_claim: dict[str, list[Pair]] = defaultdict(list)
    for pair in mine:
        by_claim[pair.claim].append(pair)
    chosen = _chosen(by_claim, rng)
    gone: set[str] = set()
    for claim in chosen:
        if _label(by_claim[claim]) in SIDES and rng.random() < TAKEN_AWAY:
            gone |= {p.evidence for p in by_claim[claim]}
    own = sorted({p.evidence for claim in chosen for p in by_claim[claim]} - gone)
    others = sorted({p.evidence for p in mine} - gone - set(own))
    rng.shuffle(others)
    texts = own + others[: max(0, DOCUMENTS - len(own))]
    number = {text: str(i) for i, text in enumerate(texts)}
    rows = []
    for i, claim in enumerate(chosen):
        there = [p for p in by_claim[claim] if p.evidence in number and p.label in SIDES]
        gold = [{"doc_id": number[p.evidence], "label": p.label} for p in there]
        rows.append({"id": str(i), "claim": claim, "label": _label(there), "gold": gold})
    return Built("pairs", rows, [{"doc_id": i, "text": text} for text, i in number.items()])


def from_contrasts(contrasts: Sequence[Contrast], rng: random.Random) -> Built:
    """The claims of held-back contrasts; of each, one passage or both are in the corpus."""
    return _written("contrasts", contrasts, [c for c in contrasts if c.held_back], rng)


def from_paraphrases(paraphrases: Sequence[Contrast], rng: random.Random) -> Built:
    """The claims of every fourth row, over the passages of all of them."""
    return _written("paraphrases", paraphrases, paraphrases[::EVERY], rng)


def from_dossiers(dossiers: Sequence[Dossier], rng: random.Random) -> Built:
    """The claims of held-back pages over all pages, in passages of two sentences; of the held-back ones some sentences
    are missing."""
    rows: list[dict[str, Any]] = []
    documents: list[dict[str, str]] = []
    for i, dossier in enumerate(dossiers):
        there = [n for n in range(len(dossier.page)) if not dossier.held_back or rng.random() >= SENTENCE_TAKEN_AWAY]
        pairs = [" ".join(dossier.page[n] for n in there[at : at + 2]) for at in range(0, len(there), 2)]
        if pairs:
            documents.append({"doc_id": str(i), "title": dossier.topic, "text": "\n\n".join(pairs)})
        for claim in dossier.claims if dossier.held_back else ():
            settled = (claim.supported_by | claim.refuted_by) & set(there)
            label = claim.label if settled else "NEI"
            gold = [{"doc_id": str(i), "label": label}] if settled else []
            rows.append({"id": str(len(rows)), "claim": claim.text, "label": label, "gold": gold})
    return Built("dossiers", rows, documents)


def _written(name: str, contrasts: Sequence[Contrast], asked: Sequence[Contrast], rng: random.Random) -> Built:
    topics = {c.topic for c in asked}
    rows: list[dict[str, Any]] = []
    documents: list[dict[str, str]] = []
    for contrast in contrasts:
        all_of_it = list(range(len(contrast.passages)))
        used = rng.choice([[0], all_of_it, [all_of_it[-1]], all_of_it]) if contrast.topic in topics else [0]
        place = {i: str(len(documents) + n) for n, i in enumerate(used)}
        documents += [{"doc_id": place[i], "title": contrast.topic, "text": contrast.passages[i]} for i in used]
        for text, *stances in contrast.claims if contrast.topic in topics else ():
            gold = [{"doc_id": place[i], "label": stances[i]} for i in used if stances[i] in SIDES]
            sides = {g["label"] for g in gold}
            label = "CONFLICT" if len(sides) == 2 else next(iter(sides), "NEI")
            rows.append({"id": str(len(rows)), "claim": text, "label": label, "gold": gold})
    return Built(name, rows, documents)


def _chosen(by_claim: dict[str, list[Pair]], rng: random.Random) -> list[str]:
    families: dict[str, list[str]] = defaultdict(list)
    for claim in sorted(by_claim):
        families[_family(by_claim[claim][0].source)].append(claim)
    chosen = []
    for name, count in FAMILIES.items():
        rng.shuffle(families[name])
        chosen += families[name][:count]
    return chosen


def _family(source: str) -> str:
    return next((name for name in FAMILIES if source.startswith(name)), "")


def _label(pairs: Sequence[Pair]) -> str:
    sides = {p.label for p in pairs} & set(SIDES)
    return "CONFLICT" if len(sides) == 2 else next(iter(sides), "NEI")
