"""Results of quality as a part of ``docs/quality.md``: one table for each kind of measurement, the models said once."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.quality import Rows, tables, title
from bench.result_types import Everyday

Result = dict[str, Any]
_KINDS = (
    "everyday",
    "near_misses",
    "pipelines",
    "verdicts",
    "stance",
    "retrieval",
    "matching",
    "asking",
    "demo",
    "reading",
    "api",
    "analysts",
)
"""In the order in which they are shown."""
_BY_SET = {"verdicts": ("Verdicts on public sets", ""), "stance": ("Stance", "Accuracy, macro-F1, of how many pairs.")}
"""Kinds whose sets share a table with a column for each: the heading, and what a cell holds."""


def markdown(results: Sequence[Result]) -> str:
    """The results by kind, samples last, and below them how they were measured.

    Of each result it shows the first table, which says most.
    """
    parts: list[str] = []
    results = sorted(results, key=lambda result: (_KINDS.index(result["benchmark"]), bool(result.get("limit"))))
    for kind in dict.fromkeys(result["benchmark"] for result in results):
        found = [result for result in results if result["benchmark"] == kind]
        if kind in _BY_SET:
            heading, cells = _BY_SET[kind]
            parts += [f"## {heading}", *([cells] if cells else []), _table(_by_set(found))]
            continue
        for result in found:
            parts.append(f"## {title(result)}")
            if kind == "everyday":
                parts.append(Everyday.model_validate(result).lead)
            parts.append(_table(tables(result)[0]))
    return "\n\n".join([*parts, "## How these were measured", *_measured(results)])


def _by_set(results: Sequence[Result]) -> Rows:
    """The first tables of several results in one. Their cells are joined: a value, and its interval in brackets."""
    joined = _with_interval if results[0]["benchmark"] == "verdicts" else _of_pairs
    columns = [{row[0]: joined(*row[1:]) for row in tables(result)[0][1:]} for result in results]
    names = dict.fromkeys(name for column in columns for name in column)
    return [["", *map(_set, results)], *([name, *(column.get(name, "") for column in columns)] for name in names)]


def _with_interval(value: str, interval: str) -> str:
    return f"{value} ({interval})" if interval else value


def _of_pairs(n: str, accuracy: str, macro_f1: str) -> str:
    return f"{accuracy}, {macro_f1} of {n}"


def _set(result: Result) -> str:
    """The head of a column: ``check_covid, 400 claims over 1,321 passages``."""
    what = title(result).partition(": ")[2]
    judge = result.get("judge", {"name": "embedded"})
    return what if judge["name"] == "embedded" else f"{what}, {judge['name']} judge ({judge['model']})"


def _measured(results: Sequence[Result]) -> list[str]:
    """The models that most results share, then each command with its day, its code and what was otherwise."""
    used = Counter((role, _model(model)) for result in results for role, model in result["models"].items())
    shared = {role: _model_of(used, role) for role in dict.fromkeys(role for role, _ in used)}
    rows = [["command `python -m ghost bench …`", "day, code", "otherwise"]]
    for result in results:
        models = {role: _model(model) for role, model in result["models"].items()}
        other = [f"{role} {model}" for role, model in models.items() if model != shared[role]]
        other += [f"{name} = {value}" for name, value in result["settings"].items()]
        command = result["command"].removeprefix("python -m ghost bench ")
        rows.append([f"`{command}`", f"{result['date'][:10]}, {result['code'][:8]}", ", ".join(other)])
    return [f"Models: {', '.join(shared.values())}.", _table(rows)]


def _model(model: dict[str, str]) -> str:
    return f"{model['name']} {model['sha256'][:8]}"


def _model_of(used: Counter[tuple[str, str]], role: str) -> str:
    return max((model for each, model in used if each == role), key=lambda model: used[role, model])


def _table(rows: Rows) -> str:
    head, *body = [f"| {' | '.join(_escaped(cell) for cell in row)} |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
