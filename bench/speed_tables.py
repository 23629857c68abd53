"""Speed beside what was promised, by size, and page by page: for a terminal, and between two marks of a document."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PARTS = ("verification", "cold", "page")
"""What the benchmark of speed consists of."""
FIGURES, GROWTH, PAGES, BATCH = "figures", "growth", "pages", "batch"
"""Names of the generated parts of a document."""
_ABSENT = "–"
_PAGE_HEAD = ("page", "opened", "run again", "of the processor", "")
_SLOWEST_HEAD = ("page", "views", "opened, at most", "run again, at most", "")
_STEP_MS = 5.0
"""Steps that take less at every size are left out as it grows."""
_PACKAGES = ("python", "onnxruntime", "chromadb", "streamlit")
"""Versions that a document names; the result has all of them."""

Part = dict[str, Any]
"""The figures of one part of the benchmark, or only ``not_measured`` with the reason.

``notes`` says in a few words what belongs beside a figure in the table.
"""
Rows = list[Sequence[str]]
"""A table, its head first."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One promise and whether it holds."""

    name: str
    what: str
    """What is measured, in a few words."""
    limit: float
    """The figure has to be less."""
    unit: str
    measured: float | None
    """None when it was not measured; ``note`` then says why."""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the promise holds; None when nobody knows."""
        return None if self.measured is None else self.measured < self.limit

    @property
    def promise(self) -> str:
        """What was promised."""
        return f"< {self.limit:g} {self.unit}"

    @property
    def outcome(self) -> str:
        """What was measured, or why nothing was."""
        if self.measured is None:
            return self.note
        figure = f"{self.measured:,.0f}" if self.measured >= 100 else f"{self.measured:.3g}"
        return f"{figure} {self.unit}" + (f" ({self.note})" if self.note else "")

    def as_json(self) -> dict[str, Any]:
        """The goal with its outcome."""
        return asdict(self) | {"goal": self.promise, "met": self.met}


def goals(result: dict[str, Any]) -> list[Goal]:
    """The promises of speed, each with its figure from the parts of ``result``."""
    over = f"over {result['passages']:,} passages"

    def goal(part: str, figure: str, what: str, limit: float, unit: str) -> Goal:
        values: Part = result[part]
        reason = values.get("not_measured", "")
        note = f"not measured: {reason}" if reason else values.get("notes", {}).get(figure, "")
        return Goal(f"{part}.{figure}", what, limit, unit, values.get(figure), note)

    return [
        goal("verification", "p50_ms", f"verify one claim {over}, warm, median", 500, "ms"),
        goal("cold", "median_seconds", "python -m ghost verify, from start to exit, median", 4, "s"),
        goal("cold", "torch_modules", "modules of torch that this imports", 1, "modules"),
        goal("page", "rss_mb", f"memory of the page's process {over}", 700, "MB"),
    ]


def tables(result: dict[str, Any]) -> list[Rows]:
    """The figures of a result of ``bench speed`` or ``bench pages``."""
    if "growth" in result:
        return [_growth(result["growth"])]
    if "pages" in result:
        return [[_PAGE_HEAD, *(_page(page, result["goals"]) for page in result["pages"])]]
    mark = {True: "met", False: "MISSED", None: "unknown"}
    found: Rows = [("what", "goal", "measured", "")]
    found += [(goal.what, goal.promise, goal.outcome, mark[goal.met]) for goal in goals(result)]
    verification: Part = result["verification"]
    steps = verification.get("steps_p50_ms", {})
    times: Rows = [("step of a warm verification", "median")]
    times += [(name, f"{ms:.1f} ms") for name, ms in steps.items()]
    read = verification.get("pairs_p50", {})  # results of earlier versions have none
    pairs: Rows = [("model", "pairs read for a claim, median", "in")]
    pairs += [(name, f"{n:g}", f"{verification['reading_p50_ms'][name]:.1f} ms") for name, n in read.items()]
    return [found, *([times] if steps else []), *([pairs] if read else [])]


def terminal(result: dict[str, Any]) -> str:
    """The figures in aligned columns."""
    parts = [_headline(result)]
    for rows in tables(result):
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        cells = (zip(row, widths, strict=True) for row in rows)
        parts.append("\n".join("  ".join(cell.ljust(width) for cell, width in row).rstrip() for row in cells))
    return "\n\n".join([*parts, *_remarks(result)])


def markdown(result: dict[str, Any]) -> str:
    """The same for a page of the documentation, in short and with how to measure it again."""
    parts = []
    for rows in [_slowest(result)] if "pages" in result else tables(result):
        first, *rest = [f"| {' | '.join(row)} |" for row in rows]
        parts.append("\n".join([first, "|" + "---|" * len(rows[0]), *rest]))
    names = ", ".join(f"{name} {number}" for name in _PACKAGES if (number := result["versions"].get(name)))
    remarks = _remarks(result)
    return "\n\n".join([*parts, *remarks, f"{_headline(result)}. {names}.", f"    {result['command']}"])


def markers(name: str) -> tuple[str, str]:
    """The lines around a generated part of a document."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def has_block(page: Path, name: str = FIGURES) -> bool:
    """Whether the page is there and has a place for this part."""
    if not page.is_file():
        return False
    begin, end = markers(name)
    lines = page.read_text(encoding="utf-8").splitlines()
    return begin in lines and end in lines[lines.index(begin) :]


def put(block: str, page: Path, name: str = FIGURES) -> None:
    """Replace what is between the markers of this part; the rest of the page stays as it is."""
    begin, end = markers(name)
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{block}\n{end}{after}", encoding="utf-8")


def met(page: dict[str, Any], limits: dict[str, float]) -> bool | None:
    """Whether a page is as quick as promised; None when it was not measured."""
    if "not_measured" in page:
        return None
    return bool(page["open_seconds"] < limits["open_seconds"] and page["rerun_ms"] < limits["rerun_ms"])


def _page(page: dict[str, Any], limits: dict[str, float]) -> tuple[str, ...]:
    if "not_measured" in page:
        return page["name"], _ABSENT, _ABSENT, _ABSENT, "unknown"
    cpu = page["rerun_cpu_ms"]
    opened, again = f"{page['open_seconds']:.2f} s", f"{page['rerun_ms']:,.0f} ms"
    return (
        page["name"], opened, again, _ABSENT if cpu is None else f"{cpu:,.0f} ms",
        "met" if met(page, limits) else "MISSED",
    )  # fmt: skip


def _slowest(result: dict[str, Any]) -> Rows:
    """Each page with its slowest view, since a page is opened and changed in many ways."""
    pages: dict[str, list[dict[str, Any]]] = {}
    for view in result["pages"]:
        pages.setdefault(view["name"].partition(":")[0], []).append(view)
    rows: Rows = [_SLOWEST_HEAD]
    for name, views in pages.items():
        held = {met(view, result["goals"]) for view in views}
        measured = [view for view in views if "not_measured" not in view]
        rows.append((
            name, str(len(views)),
            _most(measured, "open_seconds", "{:.2f} s"), _most(measured, "rerun_ms", "{:,.0f} ms"),
            "MISSED" if False in held else "unknown" if None in held else "met",
        ))  # fmt: skip
    return rows


def _most(views: list[dict[str, Any]], figure: str, form: str) -> str:
    """The greatest figure, with what is shown then."""
    if not views:
        return _ABSENT
    slowest = max(views, key=lambda view: float(view[figure]))
    what = slowest["name"].partition(": ")[2]
    return form.format(slowest[figure]) + (f" ({what})" if what else "")


def _growth(sizes: list[dict[str, Any]]) -> Rows:
    """A column for each size. A figure that no size has is left out."""
    rows: Rows = [["passages in the knowledge base", *(f"{size['passages']:,}" for size in sizes)]]
    times = [item for size in sizes for item in size["verification"].get("steps_p50_ms", {}).items()]
    steps = dict.fromkeys(name for name, ms in times if ms >= _STEP_MS)
    for what, unit, path in (
        ("added per second, since the size before", "", "adding.per_second"),
        ("verify one claim, warm, median", "ms", "verification.p50_ms"),
        ("verify one claim, warm, 95th percentile", "ms", "verification.p95_ms"),
        *((f"step {n}, median", "ms", f"verification.steps_p50_ms.{n}") for n in steps),
        ("python -m ghost verify, from start to exit, median", "s", "cold.median_seconds"),
        ("database", "MB", "database_mb"),
        ("vector index (chroma_db)", "MB", "vectors_mb"),
        ("memory of the page's process", "MB", "page.rss_mb"),
        ("memory of the benchmark's process", "MB", "rss_mb"),
    ):
        found = [_shown(size, path, unit) for size in sizes]
        if any(cell != _ABSENT for cell in found):
            rows.append([what, *found])
    return rows


def _shown(size: dict[str, Any], path: str, unit: str) -> str:
    figure: Any = size
    for name in path.split("."):
        figure = figure.get(name) if isinstance(figure, dict) else None
    if figure is None:
        return _ABSENT
    text = f"{figure:,.2f}" if unit == "s" else f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}"
    return f"{text} {unit}".rstrip()


def _headline(result: dict[str, Any]) -> str:
    on = result["machine"]
    return f"Measured on {result['date'][:10]} with seed {result['seed']} on {on['cores']} cores of {on['cpu']}"


def _remarks(result: dict[str, Any]) -> list[str]:
    """What was measured, what is missing and why, and whether something else was at work too."""
    said = []
    if "pages" in result:
        limits = result["goals"]
        said.append(
            f"{result['passages']:,} active passages and {result['runs']:,} runs. Goals: opened in less than "
            f"{limits['open_seconds']:g} s, run again in less than {limits['rerun_ms']:g} ms."
        )
        missing = [page for page in result["pages"] if "not_measured" in page]
        said += [f"Not measured: {page['name']} ({page['not_measured']})." for page in missing]
    for size in result.get("growth", ()):
        missing = [(name, why) for name in PARTS if (why := size[name].get("not_measured"))]
        said += [f"Not measured at {size['passages']:,}: {name} ({why})." for name, why in missing]
    load, cores = result["machine"]["load_average"], result["machine"]["cores"]
    if load is not None and load >= cores / 2:
        said.append(
            f"The machine was busy when this began (load {load:g} on {cores} cores), so the times are too long. "
            "Measure again on a quiet machine."
        )
    return said
