"""Places among siblings, and states."""

from collections import Counter

import pytest
from lxml import html as lxml_html

from ghost.web.pseudo import MOST_SIBLINGS, placed, step


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("odd", (2, 1)), ("even", (2, 0)), ("3", (0, 3)), ("n", (1, 0)),
        ("-n+2", (-1, 2)), ("+3n - 1", (3, -1)), ("x", None), ("", None),
    ],
)  # fmt: skip
def test_steps(text: str, found: tuple[int, int] | None) -> None:
    assert step(text) == found


def test_siblings_are_counted_as_far_as_they_are_looked_at() -> None:
    many = lxml_html.fragment_fromstring(f"<div>{'<p>x</p>' * (MOST_SIBLINGS + 5)}</div>")
    effort: Counter[str] = Counter()
    assert placed(many[2], (0, 3), False, False, None, effort)
    assert placed(many[-2], (0, 2), True, True, None, effort)
    assert not placed(many[-1], (0, MOST_SIBLINGS + 5), False, False, None, effort)
    assert effort["fits"] > MOST_SIBLINGS // 8
