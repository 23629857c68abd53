"""Write ``ghost/judges/embedded/calibration_claims.jsonl``: the claims that ``python -m ghost calibrate`` fits odds on,
and those that it only measures verdicts on.

    python -m training.calibration_claims

Five parts, none of which a stance model was trained on: the held-back contrasts, of which one passage or both are
there; the held-back contrast sets, of whose passages each has claims that it settles and claims that miss it narrowly;
the held-back pages, in passages of two sentences, some of which are missing; claims about the starter library
(``data/library_claims.jsonl``), half of which it settles; and claims as people paste them, over the library or pages
written with them, of one statement or several, some rated by fact-checkers (``data/measured_claims.jsonl``): measured
and never fitted on, half of the topics sealed.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

from bench.examples import CLAIMS, Example, write_examples
from ghost.types import Label
from training.contrast_sets import held_contrast_sets
from training.dossiers import read_dossiers
from training.written import read_contrasts

LIBRARY = Path(__file__).parent / "data" / "library_claims.jsonl"
MEASURED = LIBRARY.with_name("measured_claims.jsonl")
SEED = 17
CONTRASTS = 160
SETS = 900
PAGES = 140
MISSING = 0.25
"""Part of the sentences of a page that are left out of it."""
_LABELS = {"SUPPORTS": Label.TRUE, "REFUTES": Label.FALSE}


def contrasts(rng: random.Random) -> list[Example]:
    """Claims of held-back contrasts; of each row the first passage, the last or both are there."""
    found = []
    for row in read_contrasts():
        if not row.held_back:
            continue
        everything = list(range(len(row.passages)))
        there = rng.choice([everything[:1], everything[-1:], everything[:1], everything[-1:], everything])
        passages = tuple(row.passages[i] for i in there)
        for text, *stances in row.claims:
            sides = {_LABELS[stances[i]] for i in there if stances[i] in _LABELS}
            label = Label.PARTIALLY_TRUE if len(sides) == 2 else next(iter(sides), Label.NOT_ENOUGH_EVIDENCE)
            found.append(Example(claim=text, label=label, topic=row.topic, passages=passages))
    return rng.sample(found, min(CONTRASTS, len(found)))


def contrast_sets(rng: random.Random) -> list[Example]:
    """Claims of the held-back contrast sets, each with its passage."""
    rows = rng.sample(held_contrast_sets(), SETS)
    return [
        Example(
            claim=row.claim,
            label=_LABELS.get(row.label, Label.NOT_ENOUGH_EVIDENCE),
            topic=row.source,
            passages=(row.evidence,),
        )
        for row in rows
    ]


def pages(rng: random.Random) -> list[Example]:
    """Claims of held-back pages, over what is left of them."""
    found = []
    for page in read_dossiers():
        if not page.held_back:
            continue
        there = [n for n in range(len(page.page)) if rng.random() >= MISSING]
        passages = tuple(" ".join(page.page[n] for n in there[at : at + 2]) for at in range(0, len(there), 2))
        for claim in page.claims:
            settled = (claim.supported_by | claim.refuted_by) & set(there)
            label = _LABELS[claim.label] if settled else Label.NOT_ENOUGH_EVIDENCE
            found.append(Example(claim=claim.text, label=label, topic=page.topic, passages=passages))
    return rng.sample(found, min(PAGES, len(found)))


def library() -> Iterator[Example]:
    """Claims about the starter library: what it says, denies or leaves open."""
    for line in LIBRARY.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Example(claim=row["claim"], label=Label(row["label"]), topic=row["topic"])


def measured() -> Iterator[Example]:
    """Claims of which whole verdicts are measured."""
    for line in MEASURED.read_text(encoding="utf-8").splitlines():
        row = Example.model_validate_json(line)
        sealed = hashlib.sha256(row.topic.encode()).digest()[0] % 2
        yield row.model_copy(update={"half": "sealed" if sealed else "open"})


def main() -> None:
    rng = random.Random(SEED)
    made = [*contrasts(rng), *pages(rng), *contrast_sets(rng), *(library() if LIBRARY.exists() else ())]
    rng.shuffle(made)
    made += measured()  # in the order of their file, so that the others stay where they are
    write_examples(made, CLAIMS)
    print(f"{len(made)} claims in {CLAIMS}")


if __name__ == "__main__":
    main()
