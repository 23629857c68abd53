"""``python -m ghost models …`` and ``calibrate``: the stance models, and how sure their verdicts are."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from config import Settings, load_settings
from ghost.cli.terminal import interrupt_asks, print_json, progress, say, show, typed
from ghost.diagnostics import Model, fetch_stance_model, size_words, stance_models
from ghost.errors import Cancelled
from ghost.judges import features, fit, keep
from ghost.steps import rerank, retrieve
from ghost.text import one_line
from ghost.types import Label, NewPassage, Origin, Statement

if TYPE_CHECKING:
    from ghost.workbench import Workbench

CLAIMS = Path(__file__).parents[1] / "judges" / "embedded" / "calibration_claims.jsonl"
MODELS = Path(__file__).parents[1] / "models"


def models(args: Namespace) -> int:
    """Do what ``args.action`` says."""
    settings = load_settings()
    return _fetch(settings, args) if args.action == "fetch" else _list(settings, args.json)


def _list(settings: Settings, as_json: bool) -> int:
    found = stance_models(settings, MODELS)
    lines = [line for model in found for line in _lines(model)]
    return show(as_json, {"models": [_as_json(model) for model in found]}, "\n".join(lines))


def _as_json(model: Model) -> dict[str, Any]:
    return {name: value for name, value in asdict(model).items() if name not in ("role", "upstream")}


def _lines(model: Model) -> list[str]:
    size = size_words(model.bytes) if model.bytes else ""
    heading = [model.name, model.kind, size, model.licence, "chosen" if model.wanted else ""]
    lines = [one_line(" · ".join(part for part in heading if part))]
    if model.installed:
        lines.append(f"  {model.measured}; {'calibrated' if model.calibrated else 'not calibrated'}")
        lines.append(f"  {one_line(model.path)}")
    if model.note:
        lines.append(f"  {model.note}")
    if model.problem:
        lines.append(f"  cannot be used: {one_line(model.problem)}")
    return lines


def _fetch(settings: Settings, args: Namespace) -> int:
    name = typed(args.name)
    shown: list[str] = []
    with interrupt_asks() as asked:

        def report(what: str, done: int, total: int) -> None:
            if asked.is_set():
                raise Cancelled("Stopped. Files that were fetched whole are kept.")
            line = f"{one_line(what)}: {done:,} of {total:,}" if total else one_line(what)
            if sys.stderr.isatty() and shown[-1:] != [line]:
                shown[:] = [line]
                print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

        try:
            model = fetch_stance_model(settings, name, report, typed(args.file), typed(args.revision))
        finally:
            if shown:
                say("")
    if args.json:
        print_json(model.model_dump(exclude={"files"}) | {"sha256": model.checksum})
        return 0
    print(f"{name}, {size_words(model.bytes)}, revision {model.revision}")
    print(f"  {model.weights}, SHA-256 {model.checksum}")
    print(f"  kept in {one_line(model.folder)}")
    if settings.stance_model != name:
        print(f"To use it: GHOST_STANCE_MODEL={name}")
    return 0


class Example(BaseModel):
    """A claim with its verdict over the starter library and the passages that were written with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim: str
    label: Label
    topic: str = ""
    passages: tuple[str, ...] = ()


def calibrate(args: Namespace) -> int:
    """Fit, keep and report a calibration."""
    settings = load_settings()
    if args.stance_model:
        settings = settings.model_copy(update={"stance_model": args.stance_model})
    name, checksum, kept, without = _measure(settings, read_examples())
    found, labels, kinds = zip(*kept, strict=True)
    made = fit(np.array(found), labels, checksum, name, kinds)
    file = keep(made, settings.calibration_path)
    return show(
        args.json, {**made.model_dump(mode="json"), "file": str(file)},
        f"{made.name}: {made.claims} claims read, {without} more without any evidence.\n"
        f"A verdict needs a probability of {made.bound:.2f}. Above it {made.decided} claims were decided, {made.right} "
        f"of them rightly, when the part that they are in was left out.\nKept in {file}",
    )  # fmt: skip


def read_examples(file: Path = CLAIMS) -> list[Example]:
    """The written claims, in the order of the file."""
    return [Example.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write_examples(examples: Sequence[Example], file: Path = CLAIMS) -> None:
    """Write the examples as the file has them."""
    rows = (json.dumps(e.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) for e in examples)
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


Measured = tuple[tuple[float, ...], Label, str]
"""The evidence for an example as numbers, its label, and whether it is about the library or about passages that were
written with it, which are harder to read."""


def _measure(settings: Settings, examples: Sequence[Example]) -> tuple[str, str, list[Measured], int]:
    """Name and checksum of the stance model, what was measured over a library of the examples' own, and for how many
    nothing was found: the decision leaves those open without any odds."""
    from ghost.workbench import build  # large, and not needed to list models

    with TemporaryDirectory(prefix="ghost-calibrate-") as folder:
        settings = settings.model_copy(update={"data_dir": Path(folder), "database_url": "", "chroma_url": ""})
        with build(settings, web=False, progress=progress) as workbench:
            workbench.knowledge.add(list(_passages(examples)), progress)
            rows = list(_evidence(workbench, examples))
            name, checksum = workbench.stance_model
    kept = [
        (row, e.label, "written" if e.passages else "library") for row, e in zip(rows, examples, strict=True) if row
    ]
    return name, checksum, kept, len(rows) - len(kept)


def _passages(examples: Sequence[Example]) -> Iterator[NewPassage]:
    """What was written with the claims, each text from a site of its own."""
    texts = dict.fromkeys((text, example.topic) for example in examples for text in example.passages)
    for number, (text, topic) in enumerate(texts, start=1):
        yield NewPassage(text, f"https://p{number}.example/", topic, Origin.IMPORT, note="put in to calibrate")


def _evidence(workbench: "Workbench", examples: Sequence[Example]) -> Iterator[tuple[float, ...] | None]:
    tools = workbench.tools
    for done, example in enumerate(examples, start=1):
        statements = (Statement(1, example.claim),)
        candidates = retrieve(statements, workbench.knowledge, tools.top_k, None).value
        weighed = rerank(statements, candidates, tools.reader, tools.scorer, tools.rules, screener=tools.screener).value
        progress("Reading claims", done, len(examples))
        yield features(weighed.evidence) if weighed.evidence else None
