"""Outside text in Markdown. What a browser makes of it is checked in tests/browser/test_hostile.py."""

import pytest
from markdown_it import MarkdownIt

from ghost.ui.shared.text import capitalized, cited, clean, coloured, highlighted, link, plain, safe_url, shorten
from tests.ui.hostile import TEXTS

GAP = ":small[]"


def rendered(markdown: str) -> str:
    """What a reader sees of our Markdown, by a parser that is not Streamlit's; the gap is Streamlit's own."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown.replace(GAP, ""))
    assert [t.type for t in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"]), markdown
    children = [child for t in tokens if t.type == "inline" for child in t.children or []]
    assert all(child.type in ("text", "text_special") for child in children), markdown
    return "".join(child.content for child in children)


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_shown_as_it_is(text: str) -> None:
    assert rendered(plain(text)) == clean(text)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_that_streamlit_rewrites_after_parsing_stays_in_one_piece(text: str) -> None:
    for piece in plain(text).split(GAP):
        bare = piece.replace("\\", "")
        assert "://" not in bare
        assert "www." not in bare.lower()
        assert not any(bare[i] in ":@" and i + 1 < len(bare) and not bare[i + 1].isspace() for i in range(len(bare)))
        assert not any(pair in bare for pair in ("->", "<-", "--", ">=", "<=", "~="))


def test_every_punctuation_character_is_escaped() -> None:
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    for mark in marks:
        assert plain(f"a {mark} b") == f"a \\{mark} b"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("nul\x00bell\x07esc\x1b[31m", "nulbellesc[31m"),
        ("two\n\n  lines\ttab\u2028sep", "two lines tab sep"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\ud800 lone", "lone"),
        ("", ""),
    ],
)
def test_only_what_deceives_is_dropped(text: str, seen: str) -> None:
    assert clean(text) == seen


def test_shorten_cuts_at_a_word_and_says_so() -> None:
    assert shorten("one two three", 20) == "one two three"
    assert shorten("one two three", 9) == "one two…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "//evil.example/x",
        "/knowledge",
        "https://",
        "https://nasa.gov@evil.example/",
        "https://user:pass@evil.example/",
        "http://[::1",
        "https://evil.example:notaport/",
        "https://exa mple.org/",
        "https://<b>.example/",
        "ftp://example.org",
        "",
    ],
)
def test_only_plain_web_addresses_become_links(url: str) -> None:
    assert safe_url(url) == ""
    assert "](" not in link("label", url)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://www.nasa.gov/a/b_c.html", "https://www.nasa.gov/a/b_c.html"),
        ("HTTP://Example.ORG:8080/x?a=1&b=2#f", "http://example.org:8080/x?a=1&amp;b=2#f"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://e.example/a(b)[c]<d>\\e", "https://e.example/a%28b%29%5Bc%5D%3Cd%3E%5Ce"),
        ("https://e.example/$x$/:material/home:", "https://e.example/%24x%24/%3Amaterial/home%3A"),
        ("https://e.example/?q=&copy;", "https://e.example/?q=&amp;copy;"),
    ],
)
def test_addresses_keep_their_meaning_and_lose_their_markup(url: str, address: str) -> None:
    assert safe_url(url) == address


@pytest.mark.parametrize("text", TEXTS)
def test_a_label_cannot_leave_its_link(text: str) -> None:
    markdown = link(text or "x", "https://example.org/a").replace(GAP, "")
    inline = MarkdownIt("gfm-like", {"linkify": False}).parseInline(markdown)[0].children or []
    assert [t.attrs.get("href") for t in inline if t.type == "link_open"] == ["https://example.org/a"]
    assert all(t.type in ("link_open", "link_close", "text", "text_special") for t in inline)


def test_marks_lead_to_their_cards_and_others_stay_text() -> None:
    assert cited("[1] NASA says so [2].", frozenset({1, 2})) == (
        "[\\[1\\]](#evidence-1) NASA says so [\\[2\\]](#evidence-2)\\."
    )
    assert cited("[9] [x](y) [0]", frozenset({1})) == "\\[9\\] \\[x\\]\\(y\\) \\[0\\]"
    assert "(#" not in cited("[1](https://evil.example)", frozenset())


def test_the_quote_is_marked_where_it_stands() -> None:
    assert highlighted("One two. Three four.", ("Three four.",)) == "One two\\. :yellow-background[Three four\\.]"
    assert highlighted("It’s  “so”", ('It\'s "so"',)) == ":yellow-background[It’s “so”]"
    assert highlighted("One two.", ("nothing like it",)) == "One two\\."
    assert highlighted("abc def ghi", ("abc def", "def ghi")) == ":yellow-background[abc def ghi]"


@pytest.mark.parametrize("text", ["a ] b [ c", "word " * 400, "x" * 3000, "::::" * 300, "[" * 500])
def test_a_colour_never_holds_more_than_markdown_can_take(text: str) -> None:
    pieces = coloured("gray", text).split(":gray[")[1:]
    assert pieces
    assert all(len(piece) <= 999 for piece in pieces)
    assert rendered("".join(p.rstrip(" ")[:-1] + " " * p.endswith(" ") for p in pieces)) == clean(text)


def test_only_the_first_letter_becomes_a_capital() -> None:
    assert capitalized("reads like an order to an AI") == "Reads like an order to an AI"
    assert capitalized("") == ""
