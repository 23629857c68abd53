"""What the analyst says of a run, in words: beside the machine's verdict, never instead of it."""

from typing import Any

from ghost.reports.plain import day, iso
from ghost.text import one_line
from ghost.types import ErrorKind, Review, Run, SourceMark

ERRORS: dict[ErrorKind, str] = {
    ErrorKind.WRONG_VERDICT: "The verdict is wrong",
    ErrorKind.MISREAD: "A passage is misread",
    ErrorKind.MISSING: "Important evidence is missing",
    ErrorKind.BAD_SOURCE: "It rests on a bad source",
    ErrorKind.MISUNDERSTOOD: "The claim was misunderstood",
    ErrorKind.OTHER: "Something else",
}
"""What is wrong with a verdict, in a sentence."""


def confirms(run: Run) -> bool:
    """Whether the analyst says the same as the machine."""
    override = run.review.override
    return bool(run.verdict and override and override.label is run.verdict.label)


def analyst_line(run: Run) -> str:
    """``the analyst's verdict of 2026-03-01: it deceives.``; empty without one."""
    override = run.review.override
    if not override or not run.verdict:
        return ""
    what = "confirmed by the analyst" if confirms(run) else "the analyst's verdict"
    return f"{what}, {day(override.at)}" + (f": {one_line(override.reason)}" if override.reason else "")


def remarks(run: Run) -> list[str]:
    """The errors and bad sources that the analyst has noted, one line each."""
    said = [
        f"{day(error.at)}: {ERRORS[error.kind]}" + (f": {one_line(error.note)}" if error.note else "")
        for error in run.review.errors
    ]
    return said + [f"{day(mark.at)}: {_marked(run, mark)}: {one_line(mark.reason)}" for mark in run.review.marks]


def _marked(run: Run, mark: SourceMark) -> str:
    if mark.target != "passage":
        return f"{one_line(mark.name)} marked as a bad source"
    number = next((e.number for e in run.evidence if e.passage.id == mark.name), None)
    return f"passage [{number}] marked as bad" if number else f"passage {one_line(mark.name)} marked as bad"


def as_values(review: Review, machine: str | None) -> dict[str, Any]:
    """The review as JSON-safe values of the canonical result; ``machine`` is the machine's label."""
    override = review.override
    return {
        "override": {
            "label": override.label.value,
            "reason": override.reason,
            "at": iso(override.at),
            "confirms": override.label.value == machine,
        }
        if override and machine
        else None,
        "error_reports": [{"kind": e.kind.value, "note": e.note, "at": iso(e.at)} for e in review.errors],
        "source_marks": [
            {"target": m.target, "name": m.name, "reason": m.reason, "at": iso(m.at)} for m in review.marks
        ],
    }
