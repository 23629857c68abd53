"""What every result of a measurement of quality begins with: by whom, on what, with what."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.machine import changed_settings, machine, versions
from bench.options import Options
from bench.resume import Partial, code
from bench.rows import R, Table
from config import Settings


def head(benchmark: str, options: Options, settings: Settings, **files: Table[R]) -> dict[str, Any]:
    """Name, date, machine, versions, settings and the checksums of the files; nothing that names a folder."""
    return {
        "benchmark": benchmark,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": options.command,
        "seed": options.seed,
        "limit": options.limit,
        "workers": options.workers,
        "machine": machine(),
        "versions": versions(),
        "settings": changed_settings(settings),
        "code": code(),
        **{
            name: {"file": table.path.name, "name": table.name, "rows": len(table.rows), "sha256": table.sha256}
            for name, table in files.items()
        },
    }


def finish(result: dict[str, Any], target: Path | None, partial: Partial) -> None:
    """Write the whole result, where one is wanted; only then are the answers so far no longer needed."""
    if target:
        write_json(result, target)
    partial.done()


def write_json(result: dict[str, Any], target: Path) -> None:
    """Write the result beside the target first, so that an earlier one is kept until this one is whole."""
    beside = target.with_name(target.name + ".part")
    beside.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(target)
