import time

import pytest

from ghost.sentences import normalise, pieces, spans


def test_spans_are_places_in_the_text() -> None:
    text = "  Dr. Smith left.  It rose by 1.5 percent!  Why?"
    assert [text[a:b] for a, b in spans(text)] == ["Dr. Smith left.", "It rose by 1.5 percent!", "Why?"]
    assert list(spans("")) == list(spans("   ")) == []


def test_a_part_of_a_text_is_cut_at_its_places() -> None:
    text = "Before. One is one. Two is two. After."
    assert [text[a:b] for a, b in spans(text, 8, 31)] == ["One is one.", "Two is two."]


def test_a_long_sentence_is_cut_at_a_pause_and_keeps_every_word() -> None:
    text = "The first part is here, " * 40
    found = [text[a:b] for a, b in pieces(text, 0, len(text), 200)]
    assert all(part.endswith(",") and len(part) <= 200 for part in found)
    assert " ".join(found) == text.strip()


@pytest.mark.parametrize("text", ["." * 300_000, "e.g. " * 60_000, "a. " * 100_000, '."' * 150_000, "。" * 300_000])
def test_no_text_takes_more_time_than_its_length_is_worth(text: str) -> None:
    started = time.process_time()
    assert sum(b - a for a, b in spans(text)) > 0
    assert time.process_time() - started < 3


@pytest.mark.parametrize("marks", ["\u0301\u0323" * 60_000, ("\u0301\u0323" * 15 + "\u200d") * 4_000])
def test_accents_heaped_on_one_letter_take_no_time(marks: str) -> None:
    started = time.process_time()
    assert normalise(f"Text a{marks}bc").endswith("bc")
    assert time.process_time() - started < 1
