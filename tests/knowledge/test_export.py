"""What goes out can come in again, passages and ratings, and no spreadsheet runs any of it."""

import csv
import io
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from ghost.knowledge import (
    ImportFileError,
    KnowledgeBase,
    check_import,
    export_passages,
    read_import_file,
    read_ratings,
    run_import,
    write_ratings,
)
from ghost.knowledge.transfer.tables import EXPORT_COLUMNS as COLUMNS
from ghost.records import DomainRating, ImportStore
from ghost.types import Frame, FrameKind, NewPassage, Origin, Passage, SourceType
from tests.knowledge.helpers import ORDER, WALL

HOSTILE = '=HYPERLINK("http://evil.example","click") is how this text begins; "so" it goes on; "=1+1 or;\'@x.'
GERMAN = "Die Otter halten sich an den Pfoten; 'so' treiben sie nicht auseinander — sagt der Zoo."
KEPT = COLUMNS[1:12]
"""What an import takes."""


@pytest.fixture
def filled(kb: KnowledgeBase) -> KnowledgeBase:
    _, _, gone = kb.add(
        [
            NewPassage(HOSTILE, "https://example.org/a?b=c,d", "+1 title", topic="@topic", publisher="-cmd"),
            NewPassage(GERMAN, "https://www.spiegel.de/otter", "Otter\twith tab", language="de",
                       published_at=date(2020, 5, 3), retrieved_at=datetime(2021, 1, 1, 10, tzinfo=UTC)),
            NewPassage(WALL, origin=Origin.SEED, as_of="2019-05", frame=Frame(FrameKind.MYTH, '"Myths"', ("A, b",))),
        ]
    ).ids  # fmt: skip
    kb.add([NewPassage(ORDER)])
    kb.retire([gone])
    return kb


def kept(passage: Passage) -> tuple[object, ...]:
    return tuple(getattr(passage, name) for name in KEPT)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_round_trip(filled: KnowledgeBase, open_kb: Callable[..., KnowledgeBase], form: str) -> None:
    data = b"".join(export_passages(filled, form))
    other = open_kb(folder="other")
    found = check_import(other, read_import_file(data, f"a.{form}"))
    assert found.file.problems == ()
    assert found.file.notes == ()
    run_import(other, ImportStore(other.database), found, "a" * 32)
    assert sorted(map(kept, other.each()), key=str) == sorted(map(kept, filled.each()), key=str)
    assert {p.id for p in other.each()} == {p.id for p in filled.each()}
    assert other.check().in_step
    again = check_import(other, read_import_file(data, f"a.{form}"))
    assert again.new == 0


def test_no_cell_is_a_formula(filled: KnowledgeBase) -> None:
    data = b"".join(export_passages(filled, "csv"))
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert rows[0] == list(COLUMNS)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert rows[1][1] == "'" + HOSTILE.replace('"=1', "\"'=1").replace("'@x", "''@x")
    for delimiter in ";\t":
        cells = [c for row in csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter) for c in row]
        assert not [c for c in cells if c.lstrip().startswith(("=", "+", "-", "@"))]


def test_a_list_in_csv() -> None:
    found = read_ratings(
        b"Site;Reliability;Kind;Comment\n"
        b"https://www.example.org/;0,7;;fine\n"
        b"b.org;80%;fact-checker;\n"
        b";0.5;;\n"
        b"c.org;9;;\n"
        b"d.org;x;tabloid;\n"
        b"b.org;0.2;news;again\n",
        "list.csv",
    )
    assert found.ratings == {
        "example.org": DomainRating("example.org", 0.7, None, "fine"),
        "b.org": DomainRating("b.org", 0.2, SourceType.NEWS, "again"),
    }
    assert [(p.row, p.field, p.fatal) for p in found.problems] == [
        (4, "domain", True),
        (5, "score", True),
        (6, "score", True),
        (6, "type", True),
        (7, "domain", False),
    ]
    assert found.rows == 6


def test_a_list_in_json_lines() -> None:
    found = read_ratings(
        b'{"domain": "a.org", "credibility": 0.4, "type": "academic"}\n{"domain": "b.org"}\n7\n{"broken\n'
        b'{"domain": ["x"], "score": true}',
        "list.jsonl",
    )
    assert found.ratings == {"a.org": DomainRating("a.org", 0.4, SourceType.ACADEMIC)}
    assert [(p.row, p.field) for p in found.problems] == [(2, "score"), (3, ""), (4, ""), (5, "domain"), (5, "score")]


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(ImportFileError, match="No column is called domain and none score"):
        read_ratings(b"a,b\n1,2\n", "list.csv")
    with pytest.raises(ImportFileError, match="ZIP"):
        read_ratings(b"PK\x03\x04....", "list.csv")


def test_what_is_written_can_be_read_again_and_holds_no_formulas() -> None:
    ratings = {
        "a.org": DomainRating("a.org", 0.25, SourceType.NEWS, "=HYPERLINK(1)"),
        "b.org/x": DomainRating("b.org/x", 1.0, None, 'so it is;\'=1, "they" say'),
    }
    written = b"".join(write_ratings(ratings.values()))
    assert b',"\'=HYPERLINK(1)"' in written
    found = read_ratings(written, "list.csv")
    assert found.problems == ()
    assert found.ratings == ratings
    assert [(r.entry, r.credibility, r.source_type) for r in found.ratings.values()] == [
        ("a.org", 0.25, SourceType.NEWS),
        ("b.org/x", 1.0, None),
    ]
