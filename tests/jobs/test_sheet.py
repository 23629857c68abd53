"""Files as rows: encodings, delimiters, heads, limits, and what is no list at all."""

import pytest

from ghost.errors import ClaimError
from ghost.jobs import MAX_ROWS, Sheet, read_sheet, sheet, sheet_of_text


def cells(found: Sheet) -> list[tuple[str, ...]]:
    return [row.cells for row in found.rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings_are_recognised(encoding: str) -> None:
    text = "claim;source\nDie Straße heißt „Größe“;Köln\nCafés à Paris;Nîmes\nEl niño comió;España\n"
    found = read_sheet(text.encode(encoding), "list.csv")
    assert found.head == ("claim", "source")
    assert cells(found)[0] == ("Die Straße heißt „Größe“", "Köln")
    assert "semicolon" in found.how


def test_an_encoding_can_be_asked_for() -> None:
    body = "claim\nПривет мир\n".encode("cp1251")
    assert cells(read_sheet(body, "x.csv", encoding="cp1251")) == [("Привет мир",)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_recognised(delimiter: str) -> None:
    rows = [["id", "claim"], ["1", f"The Moon{delimiter} a rock, orbits; the Earth"], ["2", "Bees dance"]]
    body = "\r\n".join(delimiter.join(f'"{c}"' for c in row) for row in rows).encode()
    found = read_sheet(body, "x.csv")
    assert found.head == ("id", "claim")
    assert found.claim_column == 1
    assert cells(found)[0][1] == rows[1][1]


def test_excel_may_name_the_delimiter() -> None:
    found = read_sheet(b"sep=;\nclaim;n\nBees dance, often;1\n", "x.csv")
    assert (found.head, cells(found)) == (("claim", "n"), [("Bees dance, often", "1")])
    assert found.rows[0].line == 3


def test_cells_may_have_lines_and_quotes_and_lines_are_counted_as_an_editor_does() -> None:
    found = read_sheet(b'claim,n\r\n"Bees\r\ndance ""a lot""",1\r\n\r\nWasps,2\r\n', "x.csv")
    assert [(r.line, r.cells) for r in found.rows] == [
        (2, ('Bees\ndance "a lot"', "1")), (4, ()), (5, ("Wasps", "2")),
    ]  # fmt: skip


def test_a_list_without_a_head_is_one_of_claims() -> None:
    found = read_sheet(b"The Moon is made of cheese.\nBees dance.\n", "x.txt")
    assert (found.has_head, found.head) == (False, ("claim",))
    assert len(found.rows) == 2
    assert read_sheet(b"The Moon is made of cheese.\nBees dance.\n", "x.txt", has_head=True).rows[0].cells == (
        "Bees dance.",
    )


def test_heads_are_named_once_and_long_rows_lose_nothing() -> None:
    found = read_sheet(b"claim,,claim\na,b,c,d\ne\n", "x.csv")
    assert found.head == ("claim", "column 2", "claim_2", "column 4")
    assert cells(found) == [("a", "b", "c", "d"), ("e",)]


LONG = "https://zeitung.example/region/2024/03/ostwick/bruecke-verkauft-oder-nicht-ein-ueberblick.html"


@pytest.mark.parametrize(
    ("body", "column"),
    [
        ("id,Claim Text,note\n1,x,a longer note\n", "Claim Text"),
        ("1,A long sentence about bees,z\n2,Another one,z\n", "column 2"),
        (
            f"Nr;Aussage;Quelle\n1;Die Brücke wurde 2019 verkauft.;{LONG}\n2;Der Pier ist bis Mai zu.;{LONG}\n",
            "Aussage",
        ),
        (f"claimReviewed,url\nThe bridge was sold.,{LONG}\n", "claimReviewed"),
        (f"{LONG},The bridge was sold\n{LONG},The pier is closed\n", "column 2"),
        (f"text,Satz\n{LONG},Der Pier ist zu\n", "Satz"),
        (f"n;主張;URL\n1;橋は売却されました。;{LONG}\n", "主張"),
        (f"a,b\n1,{LONG}\n2,{LONG}\n", None),
        (f"{LONG},{LONG}\n", None),
    ],
)
def test_the_column_of_claims_has_a_known_name_or_sentences_and_never_addresses(body: str, column: str | None) -> None:
    found = read_sheet(body.encode(), "x.csv")
    assert (None if found.claim_column is None else found.head[found.claim_column]) == column


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("Aussage\nDie Brücke wurde verkauft.\nDer Pier ist zu.\n", "Aussage"),
        ("Bees dance\nWasps sting\n", None),
        ("Bees dance,1\nWasps sting,2\n", None),
        (f"Bees dance,{LONG}\nWasps sting,{LONG}\n", None),
        ("The bridge was sold,Jo\nThe pier is closed,Al\n", None),
        ("Was wurde gesagt,Wer\nDie Brücke wurde im letzten Jahr an eine Firma verkauft,Al\n", "Was wurde gesagt"),
    ],
)
def test_a_head_is_told_from_a_claim(body: str, head: str | None) -> None:
    found = read_sheet(body.encode(), "x.csv")
    assert found.has_head is (head is not None)
    assert head is None or found.head[0] == head


def test_a_text_file_has_one_claim_per_line_and_no_columns() -> None:
    found = read_sheet('Bees dance; often, too\tor not\n\n"Wasps", 1\n'.encode("utf-16"), "list.TXT")
    assert [(row.line, row.cells) for row in found.rows] == [
        (1, ("Bees dance; often, too\tor not",)), (2, ()), (3, ('"Wasps", 1',)),
    ]  # fmt: skip
    assert read_sheet(b"claim\nBees dance\n", "x.txt").rows[0].cells == ("Bees dance",)


def test_an_encoding_that_cannot_be_used_is_refused_with_what_to_do() -> None:
    for encoding in ("", "nonsense"):
        with pytest.raises(ClaimError, match="encoding"):
            read_sheet("claim\nМост через реку открыт\n".encode("koi8-r"), "x.csv", encoding=encoding)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "empty"),
        (b"PK\x03\x04rest of a workbook", "workbook"),
        (b"%PDF-1.7 ...", "PDF"),
        (bytes(range(256)) * 40, "not a text file"),
        (b"\x00" * 5000, "not a text file"),
        (b"claim\n" + b"x\n" * (MAX_ROWS + 1), "at most 10,000"),
        (b",".join([b"x"] * 300), "300 columns"),
        (b'claim,n\nfine,1\n"never closed,2\nBees,3\nWasps,4\n', "Line 3 opens a quotation mark"),
    ],
)
def test_what_is_no_list_is_refused_with_what_to_do(body: bytes, words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        read_sheet(body, "x.csv")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MAX_BYTES", 2_000_000)
    with pytest.raises(ClaimError, match="3 MB"):
        read_sheet(b"x" * 3_000_000, "x.csv")


def test_a_cell_that_is_too_long_is_a_problem_of_its_line_only() -> None:
    found = read_sheet(b"claim,n\n" + b"x" * 200_000 + b",1\nBees dance,2\n", "x.csv")
    assert "cannot be read" in found.rows[0].problem
    assert found.rows[1].cells == ("Bees dance", "2")


def test_a_quotation_mark_that_swallows_more_than_a_cell_can_hold_is_named() -> None:
    lines = [f"Bees dance in field number {n} before they fly out again,{n}" for n in range(9000)]
    lines[2] = '"' + lines[2]
    with pytest.raises(ClaimError, match=r"^Line 4 opens a quotation mark that swallows the lines up to 2,\d{3}\."):
        read_sheet("\n".join(["claim,n", *lines]).encode(), "x.csv")


def test_too_many_blank_lines_are_refused_before_they_are_read() -> None:
    assert len(read_sheet(b"\n" * (sheet.MAX_LINES - 2) + b"claim\nBees dance\n", "x.csv").rows) == 1
    for read in (lambda text: read_sheet(text.encode(), "x.csv"), sheet_of_text):
        with pytest.raises(ClaimError, match=r"200,002 lines; at most 200,000 can be read\. Most of them are blank"):
            read("\n" * (sheet.MAX_LINES + 1) + "Bees dance")
        with pytest.raises(ClaimError, match=r"200,001 lines; at most 200,000 can be read\. Split the list"):
            read("x\n" * (sheet.MAX_LINES + 1))


def test_a_full_list_is_taken() -> None:
    assert len(read_sheet(b"claim\n" + b"Bees dance\n" * MAX_ROWS, "x.csv").rows) == MAX_ROWS
    assert len(sheet_of_text("Bees dance\n" * MAX_ROWS).rows) == MAX_ROWS
    with pytest.raises(ClaimError, match="at most"):
        sheet_of_text("Bees dance\n" * (MAX_ROWS + 1))


def test_sheet_of_text_lines_keep_their_numbers() -> None:
    assert [(r.line, r.cells) for r in sheet_of_text("a, b\r\n\r\n\tc\u2028d\n").rows] == [
        (1, ("a, b",)), (2, ()), (3, ("\tc\u2028d",)),
    ]  # fmt: skip
