"""``python -m bench.nearest``: how many of the passages nearest to a claim the vector index finds, as it grows."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from bench.metrics import mean
from bench.results import say
from config import UNKNOWN_CREDIBILITY, load_settings
from ghost.errors import GhostError
from ghost.inference import BUNDLED_ENCODER, BUNDLED_MODELS, load_encoder
from ghost.knowledge import CredibilityBook, KnowledgeBase, unpack
from ghost.records import passages
from ghost.types import NewPassage

USED, ASKED_FOR = 20, 60
"""Passages that a verification looks at for a statement, and that it asks the index for."""


def main() -> int:
    """Measure at each size, and print one JSON object for each, one a line."""
    parser = argparse.ArgumentParser(prog="python -m bench.nearest", description=__doc__)
    parser.add_argument("--passages", type=Path, required=True, metavar="F", help="a text file, one a line")
    parser.add_argument("--claims", type=Path, required=True, metavar="F", help="likewise, none of them a passage")
    parser.add_argument("--sizes", type=_sizes, default=[1_000, 10_000], metavar="N,N", help="default: 1000,10000")
    args = parser.parse_args()
    settings = load_settings()
    encoder = load_encoder(BUNDLED_ENCODER[0], BUNDLED_MODELS, settings.threads)
    book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
    try:
        texts, claims = _lines(args.passages), _lines(args.claims)
        asked = encoder.encode(claims)
        with tempfile.TemporaryDirectory(prefix="ghost-bench-") as name:
            folder = Path(name)
            with KnowledgeBase.open(folder / "ghost.db", folder / "index", "", encoder, book) as knowledge:
                done = 0
                for size in args.sizes:
                    knowledge.add([NewPassage(text) for text in texts[done:size]])
                    done = size
                    print(json.dumps(_measured(knowledge, claims, asked)), flush=True)
    except (GhostError, OSError) as error:
        say(str(error))
        return 1
    return 0


def _measured(knowledge: KnowledgeBase, claims: Sequence[str], asked: np.ndarray) -> dict[str, Any]:
    """What the index finds, beside a comparison of each claim with every passage."""
    with knowledge.database.read() as connection:
        active = select(passages.c.id, passages.c.embedding).where(passages.c.status == "active")
        ids, kept = zip(*connection.execute(active), strict=True)
    cosines = asked @ np.stack([unpack(vector) for vector in kept]).T
    nearest = [[ids[i] for i in row[:ASKED_FOR]] for row in np.argsort(-cosines, axis=1, kind="stable")]
    found = [[id for id, _ in ranking.dense] for ranking in knowledge.rankings(claims, ASKED_FOR)]
    pairs = list(zip(nearest, found, strict=True))
    return {
        "passages": len(ids),
        "claims": len(claims),
        "the nearest": round(mean([float(wanted[0] in got) for wanted, got in pairs]), 4),
        f"of the {USED} nearest": round(mean([_share(wanted[:USED], got) for wanted, got in pairs]), 4),
        f"of the {ASKED_FOR} nearest": round(mean([_share(wanted, got) for wanted, got in pairs]), 4),
    }


def _share(wanted: Sequence[str], got: Sequence[str]) -> float:
    return len(set(wanted) & set(got)) / len(wanted)


def _lines(path: Path) -> list[str]:
    """The lines of a file that are not blank. Raises OSError."""
    return [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]


def _sizes(text: str) -> list[int]:
    return sorted({int(size) for size in text.split(",")})


if __name__ == "__main__":
    sys.exit(main())
