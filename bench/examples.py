"""The written claims that odds are fitted and verdicts measured on (``calibration_claims.jsonl``)."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ghost.types import Intake, Label, NewPassage, Origin

CLAIMS = Path(__file__).parents[1] / "ghost" / "judges" / "embedded" / "calibration_claims.jsonl"
CHECKERS = ("example/fact-check",)
"""The addresses that make a passage one of a fact-checker."""
_RATED = 0.8
"""The credibility of rated sites, about as high as a newspaper's."""


class Example(BaseModel):
    """A claim with its verdict over the starter library and the passages that were written with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim: str
    label: Label
    topic: str = ""
    passages: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    """Further passages, by fact-checkers."""
    rated: bool = False
    """Whether the sites of its passages have a rating."""
    half: Literal["", "open", "sealed"] = ""
    """Set where the odds are not fitted on the claim and its verdict is measured from step 1 on."""


def read_examples(file: Path = CLAIMS) -> list[Example]:
    """The written claims, in the order of the file."""
    return [Example.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write_examples(examples: Sequence[Example], file: Path = CLAIMS) -> None:
    """Write the examples as the file has them."""
    rows = (json.dumps(e.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) for e in examples)
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def written_passages(examples: Sequence[Example]) -> Iterator[NewPassage]:
    """What was written with the claims, each text from a site of its own."""
    for host, path, topic, text in _placed(examples):
        yield NewPassage(text, f"https://{host}/{path}", topic, Origin.IMPORT, note="to calibrate", intake=Intake.READ)


def ratings(examples: Sequence[Example]) -> dict[str, float]:
    """The credibility of the sites that have a rating."""
    return {host: _RATED for host, *_ in _placed(examples) if host.startswith("r")}


def _placed(examples: Sequence[Example]) -> Iterator[tuple[str, str, str, str]]:
    """The host, path, topic and words of each text."""
    kinds = [(e, path, found) for e in examples for path, found in (("", e.passages), ("fact-check", e.checks))]
    texts = dict.fromkeys((text, e.topic, path, e.rated) for e, path, found in kinds for text in found)
    for number, (text, topic, path, rated) in enumerate(texts, start=1):
        yield f"{'r' if rated else 'p'}{number}.example", path, topic, text
