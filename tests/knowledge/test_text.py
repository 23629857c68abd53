import pytest

from ghost.knowledge import cut, normalise, sentences
from ghost.knowledge.chunking import PASSAGE_CHARS


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("  a \n\t b\u00a0c\u2003d ", "a b c d"),
        ("cafe\u0301", "café"),
        ("zero\u200bwidth\u2060\ufeff soft\u00adhyphen", "zerowidth softhyphen"),
        ("tag\U000e0041\U000e0042s", "tags"),
        ("right\u202eto\u2066left", "righttoleft"),
        ("bell\x07 null\x00 del\x7f c1\x9f", "bell null del c1"),
        ("lone\ud800 surrogate", "lone surrogate"),
        ("نمی\u200cخواهم 👩\u200d🔬", "نمی\u200cخواهم 👩\u200d🔬"),
        ("\r\n", ""),
    ],
)
def test_normal_form(raw: str, normal: str) -> None:
    assert normalise(raw) == normal
    assert normalise(normal) == normal


@pytest.mark.parametrize(
    "expected",
    [
        ["It rose by 1.5 percent.", "That is much!", "Is it?", "Yes…", "Good."],
        ["Dr. Smith met Mr. Jones at St. Paul's, i.e. in London, e.g. at noon.", "They spoke."],
        ["The U.S. economy grew.", "J. R. R. Tolkien wrote it."],
        ["See Fig. 3 and No. 7, pp. 8 ff. of vol. 2."],
        ['She said "It is over."', "Then she left."],
        ['"Is it over?" she asked.', "Nobody knew."],
        ["It ended (finally.)", "The rest is history."],
        ["Version 2.0.1 is on example.com now.", "Get it."],
        ["No full stop at the end"],
    ],
)
def test_sentences_end_where_they_end(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_sentences_without_blanks_between_them() -> None:
    assert sentences("月亮很远。它有多远？很远！") == ["月亮很远。", "它有多远？", "很远！"]


def test_passages_have_up_to_three_sentences_and_end_with_their_paragraph() -> None:
    text = "One is one. Two is two. Three is three.\nFour is four.\n\nFive is five.\n \nSix is six."
    assert cut(text) == ["One is one. Two is two. Three is three.", "Four is four.", "Five is five.", "Six is six."]
    assert cut("") == cut(" \n\n ") == []


def test_passages_do_not_grow_too_long() -> None:
    sentence = "This sentence has some words in it, as sentences do" + ", and more" * 30 + "."
    assert len(sentence) > PASSAGE_CHARS / 2
    passages = cut(" ".join([sentence] * 4))
    assert passages == [sentence] * 4


@pytest.mark.parametrize("text", ["word " * 1000, "x" * 5000, "Item one; item two, " * 200, "。" * 3000])
def test_what_has_no_sentences_is_cut_anyway_and_nothing_is_lost(text: str) -> None:
    passages = cut(text)
    assert all(0 < len(p) <= PASSAGE_CHARS for p in passages)
    assert "".join(passages).replace(" ", "") == text.replace(" ", "")
