"""``python -m ghost models …``: the stance models, those there are and those worth fetching."""

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from config import Settings, load_settings
from ghost.cli.terminal import interrupt_asks, print_json, say, show, typed
from ghost.diagnostics import Model, fetch_stance_model, size_words, stance_models
from ghost.errors import Cancelled
from ghost.text import one_line

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
