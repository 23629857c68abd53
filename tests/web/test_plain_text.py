import pytest

from ghost.web.lines import Block, BlockKind
from ghost.web.plain_text import text_blocks


def shown(blocks: list[Block]) -> list[str]:
    return [f"* {block.text}" if block.kind is BlockKind.ITEM else block.text for block in blocks]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1. First thing\n2. Second\nthing", ["* First thing", "* Second thing"]),
        ("It has:\n- oil\n- ships", ["It has:", "* oil", "* ships"]),
        ("Shopping list\n- oil\n- bread", ["Shopping list", "* oil", "* bread"]),
        ("- oil\n- bread\n\n- ships", ["* oil", "* bread", "* ships"]),
        ("(9) Nine\n(10) Ten.\n(a) Letters", ["* Nine", "* Ten. (a) Letters"]),
        ("It is old.\n• It is high", ["It is old.", "* It is high"]),
    ],
)
def test_marks_make_a_list(text: str, lines: list[str]) -> None:
    assert shown(text_blocks(text)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "The town has a population of about\n600. It was founded in 1820 and has a\nchurch.",
        "The temperature fell during the night to\n- 5 degrees, which is rare.",
        "The battle took place on May\n3. The mayor (who resigned on June\n12) was absent.",
        "1820. It was the year in which the town had\n600. Then it grew",
    ],
)
def test_a_number_at_the_start_of_a_wrapped_line_is_kept(text: str) -> None:
    assert shown(text_blocks(text)) == [text.replace("\n", " ")]


def test_a_number_within_an_item_is_kept() -> None:
    text = "1. The town has about\n600 people on an area of\n12. It is old.\n2. The village has few"
    assert shown(text_blocks(text)) == [
        "* The town has about 600 people on an area of 12. It is old.",
        "* The village has few",
    ]
