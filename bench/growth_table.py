"""How the figures change with the size of the knowledge base: a row per figure, a column per size."""

from collections.abc import Iterator
from typing import Any

from bench.figures import busy, colophon, headline
from bench.growth import INTERRUPTED, Row
from ghost.steps import STEPS

_ABSENT = "–"


def table(result: dict[str, Any]) -> str:
    """The figures in aligned columns, for a terminal."""
    rows = cells(result)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [headline(result), ""]
    for first, *others in rows:
        columns = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *columns]))
    for remark in (*_remarks(result), busy(result)):
        lines += ["", remark] if remark else []
    return "\n".join(lines)


def markdown(result: dict[str, Any]) -> str:
    """The same for a page of the documentation."""
    first, *rest = [f"| {' | '.join(row)} |" for row in cells(result)]
    lines = [first, "|---|" + "---:|" * len(result["growth"]), *rest, ""]
    for remark in _remarks(result):
        lines += [remark, ""]
    return "\n".join([*lines, *colophon(result)])


def cells(result: dict[str, Any]) -> list[list[str]]:
    """The table, its head first. A figure that no size has is left out."""
    sizes: list[Row] = result["growth"]
    rows = [["passages in the knowledge base", *(f"{size['passages']:,}" for size in sizes)]]
    for what, unit, path in _figures():
        found = [_shown(_at(size, path), unit) for size in sizes]
        if any(cell != _ABSENT for cell in found):
            rows.append([what, *found])
    return rows


def _figures() -> Iterator[tuple[str, str, str]]:
    """What each row is called, its unit, and where its figure is."""
    yield "added per second, since the size before", "", "adding.per_second"
    yield "verify one claim, warm, median", "ms", "verification.p50_ms"
    yield "verify one claim, warm, 95th percentile", "ms", "verification.p95_ms"
    for name in (*STEPS, "recording"):
        yield f"step {name}, median", "ms", f"verification.steps_p50_ms.{name}"
    yield "python -m ghost verify, from start to exit, median", "s", "cold.median_seconds"
    yield "database", "MB", "database_mb"
    yield "vector index (chroma_db)", "MB", "vectors_mb"
    yield "memory of the page's process", "MB", "page.rss_mb"
    yield "memory of the benchmark's process", "MB", "rss_mb"


def _at(size: Row, path: str) -> Any:
    found: Any = size
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _shown(figure: Any, unit: str) -> str:
    if figure is None:
        return _ABSENT
    text = f"{figure:,.2f}" if unit == "s" else f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}"
    return f"{text} {unit}".rstrip()


def _remarks(result: dict[str, Any]) -> list[str]:
    """What is missing, and why."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for size in result["growth"]:
        for name in ("verification", "cold", "page"):
            if reason := size[name].get("not_measured"):
                reasons.setdefault((name, reason), []).append(f"{size['passages']:,}")
    said = [f"Not measured at {', '.join(at)}: {name} ({reason})." for (name, reason), at in reasons.items()]
    if stopped := result.get("stopped"):
        why = "" if stopped["why"] == INTERRUPTED else f": {stopped['why']}"
        said.append(f"It was stopped before {stopped['before']:,} passages were measured{why}")
        said[-1] += "" if said[-1].endswith(".") else "."
    return said
