"""A run as a file in each form; a run, or a case with all of its runs, as one archive.

An archive is byte for byte the same whenever the same run is written down.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ghost import __version__
from ghost.errors import ExportError
from ghost.records import Case
from ghost.reports.claimreview import Publisher, claim_review
from ghost.reports.documents import html, markdown, render
from ghost.reports.formatting import day, iso, origins_line, source
from ghost.reports.result import result
from ghost.reports.verdict_notes import failure, verdict_lines
from ghost.text import csv_bytes, one_line
from ghost.types import Evidence, Run

MANIFEST = "manifest.json"
COLUMNS = (
    "number", "claim", "final verdict", "ghost's verdict", "confidence", "analyst's verdict", "analyst's reason",
    "status", "evidence", "sources cited", "started", "judge", "model", "run id",
)  # fmt: skip
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
            return _encoded(claim_review(run, publisher))
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
        files["claimreview.json"] = claim_review(run, publisher).encode()
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
            f"Source: {source(p)}",
            f"Kind: {p.kind.value}, {p.intake.value.replace('_', ' ')}",
            *([f"SHA-256 of the text read: {p.text_hash}"] if p.text_hash else []),
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


class CaseExport:
    """Collects the runs of a case one by one, so that whoever waits can be told how far it is and can stop it."""

    def __init__(self, case: Case, publisher: Publisher) -> None:
        self._case = case
        self._publisher = publisher
        self._files: dict[str, bytes] = {}
        self._entries: list[dict[str, object]] = []
        self._rows: list[Sequence[object]] = []

    def add(self, run: Run) -> None:
        """Put one run in."""
        number = len(self._rows) + 1
        name = f"checks/{number:03d}-{file_name(run.id[:8], 'check')}.zip"
        self._files[name] = bundle(run, self._publisher)
        self._entries.append(_entry(run, name))
        self._rows.append(_row(number, run))

    def finish(self) -> bytes:
        """The archive: summary.md, checks.csv, and a bundle for each run; the same bytes for the same runs."""
        case = self._case
        files = self._files | {
            "summary.md": render("case.md", case=case, entries=self._entries).encode("utf-8", "replace"),
            "checks.csv": csv_bytes(COLUMNS, self._rows),
        }
        return archive(files, {"case_id": case.id, "name": case.name, "checks": len(self._rows)})


def case_file_name(case: Case) -> str:
    """A file name for the archive."""
    return f"ghost-case-{file_name(case.name, case.id[:8])}.zip"


def _entry(run: Run, file: str) -> dict[str, object]:
    return {
        "claim": run.claim.text,
        "verdicts": verdict_lines(run),
        "failure": failure(run),
        "explanation": run.verdict.explanation if run.verdict else "",
        "origins": origins_line(run.evidence),
        "file": file,
    }


def _row(number: int, run: Run) -> tuple[object, ...]:
    verdict, override = run.verdict, run.review.override
    cited = [source(c) for c in verdict.citations if c.accepted] if verdict else []
    return (
        number,
        one_line(run.claim.text),
        run.label.value if run.label else "",
        verdict.label.value if verdict else "",
        f"{verdict.confidence:.2f}" if verdict and verdict.confidence is not None else "",
        override.label.value if override else "",
        one_line(override.reason) if override else "",
        run.status.value,
        origins_line(run.evidence),
        "; ".join(dict.fromkeys(one_line(name) for name in cited)),
        iso(run.started_at),
        one_line(run.judge.name),
        one_line(run.judge.model),
        run.id,
    )
