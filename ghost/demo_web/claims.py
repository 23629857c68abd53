"""The labelled claims about the demo web. They were written before the first run and stay as they are."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ghost.demo_web.page import DemoError
from ghost.types import Label

FILE = Path(__file__).parent / "claims.jsonl"


class DemoClaim(BaseModel):
    """One line of ``claims.jsonl``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    claim: str = Field(min_length=1)
    label: Label
    """What follows from the demo web, for whoever reads all of it."""
    as_of: date | None = None
    pages: Mapping[str, str] = {}
    """Plain address of each page whose quotes rightly decide the claim, and its sentence that does."""
    note: str = ""
    """What makes the claim worth having."""


def demo_claims(path: Path = FILE) -> tuple[DemoClaim, ...]:
    """All claims, in the order of the file. Raises DemoError naming the line."""
    out = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            out.append(DemoClaim.model_validate(json.loads(line)))
        except (ValueError, ValidationError) as error:
            raise DemoError(f"Line {number} of {path} cannot be used: {error}") from error
    return tuple(out)
