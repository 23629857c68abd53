"""Sites that a run keeps to or leaves out."""

from collections.abc import Sequence
from datetime import date

from ghost.steps import Scope, retrieve
from ghost.testing import passage
from ghost.types import Candidate, Statement

PLACES = ("https://www.nasa.gov/a", "https://blog.example/b", "https://example.org/news/c", "https://example.org/d", "")
SHELF = [passage(f"Text {n}.", f"p{n}", url=url) for n, url in enumerate(PLACES)]
HITS = [Candidate(p, rank, 1 / rank) for rank, p in enumerate(SHELF, 1)]


class Shelf:
    def __init__(self) -> None:
        self.asked = 0

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        self.asked = k
        return [HITS[:k] for _ in texts]


def ids(scope: Scope) -> list[str]:
    return [c.passage.id for c in scope.within(HITS)]


def test_a_site_is_left_out_with_everything_below_it() -> None:
    assert ids(Scope(denied=("nasa.gov", "example.org/news"))) == ["p1", "p3", "p4"]


def test_only_the_named_sites_count_and_what_has_no_address_does_not() -> None:
    assert ids(Scope(allowed=("example.org", "nasa.gov"))) == ["p0", "p2", "p3"]
    assert ids(Scope(allowed=("example.org",), denied=("example.org/news",))) == ["p3"]


def test_retrieval_asks_for_more_where_some_will_be_left_out_and_says_so() -> None:
    shelf = Shelf()
    statements = (Statement(1, "A statement."),)
    found = retrieve(statements, shelf, 2, None, Scope(denied=("nasa.gov",)))
    assert [c.passage.id for c in found.value[1]] == ["p1", "p2"]
    assert "1 passage of sites that this run leaves out did not count." in found.reason
    assert found.inputs["without_sites"] == ["nasa.gov"]
    retrieve(statements, shelf, 2, None)
    assert shelf.asked == 2
