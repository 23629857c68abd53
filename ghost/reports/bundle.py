"""A run as a file in each form, and all that its verdict rests on as one archive.

The archive is byte for byte the same whenever the same run is written down.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ghost import __version__
from ghost.errors import ExportError
from ghost.reports.claimreview import Publisher, claim_review, json_ld
from ghost.reports.formatting import day
from ghost.reports.html import html
from ghost.reports.markdown import markdown
from ghost.reports.result import result
from ghost.text import one_line
from ghost.types import Evidence, Run

MANIFEST = "manifest.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The oldest time that an archive can hold; a real one would make every archive different."""


class Format(StrEnum):
    """The forms; the value is what is typed on the command line."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"
    CLAIMREVIEW = "claimreview"
    BUNDLE = "bundle"


@dataclass(frozen=True, slots=True)
class FileType:
    """What a form is as a file."""

    ending: str
    mime: str


FILE_TYPES: dict[Format, FileType] = {
    Format.MARKDOWN: FileType("md", "text/markdown"),
    Format.HTML: FileType("html", "text/html"),
    Format.JSON: FileType("json", "application/json"),
    Format.CLAIMREVIEW: FileType("claimreview.json", "application/ld+json"),
    Format.BUNDLE: FileType("zip", "application/zip"),
}


def export(run: Run, form: Format, publisher: Publisher) -> bytes:
    """The run as the bytes of a file. Raises ExportError when the form is not possible for this run."""
    match form:
        case Format.MARKDOWN:
            return _encoded(markdown(run))
        case Format.HTML:
            return _encoded(html(run))
        case Format.JSON:
            return as_json(result(run))
        case Format.CLAIMREVIEW:
            return _encoded(json_ld(claim_review(run, publisher)))
        case Format.BUNDLE:
            return bundle(run, publisher)


def report_name(run: Run, form: Format) -> str:
    """A file name for it."""
    return f"ghost-{run.id[:8]}.{FILE_TYPES[form].ending}"


def _encoded(text: str) -> bytes:
    """As UTF-8; a lone surrogate, which no file can hold, becomes a question mark."""
    return text.encode("utf-8", "replace")


def bundle(run: Run, publisher: Publisher) -> bytes:
    """The archive of a run: result, reports, ClaimReview where there is one, evidence texts, trace and checksums."""
    files = {
        "result.json": as_json(result(run)),
        "trace.json": as_json({"run_id": run.id, "steps": result(run)["steps"]}),
        "report.md": markdown(run).encode(),
        "report.html": html(run).encode(),
    }
    notes = {}
    try:
        files["claimreview.json"] = json_ld(claim_review(run, publisher)).encode()
    except ExportError as error:
        notes["claimreview.json"] = f"not included: {error}"
    files |= {name: text.encode() for name, text in _texts(run)}
    facts = {"run_id": run.id, "claim": one_line(run.claim.text), "label": run.label.value if run.label else None}
    return archive(files, facts | {"notes": notes})


def archive(files: Mapping[str, bytes], facts: Mapping[str, Any]) -> bytes:
    """A deterministic zip of these files with a manifest of their sha256; names must be plain relative ones."""
    manifest = {
        "made_with": f"ghost {__version__}",
        **facts,
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in sorted(files.items())
        },
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name, data in [(MANIFEST, as_json(manifest)), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # else it tells on which system it was made
            stored = name.endswith(".zip")
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            packed.writestr(entry, data, compresslevel=9)
    return held.getvalue()


def as_json(value: Any) -> bytes:
    """JSON as it is kept in an archive; a lone surrogate, which no file can hold, becomes an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return (text + "\n").encode("utf-8", "backslashreplace")


def file_name(text: str, otherwise: str) -> str:
    """Outside text as a part of a file name: letters, digits, dots and hyphens, never a path."""
    safe = re.sub(r"[^a-z0-9.]+", "-", text.lower().encode("ascii", "ignore").decode())
    return re.sub(r"\.{2,}", ".", safe).strip("-.")[:60].strip("-.") or otherwise


def _texts(run: Run) -> Iterator[tuple[str, str]]:
    """Each passage as the run has used it, with where it comes from."""
    seen: dict[int, Evidence] = {}
    for e in run.evidence:
        seen.setdefault(e.number, e)
    for number, e in sorted(seen.items()):
        p = e.passage
        lines = [
            f"[{number}] {one_line(p.title) or 'without a title'}",
            f"Source: {one_line(p.source_name)}",
            f"Address: {one_line(p.source_url) or 'none'}",
            f"Published: {day(p.published_at)}",
            *([f"As of: {p.as_of}"] if p.as_of else []),
            f"Retrieved: {day(p.retrieved_at)}",
            f"Passage: {one_line(p.id)}",
            "",
            one_line(p.text),
        ]
        text = "\n".join(lines) + "\n"
        yield f"evidence/{number:03d}-{file_name(p.domain, 'source')}.txt", text.encode("utf-8", "replace").decode()
