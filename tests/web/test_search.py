"""Which words may be sent."""

import pytest

from ghost.web import text_of
from ghost.web.search import QUERY_CHARS, plain_query


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Honey does not spoil.", "Honey does not spoil."),
        ('!g "honey"  \\ -wax', "g honey wax"),
        ("honey site:evil.example OR (INTITLE:wax)", "honey site evil.example or INTITLE wax"),
        ("COVID-19 is A AND B", "COVID-19 is A and B"),
        ("It rose by 5% & fell: 3 + 4", "It rose by 5% fell: 3 4"),
        ("*** !!! ", ""),
    ],
)
def test_operators_and_redirections_are_defused(text: str, words: str) -> None:
    assert plain_query(text) == words


def test_long_text_is_cut_at_a_word() -> None:
    short = plain_query("honey keeps " * 100)
    assert len(short) <= QUERY_CHARS
    assert short.endswith(("honey", "keeps"))
    assert len(plain_query("蜂" * 1000)) == QUERY_CHARS


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<b>Honey</b> &amp; <i>wax</i>", "Honey & wax"),
        ("one<br>two<script>alert(1)</script>", "one two"),
        ("a &amp;quot;word&amp;quot;", 'a "word"'),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
        ("<p>unclosed <b>bold", "unclosed bold"),
        ("<b>wax</b> <![x[ y", "wax x[ y"),
        ("", ""),
    ],
)
def test_a_snippet_is_read_as_a_reader_would(markup: str, text: str) -> None:
    assert text_of(markup) == text
