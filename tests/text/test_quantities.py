"""Amounts compared by value."""

import pytest

from ghost.text import aligned, amounts, other_scale

PASSAGES = {
    "tunnel": "The tunnel will cost 1.2 billion crowns.",
    "people": "Some 340 million people live in the region.",
    "debt": "The debt rose to 3 trillion dollars in 2024.",
    "dose": "The dose is 5 milligrams a day.",
    "money": "The club paid $5 million for him.",
    "height": "The peak rises 8,849 metres above the sea.",
    "heat": "Water boils at 100 °C at sea level.",
    "age": "The universe is about 13.8 billion years old.",
    "chapter": "In chapter 3, the author says that 3 million people left.",
}
CASES = [
    # passage, statement, whether its size is another one
    ("tunnel", "The tunnel will cost 1.2 million crowns.", True),
    ("tunnel", "The tunnel will cost 1.2 billion crowns.", False),
    ("tunnel", "The tunnel will cost 1,200 million crowns.", False),
    ("tunnel", "The tunnel has 1.2 million visitors.", False),
    ("people", "Some 340 billion people live in the region.", True),
    ("people", "Some 340 people live in the region.", True),
    ("people", "0.34 billion people live in the region.", False),
    ("people", "People have lived there for 340 years.", False),
    ("debt", "The debt rose to 3 billion dollars.", True),
    ("debt", "The debt rose to $3 billion.", True),
    ("debt", "The debt rose to $3 trillion.", False),
    ("dose", "The dose is 5 grams a day.", True),
    ("dose", "The dose is 5 mg a day.", False),
    ("dose", "The dose is 0.005 grams a day.", False),
    ("dose", "It is taken 5 times a day.", False),
    ("money", "The club paid 5 million dollars.", False),
    ("money", "The club paid 5 billion dollars.", True),
    ("height", "The peak is 29,032 feet high.", False),
    ("height", "The peak is 8,849 feet high.", True),
    ("heat", "Water boils at 212 °F.", False),
    ("heat", "Water boils at 100 °F.", True),
    ("chapter", "3 million people left.", False),
    ("chapter", "3 billion people left.", True),
]


@pytest.mark.parametrize(("passage", "statement", "other"), CASES)
def test_the_same_digits_with_another_size(passage: str, statement: str, other: bool) -> None:
    assert other_scale(PASSAGES[passage], statement) is other


@pytest.mark.parametrize(
    ("passage", "statement", "read"),
    [
        ("people", "0.34 billion people live there.", "Some 0.34 billion people live in the region."),
        ("height", "It is 29,032 feet high.", "The peak rises 29,032 feet above the sea."),
        ("heat", "It boils at 212 °F.", "Water boils at 212 °F at sea level."),
        ("dose", "The dose is 5 mg.", "The dose is 5 milligrams a day."),  # the model knows both
        ("tunnel", "It costs 1.2 million crowns.", "The tunnel will cost 1.2 billion crowns."),
        ("age", "It is nearly 14 billion years old.", "The universe is about 14 billion years old."),
        ("age", "It is 14 billion years old.", "The universe is about 13.8 billion years old."),
        ("age", "It is nearly 15 billion years old.", "The universe is about 13.8 billion years old."),
        ("height", "It is some 9,000 metres high.", "The peak rises 9,000 metres above the sea."),
        ("debt", "The year was 2024.", "The debt rose to 3 trillion dollars in 2024."),
    ],
)
def test_equal_amounts_are_written_alike(passage: str, statement: str, read: str) -> None:
    assert aligned(PASSAGES[passage], statement) == read


@pytest.mark.parametrize(
    "text", ["", "1" * 5000, "1,000," * 2000, "9" * 400 + " million", "½ of 3⁄4 km² per 1/2", "٣ مليون"]
)
def test_any_text_is_read(text: str) -> None:
    assert aligned(text, text) == text
    assert not other_scale(text, text)
    assert all(0 <= one.start < one.end <= len(text) for one in amounts(text))
