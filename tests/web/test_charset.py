"""Bytes as text, whatever the page says of its encoding."""

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


UNDECLARED = {
    "Мост в городе открыли в четверг после трёх лет работы, сказал мэр города.": ("cp1251", "koi8-r"),
    "Gradsko vijeće odlučilo je popraviti sjeverni gat prije zime; žitelji su tražili više rasprave.": (
        "cp1250", "iso8859-2",
    ),
    "Městská rada rozhodla, že opraví severní molo ještě před zimou; mnoho obyvatel přišlo na schůzi.": ("cp1250",),
    "Most w mieście otwarto w czwartek po trzech latach pracy, powiedział burmistrz. Żółć i gęś.": (
        "cp1250", "iso8859-2",
    ),
    "A városi tanács úgy döntött, hogy a tél előtt megjavítja az északi mólót; sok lakó eljött az ülésre.": ("cp1250",),
    "新しい橋が四月一日に開通した。長さは二百メートルで、工事には三年かかった。市長は話した。": ("shift_jis", "euc_jp"),
    "Die Brücke kostet viel, sagt Jürgen. Das Café am Platz heißt Größe und schließt.": ("cp1252",),
    "新桥于四月一日通车，全长二百米，工程历时三年，市长说。": ("gb18030",),
    "새 다리는 4월 1일에 개통되었다. 길이는 200미터이고 공사에는 3년이 걸렸다.": ("euc_kr",),
    "Η νέα γέφυρα άνοιξε την πρώτη Απριλίου και έχει μήκος διακόσια μέτρα.": ("cp1253",),
    "Yeni köprü nisan ayında açıldı; uzunluğu iki yüz metre, inşaat üç yıl sürdü, dedi başkan.": ("cp1254",),
}  # fmt: skip


@pytest.mark.parametrize("declared", ["", "; charset=utf-8"])
@pytest.mark.parametrize("times", [1, 5])
def test_an_encoding_that_is_not_declared_is_guessed_and_noted(declared: str, times: int) -> None:
    for text, codecs in UNDECLARED.items():
        for codec in codecs:
            body = "".join(f"<p>{text}</p>" for _ in range(times)).encode(codec)
            found = decode(b"<html><body>" + body, f"text/html{declared}")
            assert text in found.text, (codec, found)
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
