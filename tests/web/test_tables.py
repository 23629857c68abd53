"""Short texts as pages write them, and what comes of each: days, encodings, ratings, markup and names of languages."""

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ghost.web import Meaning, announced, day_in, declared_language, decode, kinds_of, language_of, meaning, text_of


def rows(name: str, folder: str = "web/data") -> list[dict[str, Any]]:
    text = (Path(__file__).parent.parent / folder / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_day_in_many_forms_and_what_is_no_day() -> None:
    days = {row["written"]: row["day"] for row in rows("days")} | {"x" * 100_000: None}
    found = {written: str(day_in(written, date(2026, 1, 1)) or "") for written in days}
    assert len(days) >= 45
    assert not [(written, found[written]) for written, day in days.items() if found[written] != (day or "")]


LABELS = rows("rating_labels", "data")
"""``half``: the vocabulary was written by looking at those that are ``written``; the others were ``kept`` apart."""
FLOORS = {"written": 0.96, "kept": 0.95}
"""Share of the ratings whose side, or that they take none, is told rightly."""


@pytest.mark.parametrize("half", FLOORS)
def test_what_a_rating_means(half: str) -> None:
    def side(means: str) -> str:
        return means if means in ("true", "false") else "neither"

    assert len(LABELS) >= 250
    labels = [row for row in LABELS if row["half"] == half]
    found = [(row, means.value if (means := meaning(row["rating"])) else "none") for row in labels]
    called = Counter((row["means"] if got == "true" else "") for row, got in found)
    assert {*called} <= {"", "true"}, "a rating that is not true is called true"
    assert not [row for row, got in found if got == "false" and row["means"] == "true"]
    assert sum(side(row["means"]) == side(got) for row, got in found) / len(labels) >= FLOORS[half]


def test_every_word_of_a_true_rating_is_known_and_a_number_speaks_where_words_do_not() -> None:
    wanted = [(row["words"], Meaning(row["means"]) if row["means"] else None) for row in rows("ratings")]
    assert len(wanted) >= 20
    assert not [(words, meaning(words)) for words, means in wanted if meaning(words) is not means]
    for part in ("true, ", "not ", "(((", "a.b:", "half true "):
        meaning(part * 200_000)  # only their beginning is read


def test_what_is_announced_as_a_rating_and_what_is_a_rating_at_all() -> None:
    assert announced("Our rating: Pants on Fire!") is Meaning.FALSE
    assert announced("The mayor: false") is None
    assert all(kinds_of("Hoax Alert"))
    assert not all(kinds_of("False friends"))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<b>Honey</b> &amp; <i>wax</i>", "Honey & wax"),
        ("one<br>two<script>alert(1)</script>", "one two"),
        ("a &amp;quot;word&amp;quot;", 'a "word"'),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
        ("<p>unclosed <b>bold", "unclosed bold"),
        ("<b>wax</b> <![x[ y", "wax x[ y"),
    ],
)
def test_a_snippet_is_read_as_a_reader_would(markup: str, text: str) -> None:
    assert text_of(markup) == text


def test_the_text_decides_its_language_and_a_short_one_believes_its_page() -> None:
    tags = {"en": "en", "en-GB": "en", "pt_BR": "pt", " DE ": "de", "": "", "english": "", "<b>": ""}
    assert {tag: declared_language(tag) for tag in tags} == tags
    german = "Der Gemeinderat hat am Montag beschlossen, ein neues Rathaus zu bauen. Es kostet viel Geld."
    assert language_of(german, "en") == language_of(german) == "de"
    assert language_of("1931–1954", "sv") == "sv"
    assert language_of("", "") == ""


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
        (TEXT.encode("cp1252"), "text/html; charset=no-such-thing", "cp1252"),
    ],
)
def test_text_is_read_whatever_is_declared(body: bytes, content_type: str, charset: str) -> None:
    assert decode(body, content_type, charset).text.endswith(TEXT)


def test_an_encoding_is_taken_as_declared_or_guessed_and_noted() -> None:
    for row in rows("encodings"):
        for codec in row["codecs"]:
            assert decode(row["text"].encode(codec), f"text/html; charset={codec}").text == row["text"]
            for times, declared in ((1, ""), (5, "; charset=utf-8")):
                body = b"<html><body>" + (f"<p>{row['text']}</p>" * times).encode(codec)
                found = decode(body, f"text/html{declared}")
                assert row["text"] in found.text, (codec, found)
                assert found.note.startswith("The encoding was guessed")


def test_some_lost_characters_do_not_change_the_encoding() -> None:
    found = decode(TEXT.encode() * 10 + b"\xff\xfe bad " + TEXT.encode() * 10, "text/html; charset=utf-8")
    assert TEXT in found.text
    assert "lost" in found.note


@pytest.mark.parametrize("codec", ["utf-7", "unicode_escape", "punycode", "idna", "hex", "zip", "rot13", "utf-8\x00"])
def test_an_encoding_that_could_hide_text_is_not_taken(codec: str) -> None:
    assert "+ADw-b+AD4-" in decode(b"+ADw-b+AD4- plain text", f"text/html; charset={codec}", codec).text


@pytest.mark.parametrize("body", [b"", b"\xff", b"\xff\xfe\x00", bytes(range(256)) * 20, b"\x00" * 500])
def test_no_bytes_are_too_broken(body: bytes) -> None:
    assert isinstance(decode(body, "text/html").text, str)
