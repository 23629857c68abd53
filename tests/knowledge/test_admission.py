from datetime import date

import pytest

from ghost.knowledge import MAX_CHARS, CredibilityBook, admit, cut, suspicious, unreadable
from ghost.knowledge.admission import admit_from_outside
from ghost.types import NewPassage, Origin, Status
from tests.knowledge.helpers import fetched, table

FACT = "The Moon is about 384,400 kilometres from the Earth."


def test_a_passage_is_brought_into_normal_form_and_otherwise_left_as_it_is() -> None:
    new = NewPassage(
        f"\ufeff{FACT}\n", " https://a.org/x ", "A\ttitle", Origin.WEB, language=" EN-gb ", publisher="P\u200b",
        published_at=date(2020, 1, 1), topic="t" * 500,
    )  # fmt: skip
    admission = admit(new)
    passage = admission.passage
    assert passage is not None
    assert (passage.text, passage.source_url, passage.title) == (FACT, "https://a.org/x", "A title")
    assert (passage.language, passage.publisher, len(passage.topic)) == ("en-gb", "P", 80)
    assert (passage.origin, passage.published_at, passage.status) == (Origin.WEB, date(2020, 1, 1), Status.ACTIVE)
    assert admission.reason == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\u200b\t", "empty"),
        ("too few", "too short"),
        ("x" * (MAX_CHARS + 1), "too long"),
        ("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00 abc", "binary"),
        ("\ufffd\ufffdabc\ufffddef\ufffd\ufffd ghi", "binary"),
        ("1234567890 +-*/ 3.14", "no words"),
    ],
)
def test_what_is_no_passage_is_refused(text: str, reason: str) -> None:
    admission = admit(NewPassage(text))
    assert admission.passage is None
    assert reason in admission.reason


ORDERS = [row["text"] for row in table("orders") if row["order"]]
HARMLESS = [row["text"] for row in table("orders") if not row["order"]]


def test_orders_to_an_ai_are_quarantined_with_the_reason() -> None:
    for text in ORDERS:
        admission = admit(NewPassage(text, note="from the web"))
        assert admission.passage is not None
        assert admission.passage.status is Status.QUARANTINED, text
        assert admission.reason
        assert admission.passage.note == f"from the web; quarantined: {admission.reason}"


def test_text_about_the_world_is_admitted() -> None:
    assert [text for text in HARMLESS if suspicious(text)] == []


def test_a_passage_that_comes_in_retired_stays_retired() -> None:
    admission = admit(NewPassage(ORDERS[0], status=Status.RETIRED))
    assert admission.passage is not None
    assert admission.passage.status is Status.RETIRED
    assert admission.reason == ""


def rated(value: float) -> CredibilityBook:
    """Everything is rated alike."""
    return CredibilityBook({}, [], value)


def test_what_was_fetched_needs_an_address_and_the_time() -> None:
    assert admit_from_outside(fetched(), rated(0.5), 0.3).passage is not None
    for wrong in (fetched(url=""), fetched(url="a page"), fetched(url="file:///etc/passwd")):
        assert "address" in admit_from_outside(wrong, rated(0.5)).reason
    assert "when" in admit_from_outside(fetched(retrieved_at=None), rated(0.5)).reason
    assert admit_from_outside(NewPassage(FACT), rated(0.0), 1.0).passage is not None


def test_a_source_of_low_credibility_waits_in_quarantine_with_the_reason() -> None:
    admission = admit_from_outside(fetched(), rated(0.2), 0.3)
    assert admission.passage is not None
    assert admission.passage.status is Status.QUARANTINED
    assert admission.reason == "its source has a credibility of 0.20, below 0.30"
    assert admission.reason in admission.passage.note
    assert admit_from_outside(fetched(), rated(0.3), 0.3).passage.status is Status.ACTIVE  # type: ignore[union-attr]


def test_what_cannot_be_read_waits_in_quarantine_with_the_reason() -> None:
    for row in table("readable_texts"):
        admission = admit_from_outside(fetched(row["text"]), rated(0.9))
        assert admission.passage is not None
        assert bool(unreadable(row["text"])) is not row["readable"], row["text"]
        if not row["readable"]:
            assert admission.passage.status is Status.QUARANTINED
            assert "hardly readable" in admission.reason


def test_orders_and_doubts_do_not_hide_each_other() -> None:
    admission = admit_from_outside(fetched(ORDERS[0]), rated(0.1), 0.3)
    assert admission.passage is not None
    assert admission.passage.status is Status.QUARANTINED
    assert "AI" in admission.reason


def test_a_passage_pasted_from_a_pdf_has_its_words_whole() -> None:
    pasted = "The coun-\ncil has a long-\nterm plan for Ost-\nwick.\n\nThe pier was re-\npaired."
    assert cut(pasted) == ["The council has a long-term plan for Ostwick.", "The pier was repaired."]
    passage = admit(NewPassage("The coun-\ncil has a long-\nterm plan.")).passage
    assert passage
    assert passage.text == "The council has a long-term plan."
