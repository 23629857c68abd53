"""How quick each page is, beside what was promised, for a terminal and for the documentation."""

from typing import Any

from bench.figures import busy, colophon, headline

HEAD = ("page", "opened", "run again", "of the processor", "")


def rows(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """A row for each page; the last cell says whether both goals are met."""
    return [_row(page, result["goals"]) for page in result["pages"]]


def met(page: dict[str, Any], goals: dict[str, float]) -> bool | None:
    """Whether a page is as quick as promised; None when it was not measured."""
    if "not_measured" in page:
        return None
    return bool(page["open_seconds"] < goals["open_seconds"] and page["rerun_ms"] < goals["rerun_ms"])


def table(result: dict[str, Any]) -> str:
    """The figures in aligned columns, for a terminal."""
    lines = [HEAD, *rows(result)]
    wide = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    out = [headline(result), _about(result), ""]
    for first, *others in lines:
        cells = [cell.rjust(width) for cell, width in zip(others, wide[1:], strict=True)]
        out.append("  ".join([first.ljust(wide[0]), *cells]).rstrip())
    out += [f"{page['name']}: not measured: {page['not_measured']}" for page in _missing(result)]
    if warning := busy(result):
        out += ["", warning]
    return "\n".join(out)


def markdown(result: dict[str, Any]) -> str:
    """The same for a page of the documentation."""
    lines = [f"| {' | '.join(HEAD)} |", "|---|---:|---:|---:|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows(result)]
    lines += ["", _about(result), ""]
    for page in _missing(result):
        lines += [f"Not measured: {page['name']} ({page['not_measured']}).", ""]
    return "\n".join([*lines, *colophon(result)])


def _row(page: dict[str, Any], goals: dict[str, float]) -> tuple[str, ...]:
    if "not_measured" in page:
        return page["name"], "–", "–", "–", "unknown"
    cpu = page["rerun_cpu_ms"]
    return (
        page["name"],
        f"{page['open_seconds']:.2f} s",
        f"{page['rerun_ms']:,.0f} ms",
        "–" if cpu is None else f"{cpu:,.0f} ms",
        "met" if met(page, goals) else "MISSED",
    )


def _about(result: dict[str, Any]) -> str:
    goals = result["goals"]
    return (
        f"{result['passages']:,} active passages and {result['runs']:,} runs. Goals: opened in less than "
        f"{goals['open_seconds']:g} s, run again in less than {goals['rerun_ms']:g} ms."
    )


def _missing(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [page for page in result["pages"] if "not_measured" in page]
