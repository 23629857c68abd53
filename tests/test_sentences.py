import time

import pytest

from ghost.text import normalise, pieces, spans


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


@pytest.mark.parametrize(
    "expected",
    [
        ["Am 3. Oktober 1990 wurde Deutschland wieder vereinigt.", "Es war ein Mittwoch."],
        ["Der 1. FC Köln spielt in der 2. Bundesliga.", "Das Stadion ist alt."],
        ["Er kam beim Lauf auf Platz 3.", "Danach wurde er der Trainer von zwei anderen."],
        ["Das kostet 5 Mio. Euro und 3 Mrd. Dollar im Jahr."],
        ["Um 44 v. Chr. Rom zu verlassen, war gefährlich."],
        ["La Sra. García y la Dra. López viajaron juntas.", "Ayer volvieron."],
        ["Maj. Gen. Smith met Adm. Jones and Ph.D. Miller.", "Nobody else came."],
        ["Ursula von der Leyen came in at 3.", "Later she left for the airport."],
        ["They scored 12.", "Nobody had expected that from the team."],
        ["See No. 7 and Art. 3.", "The answer was no.", "They left."],
        ["یہ پہلا جملہ ہے۔", "یہ دوسرا جملہ ہے۔", "یہ تیسرا ہے۔"],
        ["Սա առաջին նախադասությունն է։", "Սա երկրորդն է։"],
        ["ይህ የመጀመሪያው ዓረፍተ ነገር ነው።", "ይህ ሁለተኛው ነው።"],
        ["ဒါက ပထမ စာကြောင်း ဖြစ်တယ်။", "ဒါက ဒုတိယ ဖြစ်တယ်။"],
        ["នេះ​ជា​ប្រយោគ​ទី​មួយ។", "នេះ​ជា​ប្រយោគ​ទី​ពីរ៕"],
    ],
)
def test_sentences_of_many_languages_end_where_they_end(expected: list[str]) -> None:
    text = " ".join(expected)
    assert [text[a:b] for a, b in spans(text)] == expected


@pytest.mark.parametrize(
    "text", ["." * 300_000, "e.g. " * 60_000, "a. " * 100_000, '."' * 150_000, "。" * 300_000, "1. A " * 60_000]
)
def test_no_text_takes_more_time_than_its_length_is_worth(text: str) -> None:
    started = time.process_time()
    assert sum(b - a for a, b in spans(text)) > 0
    assert time.process_time() - started < 3


@pytest.mark.parametrize("marks", ["\u0301\u0323" * 60_000, ("\u0301\u0323" * 15 + "\u200d") * 4_000])
def test_accents_heaped_on_one_letter_take_no_time(marks: str) -> None:
    started = time.process_time()
    assert normalise(f"Text a{marks}bc").endswith("bc")
    assert time.process_time() - started < 1
