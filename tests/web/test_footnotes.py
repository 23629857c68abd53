"""What raised and lowered signs are in plain text: a note mark is never joined to a number, a power never lost."""

import time

import pytest

from ghost.web.footnotes import settle_marks, settle_signs
from ghost.web.tree import parse


def said(html: str) -> str:
    tree = parse(f"<body><p>{html}</p></body>")
    settle_marks(tree)
    return " ".join("".join(tree.itertext()).split())


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("It cost 4<sup>2</sup> million.", "It cost 4 million."),
        ("In 2019<sup>3</sup> it rained.", "In 2019 it rained."),
        ("About 1,200<sup>7</sup> people came.", "About 1,200 people came."),
        ("A share of 17.9<sup>1</sup>% was lost.", "A share of 17.9% was lost."),
        ("Some 12<sup>3</sup> people were hurt.", "Some 12 people were hurt."),
        ("Some 12<sup>[3]</sup> people were hurt.", "Some 12 people were hurt."),
        ("Some 12<sup>1,2</sup> people were hurt.", "Some 12 people were hurt."),
        ("Some 12<sup>1–3</sup> people were hurt.", "Some 12 people were hurt."),
        ("Some 12<sup>*</sup> people, 5<sup>†</sup> of them old.", "Some 12 people, 5 of them old."),
        ("Some 12<sup>a</sup> per cent.", "Some 12 per cent."),
        ("Some 10<sup><a href='#r6'>6</a></sup> people.", "Some 10 people."),
        ("Some 10<a href='#r6'><sup>6</sup></a> people.", "Some 10 people."),
        ("The harbour<sup>4</sup> froze.<sup>5</sup> It thawed.<sup>6, 7</sup>", "The harbour froze. It thawed."),
        ("The harbour<sup>c</sup> froze.", "The harbour froze."),
        ("Some 61<a class='fnref' href='/n/2'>2</a> boats.", "Some 61 boats."),
        ("Some 61<a href='#_ftn2'>2</a> boats.", "Some 61 boats."),
        ("Some 61<a href='#cite_note-2'>[2]</a> boats.", "Some 61 boats."),
        ("Some 61 <a href='#cite_note-2'>[note 2]</a> boats.", "Some 61 boats."),
        ("Some 61<span epub:type='noteref'>2</span> boats.", "Some 61 boats."),
        ("Some 61<span class='footnote-ref'><sup>2</sup></span> boats.", "Some 61 boats."),
        ("Some 61<sub>2</sub> per cent.", "Some 61 per cent."),
        ("<sup>1</sup> Source: the council.", "Source: the council."),
    ],
)
def test_a_note_mark_goes(html: str, text: str) -> None:
    assert said(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("It holds 10<sup>6</sup> litres.", "It holds 10^6 litres."),
        ("It holds 3 × 10<sup>6</sup> million litres.", "It holds 3 × 10^6 million litres."),
        ("It weighs 10<sup>-9</sup> grams.", "It weighs 10^-9 grams."),
        ("It weighs 10<sup>−9</sup> grams.", "It weighs 10^−9 grams."),
        ("There are 2<sup>32</sup> addresses.", "There are 2^32 addresses."),
        ("So 5<sup>3</sup> = 125.", "So 5^3 = 125."),
        ("There are 2<sup>n</sup> of them.", "There are 2^n of them."),
        ("It is 40 km<sup>2</sup> large.", "It is 40 km² large."),
        ("It is 5 ft<sup>2</sup> large.", "It is 5 ft² large."),
        ("It is 9 m s<sup>-2</sup> here.", "It is 9 m s⁻² here."),
        ("Then E = mc<sup>2</sup>.", "Then E = mc²."),
        ("Then x<sup>2</sup> + y<sup>2</sup>.", "Then x² + y²."),
        ("The 1<sup>st</sup>, 2<sup>nd</sup> and 21<sup>st</sup> of May.", "The 1st, 2nd and 21st of May."),
        ("Au XIX<sup>e</sup> siècle, le 1<sup>er</sup> mai.", "Au XIXe siècle, le 1er mai."),
        ("La 3<sup>a</sup> edición.", "La 3a edición."),
        ("CO<sub>2</sub>, H<sub>2</sub>O and H<sub>2</sub>SO<sub>4</sub>.", "CO2, H2O and H2SO4."),
        ("CO<sup>2</sup> rises.", "CO2 rises."),
        ("Ca<sup>2+</sup>, Na<sup>+</sup>.", "Ca2+, Na+."),
        ("The <sup>14</sup>C method.", "The 14C method."),
        ("It is 20<sup>o</sup>C or 68<sup>0</sup>F.", "It is 20°C or 68°F."),
        ("It is 3<sup>1</sup>/<sub>2</sub> miles, or <sup>1</sup>⁄<sub>2</sub>.", "It is 3 1/2 miles, or 1⁄2."),
        ("It costs $19<sup>99</sup> now.", "It costs $19.99 now."),
        ("Acme<sup>TM</sup> and M<sup>lle</sup>.", "AcmeTM and Mlle."),
        ("It rose.<sup>[citation needed]</sup>", "It rose.[citation needed]"),
        ("PM<sub>2.5</sub> and B<sub>12</sub>.", "PM2.5 and B12."),
        ("It is 1010<sub>2</sub> in binary.", "It is 1010_2 in binary."),
        ("See Table <a href='#ref2'>2</a> and <a href='#foot'>the note</a>.", "See Table 2 and the note."),
        ("The <span class='reference'>reference value</span> is 5.", "The reference value is 5."),
        ("In <a href='/2019'>2019</a> it rained.", "In 2019 it rained."),
    ],
)
def test_what_belongs_to_a_number_or_a_word_stays(html: str, text: str) -> None:
    assert said(html) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("It cost 4² million.", "It cost 4 million."),
        ("It holds 10⁶ litres.", "It holds 10^6 litres."),
        ("It weighs 10⁻⁹ grams.", "It weighs 10^-9 grams."),
        ("It is 40 km² of CO₂, Ca²⁺ and mc².", "It is 40 km² of CO₂, Ca2+ and mc²."),
        ("The harbour⁴ froze.¹² It thawed.", "The harbour froze. It thawed."),
        ("So 5³ = 125, and 3½ miles.", "So 5^3 = 125, and 3½ miles."),
    ],
)
def test_characters_are_read_as_markup_is(written: str, text: str) -> None:
    assert settle_signs(written) == text


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "3<sup>1</sup> " * 15_000 + "</p>",
        "<p>" + "a" * 1_000_000 + "<b></b><sup>1</sup>" * 5_000 + "</p>",
        "<p>" + "<sup>" * 200 + "1" + "</sup>" * 200 + "</p>",
        "<p>" + "<b>" * 200 + "x" * 1_000_000 + "</b><sup>2</sup>" * 200 + "</p>",
    ],
)
def test_time_grows_with_the_page(html: str) -> None:
    tree = parse(html)
    started = time.process_time()
    settle_marks(tree)
    assert time.process_time() - started < 3
    assert "sup" not in {node.tag for node in tree.iter()}


def test_a_text_full_of_signs_is_read_in_time() -> None:
    started = time.process_time()
    settle_signs("3¹" * 200_000)
    assert time.process_time() - started < 5
