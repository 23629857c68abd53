"""What is between braces, with comments, strings and escapes."""

import pytest

from ghost.web.declarations import declarations, put_back, readable


@pytest.mark.parametrize(
    ("css", "display"),
    [
        ("display:none", "none"), ("d\\69splay:n\\6fne", "none"), ("display/**/:/**/none", "none"),
        ("DISPLAY : none ! important", "none"), ("display\n:\nnone", "none"), ("display:none;display:block ! bogus",
        "none"),
        ("display:none;display:block ! important !important", "none"), ("x:[;];display:none", "none"),
        ("x:';';display:none", "none"), ("x:url(;);display:none", "none"), ("x:url(';display:block');display:none",
        "none"),
        ("foo;display:none", "none"), ("display:none;x display:block", "none"), ("display:none;{display:block}",
        "none"),
        ("display:none;\u00a0display:block", "none"), ("display:none;display:bloc\u212a", "none"),
        ("display:(none", None),
        ("x:(;display:none", None), ("{display:none}", None), ("x:a\\'b;display:none", "none"),
        ("x:\"a\n;display:none", "none"), ("x:\"a\nb\";display:none", None), ("/*display:block*/display:none/*",
        "none"),
    ],
)  # fmt: skip
def test_what_a_browser_reads_of_it(css: str, display: str | None) -> None:
    assert declarations(css).get("display", (None, False))[0] == display


def test_variables_differ_by_their_capitals() -> None:
    found = declarations("--A:x;--a:y;color:var(--A)")
    assert len(found) == 3
    assert next(n for n in found if n not in ("--a", "color")) in found["color"][0]


def test_a_sign_that_is_escaped_or_in_a_string_separates_nothing_until_a_name_is_read() -> None:
    css = readable(r".md\:block,[x='a{b'],.\31 q")
    assert not {":", "{"} & set(css)
    assert put_back(css) == ".md:block,[x='a{b'],.1q"


def test_what_says_nothing_about_what_is_seen_is_left_out() -> None:
    assert declarations("cursor:pointer;border:1px solid red") == {}
