"""What was measured beside what was promised, as values, as a table and as Markdown."""

from dataclasses import dataclass
from typing import Any, Literal

PARTS = ("verification", "cold", "page", "encoding", "reranking")
"""What the benchmark of speed consists of."""

Part = dict[str, Any]
"""The figures of one part of the benchmark, or only ``not_measured`` with the reason.

``notes`` says in a few words what belongs beside a figure in the table.
"""


class NotMeasured(Exception):
    """A part cannot be measured here; the message says why and what it needs."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One promise and whether it holds."""

    name: str
    what: str
    """What is measured, in a few words."""
    relation: Literal["<", ">="]
    limit: float
    unit: str
    measured: float | None
    """None when it was not measured; ``note`` then says why."""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the promise holds; None when nobody knows."""
        if self.measured is None:
            return None
        return self.measured < self.limit if self.relation == "<" else self.measured >= self.limit

    @property
    def mark(self) -> str:
        """``met`` in a word for the table."""
        return {True: "met", False: "MISSED", None: "unknown"}[self.met]

    def as_json(self) -> dict[str, Any]:
        """The goal with its outcome."""
        return {
            "name": self.name,
            "what": self.what,
            "goal": f"{self.relation} {self.limit:g} {self.unit}",
            "limit": self.limit,
            "unit": self.unit,
            "measured": self.measured,
            "met": self.met,
            "note": self.note,
        }


def goals(result: dict[str, Any]) -> list[Goal]:
    """The promises of speed, each with its figure from the parts of ``result``."""
    count = f"{result['passages']:,}"
    return [
        _goal(
            result, "verification", "p50_ms", f"verify one claim over {count} passages, warm, median", "<", 500, "ms"
        ),
        _goal(result, "cold", "median_seconds", "python -m ghost verify, from start to exit, median", "<", 4, "s"),
        _goal(result, "cold", "torch_modules", "modules of torch that this imports", "<", 1, "modules"),
        _goal(result, "page", "rss_mb", f"memory of the page's process over {count} passages", "<", 700, "MB"),
        _goal(result, "encoding", "ratio", "sentences encoded per second, against torch", ">=", 3, "x"),
        _goal(result, "reranking", "ratio", "pairs read per second, against torch", ">=", 2, "x"),
    ]


def table(result: dict[str, Any]) -> str:
    """The goals and the time per step, for a terminal."""
    found = goals(result)
    wide = max(len(goal.what) for goal in found)
    lines = [headline(result), ""]
    for goal in found:
        promise = f"{goal.relation} {goal.limit:g} {goal.unit}"
        lines.append(f"{goal.mark:<8} {goal.what:<{wide}}  {promise:<12} {_outcome(goal)}")
    if steps := result["verification"].get("steps_p50_ms"):
        lines += ["", "Median time of each step of a warm verification:"]
        lines += [f"  {name:<12} {ms:>8.1f} ms" for name, ms in steps.items()]
    if warning := busy(result):
        lines += ["", warning]
    return "\n".join(lines)


def markdown(result: dict[str, Any]) -> str:
    """The same for a page of the documentation."""
    lines = ["| what | goal | measured | |", "|---|---|---|---|"]
    lines += [
        f"| {goal.what} | {goal.relation} {goal.limit:g} {goal.unit} | {_outcome(goal)} | {goal.mark} |"
        for goal in goals(result)
    ]
    if steps := result["verification"].get("steps_p50_ms"):
        lines += ["", "| step of a warm verification | median |", "|---|---|"]
        lines += [f"| {name} | {ms:.1f} ms |" for name, ms in steps.items()]
    return "\n".join([*lines, "", *colophon(result)])


def colophon(result: dict[str, Any]) -> list[str]:
    """The lines under a table of the documentation: on what it was measured, and how to do that again."""
    names = ", ".join(f"{name} {number}" for name, number in result["versions"].items() if number)
    lines = [f"{headline(result)}. {names}.", "", f"    {result['command']}"]
    if warning := busy(result):
        lines += ["", warning]
    return lines


def _goal(
    result: dict[str, Any], part: str, figure: str, what: str, relation: Literal["<", ">="], limit: float, unit: str
) -> Goal:
    values: Part = result[part]
    reason = values.get("not_measured", "")
    note = f"not measured: {reason}" if reason else values.get("notes", {}).get(figure, "")
    return Goal(f"{part}.{figure}", what, relation, limit, unit, values.get(figure), note)


def _outcome(goal: Goal) -> str:
    if goal.measured is None:
        return goal.note
    figure = f"{goal.measured:,.0f}" if goal.measured >= 100 else f"{goal.measured:.3g}"
    return f"{figure} {goal.unit}" + (f" ({goal.note})" if goal.note else "")


def headline(result: dict[str, Any]) -> str:
    """When, with what seed and on what it was measured."""
    on = result["machine"]
    return f"Measured on {result['date'][:10]} with seed {result['seed']} on {on['cores']} cores of {on['cpu']}"


def busy(result: dict[str, Any]) -> str:
    """A warning when something else was at work too."""
    load, cores = result["machine"]["load_average"], result["machine"]["cores"]
    if load is None or load < cores / 2:
        return ""
    return (
        f"The machine was busy when this began (load {load:g} on {cores} cores), so the times are too long. "
        "Measure again on a quiet machine."
    )
