import time
from dataclasses import replace

import pytest

from ghost.knowledge import origins
from ghost.testing import passage
from ghost.types import Passage, SourceType
from tests.knowledge.helpers import groups

WIRE = (
    "The ministry said on Monday that the bridge will be closed for three months while engineers replace "
    "the damaged steel cables that were found during an inspection in March."
)
OTHER = "A new survey of the river shows that salmon have returned to its upper reaches after forty years."


def test_a_story_that_others_reprint_is_one_source() -> None:
    reprint = WIRE.replace("The ministry said on Monday", "The ministry told AFP on Monday")
    excerpt = "The bridge will be closed for three months while engineers replace the damaged steel cables."
    found = groups(
        [
            passage(WIRE, url="https://a.org/1", domain="a.org"),
            passage(OTHER, url="https://b.org/1", domain="b.org"),
            passage(reprint.upper(), url="https://c.org/1", domain="c.org"),
            passage(excerpt, url="https://d.org/1", domain="d.org"),
        ]
    )
    assert found == [1, 2, 1, 1]


def test_one_page_and_one_publisher_on_one_domain_are_one_source() -> None:
    found = groups(
        [
            passage("Bees make honey in the summer", url="https://a.org/x", domain="a.org", publisher="A"),
            passage("Nothing like the others at all", url="https://a.org/x", domain="a.org", publisher="B"),
            passage("Something else again, said by A", url="https://a.org/y", domain="a.org", publisher="A"),
            passage("A guest writes about his garden", url="https://a.org/z", domain="a.org", publisher="C"),
            passage("Tea is drunk hot in the afternoon"),
            passage("Winter begins at the solstice"),
        ]
    )
    assert found == [1, 1, 1, 2, 3, 4]


def test_texts_that_differ_in_what_they_say_are_not_one() -> None:
    found = groups(
        [
            passage("The tower is 330 metres high.", domain="a.org"),
            passage("The bridge is 2,737 metres long.", domain="b.org"),
            passage("", domain="c.org"),
            passage("Tower", domain="d.org"),
        ]
    )
    assert found == [1, 2, 3, 4]
    assert groups([]) == []


def test_likeness_is_passed_on() -> None:
    words = [f"word{i}" for i in range(60)]
    chain = [" ".join(words[start : start + 30]) for start in (0, 12, 24)]
    assert groups([passage(text, domain=f"{i}.org") for i, text in enumerate(chain)]) == [1, 1, 1]
    assert groups([passage(chain[0], domain="a.org"), passage(chain[2], domain="b.org")]) == [1, 2]


def test_twenty_passages_take_no_time() -> None:
    many = [passage(WIRE.replace("bridge", f"bridge {i}") + f" {i}", domain=f"{i}.org") for i in range(20)]
    best = min(_timed(many) for _ in range(10))
    assert best < 0.005


def _timed(many: list) -> float:
    start = time.process_time()
    groups(many)
    return time.process_time() - start


LEAD = "The harbour bridge of Northport will be closed to all traffic from 3 May while its cables are replaced"


def site(n: int, text: str, **more: object) -> Passage:
    return passage(text, url=f"https://site{n}.example/a", domain=f"site{n}.example", **more)  # type: ignore[arg-type]


ONE_ORIGIN = {
    "an agency's dateline on two different parts of its report": [
        site(1, "NORTHPORT (Reuters) - The harbour bridge will be closed for a while, the city council said."),
        site(2, "(Reuters) — Engineers found rust in forty of the main cables during a routine inspection."),
    ],
    "an agency's dateline with its desk, and one without a place": [
        site(1, "Ostwick (dpa/lsw) - Die Brücke bleibt bis Juli gesperrt, teilte die Stadt mit."),
        site(2, "(dpa) In vierzig Seilen wurde Rost gefunden."),
    ],
    "the agency itself and a site that prints it": [
        passage("Engineers found rust in forty cables.", url="https://apnews.com/x", domain="apnews.com"),
        site(2, "NORTHPORT (AP) — The city council has voted to close its bridge for three months."),
    ],
    "a credit at the end": [
        site(1, "Rust was found in forty of the cables, engineers said. (dpa)"),
        site(2, "BERLIN (dpa) - Die Brücke bleibt bis Juli gesperrt, teilte die Stadt mit."),
    ],
    "the same lead with edits": [
        site(1, LEAD + ", the council said on Monday after a long debate."),
        site(2, LEAD + ". Ferries will run every ten minutes, and buses take another way."),
    ],
    "a newspaper and one that repeats it with attribution": [
        passage(
            "The council will close the harbour bridge on 3 May and replace its rusty cables, at a cost of 4 million.",
            url="https://northportherald.example/1", domain="northportherald.example", publisher="The Northport Herald",
        ),
        site(2, "According to the Northport Herald, the harbour bridge will close on 3 May at a cost of 4 million."),
    ],
    "attribution after the words, and only a domain to know the newspaper by": [
        passage(
            "The council will close the harbour bridge on 3 May and replace its rusty cables.",
            url="https://northportherald.example/1", domain="northportherald.example",
        ),
        site(2, "The harbour bridge will close on 3 May, the Northport Herald reported, because its cables are rusty."),
    ],
    "two that repeat the same third": [
        site(1, "The harbour bridge will close on 3 May for new cables, according to the Northport Herald."),
        site(2, "Citing the Northport Herald, a local site says the harbour bridge will close on 3 May."),
    ],
    "a long quotation in both": [
        site(1, "Mayor Ann Holt said: “I would rather close this bridge for a year than lose one life on it.”"),
        site(2, "“I would rather close this bridge for a year than lose one life on it,” Holt told the council."),
    ],
    "an excerpt": [
        site(1, LEAD + ". Ferries run every ten minutes. The council voted for it on Monday after a long debate."),
        site(2, "The council voted for it on Monday after a long debate."),
    ],
    "marked when they came in": [
        replace(site(1, "Something about the bridge."), id="p_1"),
        replace(site(2, "Another thing about it."), id="p_2", kin="p_1"),
    ],
}  # fmt: skip
OWN_ORIGINS = {
    "two reports in words of their own": [
        site(1, "The harbour bridge of Northport closes on 3 May so that new cables can be put in."),
        site(2, "From 3 May nobody can drive over Northport's bridge; workers will renew the steel that holds it."),
    ],
    "who looked for himself": [
        passage("The harbour bridge will close on 3 May.", domain="herald.example", publisher="Northport Herald"),
        site(2, "The Northport Herald reported that the harbour bridge will close on 3 May; the council told us so."),
    ],
    "who contradicts what he names": [
        passage("The harbour bridge will close on 3 May.", domain="herald.example", publisher="Northport Herald"),
        site(2, "The Northport Herald reported that the harbour bridge will close on 3 May. That is false."),
    ],
    "a fact-checker who quotes what he checks": [
        passage("The harbour bridge will close on 3 May.", domain="herald.example", publisher="Northport Herald"),
        site(2, "The harbour bridge will close on 3 May, the Northport Herald reported. Its minutes say nothing.",
             source_type=SourceType.FACT_CHECKER),
    ],
    "who names another for something else": [
        passage("The harbour bridge will close on 3 May.", domain="herald.example", publisher="Northport Herald"),
        site(2, "According to the Northport Herald, salmon swim in the upper river again after forty years."),
    ],
    "two fact-checks of one post": [
        site(1, "A post says “they are closing the harbour bridge for good and nobody told us”. This is false."),
        site(2, "“They are closing the harbour bridge for good and nobody told us”, it says. It is misleading: in July "
                "it will be open again."),
    ],
    "a short sentence within a longer text": [
        site(1, "Vaccines cause autism."),
        site(2, "Large studies of many children looked into whether vaccines cause autism, and they found no link."),
    ],
    "two that name their subject alike": [
        site(1, "The bridge over the Nore at Kilbrae is closed to all traffic while its cables are replaced."),
        site(2, "The bridge over the Nore at Kilbrae is open again, as everybody can see."),
    ],
    "two that name a body that is called like an agency": [
        site(1, "The American Academy of Pediatrics (AAP) says that infants should sleep on their backs."),
        site(2, "A guideline bans screens for toddlers. Nobody of the American Academy of Pediatrics (AAP) took part."),
    ],
    "two that begin with it": [
        site(1, "Unified Payments Interface (UPI) - a system for mobile phones - grew in March."),
        site(2, "The Unified Payments Interface (UPI): auditors of bank ledgers counted nine billion transfers."),
    ],
    "two about one state": [
        site(1, "Senator John Fetterman (PA) voted against the bill, as the roll call shows."),
        site(2, "The bill failed 48 to 51. Among Democrats, Fetterman (PA) and Manchin (WV) said no."),
    ],
    "two agencies": [
        site(1, "NORTHPORT (Reuters) - The bridge will be closed for a while, the council said."),
        site(2, "NORTHPORT (AP) — Drivers cannot cross the river until July as workers put in steel."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("passages", ONE_ORIGIN.values(), ids=ONE_ORIGIN)
def test_one_story_is_one_origin_and_says_why(passages: list[Passage]) -> None:
    for order in (passages, passages[::-1]):
        found = origins([*order, site(9, OTHER)])
        assert [kin.group for kin in found] == [1, 1, 2]
        assert [bool(kin.why) for kin in found] == [False, True, False]


@pytest.mark.parametrize("passages", OWN_ORIGINS.values(), ids=OWN_ORIGINS)
def test_what_is_said_independently_stays_so(passages: list[Passage]) -> None:
    assert groups(passages) == groups(passages[::-1]) == [1, 2]


def test_different_parts_of_two_copies_of_a_page_are_one_origin_where_the_pages_are_known() -> None:
    page = f"{LEAD}. {OTHER} Ferries will run every ten minutes from the old pier."
    one, two = site(1, LEAD), site(2, "Ferries will run every ten minutes from the old pier.")
    assert groups([one, two]) == [1, 2]
    found = origins([one, two], {one.source_url: page, two.source_url: page.replace("ten minutes", "quarter hour")})
    assert [kin.group for kin in found] == [1, 1]
    assert "page" in found[1].why


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
    "a page, and one that denies it": (
        f"{LEAD}. {OTHER}", f"{LEAD.replace('will be', 'will not be')}. {OTHER}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("pages", OWN_PAGES.values(), ids=OWN_PAGES)
def test_pages_that_only_quote_the_same_stay_two(pages: tuple[str, str]) -> None:
    one, two = site(1, "Rust was found in forty cables."), site(2, "A boat crosses the river each hour.")
    for first, second in (pages, pages[::-1]):
        assert groups([one, two, site(9, OTHER)])[:2] == [1, 2]
        assert _numbers([one, two], first, second) == [1, 2]


def _numbers(passages: list[Passage], *pages: str) -> list[int]:
    texts = {p.source_url: page for p, page in zip(passages, pages, strict=True)}
    return [kin.group for kin in origins(passages, texts)]


def test_a_page_that_is_part_of_another_one_is_its_copy() -> None:
    page = f"{LEAD}. {OTHER} Ferries will run every ten minutes from the old pier. Buses take another way."
    one, two = site(1, LEAD), site(2, "Ferries will run every ten minutes from the old pier.")
    rest = " The mayor opened a school, and the harbour office has a new roof made of slate, which cost two million."
    assert _numbers([one, two], page + rest * 3, page) == [1, 1]


def test_one_page_under_two_addresses_is_one_source() -> None:
    one = passage("Rust was found in forty cables.", url="http://www.fc.example/1", domain="fc.example", publisher="A")
    two = passage(
        "The ferry runs until July.", url="https://fc.example/1/?utm_source=x", domain="fc.example", publisher="B"
    )
    assert groups([one, two]) == groups([two, one]) == [1, 1]


def test_who_names_no_publisher_is_the_first_of_its_domain() -> None:
    texts = ("Rust was found in forty cables.", "The ferry runs until July.", "Salmon swim in the river.")
    snippet, news, guest = (
        passage(text, url=f"https://a.org/{n}", domain="a.org", publisher=publisher)
        for n, (text, publisher) in enumerate(zip(texts, ("", "A News", "A guest"), strict=True))
    )
    assert groups([snippet, news]) == groups([news, snippet]) == [1, 1]
    assert groups([snippet, news, guest]) == [1, 1, 2]
    elsewhere = passage(texts[0], url="https://b.org/1", domain="b.org", publisher="")
    assert groups([replace(elsewhere, text=texts[2]), news, snippet]) == [1, 2, 2]


def test_scripts_without_spaces_are_compared_too() -> None:
    text = "长城从月球上用肉眼是看不见的，因为它太窄了。"
    assert groups([site(1, text), site(2, text + "宇航员这样说。"), site(3, "蜜蜂用舞蹈告诉同伴花在哪里。")]) == [
        1,
        1,
        2,
    ]


def test_the_time_grows_with_the_text_and_not_with_the_pairs() -> None:
    many = [site(n, " ".join(f"w{n}x{i}" for i in range(40))) for n in range(300)]
    assert groups(many) == list(range(1, 301))
    few, all_ = min(_timed(many[:100]) for _ in range(5)), min(_timed(many) for _ in range(5))
    assert all_ < 6 * few  # nine times, were every two compared
