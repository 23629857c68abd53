"""Results of live investigation as tables: verdicts over the demo web, reading pages, and servers that hang."""

from collections.abc import Mapping
from typing import Any

from bench.metrics import LEVEL

Rows = list[list[str]]
"""A table, its head first."""

_OPEN = ("Not Enough Evidence", "Not Verifiable")


def title(result: dict[str, Any]) -> str:
    """What was measured on what."""
    if result["benchmark"] == "reading":
        return f"Reading: {result['pages']} pages with {result['characters']:,} characters of main text each"
    part = ", a sample" if result["limit"] else ""
    return f"Live investigation: {result['n']:,} claims over the demo web, embedded judge{part}"


def tables(result: dict[str, Any]) -> list[Rows]:
    """The figures of a result."""
    return _reading(result) if result["benchmark"] == "reading" else _demo(result)


def by_kind(confusion: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """For the claims of each verdict: how many there are, got it, were left open though it is known, or got another."""
    kinds: dict[str, dict[str, int]] = {}
    for key, count in confusion.items():
        label, found = key.split(" > ", 1)
        row = kinds.setdefault(label, {"n": 0, "right": 0, "open": 0, "wrong": 0})
        row["n"] += count
        row["right" if found == label else "open" if found in _OPEN else "wrong"] += count
    return kinds


def _demo(result: dict[str, Any]) -> list[Rows]:
    low, high = result["intervals"]["accuracy"]
    quotes = result["right_quoting_right_pages"]
    rows = [
        ["figure", "value", f"{LEVEL:.0%} interval", "goal"],
        ["right verdicts", f"{result['accuracy']:.3f}", f"{low:.3f} to {high:.3f}", ""],
        ["left open though the web tells", f"{result['open_though_known']:,}", "", ""],
        ["wrong verdicts", f"{result['wrong']:,}", "", f"none, {_met(not result['wrong'])}"],
        ["right ones quoting the right page", "unknown" if quotes is None else f"{quotes:.3f}", "", ""],
        ["seconds of a run", f"p50 {result['seconds_p50']:.1f}, p95 {result['seconds_p95']:.1f}", "", ""],
    ]
    kinds = [["claims whose verdict is", "n", "right", "left open", "another verdict"]]
    kinds += [[label, *(f"{count:,}" for count in row.values())] for label, row in by_kind(result["confusion"]).items()]
    return [rows, kinds]


def _reading(result: dict[str, Any]) -> list[Rows]:
    over = result["over_the_limit"]
    slowest = max(over, key=over.__getitem__)
    pages = f"{result['pages']} pages"
    return [[
        ["figure", "value", "goal"],
        [f"seconds for {pages}", f"p50 {result['seconds_p50']:.2f}, worst {result['seconds_worst']:.2f}",
         f"under {result['goal_seconds']:g}, {_met(result['goal_met'])}"],
        [f"processor seconds for {pages}", f"p50 {result['processor_p50']:.2f}", ""],
        [f"longest run when every server hangs, limit {result['limit_seconds']:g} s",
         f"{result['limit_seconds'] + over[slowest]:.2f} s ({slowest})",
         f"under {result['limit_seconds'] + result['over_goal']:g} s, {_met(result['over_goal_met'])}"],
    ]]  # fmt: skip


def _met(goal: bool) -> str:
    return "met" if goal else "missed"
