"""Have a larger model read pairs, most of which nobody has labelled, so that the small one can learn from its answers.

    python -m training.teacher --models DIR DIR --pairs FILE --out FILE

A small model learns more from how sure a large one is of each answer than from right and wrong alone, and a large one
can read what nobody has labelled (Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network").
``--models`` are folders that training.train_cross_encoder wrote, a large one (``--upstream``) and perhaps the small
one that is to learn: several answer by the mean of their log-probabilities (a product of experts, Hinton 2002), which
errs less than either. ``--pairs`` is the ``pairs.json`` that a training left beside its model. The answers come a row a
line, in an order that the seed fixes; the same command goes on where it was.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
from transformers import AutoModelForSequenceClassification

from ghost.inference import MODEL, OnnxCrossEncoder, StanceReader
from training.compare import together
from training.dossiers import Dossier, DossierClaim, read_dossiers, window
from training.export_cross_encoder import write_folder
from training.folder import export_onnx, write_tokenizer
from training.headings import Heading, read_headings
from training.pairs import Pair
from training.quantise import quantise
from training.written import Contrast, read_contrasts

CHUNK = 480
"""Pairs that are read and written together."""
UNKNOWN = ""
"""The label of a pair that only the teacher has read."""


def page_pairs(
    dossiers: Sequence[Dossier], headings: dict[str, tuple[Heading, ...]], rng: random.Random, each: int
) -> Iterator[Pair]:
    """For each page ``each`` pairs of two of its claims, as many of a claim with what stands on the page, and half as
    many with its headings.

    Two claims that one sentence settles often differ in a word or two, and nobody has said what one means for the
    other; of two claims drawn at random six in seven have nothing to do with each other.
    """
    for dossier in dossiers:
        claims = [claim.text for claim in dossier.claims]
        heads = [heading.text for heading in headings.get(dossier.topic, ())]
        related = [(a.text, b.text) for a, b in permutations(dossier.claims, 2) if _settled(a) & _settled(b)]
        for evidence, claim in rng.sample(related, min(each, len(related))):
            yield Pair(evidence, claim, UNKNOWN, "claims")
        for _ in range(each):
            i = rng.randrange(len(dossier.page))
            text = rng.choice((dossier.page[i], window(dossier.page, i)))
            yield Pair(text, rng.choice(claims), UNKNOWN, "page")
        for _ in range(each // 2 if heads else 0):
            yield Pair(rng.choice(heads), rng.choice(claims), UNKNOWN, "heads")


def _settled(claim: DossierClaim) -> frozenset[int]:
    """The sentences that settle a claim, for or against."""
    return claim.supported_by | claim.refuted_by


def contrast_claims(contrasts: Sequence[Contrast], rng: random.Random, each: int) -> Iterator[Pair]:
    """``each`` pairs of two claims on the passages of one contrast."""
    for contrast in contrasts:
        texts = [text for text, *_ in contrast.claims]
        for _ in range(each if len(texts) > 1 else 0):
            evidence, claim = rng.sample(texts, 2)
            yield Pair(evidence, claim, UNKNOWN, "contrast claims")


def asked(public: Sequence[Pair], seed: int, each: int, labelled: int) -> list[Pair]:
    """All pairs that the teacher is to read, in a fixed order, each once; nothing of held-back topics."""
    rng = random.Random(seed)
    pages = [d for d in read_dossiers() if not d.held_back]
    contrasts = [c for c in read_contrasts() if not c.held_back]
    pairs = [
        *page_pairs(pages, read_headings(), rng, each),
        *contrast_claims(contrasts, rng, 2),
        *rng.sample(list(public), min(labelled, len(public))),
    ]
    once = list({(p.evidence, p.claim): p for p in pairs}.values())
    rng.shuffle(once)
    return once


def quick_copy(model: Path, folder: Path) -> OnnxCrossEncoder:
    """The model in int8, which reads about twice as fast as torch, written to ``folder``."""
    folder.mkdir()
    whole = AutoModelForSequenceClassification.from_pretrained(model, attn_implementation="eager")
    export_onnx(whole, folder / "float.onnx", {0: "batch"})
    quantise(folder / "float.onnx", folder / MODEL)
    write_tokenizer(model, folder)
    write_folder(folder, {})
    return OnnxCrossEncoder(folder)


def answers(readers: Sequence[StanceReader], pairs: Sequence[Pair]) -> np.ndarray:
    """The probabilities of all readers together, shape (pairs, classes) in the order of CLASSES; rows sum to one."""
    texts = [(p.evidence, p.claim) for p in pairs]
    said = [[(s.supports, s.refutes, s.neutral, s.off_topic) for s in reader.read(texts)] for reader in readers]
    return together([np.array(rows) for rows in said])


def teach(readers: Sequence[StanceReader], pairs: Sequence[Pair], out: Path) -> None:
    """Append the answers to ``out``, from where it ends."""
    done = len(out.read_text(encoding="utf-8").splitlines()) if out.exists() else 0
    started, first = time.monotonic(), done
    with out.open("a", encoding="utf-8") as file:
        while done < len(pairs):
            chunk = pairs[done : done + CHUNK]
            for pair, told in zip(chunk, answers(readers, chunk).round(4).tolist(), strict=True):
                row = {"evidence": pair.evidence, "claim": pair.claim, "label": pair.label, "source": pair.source}
                file.write(json.dumps(row | {"told": told}, ensure_ascii=False) + "\n")
            file.flush()
            done += len(chunk)
            rate = (done - first) / (time.monotonic() - started)
            print(f"{done}/{len(pairs)} {rate:.1f}/s {(len(pairs) - done) / rate / 60:.0f} min left", flush=True)


def read_taught(file: Path) -> list[Pair]:
    """What ``teach`` wrote."""
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(r["evidence"], r["claim"], r["label"], r["source"], tuple(r["told"])) for r in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, nargs="+", required=True, help="model folders that answer together")
    parser.add_argument("--pairs", type=Path, required=True, help="pairs.json of its training")
    parser.add_argument("--out", type=Path, required=True, help="the answers, a row a line")
    parser.add_argument("--each", type=int, default=12, help="pairs of claims for each page")
    parser.add_argument("--labelled", type=int, default=15000, help="labelled public pairs that are read as well")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    public = [Pair(*row) for row in json.loads(args.pairs.read_text(encoding="utf-8"))]
    pairs = asked(public, args.seed, args.each, args.labelled)
    print(len(pairs), "pairs", flush=True)
    with tempfile.TemporaryDirectory(dir=args.out.parent) as folder:
        readers = [quick_copy(model, Path(folder, str(i))) for i, model in enumerate(args.models)]
        teach(readers, pairs, args.out)


if __name__ == "__main__":
    main()
