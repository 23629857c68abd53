from ghost.inference import readable
from ghost.inference.text import MAX_CHARS


def test_ordinary_text_is_left_alone() -> None:
    assert readable("Café “au lait” costs 2.50 €.") == "Café “au lait” costs 2.50 €."


def test_blanks_shrink_and_ends_are_cut() -> None:
    assert readable("  a\n\n b\t c ") == "a b c"
    assert len(readable("x" * 1_000_000)) == MAX_CHARS
    assert readable(" " * 1_000_000 + "end") == "end"


def test_lone_surrogates_become_question_marks() -> None:
    assert readable("a\ud800b") == "a?b"


def test_other_forms_of_digits_and_letters_become_the_usual_ones() -> None:
    assert readable("１９３２ and ١٩٣٢ and १९३२, ＡＢＣ") == "1932 and 1932 and 1932, ABC"
    assert readable("The ﬁre oﬃcials conﬁrmed the ﬂood.") == "The fire officials confirmed the flood."
    assert readable("10⁶ H₂O ½ Ⅳ ℃") == "10⁶ H₂O ½ Ⅳ ℃"
