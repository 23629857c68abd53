"""Text of any kind and length: sentences, accents, amounts, spreadsheet cells, encodings, and files written whole."""

import csv
import io
import json
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import PROJECT
from ghost.text import (
    aligned,
    amounts,
    csv_bytes,
    decode_file,
    guarded,
    normalise,
    pieces,
    safe_cell,
    spans,
    unbroken,
    unfit,
    unguarded,
    write_whole,
)  # fmt: skip

ENCODED = [json.loads(line) for line in (PROJECT / "tests/data/encodings.jsonl").read_text("utf-8").splitlines()]
FLOOR = 0.75
"""Share of the cases that must be detected without being told the encoding."""


def test_a_part_of_a_text_is_cut_at_its_places_and_a_long_sentence_at_a_pause() -> None:
    text = "Before. One is one. Two is two. After."
    assert [text[a:b] for a, b in spans(text, 8, 31)] == ["One is one.", "Two is two."]
    text = "The first part is here, " * 40
    found = [text[a:b] for a, b in pieces(text, 0, len(text), 200)]
    assert all(part.endswith(",") and len(part) <= 200 for part in found)
    assert " ".join(found) == text.strip()


def test_no_text_takes_more_time_than_its_length_is_worth() -> None:
    long = ("." * 300_000, "e.g. " * 60_000, "a. " * 100_000, '."' * 150_000, "。" * 300_000, "1. A " * 60_000)
    for text in long:
        started = time.process_time()
        assert sum(b - a for a, b in spans(text)) > 0
        assert time.process_time() - started < 3, text[:9]
    for marks in ("\u0301\u0323" * 60_000, ("\u0301\u0323" * 15 + "\u200d") * 4_000):
        started = time.process_time()
        assert normalise(f"Text a{marks}bc").endswith("bc")
        assert time.process_time() - started < 1
    for piece in ("\n", "\t'", "\n'", "' ", ";\"'"):  # with the square of its length a cell would take an hour
        for text in (piece * 50_000, piece * 50_000 + "=1"):
            assert unguarded(guarded(text)) == text
            assert safe_cell(text).replace("'", "") == text.replace("'", "")


@pytest.mark.parametrize(
    ("pasted", "whole"),
    [
        ("The coun-\ncil of Ost-\nwick de-\ncided to re-\npair it.", "The council of Ostwick decided to repair it."),
        ("an in-\r\nter-\r\n  est-\ning, old pier", "an interesting, old pier"),
        ("a soft\xad\nened long\u2010\nterm plan", "a softened long-term plan"),
        ("short-\nand long-\nterm plans", "short- and long-term plans"),
        ("Jean-\nLuc in COVID-\n19, 1990-\n1995", "Jean-Luc in COVID-19, 1990-1995"),
        ("The water-tight hull was water-\ntight.", "The water-tight hull was water-tight."),
        ("the harbour -\nand the pier", "the harbour - and the pier"),
    ],
)
def test_words_parted_at_the_ends_of_lines_are_whole(pasted: str, whole: str) -> None:
    assert " ".join(unbroken(pasted).split()) == whole


def test_the_ends_of_paragraphs_stay() -> None:
    assert (
        unbroken("of the coun-\ncil.\n\nNext of the harbour-\n\nNew")
        == "of the council.\n\nNext of the harbour-\n\nNew"
    )
    for text in ("a" * 400_000, "a-\n" * 100_000, "a-" + " " * 300_000, "-\n" * 200_000):
        started = time.process_time()
        assert unbroken(text)
        assert time.process_time() - started < 2


def test_amounts_are_read_in_any_text() -> None:
    for text in ("", "1" * 5000, "1,000," * 2000, "9" * 400 + " million", "½ of 3⁄4 km² per 1/2", "٣ مليون"):
        assert aligned(text, text) == text
        assert not unfit(text, text)
        assert all(0 <= one.start < one.end <= len(text) for one in amounts(text))


def test_files_for_spreadsheets_are_quoted_marked_and_read_back() -> None:
    body = csv_bytes(["=head", "b"], [["x\ny", None], ['say "hi"', -1.5], ["\x00z", "\ud800"], [True, "Zürich"]])
    assert body.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    assert rows == [["'=head", "b"], ["x\ny", ""], ['say "hi"', "-1.5"], ["z", "?"], ["yes", "Zürich"]]


def test_a_guard_can_be_taken_away_again_and_nothing_else() -> None:
    some = random.Random(3)
    made = ["".join(some.choices("=＋';\t\n\r \"\ufeffa", k=some.randrange(9))) for _ in range(20_000)]
    for text in ("''-", "a;'=1", "a; ' \n'=1", "rock;'n' roll", "it's; '+1' it is", *made):
        there = guarded(text)
        assert unguarded(there) == text
        assert safe_cell(there) == there  # nothing is left in it that would run


def _body(text: str, encoding: str) -> bytes:
    return f"text;source_url\n{text};https://a.example\n".encode(encoding)


def test_a_file_that_is_not_unicode_is_read_rightly_or_refused_never_as_readable_nonsense() -> None:
    assert sum(bool(case["detected"]) for case in ENCODED) >= FLOOR * len(ENCODED)
    for case in ENCODED:
        data = _body(case["text"], case["encoding"])
        assert case["text"] in decode_file(data, case["encoding"]).text
        if not case["detected"]:
            with pytest.raises(ValueError, match="encoding cannot be detected"):
                decode_file(data)
            continue
        found = decode_file(data)
        assert found.guessed
        assert case["text"] in found.text, case


def test_unicode_is_proven_by_the_bytes_whatever_was_asked_for() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        found = decode_file(_body("Zürich is large, and Genève is not.", encoding), "cp1251")
        assert "Zürich" in found.text
        assert not found.guessed
    for encoding, words in (
        ("nonsense", "no text encoding 'nonsense'"), ("rot13", "no text encoding"), ("utf-7", "not supported"),
        ("cp932", "not in the encoding Japanese"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            decode_file(_body("Мост через реку", "cp1251"), encoding)


def test_a_file_is_replaced_whole_and_keeps_its_mode_and_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"earlier")
    path.chmod(0o600)
    (tmp_path / "out.csv.part").write_bytes(b"mine")
    for name, age in ((f".{'a' * 32}.part", 4_000), (f".{'b' * 32}.part", 60), (".mine.part", 4_000)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    write_whole(path, [b"one", b"two"])
    assert [file.name[1] for file in sorted(tmp_path.glob(".*"))] == ["b", "m"], "one was left an hour ago"
    for file in tmp_path.glob(".*"):
        file.unlink()
    assert path.read_bytes() == b"onetwo"
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "out.csv.part").read_bytes() == b"mine"
    long = tmp_path / ("n" * 250)
    write_whole(long, [b"x"])
    assert long.read_bytes() == b"x"
    assert len(list(tmp_path.iterdir())) == 3


def test_what_was_there_stays_when_the_pieces_break_off(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"one"
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.csv"
    path.write_bytes(b"earlier")
    with pytest.raises(OSError, match="No space"):
        write_whole(path, broken())
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "a", [b"x"])
    for place in (".", "/", ""):
        with pytest.raises(IsADirectoryError):
            write_whole(Path(place), [b"x"])
    (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "out", [b"x"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "out"]


def test_links_and_pipes_are_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    write_whole(tmp_path / "link", [b"x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out").read_bytes() == b"x"
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, [b"x"])
    reader.join(5)
    assert read == [b"x"]
    assert pipe.is_fifo()
