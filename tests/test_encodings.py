"""Files that are not Unicode: read rightly or refused, never turned into readable nonsense."""

import json

import pytest

from config import PROJECT
from ghost.text import decode_file

CASES = [json.loads(line) for line in (PROJECT / "tests/data/encodings.jsonl").read_text("utf-8").splitlines()]
FLOOR = 0.75
"""Share of the cases that must be detected without being told the encoding."""


def body(text: str, encoding: str) -> bytes:
    return f"text;source_url\n{text};https://a.example\n".encode(encoding)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:20])
def test_a_file_is_read_rightly_or_refused(case: dict[str, str]) -> None:
    data = body(case["text"], case["encoding"])
    assert case["text"] in decode_file(data, case["encoding"]).text
    if not case["detected"]:
        with pytest.raises(ValueError, match="encoding cannot be detected"):
            decode_file(data)
        return
    found = decode_file(data)
    assert found.guessed
    assert case["text"] in found.text


def test_most_encodings_are_detected() -> None:
    assert sum(bool(case["detected"]) for case in CASES) >= FLOOR * len(CASES)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_proven_by_the_bytes_whatever_was_asked_for(encoding: str) -> None:
    found = decode_file(body("Zürich is large, and Genève is not.", encoding), "cp1251")
    assert "Zürich" in found.text
    assert not found.guessed


@pytest.mark.parametrize(
    ("encoding", "words"),
    [("nonsense", "no text encoding 'nonsense'"), ("rot13", "no text encoding"), ("utf-7", "not supported"),
     ("cp932", "not in the encoding Japanese")],
)  # fmt: skip
def test_an_encoding_that_cannot_be_used_is_named(encoding: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode_file(body("Мост через реку", "cp1251"), encoding)
