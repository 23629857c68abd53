"""``python -m ghost calibrate``: fit the odds of a stance model on the written claims that come with Ghost."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from pydantic import BaseModel, ConfigDict

from config import Settings, load_settings
from ghost.cli.terminal import print_json, progress
from ghost.judges import Calibration, features, fit, keep
from ghost.steps import rerank, retrieve
from ghost.types import Label, NewPassage, Origin, Statement
from ghost.workbench import Workbench, build

CLAIMS = Path(__file__).parents[1] / "judges" / "embedded" / "calibration_claims.jsonl"


class Example(BaseModel):
    """A claim with its verdict over the starter library and the passages that were written with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim: str
    label: Label
    topic: str = ""
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """The evidence for the examples, as numbers."""

    features: np.ndarray
    labels: tuple[Label, ...]
    kinds: tuple[str, ...]
    """What each claim is about: the library, or passages that were written with it, which are harder to read."""
    without: int
    """Claims for which nothing was found; the decision leaves them open without any odds."""


def calibrate(args: argparse.Namespace) -> int:
    """Fit, keep and report a calibration."""
    settings = load_settings()
    if args.stance_model:
        settings = settings.model_copy(update={"stance_model": args.stance_model})
    name, checksum, measured = measure(settings, read_examples())
    made = fit(measured.features, measured.labels, checksum, name, measured.kinds)
    file = keep(made, settings.calibration_path)
    if args.json:
        print_json({**made.model_dump(mode="json"), "file": str(file)})
    else:
        print("\n".join(report(made, measured, file)))
    return 0


def read_examples(file: Path = CLAIMS) -> list[Example]:
    """The written claims, in the order of the file."""
    return [Example.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]


def measure(settings: Settings, examples: Sequence[Example]) -> tuple[str, str, Measured]:
    """Name and checksum of the stance model, and steps 2 and 3 for every example over a library of their own."""
    with TemporaryDirectory(prefix="ghost-calibrate-") as folder:
        settings = settings.model_copy(update={"data_dir": Path(folder), "chroma_url": ""})
        with build(settings, web=False, progress=progress) as workbench:
            workbench.knowledge.add(list(passages(examples)), progress)
            rows = list(_evidence(workbench, examples))
            name, checksum = workbench.stance_model
    kept = [
        (row, e.label, "written" if e.passages else "library") for row, e in zip(rows, examples, strict=True) if row
    ]
    found, labels, kinds = zip(*kept, strict=True)
    return name, checksum, Measured(np.array(found), labels, kinds, len(rows) - len(kept))


def passages(examples: Sequence[Example]) -> Iterator[NewPassage]:
    """What was written with the claims, each text from a site of its own."""
    texts = dict.fromkeys((text, example.topic) for example in examples for text in example.passages)
    for number, (text, topic) in enumerate(texts, start=1):
        yield NewPassage(text, f"https://p{number}.example/", topic, Origin.IMPORT, note="put in to calibrate")


def _evidence(workbench: Workbench, examples: Sequence[Example]) -> Iterator[tuple[float, ...] | None]:
    tools = workbench.tools
    for done, example in enumerate(examples, start=1):
        statements = (Statement(1, example.claim),)
        candidates = retrieve(statements, workbench.knowledge, tools.top_k, None).value
        weighed = rerank(statements, candidates, tools.reader, tools.scorer, tools.rules, screener=tools.screener).value
        progress("Reading claims", done, len(examples))
        yield features(weighed.evidence) if weighed.evidence else None


def report(made: Calibration, measured: Measured, file: Path) -> Iterator[str]:
    """What came of it, as lines."""
    yield f"{made.name}: {made.claims} claims read, {measured.without} more without any evidence."
    yield (
        f"A verdict needs a probability of {made.bound:.2f}. Above it {made.decided} claims were decided, {made.right} "
        "of them rightly, when the part that they are in was left out."
    )
    yield f"Kept in {file}"


def write_examples(examples: Sequence[Example], file: Path = CLAIMS) -> None:
    """Write the examples as the file has them."""
    rows = (json.dumps(e.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) for e in examples)
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
