"""A case written down: a summary to read, a table, and the bundle of each of its runs, in one archive."""

from collections.abc import Sequence

from ghost.records import Case
from ghost.reports.bundle import archive, bundle, file_name
from ghost.reports.claimreview import Publisher
from ghost.reports.formatting import iso, origins_line
from ghost.reports.markdown import render
from ghost.reports.verdict_notes import failure, verdict_lines
from ghost.text import csv_bytes, one_line
from ghost.types import Run

COLUMNS = (
    "number", "claim", "final verdict", "ghost's verdict", "confidence", "analyst's verdict", "analyst's reason",
    "status", "evidence", "sources cited", "started", "judge", "model", "run id",
)  # fmt: skip


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
    cited = [c.domain or c.title for c in verdict.citations if c.accepted] if verdict else []
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
