"""A case written down: a summary to read, a table, and the bundle of each of its runs, in one archive."""

from collections.abc import Iterator, Sequence

from ghost.records import Case
from ghost.reports.bundle import archive, bundle, file_name
from ghost.reports.claim_review import Publisher
from ghost.reports.markdown import escape
from ghost.reports.plain import confidence, counted, day, iso, origins_line
from ghost.reports.review import analyst_line, confirms
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
        self._lines: list[str] = []
        self._rows: list[Sequence[object]] = []

    def add(self, run: Run) -> None:
        """Put one run in."""
        number = len(self._rows) + 1
        name = f"checks/{number:03d}-{file_name(run.id[:8], 'check')}.zip"
        self._files[name] = bundle(run, self._publisher)
        self._lines += _entry(number, run, name)
        self._rows.append(_row(number, run))

    def finish(self) -> bytes:
        """The archive: summary.md, checks.csv, and a bundle for each run; the same bytes for the same runs."""
        case = self._case
        summary = "\n".join([*_head(case, len(self._rows)), *self._lines]).rstrip() + "\n"
        files = self._files | {
            "summary.md": summary.encode("utf-8", "replace"),
            "checks.csv": csv_bytes(COLUMNS, self._rows),
        }
        return archive(files, {"case_id": case.id, "name": case.name, "checks": len(self._rows)})


def case_file_name(case: Case) -> str:
    """A file name for the archive."""
    return f"ghost-case-{file_name(case.name, case.id[:8])}.zip"


def _head(case: Case, checks: int) -> Iterator[str]:
    yield f"# {escape(case.name)}"
    yield ""
    yield f"{counted(checks, 'check', 'checks')} · begun {day(case.created_at)} · last changed {day(case.changed_at)}"
    yield ""
    for paragraph in case.notes.splitlines():
        yield escape(paragraph)
    yield ""


def _entry(number: int, run: Run, name: str) -> Iterator[str]:
    yield f"## {number}. {escape(run.claim.text)}"
    yield ""
    if run.verdict:
        if run.review.override and not confirms(run):
            yield f"**{run.review.override.label.value}** ({escape(analyst_line(run))})"
            yield ""
        own = " · ".join(
            [f"Ghost's own verdict: **{run.verdict.label.value}**", *filter(None, [confidence(run.verdict.confidence)])]
        )
        yield own + (f", {escape(analyst_line(run))}" if confirms(run) else "")
    else:
        yield f"**No verdict**: the run is {run.status.value}. {escape(run.error)}".rstrip()
    yield ""
    if run.verdict and run.verdict.explanation:
        yield escape(run.verdict.explanation)
        yield ""
    if origins := origins_line(run.evidence):
        yield f"Evidence: {origins}. In full: `{name}`"
        yield ""


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
