"""Text out of the markup that search engines send around it."""

import pytest

from ghost.web import text_of


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
