"""The results of a batch as a table for spreadsheets, or one JSON object for each line of its list."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ghost.records import Batch, BatchItem, ItemState, Outcome, OverriddenRun
from ghost.reports.formatting import iso
from ghost.text import csv_bytes
from ghost.types import Citation, cited_as

HEAD = (
    "ghost_line",
    "ghost_status",
    "ghost_verdict",
    "ghost_confidence",
    "ghost_override",
    "ghost_override_reason",
    "ghost_explanation",
    "ghost_sources",
    "ghost_judge",
    "ghost_checked_at",
    "ghost_run",
    "ghost_note",
)
"""The columns that are added to those of the list."""
_LINE_ENDS = {ord(c): f"\\u{ord(c):04x}" for c in "\x85\u2028\u2029"}
"""Characters that some programs take for the end of a line; inside JSON they can be written as escapes."""

Row = tuple[BatchItem, Outcome | None]
"""A claim, and what its run came to where it has ended."""
Overrides = Mapping[str, OverriddenRun]
"""The verdicts of the analyst with their reasons by run, where there are any."""


def batch_csv(batch: Batch, rows: Iterable[Row], overrides: Overrides | None = None) -> bytes:
    """The columns of the list as they came, then Ghost's; no cell is taken for a formula."""
    head = [*batch.columns, *_ours(batch.columns)]
    return csv_bytes(head, ([*_cells(batch, row, overrides or {})] for row in rows))


def batch_jsonl(batch: Batch, rows: Iterable[Row], overrides: Overrides | None = None) -> bytes:
    """One JSON object on each line, with all cells just as they came."""
    found = (json.dumps(_values(batch, row, overrides or {}), ensure_ascii=False) for row in rows)
    return "".join(f"{line.translate(_LINE_ENDS)}\n" for line in found).encode("utf-8", "replace")


def _ours(taken: tuple[str, ...]) -> Iterator[str]:
    """Our columns under names that the list does not have: it may be an earlier export of ours."""
    for name in HEAD:
        unused = name
        while unused in taken:
            unused += "_2"
        yield unused


def _cells(batch: Batch, row: Row, overrides: Overrides) -> Iterator[object]:
    found, judge = _values(batch, row, overrides), row[1].judge if row[1] else None
    yield from row[0].cells
    for name in ("line", "status", "verdict"):
        yield found[name] or ""
    yield "" if found["confidence"] is None else f"{found['confidence']:.2f}"
    for name in ("override", "override_reason", "explanation"):
        yield found[name] or ""
    yield " ".join(dict.fromkeys(c["url"] for c in found["citations"] if c["url"]))
    yield f"{judge.name} ({judge.model})" if judge else ""
    for name in ("checked_at", "run_id", "note"):
        yield found[name] or ""


def _values(batch: Batch, row: Row, overrides: Overrides) -> dict[str, Any]:
    item, outcome = row
    said = overrides.get(item.run_id)
    return {
        "line": item.line,
        "claim": item.claim,
        "context": item.context,
        "found_at": item.found_at or None,
        "columns": dict(zip(batch.columns, item.cells, strict=False)),
        "status": item.state.value,
        "note": item_note(item),
        "verdict": item.label.value if item.label else None,
        "confidence": item.confidence,
        "override": said.analyst.value if said else None,
        "override_reason": said.reason if said else None,
        "explanation": outcome.verdict.explanation if outcome else None,
        "contested": outcome.verdict.contested if outcome else None,
        "reasons": [r.code.value for r in outcome.verdict.reasons] if outcome else [],
        "citations": [_citation(c) for c in outcome.verdict.citations if c.accepted] if outcome else [],
        "judge": {"name": outcome.judge.name, "model": outcome.judge.model} if outcome else None,
        "checked_at": iso(outcome.finished_at) if outcome else None,
        "run_id": item.run_id or None,
    }


def _citation(c: Citation) -> dict[str, Any]:
    return {
        "n": c.n, "url": c.url, "domain": c.domain, "title": c.title, "quote": c.quote, "kind": c.kind.value,
        "cited_as": cited_as(c), "stance": c.stance.value, "published_at": iso(c.published_at),
        "as_of": c.as_of or None,
    }  # fmt: skip


def item_note(item: BatchItem) -> str:
    """What a reader must know of a line besides its verdict; empty when there is nothing."""
    if item.error:
        return item.error
    if item.same_as is not None and item.state is not ItemState.REFUSED:
        where = "further up" if item.same_line is None else f"in line {item.same_line:,}"
        return f"The same claim as {where}, checked once."
    return ""
