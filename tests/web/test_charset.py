import pytest

from ghost.web import decode

TEXT = "Die Brücke kostet 3 € – „viel“, sagt Jürgen. Das Café am Platz heißt Größe."


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (TEXT.encode(), "text/html; charset=utf-8", ""),
        (TEXT.encode(), "text/html", ""),
        (TEXT.encode(), "text/html; charset=iso-8859-1", ""),
        (TEXT.encode("utf-8-sig"), "text/html; charset=latin-1", ""),
        (TEXT.encode("cp1252"), "text/html; charset=iso-8859-1", ""),
        (TEXT.encode("cp1252"), "text/html", "windows-1252"),
        (b'<meta charset="windows-1252">' + TEXT.encode("cp1252"), "text/html", ""),
        (b'<meta http-equiv=content-type content="text/html; charset=windows-1252">' + TEXT.encode("cp1252"), "", ""),
        (TEXT.encode("utf-16"), "text/html", ""),
        (TEXT.encode("utf-16-le"), "text/html; charset=utf-8", ""),
        (TEXT.encode("utf-16-be"), "text/html; charset=utf-16", ""),
        (TEXT.encode("cp1252"), "text/html; charset=no-such-thing", "cp1252"),
    ],
)
def test_text_is_read_whatever_is_declared(body: bytes, content_type: str, charset: str) -> None:
    assert decode(body, content_type, charset).text.endswith(TEXT)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (
            "Мост в городе открыли в четверг после трёх лет работы, сказал мэр города. Он стоил сорок миллионов.",
            "cp1251",
        ),
        ("新しい橋が四月一日に開通した。長さは二百メートルで、工事には三年かかった。市長は話した。", "shift_jis"),
        ("Most w mieście otwarto w czwartek po trzech latach pracy, powiedział burmistrz. Żółć i gęś.", "iso8859-2"),
    ],
)
def test_an_old_encoding_is_taken_as_declared(text: str, codec: str) -> None:
    assert decode(text.encode(codec), f"text/html; charset={codec}").text == text


def test_an_encoding_that_nobody_declares_is_guessed_and_said() -> None:
    text = "Мост в городе открыли в четверг после трёх лет работы, сказал мэр города. Он стоил сорок миллионов. " * 5
    found = decode(text.encode("cp1251"), "text/html")
    assert found.text == text
    assert found.note.startswith("The encoding was guessed")


def test_text_that_was_encoded_twice_is_read_back() -> None:
    twice = TEXT.encode().decode("cp1252", "replace").replace("\ufffd", "\u009d").encode()
    found = decode(twice, "text/html; charset=utf-8")
    assert "Brücke" in found.text
    assert "Größe" in found.text
    assert "twice" in found.note


def test_text_that_only_looks_so_is_left_alone() -> None:
    text = "O pão está na mesa. SÃO PAULO É GRANDE. A MANHÃ COMEÇA."
    assert decode(text.encode(), "text/html").text == text


def test_some_lost_characters_do_not_change_the_encoding() -> None:
    found = decode(TEXT.encode() * 10 + b"\xff\xfe bad " + TEXT.encode() * 10, "text/html; charset=utf-8")
    assert TEXT in found.text
    assert "lost" in found.note


@pytest.mark.parametrize("codec", ["utf-7", "unicode_escape", "punycode", "idna", "hex", "zip", "rot13", "utf-8\x00"])
def test_an_encoding_that_could_hide_text_is_not_taken(codec: str) -> None:
    assert "+ADw-b+AD4-" in decode(b"+ADw-b+AD4- plain text", f"text/html; charset={codec}", codec).text


@pytest.mark.parametrize("body", [b"", b"\xff", b"\xfe\xff", b"\xff\xfe\x00", bytes(range(256)) * 20, b"\x00" * 500])
def test_no_bytes_are_too_broken(body: bytes) -> None:
    assert isinstance(decode(body, "text/html").text, str)
