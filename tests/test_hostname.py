"""Names of hosts with letters from everywhere."""

import pytest

from ghost.text import ascii_host


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Example.ORG", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER。example", "xn--bcher-kva.example"),
        ("straße.de", "xn--strae-oqa.de"),
        ("strasse.de", "strasse.de"),
        ("βόλος.com", "xn--nxasmm1c.com"),
        ("my_blog.bücher.de", "my_blog.xn--bcher-kva.de"),
        ("xn--bcher-kva.bücher.de.", "xn--bcher-kva.xn--bcher-kva.de."),
        ("rеuters.com", "xn--ruters-3of.com"),  # a Cyrillic letter
        ("１２７.0.0.1", "127.0.0.1"),
        ("例え.jp", "xn--r8jz45g.jp"),
    ],
)
def test_a_name_has_one_form_in_ascii(host: str, name: str) -> None:
    assert ascii_host(host) == name


@pytest.mark.parametrize(
    "host", [".", "a..b", "ü..b", ".ü", "ü" * 70, "a" * 64, "a\u200db.example", "i❤.example", "ü\u202e.example"]
)
def test_what_no_host_is_called_is_refused(host: str) -> None:
    with pytest.raises(UnicodeError):
        ascii_host(host)
