"""What a body is taken for."""

import pytest

from ghost.web.fetch.body import HTML, PAGES, PDF, PLAIN, XHTML, declared, looked_at, may_be


@pytest.mark.parametrize(
    ("header", "name", "charset"),
    [
        ("text/html", HTML, ""),
        ("Text/HTML; charset=UTF-8", HTML, "utf-8"),
        ('text/html;charset="windows-1252"; x=y', HTML, "windows-1252"),
        ("text/html, text/plain; charset=koi8-r", PLAIN, "koi8-r"),
        ("text/html; charset=<script>", HTML, ""),
        ("text/html; charset=" + "a" * 500, HTML, "a" * 40),
        ("application/x-pdf", PDF, ""),
        ("", "", ""), ("html", "", ""), ("a/b/c", "", ""), ("<b>/x", "", ""), ("/", "", ""),
    ],
)  # fmt: skip
def test_a_header_names_type_and_charset(header: str, name: str, charset: str) -> None:
    assert declared(header) == (name, charset)


@pytest.mark.parametrize(
    ("name", "look"),
    [(HTML, True), (PDF, True), ("", True), ("application/octet-stream", True), ("text/xml", True),
     ("image/png", False), ("application/json", False), ("text/css", False), ("application/zip", False),
     ("text/csv", False)],
)  # fmt: skip
def test_some_types_are_not_worth_a_look(name: str, look: bool) -> None:
    assert may_be(name, PAGES) is look


@pytest.mark.parametrize(
    ("first", "name", "kind"),
    [
        (b"<!-- a -->\n <!DOCTYPE HTML PUBLIC>", "", HTML),
        (b"\xef\xbb\xbf\r\n<html lang=en>", "", HTML),
        (b"<article>", "", HTML),
        (b"<p>Hello", "application/octet-stream", HTML),
        (b"<paragraph>Hello", "", PLAIN),
        (b"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", "", HTML),
        (b"\xfe\xff\x00b\x00e\x00e", "", PLAIN),
        (b"\xff\xfeb\x00e\x00", PLAIN, PLAIN),
        (b"Caf\xe9", "", PLAIN),
        (b"Caf\xe9\x0c\x1b[1m", PLAIN, PLAIN),
        (b"<html>", PLAIN, PLAIN),
        (b"a\x00b", HTML, HTML),
        (b"BMW builds cars.", PLAIN, PLAIN),
        (b"ID3 tags are", "", PLAIN),
        (b"BM\x36\x00\x00\x00", HTML, ""),
        (b"RIFF\x24\x00\x00\x00WAVE", HTML, ""),
        (b"\n\n%PDF-1.4", HTML, PDF),
        (b"junk before\n%PDF-1.4", PDF, PDF),
        (b"The header %PDF-1.4 begins a file.", PLAIN, PLAIN),
        (b"<html>Session over", PDF, HTML),
        (b"sorry", PDF, ""),
        (b"<?xml version='1.0'?><!-- x --><html>", "text/xml", XHTML),
        (b"<?xml version='1.0'?><svg>", "text/xml", ""),
        (b"<!-- never closed", "", PLAIN),
        (b"\x1f\x8b\x08", "", ""),
        (b"", "", PLAIN),
    ],
)  # fmt: skip
def test_a_look_decides_where_the_name_does_not(first: bytes, name: str, kind: str) -> None:
    assert looked_at(first, name) == kind
