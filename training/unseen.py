"""Which written rows may be learned from: those without a claim that says nearly what one of the measuring claims says.

The measuring claims are those of ``tests/data/claims.jsonl`` and of the demo web. A model that has learned from a claim
next to one of them is not measured by it.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ghost.inference import load_encoder

_ROOT = Path(__file__).parents[1]
MODELS = _ROOT / "ghost" / "models"
MEASURED = (_ROOT / "tests" / "data" / "claims.jsonl", _ROOT / "ghost" / "demo_web" / "claims.jsonl")
NEAR = 0.75
"""Cosine, by the bundled encoder, from which a written claim says the same as one that measures."""


class Written(Protocol):
    """A row of any of the written files."""

    @property
    def claim_texts(self) -> Sequence[str]:
        """What it claims."""
        ...


Row = TypeVar("Row", bound=Written)


def measured_claims(files: Iterable[Path] = MEASURED) -> list[str]:
    """The claims that only measure."""
    return [json.loads(line)["claim"] for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def unseen(rows: Sequence[Row]) -> list[Row]:
    """The rows none of whose claims is near to a measuring one, in their order."""
    told = [(n, claim) for n, row in enumerate(rows) for claim in row.claim_texts]
    if not told:
        return list(rows)
    encoder = load_encoder("all-MiniLM-L6-v2", MODELS)
    nearness = encoder.encode([claim for _, claim in told]) @ encoder.encode(measured_claims()).T
    near = {told[i][0] for i in (nearness.max(axis=1) >= NEAR).nonzero()[0]}
    return [row for n, row in enumerate(rows) if n not in near]
