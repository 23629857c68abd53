"""``python -m ghost calibrate``: how sure the verdicts of a stance model are, and how many of them are right."""

import shutil
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.examples import CHECKERS, Example, ratings, read_examples, written_passages
from config import Settings, load_settings
from ghost.cli.terminal import progress, show
from ghost.judges import (
    Calibration,
    Odds,
    Shares,
    features,
    fit,
    keep,
    keep_shares,
    left_out_odds,
    plainest,
    reading_bound,
)
from ghost.steps import rerank, retrieve
from ghost.types import Evidence, Label, StanceLabel, Statement

if TYPE_CHECKING:
    from bench.shares import MeasuredVerdict
    from ghost.workbench import Workbench

_SIDES = {StanceLabel.SUPPORTS: Label.TRUE, StanceLabel.REFUTES: Label.FALSE}


def calibrate(args: Namespace) -> int:
    """Fit and keep the odds of a stance model, then measure its verdicts; of a language model only the latter."""
    settings = load_settings()
    if args.stance_model:
        settings = settings.model_copy(update={"stance_model": args.stance_model})
    value: dict[str, Any] = {}
    lines: list[str] = []
    verdicts: list[MeasuredVerdict] = []
    examples = read_examples()
    if args.judge == "embedded":
        made, verdicts, without = _fitted(settings, [e for e in examples if not e.half])
        value = made.model_dump(mode="json") | {"file": str(keep(made, settings.calibration_path))}
        lines = _odds_lines(made, without, value["file"])
    shares = _measured(settings, args.judge, verdicts, [e for e in examples if e.half])
    file = str(keep_shares(shares, settings.calibration_path))
    value |= {"shares": shares.model_dump(mode="json"), "shares_file": file}
    return show(args.json, value, "\n".join([*lines, *_share_lines(shares, file)]))


def _odds_lines(made: Calibration, without: int, file: str) -> list[str]:
    above = f"Above it {made.decided} claims were decided, {made.right} of them rightly"
    return [
        f"{made.name}: {made.claims} claims read, {without} more without any evidence.",
        f"A label rests on a passage read at {made.reading:g} or above.",
        f"A verdict needs a probability of {made.bound:.2f}. {above}, when the part that they are in was left out.",
        f"Kept in {file}",
    ]


def _share_lines(shares: Shares, file: str) -> list[str]:
    lines = [f"Measured {sum(s.n for s in shares.pooled)} verdicts of the {shares.judge} judge ({shares.model})."]
    for name, steps in (*shares.bases.items(), ("all", shares.pooled)):
        for step in steps:
            sealed = f"on sealed claims {step.sealed.right} of {step.sealed.n}"
            lines.append(f"  {name}, from {step.low:.2f}: {step.share:.0%} ({step.right} of {step.n} right; {sealed})")
    lines += [f"  {label}: {c.right} of {c.n} right" for label, c in shares.labels.items()]
    return [*lines, f"Kept in {file}"]


@contextmanager
def _opened(settings: Settings, judge: str, examples: Sequence[Example]) -> Iterator["Workbench"]:
    """A workbench over the starter library, in a folder of its own, that rates the sites of the examples."""
    from ghost.workbench import build  # large, and not needed to list models

    with TemporaryDirectory(prefix="ghost-calibrate-") as folder:
        own = settings.model_copy(
            update={"data_dir": Path(folder), "database_url": "", "chroma_url": ""}
            | {"fact_check_domains": (*settings.fact_check_domains, *CHECKERS)}
            | {"source_credibility": settings.source_credibility | ratings(examples)}
        )
        if settings.calibration_path.exists():
            shutil.copytree(settings.calibration_path, own.calibration_path)
        with build(own, judge=judge, web=False, progress=progress) as workbench:
            yield workbench


def _fitted(settings: Settings, examples: Sequence[Example]) -> "tuple[Calibration, list[MeasuredVerdict], int]":
    """The odds, what they make of the claims about the library, and for how many examples nothing was found: those
    stay open without any odds.

    Examples about the library and those about passages that were written with them, which are harder, count the same.
    """
    from bench.shares import measured, verdict_on

    with _opened(settings, "embedded", examples) as workbench:
        workbench.knowledge.add(list(written_passages(examples)), progress)
        found = [(e, row) for e, row in zip(examples, _evidence(workbench, examples), strict=True) if row]
        measures, labels = np.array([features(row) for _, row in found]), [e.label for e, _ in found]
        kinds = ["written" if e.passages else "library" for e, _ in found]
        made = fit(measures, labels, workbench.stance_model[1], workbench.stance_model[0], kinds)
        unseen = left_out_odds(measures, labels, made)
        made = made.model_copy(update={"reading": _reading_bound(found, kinds, unseen)})
        tools, unseen = workbench.tools, [replace(odds, reading=made.reading) for odds in unseen]
        verdicts: list[MeasuredVerdict] = []
        for done, ((e, row), odds) in enumerate(zip(found, unseen, strict=True), start=1):
            # A claim written with its passage meets nothing else on its topic, so it is easier than a real run.
            if not e.passages:
                verdicts += measured(verdict_on(e.claim, row, tools, odds), e.label)
            progress("Deciding claims", done, len(found))
    return made, verdicts, len(examples) - len(found)


def _reading_bound(
    found: Sequence[tuple[Example, tuple[Evidence, ...]]], kinds: Sequence[str], unseen: Sequence[Odds]
) -> float:
    """The bound for readings, from the plainest one of each example that the odds alone would decide."""
    rows = [
        (*plainest(row), e.label, kind)
        for (e, row), kind, odds in zip(found, kinds, unseen, strict=True)
        if _decides(odds, features(row))
    ]
    right = [label in (_SIDES[side], Label.PARTIALLY_TRUE) for _, side, label, _ in rows]
    return reading_bound([said for said, *_ in rows], right, [kind for *_, kind in rows])


def _decides(odds: Odds, measures: Sequence[float]) -> bool:
    chances = odds.probabilities(measures)
    label = max(chances, key=lambda answer: chances[answer])
    return label is not Label.NOT_ENOUGH_EVIDENCE and chances[label] >= odds.bound


def _measured(
    settings: Settings, judge: str, verdicts: "Sequence[MeasuredVerdict]", examples: Sequence[Example]
) -> Shares:
    """The shares of a judge: those verdicts, everyday claims over the library alone, and the examples."""
    from bench.shares import everyday_verdicts, fit_shares, whole_verdicts

    with _opened(settings, judge, examples) as workbench:
        halves = {half: list(everyday_verdicts(workbench, half, progress)) for half in ("open", "sealed")}
        workbench.knowledge.add(list(written_passages(examples)), progress)
        for half, found in halves.items():
            claims = [(e.claim, e.label) for e in examples if e.half == half]
            found += whole_verdicts(workbench.tools, claims, f"written claims, {half} half", progress)
        measured = [*verdicts, *halves["open"]]
        return fit_shares(measured, halves["sealed"], workbench.judge_info, workbench.stance_model[1])


def _evidence(workbench: "Workbench", examples: Sequence[Example]) -> Iterator[tuple[Evidence, ...]]:
    """The evidence for each example; empty where nothing was found."""
    tools = workbench.tools
    for done, example in enumerate(examples, start=1):
        statements = (Statement(1, example.claim),)
        candidates = retrieve(statements, workbench.knowledge, tools.top_k, None).value
        weighed = rerank(statements, candidates, tools.reader, tools.scorer, tools.rules, screener=tools.screener).value
        progress("Reading claims", done, len(examples))
        yield weighed.evidence
