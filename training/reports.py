"""Other publishers' pages on events of ``dossiers.jsonl``: ``data/reports.jsonl``, one event a row.

Each row has the topic of a page that is held back and three further pages (``title`` and ``sentences``): a news report,
another kind of text, and a page on the same people or things that is about something else. All say what is true of the
event, in words of their own; the claims of the event's page keep their labels. What a run on the web has before it is
like this: several pages that each tell a part.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.written import read_rows

REPORTS = Path(__file__).parent / "data" / "reports.jsonl"


@dataclass(frozen=True)
class Report:
    """What one publisher says of an event."""

    title: str
    sentences: tuple[str, ...]


def read_reports(file: Path = REPORTS) -> dict[str, tuple[Report, ...]]:
    """The further pages of each event, by its topic; a malformed row raises ValueError that names its line."""
    return dict(read_rows(file, _row))


def _row(row: dict[str, Any]) -> tuple[str, tuple[Report, ...]]:
    pages = tuple(Report(p["title"].strip(), tuple(s.strip() for s in p["sentences"])) for p in row["pages"])
    if not all(page.title and page.sentences and all(page.sentences) for page in pages):
        raise ValueError("a page without a title or without sentences")
    return row["topic"], pages
