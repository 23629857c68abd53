"""What is searched for, in which order."""

from ghost.steps import stage_queries
from ghost.steps.investigate.search_plan import SearchQuery
from ghost.types import Statement, Sufficiency
from ghost.web import Stage


def test_queries_are_the_judges_or_the_statements_own_words_first_ones_first() -> None:
    statements = [Statement(1, "Honey keeps."), Statement(2, "Honey is old."), Statement(3, "Settled.")]
    open_ones = [
        Sufficiency(2, False, "", queries=("oldest honey", "oldest honey", "honey tomb", "third")),
        Sufficiency(1, False, ""),
    ]
    assert stage_queries(Stage.TRUSTED, statements, open_ones) == [
        SearchQuery(1, "Honey keeps."),
        SearchQuery(2, "oldest honey"),
    ]
    assert stage_queries(Stage.BROAD, statements, open_ones) == [
        SearchQuery(1, "Honey keeps."), SearchQuery(2, "oldest honey"),
        SearchQuery(1, "Honey keeps false denied corrected"), SearchQuery(2, "honey tomb"),
    ]  # fmt: skip


def test_what_is_settled_is_asked_about_in_its_own_words_after_what_is_open() -> None:
    statements = [Statement(1, "Settled."), Statement(2, "Honey keeps.")]
    rows = [Sufficiency(2, False, "", queries=("honey",)), Sufficiency(1, True, "")]
    assert stage_queries(Stage.FACT_CHECK, statements, rows) == [SearchQuery(2, "honey"), SearchQuery(1, "Settled.")]
