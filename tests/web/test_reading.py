"""Reading whole pages: the HTML files in read_pages, each of a shape of its own."""

import time
from datetime import date
from pathlib import Path

import pytest

from ghost.web import (
    Extraction,
    NoticeKind,
    ReadPage,
    Sureness,
    Unreadable,
    WhyUnreadable,
    read,
)  # fmt: skip

PAGES = Path(__file__).with_name("read_pages")
TODAY = date(2026, 1, 1)
URL = "https://www.ostwick-courier.example/news/x"


def page(name: str, url: str = URL) -> ReadPage:
    found = anything(name, url)
    assert isinstance(found, ReadPage), found
    return found


def anything(name: str, url: str = URL) -> ReadPage | Unreadable:
    return read((PAGES / f"{name}.html").read_bytes(), "text/html", url, today=TODAY)


def html(body: str, url: str = URL) -> ReadPage:
    found = read(body.encode(), "text/html; charset=utf-8", url, today=TODAY)
    assert isinstance(found, ReadPage), found
    return found


READABLE = sorted(f.stem for f in PAGES.glob("*.html") if isinstance(anything(f.stem), ReadPage))


@pytest.mark.parametrize("name", READABLE)
def test_passages_stand_where_they_say_and_have_their_neighbours(name: str) -> None:
    found = page(name)
    assert found.passages
    for number, passage in enumerate(found.passages):
        assert passage.number == number
        assert passage.text == found.text[passage.start : passage.end]
        assert passage.text in found.around(number)
        assert 0 < len(passage.text) <= 700
        if number:
            assert found.passages[number - 1].end <= passage.start
            assert found.passages[number - 1].text in found.around(number)


def test_an_article_without_what_is_around_it() -> None:
    found = page("news")
    assert found.title == "Harbour bridge at Ostwick reopens after repairs"
    assert (found.site, found.author, found.language) == ("Ostwick Courier", "Mira Halloway, Tom Ferris", "en")
    assert (found.published_at, found.modified_at) == (date(2023, 5, 4), date(2023, 5, 5))
    assert (found.date_sure.level, found.date_sure.source) == (Sureness.SURE, "structured data")
    assert found.canonical == "https://www.ostwick-courier.example/news/harbour-bridge-reopens"
    assert found.extraction is Extraction.MAIN
    assert found.hidden == {"script": 2, "style": 1}
    assert found.syndication is None
    assert "Before the repairs it was 7,500." in found.text
    for around in ("cookies", "Ferry timetable", "Imprint", "Buy now", "Sport"):
        assert around not in found.text
    limit = next(p for p in found.passages if "speed limit" in p.text)
    assert limit.heading == "What changes for drivers"
    marsh = next(p for p in found.passages if "Lena Marsh" in p.text)
    assert marsh.text.startswith("Dr. Lena")
    assert marsh.text.endswith("until July.")


def test_a_blog_is_dated_by_what_its_reader_sees() -> None:
    found = page("blog")
    assert (found.published_at, found.date_sure.source) == (date(2019, 8, 21), "time element")
    assert found.author == "Bo Lindqvist"
    assert "late blight" in found.text
    assert "same here" not in found.text


@pytest.mark.parametrize(
    ("name", "claim", "rating", "reviewer", "claimant", "value", "day"),
    [
        ("factcheck_jsonld", "The Ostwick bridge is made of cardboard.", "False", "Check Desk", "A viral post", 0.0,
         date(2023, 6, 1)),
        ("factcheck_graph", 'In Talheim lag im Juli "ein Meter" Schnee.', "Größtenteils falsch", "Prüfstelle",
         "Talheimer Bote", 0.25, date(2022, 8, 2)),
        ("factcheck_microdata", "el alcalde de Montalvo prohibió las bicicletas en toda la ciudad", "Engañoso",
         "Verifica Ya", "Radio Sur", 0.5, date(2021, 11, 9)),
        ("factcheck_broken", "The tower is 90 metres high.", "Half true", "Tower Watch", "", None, None),
    ],
)  # fmt: skip
def test_fact_checks_in_the_page(
    name: str, claim: str, rating: str, reviewer: str, claimant: str, value: float | None, day: date | None
) -> None:
    first = page(name).claim_reviews[0]
    assert (first.claim, first.rating, first.reviewer, first.claimant) == (claim, rating, reviewer, claimant)
    assert (first.value, first.reviewed_at) == (value, day)


def test_fact_checks_nested_in_lists_are_found_and_broken_ones_are_none() -> None:
    assert [r.claim for r in page("factcheck_graph").claim_reviews][1:] == ["Der See in Talheim ist zugefroren."]
    assert page("factcheck_graph").claim_reviews[0].url == "https://www.ostwick-courier.example/fakten/schnee"
    assert len(page("factcheck_broken").claim_reviews) == 1
    assert page("factcheck_broken").claim_reviews[0].url == ""


def test_rows_of_a_table_can_be_read_on_their_own() -> None:
    lines = page("table").text.splitlines()
    assert "Inhabitants by town" in lines
    assert "Town: Ostwick; 2001: 41,220; 2021: 48,310" in lines
    assert "Talheim lost people to the coast" in lines
    facts = page("dl").text.splitlines()
    assert "Source: Talheim, at 840 metres above the sea" in facts
    assert "Widest place: 480 metres" in facts


def test_a_table_that_arranges_the_page_is_read_as_text() -> None:
    texts = [p.text for p in page("layout_table").passages]
    assert any(t.startswith("In 1961 the wheel was sold for scrap. The building stands empty") for t in texts)


def test_a_discussion_keeps_its_posts() -> None:
    found = page("forum")
    for said in ("heard singing", "ventilation shaft in 1932", "Nobody ever died", "no singing since"):
        assert said in found.text
    assert found.date_sure.level in (Sureness.GUESS, Sureness.UNKNOWN)


def test_a_stub_says_that_there_is_more() -> None:
    found = page("paywall")
    assert "met in a bakery" in found.text
    assert found.notes == ("The page says that the whole text is for subscribers.",)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("empty", WhyUnreadable.EMPTY),
        ("blank", WhyUnreadable.EMPTY),
        ("cookie_wall", WhyUnreadable.WALL),
        ("robot_check", WhyUnreadable.WALL),
        ("scripts_only", WhyUnreadable.NEEDS_SCRIPTS),
        ("scripts_asked", WhyUnreadable.NEEDS_SCRIPTS),
        ("frames", WhyUnreadable.FRAMES),
    ],
)
def test_what_cannot_be_read_says_why(name: str, kind: WhyUnreadable) -> None:
    found = anything(name)
    assert isinstance(found, Unreadable)
    assert found.kind is kind
    assert found.why.endswith(".")


@pytest.mark.parametrize(
    ("name", "language", "words"),
    [
        ("wrong_lang", "de", "z. B. für das Dach aus Schiefer."),
        ("rtl", "ar", "هل يكفي ذلك؟"),
        ("cjk", "ja", "長さは二百メートルで、工事には三年かかった。"),
        ("corrected_fr", "fr", "420 élèves"),
    ],
)
def test_the_language_is_that_of_the_text(name: str, language: str, words: str) -> None:
    found = page(name)
    assert found.language == language
    assert words in found.text


def test_a_text_in_another_script_is_cut_at_its_sentences() -> None:
    assert "次の橋は来年に完成する予定だ。" in [p.text for p in page("cjk").passages]
    assert page("cjk").published_at == date(2022, 4, 1)


@pytest.mark.parametrize("name", ["undated", "future"])
def test_no_date_is_made_up(name: str) -> None:
    found = page(name)
    assert found.published_at is None
    assert found.date_sure.level is Sureness.UNKNOWN


def test_a_story_published_again_is_less_sure_of_its_date() -> None:
    found = page("republished", "https://www.ostwick-courier.example/2016/07/08/dam")
    assert found.published_at == date(2025, 3, 3)
    assert found.date_sure.level is Sureness.LIKELY
    assert found.date_sure.why == "The address has 2016-07-08."


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("retracted", NoticeKind.RETRACTION, "This article has been retracted at the request of the authors"),
        ("corrected", NoticeKind.CORRECTION, "An earlier version of this article said that the school has room"),
        ("corrected_fr", NoticeKind.CORRECTION, "Une version précédente de cet article indiquait"),
    ],
)
def test_notices_are_shown_in_the_words_of_the_page(name: str, kind: NoticeKind, words: str) -> None:
    assert any(n.kind is kind and words in n.text for n in page(name).notices)


def test_news_of_a_retraction_is_not_a_retraction() -> None:
    assert page("about_retraction").notices == ()


def test_where_a_text_was_first() -> None:
    wire = page("wire")
    assert wire.syndication
    assert (wire.syndication.source, wire.syndication.how) == ("Reuters", "dateline")
    assert wire.canonical == ""
    owls = page("first_published").syndication
    assert owls
    assert owls.source == "The Vale Naturalist"


def test_only_the_address_tells_of_another_site() -> None:
    body = (PAGES / "wire.html").read_text().replace("(Reuters) - ", "")
    found = html(body).syndication
    assert found
    assert (found.source, found.how) == ("www.agency.example", "canonical address")


def test_lines_that_go_on_are_joined_and_paragraphs_of_breaks_are_kept() -> None:
    texts = [p.text for p in page("br_only").passages]
    assert any(t.endswith("There was little wind and the sea was calm all night long.") for t in texts)
    assert any(t.startswith("In the morning the oil") for t in texts)


def test_where_there_is_no_main_text_what_is_visible_is_read_without_advertising() -> None:
    found = page("ads")
    assert found.extraction is Extraction.VISIBLE
    assert found.text == "The ferry did not sail today.\n\nWind of force nine was the reason."


def test_text_that_no_reader_sees_is_not_read() -> None:
    found = page("hidden_data")
    assert found.text == "The moon is made of rock."
    assert found.title == "Seen and unseen"


def test_an_article_is_read_fast() -> None:
    text = "".join(
        f"<p>On day {n} the mayor said that the bridge would hold for {n} more years.</p>" for n in range(70)
    )
    body = (
        f"<html lang=en><head><title>T</title></head><body><article><h1>T</h1>{text}</article></body></html>".encode()
    )
    assert len(body) > 5_000
    read(body, "text/html", URL)
    started = time.process_time()
    for _ in range(5):
        read(body, "text/html", URL)
    assert (time.process_time() - started) / 5 < 0.05


def test_what_was_left_out_is_said() -> None:
    found = html("<body><p>" + "The sea is wide and the boat is small. " * (50_000))
    assert "The page is very long; only its beginning was read." in found.notes
    assert any(note.startswith("Only the first 200,000 characters") for note in found.notes)
    assert len(found.text) <= 200_000


def test_plain_text_is_joined_from_its_lines() -> None:
    body = (
        b"Report of the keeper\n\nThe lamp was lit at six. There was\nlittle wind.\n\n- Oil: 40 litres\n- Ships: two\n"
    )
    found = read(body, "text/plain", "https://a.example/2020/01/02/report.txt", today=TODAY)
    assert isinstance(found, ReadPage)
    assert found.title == "Report of the keeper"
    assert "There was little wind." in found.text
    assert "Oil: 40 litres\nShips: two" in found.text
    assert found.published_at == date(2020, 1, 2)


def test_nothing_that_a_page_names_is_fetched(network_attempts: list[str]) -> None:
    html(
        '<html><head><base href="http://far.example/"><link rel=stylesheet href="http://far.example/a.css">'
        '<link rel=canonical href="http://far.example/x"></head><body><img src="http://far.example/i.png">'
        '<iframe src="http://far.example/f"></iframe><p>The text of this page is short, but it is there.</p>'
    )
    assert network_attempts == []


PLAIN_TEXTS = {
    "1. First thing\n2. Second\nthing": "First thing|Second thing",
    "Shopping list\n- oil\n- bread": "Shopping list|oil|bread",
    "- oil\n- bread\n\n- ships": "oil|bread|ships",
    "(9) Nine\n(10) Ten.\n(a) Letters": "Nine|Ten. (a) Letters",
    "It is old.\n• It is high": "It is old.|It is high",
    "The town has a population of about\n600. It was founded in 1820 and has a\nchurch.": (
        "The town has a population of about 600. It was founded in 1820 and has a church."
    ),
    "The temperature fell during the night to\n- 5 degrees, which is rare.": (
        "The temperature fell during the night to - 5 degrees, which is rare."
    ),
    "1. The town has about\n600 people on an area of\n12. It is old.\n2. The village has few": (
        "The town has about 600 people on an area of 12. It is old.|The village has few"
    ),
}


@pytest.mark.parametrize("text", PLAIN_TEXTS)
def test_hard_wrapped_lines_are_joined_and_marks_make_a_list(text: str) -> None:
    found = read(text.encode(), "text/plain", URL, today=TODAY)
    assert isinstance(found, ReadPage)
    assert [line for line in found.text.split("\n") if line] == PLAIN_TEXTS[text].split("|")
