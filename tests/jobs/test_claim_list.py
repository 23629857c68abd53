"""From rows to claims: what is checked, repeated, blank and refused."""

import pytest

from ghost.jobs import Columns, claims_of, read_sheet, sheet_of_text
from ghost.jobs.claim_list import listed


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
    assert listed([]) == ""
    assert listed([7]) == "7"
    assert listed([1, 2]) == "1 and 2"
    assert listed(range(1, 21)).endswith("12 and 8 more")
