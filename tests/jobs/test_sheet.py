"""Files as rows (encodings, delimiters, heads, limits), and rows as claims: checked, repeated, blank and refused."""

import pytest

from ghost.errors import ClaimError
from ghost.jobs import MAX_BYTES, MAX_LINES, MAX_ROWS, Columns, Sheet, claims_of, read_sheet, sheet_of_text


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


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(ClaimError, match="21 MB; at most 20 MB"):
        read_sheet(b"x" * (MAX_BYTES + 1_000_000), "x.csv")


def test_a_cell_that_is_too_long_is_a_problem_of_its_line_only() -> None:
    found = read_sheet(b"claim,n\n" + b"x" * 200_000 + b",1\nBees dance,2\n", "x.csv")
    assert "cannot be read" in found.rows[0].problem
    assert found.rows[1].cells == ("Bees dance", "2")


def test_a_cell_of_many_lines_that_is_too_long_is_a_problem_of_its_row_only() -> None:
    long = '"' + 'Wasps say ""no"", 1\n' * 9_000 + '"'
    found = read_sheet(f'claim,n\nfine,1\n{long},2\n"Bees\ndance",3\n{long},4\nAnts,5\n'.encode(), "x.csv")
    rows = [(row.line, row.cells, "cannot be read" in row.problem) for row in found.rows]
    assert rows == [
        (2, ("fine", "1"), False), (3, (), True), (9004, ("Bees\ndance", "3"), False), (9006, (), True),
        (18007, ("Ants", "5"), False),
    ]  # fmt: skip


def test_a_quotation_mark_that_swallows_more_than_a_cell_can_hold_is_named() -> None:
    lines = [f"Bees dance in field number {n} before they fly out again,{n}" for n in range(9000)]
    lines[2] = '"' + lines[2]
    with pytest.raises(ClaimError, match=r"^Line 4 opens a quotation mark that swallows the lines up to 2,\d{3}\."):
        read_sheet("\n".join(["claim,n", *lines]).encode(), "x.csv")


def test_too_many_lines_are_refused_before_they_are_read() -> None:
    assert len(read_sheet(b"\n" * (MAX_LINES - 2) + b"claim\nBees dance\n", "x.csv").rows) == 1
    for read in (lambda text: read_sheet(text.encode(), "x.csv"), sheet_of_text):
        with pytest.raises(ClaimError, match=r"200,002 lines; at most 200,000 can be read\."):
            read("\n" * (MAX_LINES + 1) + "Bees dance")
    assert len(read_sheet(b"claim\n" + b"Bees dance\n" * MAX_ROWS, "x.csv").rows) == MAX_ROWS
    with pytest.raises(ClaimError, match="at most"):
        sheet_of_text("Bees dance\n" * (MAX_ROWS + 1))


def test_sheet_of_text_lines_keep_their_numbers() -> None:
    assert [(r.line, r.cells) for r in sheet_of_text("a, b\r\n\r\n\tc\u2028d\n").rows] == [
        (1, ("a, b",)), (2, ()), (3, ("\tc\u2028d",)),
    ]  # fmt: skip


def test_blank_and_repeated_lines_are_named() -> None:
    lines = claims_of(sheet_of_text("Bees dance\n\nWasps sting\nBees  dance\u200b\n \nBees dance"), Columns(0), 5000)
    assert [item.claim for item in lines.checked] == ["Bees dance", "Wasps sting"]
    assert [(item.line, item.same_as) for item in lines.repeated] == [(4, 1), (6, 1)]
    assert lines.blank == (2, 5)
    assert lines.remarks == (
        "2 blank lines were left out: 2 and 5.",
        "2 lines repeat an earlier claim and get its result: 4 (same as 1) and 6 (same as 1).",
    )


def test_the_same_words_from_another_source_are_another_claim() -> None:
    body = b"claim,url\nBees dance,https://a.test/\nBees dance,https://b.test/\nBees dance,https://a.test/\n"
    lines = claims_of(read_sheet(body, "x.csv"), Columns(0, found_at=1), 5000)
    assert [item.found_at for item in lines.checked] == ["https://a.test/", "https://b.test/"]
    assert lines.repeated[0].same_as == 1


def test_lines_that_cannot_be_checked_stay_with_the_reason_and_all_their_cells() -> None:
    body = f"id,claim,url\n1,,\n2,{'x' * 60},\n3,Bees dance,javascript:alert(1)\n4,Wasps\n".encode()
    lines = claims_of(read_sheet(body, "x.csv"), Columns(1, found_at=2), 50)
    assert [item.line for item in lines.refused] == [2, 3, 4]
    empty, long, address = lines.refused
    assert "empty" in empty.refused
    assert "at most 50" in long.refused
    assert "web address" in address.refused
    assert long.cells == ("2", "x" * 60, "")
    assert [item.cells for item in lines.checked] == [("4", "Wasps", "")]
    assert lines.remarks == ("3 lines cannot be checked: 2, 3 and 4.",)


def test_nul_and_control_characters_do_not_reach_the_claim() -> None:
    (item,) = claims_of(sheet_of_text("Bees\x00 dance\x07"), Columns(0), 5000).checked
    assert item.claim == "Bees dance"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The bridge was sold in 2019.", "the bridge was sold in 2019", True),
        ("The bridge was sold in 2019.", "  The bridge  was “sold” in 2019!", True),
        ("The bridge was sold in 2019.", "Ｔhe bridge was sold in ２０１９", True),
        ("It's a well-known fact", "It’s a well known fact.", True),
        ("The ﬁrst bridge", "The first bridge", True),
        ("STRASSE", "Straße", True),
        ("The bridge was sold in 2019.", "The bridge was sold in 2018.", False),
        ("The temperature was -5 degrees", "The temperature was 5 degrees", False),
        ("It rose by 3.5 %", "It rose by 35 %", False),
        ("It rose by 5 %", "It rose by 5", False),
        ("It is 10² metres", "It is 102 metres", False),
        ("The bridge was sold", "The bridge was not sold", False),
    ],
)
def test_claims_that_differ_in_writing_only_are_checked_once(one: str, other: str, same: bool) -> None:
    found = claims_of(sheet_of_text(f"Wasps sting\n{one}\n{other}"), Columns(0), 5000)
    assert len(found.checked) == (2 if same else 3)
    assert [(item.line, found.first_line(item)) for item in found.repeated] == ([(3, 2)] if same else [])


def test_an_address_is_never_checked_as_a_claim() -> None:
    found = claims_of(
        sheet_of_text("https://a.example/x-y\nwww.a.example\na.example/b?c=d\nBees dance."), Columns(0), 500
    )
    assert [item.claim for item in found.checked] == ["Bees dance."]
    assert {item.refused for item in found.refused} == {"This is an address, not a claim."}


def test_lists_of_lines_are_cut() -> None:
    (remark,) = claims_of(sheet_of_text("Bees dance" + "\n" * 20 + "Wasps sting"), Columns(0), 500).remarks
    assert remark == "19 blank lines were left out: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 7 more."
