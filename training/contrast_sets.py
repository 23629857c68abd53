"""Sets of one passage and eight claims: near misses and far hits, by what is changed.

``stance.contrasts.jsonl.gz`` is not part of the project. Of its passages one in ten is never trained on; these are in
``data/contrast_sets.held.jsonl``, on which the odds and the bound of a reading are fitted. To write them again:

    python -m training.contrast_sets DIR
"""

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.pairs import Pair

HELD = Path(__file__).parent / "data" / "contrast_sets.held.jsonl"
HELD_OUT = 10
"""One passage in so many is never trained on."""
_LABELS = {"SUPPORTS": "SUPPORTS", "REFUTES": "REFUTES", "NEI": "NEUTRAL"}


def held_out(passage: str) -> bool:
    """Whether the pairs of a passage are kept out of training; depends on its text alone."""
    return int(hashlib.sha256(passage.encode()).hexdigest(), 16) % HELD_OUT == 0


def read_contrast_sets(data: Path) -> list[Pair]:
    """The pairs that may be trained on."""
    return [pair for pair, _ in pairs_of(_file(data)) if not held_out(pair.evidence)]


def held_contrast_sets() -> list[Pair]:
    """The pairs that are held back."""
    return [_pair(json.loads(line)) for line in HELD.read_text(encoding="utf-8").splitlines()]


def pairs_of(file: Path) -> Iterator[tuple[Pair, dict[str, Any]]]:
    """The pairs of a file of stances, each with the row it was read from."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield _pair(row), row


def _pair(row: dict[str, Any]) -> Pair:
    return Pair(row["evidence"], row["claim"], _LABELS[row["label"]], row["file"])


def _file(data: Path) -> Path:
    return data / "train" / "stance.contrasts.jsonl.gz"


def main() -> None:
    held = [row for pair, row in pairs_of(_file(Path(sys.argv[1]))) if held_out(pair.evidence)]
    held.sort(key=lambda row: (row["file"], row["evidence"]))
    HELD.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in held), encoding="utf-8")
    print(f"{len(held)} pairs in {HELD}")


if __name__ == "__main__":
    main()
