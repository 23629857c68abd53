"""What goes out can come in again, passages and ratings, and no spreadsheet runs any of it."""

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from ghost.knowledge import (
    ImportFileError,
    KnowledgeBase,
    PassageFilter,
    check_import,
    csv_table,
    export_passages,
    read_import_file,
    read_ratings,
    run_import,
    write_ratings,
)
from ghost.knowledge.transfer.export import COLUMNS
from ghost.records import DomainRating, ImportStore
from ghost.types import NewPassage, Origin, Passage, SourceType, Status
from tests.knowledge.helpers import ORDER, WALL

HOSTILE = '=HYPERLINK("http://evil.example","click") is how this text begins; "so" it goes on; "=1+1 or;\'@x.'
GERMAN = "Die Otter halten sich an den Pfoten; 'so' treiben sie nicht auseinander — sagt der Zoo."
KEPT = COLUMNS[1:11]
"""What an import takes."""


@pytest.fixture
def filled(kb: KnowledgeBase) -> KnowledgeBase:
    _, _, gone = kb.add(
        [
            NewPassage(HOSTILE, "https://example.org/a?b=c,d", "+1 title", topic="@topic", publisher="-cmd"),
            NewPassage(GERMAN, "https://www.spiegel.de/otter", "Otter\twith tab", language="de",
                       published_at=date(2020, 5, 3), retrieved_at=datetime(2021, 1, 1, 10, tzinfo=UTC)),
            NewPassage(WALL, origin=Origin.SEED, as_of="2019-05"),
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


def test_json_lines_have_everything(filled: KnowledgeBase) -> None:
    rows = [json.loads(line) for line in b"".join(export_passages(filled, "jsonl")).splitlines()]
    assert [set(row) for row in rows] == [set(COLUMNS)] * 4
    assert rows[1]["published_at"] == "2020-05-03"
    assert [row["status"] for row in rows] == ["active", "active", "retired", "quarantined"]
    assert rows[2]["origin"] == "seed"


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


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "'=1"])
def test_whatever_a_spreadsheet_would_run_is_guarded(cell: str) -> None:
    written = b"".join(csv_table(("a",), [(cell,)])).decode("utf-8-sig").split("\r\n", 1)[1]
    assert written.lstrip('"').startswith(f"'{cell[0]}")


def test_the_filter_of_the_list(filled: KnowledgeBase) -> None:
    for narrow, count in (
        (PassageFilter(status=Status.ACTIVE), 2),
        (PassageFilter(domain="spiegel.de"), 1),
        (PassageFilter(origin=Origin.SEED), 1),
        (PassageFilter(text="pfoten"), 1),
        (PassageFilter(domain="nowhere.example"), 0),
    ):
        assert len(b"".join(export_passages(filled, "jsonl", narrow)).splitlines()) == count


def test_fifty_thousand_are_never_all_in_memory(kb: KnowledgeBase) -> None:
    kb.add(NewPassage(f"Passage number {n} of many speaks of river {n * 7}.") for n in range(600))
    pieces = export_passages(kb, "jsonl")
    first = next(pieces)
    assert len(first) < 2_000
    assert sum(1 for _ in pieces) == 599


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
