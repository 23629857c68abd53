"""How well passages are read that report what somebody says, or tell one aspect of an event (``passages.py``).

    python -m training.measure_passages {reported,aspects} [--all] [--json FILE]

Each claim of the rows that are held back is read with its passage as step 3 reads evidence: with the rule for ratings
around the stance model, and once more sentence by sentence.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from config import Settings
from ghost.inference import StanceReader
from ghost.steps.rerank import read_by_sentence
from ghost.testing import evidence
from ghost.types import StanceLabel, Statement
from ghost.workbench import build
from training.passages import SORTS, Passage, read_passages

SIDES = {StanceLabel.SUPPORTS: "SUPPORTS", StanceLabel.REFUTES: "REFUTES"}


def read(rows: Sequence[Passage], reader: StanceReader) -> Counter[tuple[str, str, str]]:
    """How often a claim of each kind and label was read as what; off the topic counts as neutral."""
    asked = [(row.kind, row.text, claim, label) for row in rows for claim, label in row.claims]
    statements = [Statement(n, claim) for n, (_, _, claim, _) in enumerate(asked)]
    stances = reader.read([(passage, claim) for _, passage, claim, _ in asked])
    read_once = [
        evidence(n, passage, stance, statement=n)
        for n, ((_, passage, _, _), stance) in enumerate(zip(asked, stances, strict=True))
    ]
    found: Counter[tuple[str, str, str]] = Counter()
    for (kind, _, _, label), e in zip(asked, read_by_sentence(read_once, statements, reader), strict=True):
        found[kind, label, SIDES.get(e.stance.label, "NEUTRAL")] += 1
    return found


def figures(found: Counter[tuple[str, str, str]]) -> dict[str, object]:
    """Share of right ones, and of each kind and label how many were read as what."""
    met: dict[str, dict[str, int]] = {}
    for (kind, label, as_what), n in sorted(found.items()):
        met.setdefault(f"{kind}, {label}", {})[as_what] = n
    right = sum(n for (_, label, as_what), n in found.items() if label == as_what)
    return {"claims": found.total(), "accuracy": round(right / max(1, found.total()), 4), "read": met}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sort", choices=SORTS)
    parser.add_argument("--all", action="store_true", help="also the rows that are trained on")
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    rows = [row for row in read_passages(SORTS[args.sort]) if args.all or row.held_back]
    with TemporaryDirectory() as folder, build(Settings(data_dir=Path(folder)), judge="embedded", web=False) as bench:
        found = figures(read(rows, bench.tools.reader))
    print(json.dumps(found, indent=2))
    if args.json:
        args.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
