"""The Parquet files of a long list: the claims to be checked, and what came of them."""

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ghost.reports import result
from ghost.types import Run


@dataclass(frozen=True, slots=True)
class PlannedClaim:
    """One line of the list that may be checked."""

    line: int
    id: str
    claim: str
    same_as: int | None = None
    """The line with the same claim, word for word; only that one is checked."""
    near: tuple[int, ...] = ()
    """Earlier lines that may say the same in other words, the earliest first."""
    near_claims: tuple[str, ...] = ()
    """Their claims."""


def claims_table(claims: Iterable[PlannedClaim]) -> bytes:
    """The claims as a Parquet file."""
    import pyarrow as pa

    whole, words = pa.int64(), pa.string()
    schema = pa.schema([
        ("line", whole), ("id", words), ("claim", words), ("same_as", whole), ("near", pa.list_(whole)),
        ("near_claims", pa.list_(words)),
    ])  # fmt: skip
    return _file([asdict(claim) for claim in claims], schema)


def read_claims(body: bytes) -> list[PlannedClaim]:
    """The claims in such a file, in their order."""
    import pyarrow.parquet as parquet

    rows = parquet.read_table(io.BytesIO(body)).to_pylist()
    return [
        PlannedClaim(**(row | {"near": tuple(row["near"]), "near_claims": tuple(row["near_claims"])})) for row in rows
    ]


def results_table(rows: Iterable[dict[str, Any]]) -> bytes:
    """Rows of ``result_row`` or ``repeat_row`` as a Parquet file."""
    import pyarrow as pa

    words = pa.string()
    citation = pa.struct([
        ("n", pa.int64()), ("kind", words), ("cited_as", words), ("passage_id", words), ("stance", words),
        ("quote", words), ("url", words), ("title", words), ("published_at", words),
    ])  # fmt: skip
    schema = pa.schema([
        ("line", pa.int64()), ("id", words), ("claim", words), ("verdict", words), ("confidence", pa.float64()),
        ("reasons", pa.list_(words)), ("explanation", words), ("citations", pa.list_(citation)), ("run_id", words),
        ("same_as", pa.int64()), ("checked_at", pa.timestamp("us", tz="UTC")), ("knowledge", pa.int64()),
        ("result", words),
    ])  # fmt: skip
    return _file(list(rows), schema)


def read_results(body: bytes) -> list[dict[str, Any]]:
    """The rows of such a file, without the whole results."""
    import pyarrow.parquet as parquet

    file = parquet.ParquetFile(io.BytesIO(body))
    found: list[dict[str, Any]] = file.read([n for n in file.schema_arrow.names if n != "result"]).to_pylist()
    return found


def whole_results(file: Path) -> list[str]:
    """The canonical results in a file of results, as JSON; rows that repeat another one have none."""
    import pyarrow.parquet as parquet

    return [text for text in parquet.read_table(file, columns=["result"])["result"].to_pylist() if text]


def result_row(claim: PlannedClaim, run: Run, watermark: int) -> dict[str, Any]:
    """A finished run as a row; ``result`` is the canonical one, in which every citation can be checked."""
    whole = result(run)
    verdict = whole["verdict"]
    names = ("n", "kind", "cited_as", "passage_id", "stance", "quote", "url", "title", "published_at")
    return {
        "line": claim.line, "id": claim.id, "claim": claim.claim, "verdict": verdict["label"],
        "confidence": verdict["confidence"], "reasons": [r["code"] for r in verdict["reasons"]],
        "explanation": verdict["explanation"],
        "citations": [{name: c[name] for name in names} for c in whole["citations"] if c["accepted"]],
        "run_id": run.id, "same_as": None, "checked_at": run.finished_at, "knowledge": watermark,
        "result": json.dumps(whole, ensure_ascii=False),
    }  # fmt: skip


def repeat_row(line: int, id: str, claim: str, of: dict[str, Any]) -> dict[str, Any]:
    """The row of a line that repeats another one, from the row of that; the whole result is kept only there."""
    return of | {"line": line, "id": id, "claim": claim, "same_as": of["line"], "result": None}


def jsonl(rows: Sequence[dict[str, Any]]) -> bytes:
    """One JSON object on each line."""
    return "".join(json.dumps(row, ensure_ascii=False, default=_plain) + "\n" for row in rows).encode(
        "utf-8", "replace"
    )


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _file(rows: list[dict[str, Any]], schema: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), out, compression="zstd")
    return out.getvalue()
