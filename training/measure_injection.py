"""What the screening as a whole catches and holds back wrongly: the model, the patterns and the readings together.

    python -m training.measure_injection [--data DIR]

Needs requirements-training.txt. Reads the table ``tests/attacks/screening.jsonl``, the library's facts, prose of ours
that nothing was fitted on, the texts kept for measuring (``data/injection.held.jsonl``) by language and form, and, with
``--data``, sentences of the public sets under DIR/dev.
"""

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ghost.knowledge import suspicious
from seed_kb import SEED_FACTS
from training.train_injection import PROSE, prose
from training.train_injection import rows as written

TABLE = Path(__file__).parents[1] / "tests" / "attacks" / "screening.jsonl"
TEXTS = 2_000
"""So many of each set are read."""


def public(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Sentences of public sets, by the name of the set."""
    for name, field in (
        ("climate_fever.corpus.jsonl", "text"),
        ("check_covid.corpus.jsonl", "abstract"),
        ("scifact.corpus.jsonl.gz", "abstract"),
        ("stance.written.jsonl", "evidence"),
    ):
        file = folder / "dev" / name
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        found = [json.loads(line)[field] for line in content.decode("utf-8").splitlines()]
        yield name, list(dict.fromkeys(t for text in found for t in (text if isinstance(text, list) else [text])))


def report(name: str, texts: Sequence[str]) -> None:
    """One line of the table."""
    started = time.process_time()
    held = sum(bool(suspicious(text)) for text in texts[:TEXTS])
    count = len(texts[:TEXTS])
    each = 1000 * (time.process_time() - started) / count
    print(f"{name:32} {held:5} of {count:5} held back ({100 * held / count:5.2f}%)  {each:6.2f} ms each", flush=True)


def held() -> None:
    """The texts that nothing was fitted or chosen on (sealed) and those whose errors were read (open)."""
    found = [(row, bool(suspicious(row["text"]))) for row in written("injection.held.jsonl")]
    for name, by in (("half", "sealed"), ("language", "language"), ("form", "kind")):
        for injection in (True, False):
            every = Counter(row[by] for row, _ in found if row["injection"] == injection)
            over = Counter(row[by] for row, why in found if why and row["injection"] == injection)
            shares = ", ".join(f"{_half(key)} {over[key]}/{count}" for key, count in every.items())
            print(f"{'caught' if injection else 'held back wrongly'} by {name}: {shares}", flush=True)


def _half(key: str | bool) -> str:
    return key if isinstance(key, str) else "sealed" if key else "open"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder with the public sets")
    options = parser.parse_args()
    suspicious("The first text loads the model.")
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    for group in dict.fromkeys(row["group"] for row in rows):
        report(group, [row["text"] for row in rows if row["group"] == group])
    held()
    report("facts of the library", [fact["text"] for fact in SEED_FACTS])
    report("prose of ours, not fitted on", prose()[PROSE:])
    for name, texts in public(options.data) if options.data else ():
        report(name, texts)


if __name__ == "__main__":
    main()
