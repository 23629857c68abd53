"""The text of PDFs, and why some have none."""

import io
import time
import zlib
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from ghost.web import ReadPage, Unreadable, WhyUnreadable, read

TODAY = date(2026, 1, 1)
TEXT = (
    "The harbour board counted 312 ships in the year 2019. That is twelve more than in the year before, and the most "
    "since the new pier was opened. The board expects the same number in the years to come."
)

FILES = Path(__file__).parent / "data"
WORDS = "North East South West Upper Lower Inner Outer".split()


def pdf(pages: int = 1, text: str = TEXT, **meta: str) -> bytes:
    made = FPDF()
    made.set_auto_page_break(False)
    made.set_creation_date(datetime(2020, 2, 3, tzinfo=UTC))
    for number in range(pages):
        made.add_page()
        made.set_font("Helvetica", size=9)
        made.cell(0, 8, "Harbour board report", new_x="LMARGIN", new_y="NEXT")
        made.set_font("Helvetica", size=12)
        made.multi_cell(
            0,
            8,
            f"{WORDS[number % 8]} is the pier of this page. {text} The keeper of pier {WORDS[number % 8]} signed it.",
        )
        made.set_y(-20)
        made.cell(0, 8, f"Page {number + 1} of {pages}")
    if "title" in meta:
        made.set_title(meta["title"])
    if "author" in meta:
        made.set_author(meta["author"])
    return bytes(made.output())


def encrypted(password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf())))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def raw(content: bytes, packed: bytes = b"") -> bytes:
    """The smallest file with one page of these drawing commands."""
    stream = packed or content
    how = b"/Filter /FlateDecode " if packed else b""
    fonts = b"/Resources << /Font << /F 5 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R %s >>" % fonts,
        b"<< " + how + b"/Length %d >> stream\n" % len(stream) + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table, size = len(out), len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size + b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, table)


def read_pdf(body: bytes, seconds: float = 10.0) -> ReadPage | Unreadable:
    return read(body, "application/pdf", "https://a.example/r.pdf", today=TODAY, seconds=seconds)


def text_of(body: bytes) -> str:
    found = read_pdf(body)
    assert isinstance(found, ReadPage), found
    return found.text


def test_a_pdf_is_read_as_a_page() -> None:
    found = read(
        pdf(title="Ships of 2019", author="Harbour Board"), "application/pdf", "https://a.example/r.pdf", today=TODAY
    )
    assert isinstance(found, ReadPage)
    assert (found.title, found.author, found.language) == ("Ships of 2019", "Harbour Board", "en")
    assert TEXT in found.text
    assert (found.published_at, found.date_sure.source, found.date_sure.level) == (
        date(2020, 2, 3),
        "properties",
        "guess",
    )
    assert all(found.text[p.start : p.end] == p.text for p in found.passages)


def test_what_stands_at_the_edge_of_every_page_is_left_out() -> None:
    text = text_of(pdf(5))
    assert "Harbour board report" not in text
    assert "of 5" not in text
    assert "The keeper of pier West signed it." in text


def lines_of(pages: list[list[str]]) -> str:
    made = FPDF()
    made.set_auto_page_break(False)
    for page in pages:
        made.add_page()
        made.set_font("Helvetica", size=12)
        for line in page:
            made.cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    return text_of(bytes(made.output())).replace("\n\n", " ")


@pytest.mark.parametrize(
    "pages",
    [
        [["Turnout in percent", "61", "Invalid votes in percent", "2"]],
        [[f"Votes in the {word}", figure] for word, figure in zip(WORDS, "61 17 8 40 33 9 71 12".split(), strict=True)],
    ],
)
def test_a_figure_at_the_edge_of_a_page_is_no_page_number(pages: list[list[str]]) -> None:
    text = lines_of(pages)
    assert [word for page in pages for line in page for word in line.split()] == text.split()


@pytest.mark.parametrize("form", ["- {} -", "{} / 19"])
def test_numbers_that_count_the_pages_are_left_out(form: str) -> None:
    pages = [[f"The keeper of pier {word} signed.", "61", form.format(n)] for n, word in enumerate(WORDS, 12)]
    pages[3].pop()  # a page of its own, without a number
    text = lines_of([[word, *page] for word, page in zip(WORDS, pages, strict=True)])
    assert not any(form.format(n) in text for n in range(12, 20))


def test_a_file_that_only_forbids_printing_is_read() -> None:
    assert TEXT in text_of(encrypted(""))


@pytest.mark.parametrize("cipher", ["aes128", "aes256"])
def test_a_file_that_only_forbids_printing_is_read_or_refused_whatever_its_cipher(cipher: str) -> None:
    """AES is undone only where the package cryptography is installed."""
    found = read_pdf((FILES / f"encrypted-{cipher}.pdf").read_bytes())
    if isinstance(found, ReadPage):
        assert "The harbour board counted 312 ships in the year 2019." in found.text
    else:
        assert found.kind is WhyUnreadable.ENCRYPTED
        assert "encrypted in a way that cannot be undone here" in found.why


def test_a_long_file_is_read_as_far_as_its_sixtieth_page() -> None:
    made = FPDF()
    for number in range(62):
        made.add_page()
        made.set_font("Helvetica", size=12)
        made.cell(0, 8, f"The keeper of pier {number + 1} signed for {WORDS[number % 8]}.")
    found = read_pdf(bytes(made.output()))
    assert isinstance(found, ReadPage)
    assert "pier 60 signed" in found.text
    assert "pier 61 signed" not in found.text
    assert "Only 60 of 62 pages of the PDF were read." in found.notes


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (encrypted("secret"), WhyUnreadable.ENCRYPTED),
        (b"%PDF-1.7\nnothing else", WhyUnreadable.DAMAGED),
        (pdf()[:300], WhyUnreadable.DAMAGED),
        (raw(b"0 0 10 10 re f"), WhyUnreadable.EMPTY),
        (b"<html>no pdf</html>", WhyUnreadable.DAMAGED),
    ],
    ids=["encrypted", "header only", "cut off", "a picture", "another thing"],
)
def test_what_cannot_be_read_says_why(body: bytes, kind: WhyUnreadable) -> None:
    found = read(body, "application/pdf", "https://a.example/r.pdf")
    assert isinstance(found, Unreadable)
    assert found.kind is kind


def test_a_page_that_unpacks_to_gigabytes_is_not_unpacked() -> None:
    bomb = zlib.compress(b" " * 100_000_000, 6)
    started = time.monotonic()
    assert isinstance(read_pdf(raw(b"", bomb)), Unreadable)
    assert time.monotonic() - started < 30


def test_a_file_that_takes_too_long_is_given_up() -> None:
    started = time.monotonic()
    found = read_pdf(raw(b"BT /F 12 Tf " + b"(a) Tj 1 0 Td " * 200_000 + b"ET"), seconds=0.5)
    assert isinstance(found, Unreadable)
    assert found.kind is WhyUnreadable.TIMEOUT
    assert time.monotonic() - started < 10


def broken_lines(*lines: str) -> bytes:
    drawn = b"".join(b"(%b) Tj 0 -20 Td " % line.encode("latin-1") for line in lines)
    return raw(b"BT /F 12 Tf 10 280 Td " + drawn + b"ET")


LINES = {
    "The committee met.": ("The com-", "mittee met."),
    "It is a long-term plan.": ("It is a long-", "term plan."),
    "It is anti-inflationary.": ("It is anti-", "inflationary."),
    "They took antibiotics.": ("They took anti-", "biotics."),
    "A co-operative, well-known.": ("A co-", "operative, well-", "known."),
    "The water-tight hull was water-tight.": ("The water-tight hull was water-", "tight."),
    "Wellington is far, and Wellington is old.": ("Well-", "ington is far, and Wellington is old."),
    "Die Regierung und die Bundeswehr.": ("Die Regie-", "rung und die Bundes-", "wehr."),
}


def test_a_word_cut_at_the_end_of_its_line_is_whole() -> None:
    found = text_of(broken_lines(*(line for lines in LINES.values() for line in lines)))
    assert found.replace("\n\n", " ") == " ".join(LINES)


def test_a_heading_does_not_run_into_the_sentence_behind_it() -> None:
    full = "Two main cables have to be replaced before the bridge can carry traffic again, which"
    found = text_of(broken_lines("The bridge was closed.", "What follows", full, "takes until summer."))
    assert "What follows\n\nTwo main cables" in found
    found = text_of(broken_lines("The sum was paid by", f"Mr Ode. {full}", "takes until summer."))
    assert "paid by" in found.split("\n\n")[0]


LEFT = (
    "The mayor of Ostwick said on Friday that the pier will be repaired by May, and that residents will have a ferry. "
    * 3
)
RIGHT = (
    "The ferry company of Port Ansel was sold in March for 30 million crowns, and its directors have resigned since. "
    * 3
)


@pytest.mark.parametrize(("size", "gutter"), [(9, 5)])
def test_columns_are_read_one_after_the_other(size: int, gutter: int) -> None:
    made = FPDF()
    made.add_page()
    made.set_font("Helvetica", size=16)
    made.cell(0, 10, "News from Ostwick and from Port Ansel on one page", new_x="LMARGIN", new_y="NEXT")
    made.set_font("Helvetica", size=size)
    top, width = made.get_y(), (190 - gutter) / 2
    for left, text in ((10, LEFT), (10 + width + gutter, RIGHT)):
        made.set_xy(left, top)
        made.multi_cell(width, 5, text)
    found = text_of(bytes(made.output()))
    assert LEFT.strip() in found.replace("\n\n", " ")
    assert RIGHT.strip() in found.replace("\n\n", " ")
    assert found.startswith("News from Ostwick")


@pytest.mark.parametrize("name", sorted(f.name for f in FILES.glob("pdf-*.pdf")))
def test_files_from_the_field(name: str) -> None:
    assert text_of((FILES / name).read_bytes()) == (FILES / name).with_suffix(".txt").read_text().strip()


def test_letters_that_the_file_does_not_name_are_not_taken_for_text() -> None:
    garbled = read_pdf(broken_lines("/g01/g02/g03/g04 /g05/g06", "/g07/g08/g09 /g10/g11/g12"))
    assert isinstance(garbled, Unreadable)
    assert garbled.kind is WhyUnreadable.NOT_TEXT
    assert garbled.why == "The PDF does not say which letters its characters stand for, so its text cannot be read."
    assert "/g01" in text_of(
        broken_lines("The font calls its first letter /g01, and", "no reader can know what it is.")
    )


OPENED = "The pier of Ostwick was opened in 1932."
CLEAR = "The harbour board counted 312 ships in the year of the flood, and it was more than ever before."


@pytest.mark.parametrize(
    "lost",
    ["It cost /g12/g34 million crowns.", "It cost (cid:3)00 crowns.", "The /uni0041/uni0042 board paid.",
     "It was not the/g23 last.", "/C12/C34/C56 closed it.", "(cid:12)(cid:13) was not the first."],
)  # fmt: skip
def test_a_sentence_with_lost_letters_is_left_out_and_the_page_says_so(lost: str) -> None:
    found = read_pdf(broken_lines(OPENED, CLEAR, lost, CLEAR))
    assert isinstance(found, ReadPage)
    assert found.text.replace("\n\n", " ") == f"{OPENED} {CLEAR} {CLEAR}"
    assert found.notes == (
        "A page of the PDF does not say which letters all characters stand for; what could not be read was left out.",
    )


@pytest.mark.parametrize(
    "kept",
    ["See https://a.example/g12/g34 for more.", "(cid:127) Boats leave at noon.", "Flights A/C12 and B/C13 are off."],
)
def test_addresses_marks_of_items_and_numbers_are_no_lost_letters(kept: str) -> None:
    found = read_pdf(broken_lines(OPENED, kept))
    assert isinstance(found, ReadPage)
    assert kept.removeprefix("(cid:127) ") in found.text
    assert found.notes == ()
