"""Which passages are one source said several times."""

from dataclasses import replace
from typing import Any

import pytest

from ghost.knowledge import origins
from ghost.testing import passage
from ghost.types import Passage, SourceType
from tests.knowledge.helpers import SALMON, WIRE, groups, table

LEAD = "The harbour bridge of Northport will be closed to all traffic from 3 May while its cables are replaced"
FERRY = "Ferries will run every ten minutes from the old pier."
CASES = table("origins")


def site(n: int, text: str) -> Passage:
    return passage(text, url=f"https://site{n}.example/a", domain=f"site{n}.example")


def written(row: dict[str, Any]) -> Passage:
    kind = SourceType(row.pop("source_type", "unknown"))
    kin = row.pop("kin", "")
    return replace(passage(**row, source_type=kind), kin=kin)


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_one_story_is_one_origin_and_says_why_and_what_is_said_independently_stays_so(case: dict[str, Any]) -> None:
    passages = [written(dict(row)) for row in case["passages"]]
    for order in (passages, passages[::-1]):
        found = origins([*order, site(9, SALMON)])
        assert [o.group for o in found] == ([1, 1, 2] if case["one_origin"] else [1, 2, 3])
        assert [bool(o.why) for o in found] == [False, case["one_origin"], False]


def test_a_story_that_others_reprint_is_one_source() -> None:
    reprint = WIRE.replace("The ministry said on Monday", "The ministry told AFP on Monday").upper()
    excerpt = "The bridge will be closed for three months while engineers replace the damaged steel cables."
    texts = (WIRE, SALMON, reprint, excerpt)
    assert groups([site(n, text) for n, text in enumerate(texts)]) == [1, 2, 1, 1]


def test_one_page_and_one_publisher_on_one_domain_are_one_source() -> None:
    found = [
        passage("Bees make honey in the summer", url="https://a.org/x", domain="a.org", publisher="A"),
        passage("Nothing like the others at all", url="https://a.org/x", domain="a.org", publisher="B"),
        passage("Something else again, said by A", url="https://a.org/y", domain="a.org", publisher="A"),
        passage("A guest writes about his garden", url="https://a.org/z", domain="a.org", publisher="C"),
        passage("Tea is drunk hot in the afternoon"),
        passage("Winter begins at the solstice"),
    ]
    assert groups(found) == [1, 1, 1, 2, 3, 4]


def test_texts_that_differ_in_what_they_say_are_not_one() -> None:
    texts = ("The tower is 330 metres high.", "The bridge is 2,737 metres long.", "", "Tower", "…", "?!")
    assert groups([site(n, text) for n, text in enumerate(texts)]) == [1, 2, 3, 4, 5, 6]
    assert groups([]) == []


def test_different_parts_of_two_copies_of_a_page_are_one_origin_where_the_pages_are_known() -> None:
    page = f"{LEAD}. {SALMON} {FERRY}"
    parts = [site(1, LEAD), site(2, FERRY)]
    assert groups(parts) == [1, 2]
    assert groups(parts, page, page.replace("ten minutes", "quarter hour")) == [1, 1]
    rest = " The mayor opened a school, and the harbour office has a new roof made of slate, which cost two million."
    assert groups(parts, f"{page} Buses take another way." + rest * 3, f"{page} Buses take another way.") == [1, 1]


POST = (
    "Nobody tells you that the city of Marlow has put lithium into its tap water since the spring of 2019 to keep "
    "people calm, and that three hundred of them were taken to the hospital with shaking hands while the mayor drinks "
    "water flown in from Norway every week"
)
FOOTER = (
    "This newspaper belongs to the Valley Media Group. We correct mistakes quickly: if you see one, write to the "
    "editor at the address below and we will look into it within two working days. Subscribe to our letter."
)
CHECK = f"A post says: “{POST}”. We asked the waterworks for its logs: lithium was never bought. Our rating: False."
OWN_PAGES = {
    "two papers with one footer": (
        f"The council of Lingford voted on Monday to close the bridge, as its cables have rust. {FOOTER}",
        f"Residents measured the way around the old crossing: nineteen minutes. A ferry runs until July. {FOOTER}",
    ),
    "two that look into one post": (
        CHECK,
        f"“{POST}”, it reads. Inspectors list 0.002 milligrams per litre, which is natural. There is no evidence.",
    ),
    "a post, and who looks into all of it": (
        f"{POST}. Share it before they delete it.",
        f"{CHECK} The plant buys chlorine, sand and lime, has nothing else in its books, and customs saw no water.",
    ),
    "a page, and one that denies it": (f"{LEAD}. {SALMON}", f"{LEAD.replace('will be', 'will not be')}. {SALMON}"),
}


@pytest.mark.parametrize("pages", OWN_PAGES.values(), ids=OWN_PAGES)
def test_pages_that_only_quote_the_same_stay_two(pages: tuple[str, str]) -> None:
    parts = [site(1, "Rust was found in forty cables."), site(2, "A boat crosses the river each hour.")]
    assert groups(parts, *pages) == groups(parts, *pages[::-1]) == [1, 2]


def test_who_names_no_publisher_is_the_first_of_its_domain() -> None:
    texts = ("Rust was found in forty cables.", FERRY, "Salmon swim in the river.")
    snippet, news, guest = (
        passage(text, url=f"https://a.org/{n}", domain="a.org", publisher=publisher)
        for n, (text, publisher) in enumerate(zip(texts, ("", "A News", "A guest"), strict=True))
    )
    assert groups([snippet, news]) == groups([news, snippet]) == [1, 1]
    assert groups([snippet, news, guest]) == [1, 1, 2]
    assert groups([passage(texts[2], url="https://b.org/1", domain="b.org"), news, snippet]) == [1, 2, 2]


def test_scripts_without_spaces_are_compared_too() -> None:
    text = "长城从月球上用肉眼是看不见的，因为它太窄了。"
    assert groups([site(1, text), site(2, text + "宇航员这样说。"), site(3, "蜜蜂用舞蹈告诉同伴花在哪里。")]) == [
        1,
        1,
        2,
    ]
