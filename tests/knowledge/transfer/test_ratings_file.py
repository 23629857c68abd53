"""Lists of ratings from elsewhere, and our own."""

import pytest

from ghost.knowledge import ImportFileError, read_ratings, write_ratings
from ghost.records import DomainRating
from ghost.types import SourceType


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
